/** A deposit's status as the payer sees it (contract, "States"). */
export type OrderStatus = 'PENDING' | 'MATCHED' | 'COMPLETED' | 'EXPIRED' | 'CANCELLED' | 'FAILED';

/** The payer's order: what to transfer, and its state. Amounts are decimal strings, times RFC 3339 UTC. */
export interface CashierOrder {
  readonly orderNo: string;
  readonly status: OrderStatus;
  readonly requestedAmount: string;
  /** The amount to transfer; differs from `requestedAmount` on an account of mode FLOAT. */
  readonly amount: string;
  readonly currencyCode: string;
  readonly expireAt: string;
  readonly bankCode: string | null;
  readonly bankName: string | null;
  readonly bankBranch: string | null;
  readonly accountNo: string | null;
  readonly accountHolder: string | null;
  /** Goes into the transfer's note; null on an account of mode FLOAT. */
  readonly remark: string | null;
  /** The channel's page; null for a bank account. */
  readonly paymentUrl: string | null;
  /** What the channel gives for a QR code. */
  readonly qrData: string | null;
  readonly completedAt: string | null;
}

/** One detail of a card that the merchant bound to the payer; numbers are masked. */
export interface CardDetail {
  readonly key: string;
  readonly value: string;
}

/** A cashier session as its payer sees it. */
export interface CashierView {
  readonly sessionId: string;
  readonly status: 'PENDING' | 'SUBMITTED' | 'EXPIRED';
  readonly hasDepositOrder: boolean;
  /** Rises when the session is opened again for something else. */
  readonly version: number;
  readonly expireAt: string;
  readonly serverTime: string;
  readonly sandbox: boolean;
  readonly currencyCode: string;
  /** Decimal places of the currency. */
  readonly decimals: number;
  readonly denominations: readonly string[];
  /** The range of own amounts; null if only denominations are allowed. */
  readonly customMin: string | null;
  readonly customMax: string | null;
  readonly cards: readonly (readonly CardDetail[])[];
  readonly chosenCard: number | null;
  readonly merchant: {
    readonly name: string;
    readonly logoUrl: string | null;
    /** `#rrggbb` */
    readonly colour: string | null;
  };
  readonly returnUrl: string | null;
  readonly order: CashierOrder | null;
  /** The payer's claim about a payment that was not recognised. */
  readonly claim: { readonly reference: string; readonly at: string } | null;
}
