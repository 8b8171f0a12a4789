/** A deposit's status as the payer sees it (contract, "States"). */
export type OrderStatus = 'PENDING' | 'MATCHED' | 'COMPLETED' | 'EXPIRED' | 'CANCELLED' | 'FAILED';

/** What the payer has to transfer, and what became of it. Amounts are decimal strings, times RFC 3339 UTC. */
export interface CashierOrder {
  readonly orderNo: string;
  readonly status: OrderStatus;
  readonly requestedAmount: string;
  /** What must be transferred; differs from `requestedAmount` where the account tells payments apart by amount. */
  readonly amount: string;
  readonly currencyCode: string;
  readonly expireAt: string;
  readonly bankCode: string | null;
  readonly bankName: string | null;
  readonly bankBranch: string | null;
  readonly accountNo: string | null;
  readonly accountHolder: string | null;
  /** Belongs into the transfer's note; null where the amount tells payments apart. */
  readonly remark: string | null;
  /** Where a channel takes the payment; null for a bank account. */
  readonly paymentUrl: string | null;
  readonly completedAt: string | null;
}

/** One detail of a card that the merchant bound to the payer; numbers are masked. */
export interface CardDetail {
  readonly key: string;
  readonly value: string;
}

/** A cashier session as its payer may see it: all that the page is made of. */
export interface CashierView {
  readonly sessionId: string;
  readonly status: 'PENDING' | 'SUBMITTED' | 'EXPIRED';
  readonly hasDepositOrder: boolean;
  /** False for a link that a newer one has replaced: it shows and does nothing. */
  readonly mayAct: boolean;
  readonly expireAt: string;
  readonly serverTime: string;
  readonly sandbox: boolean;
  readonly currencyCode: string;
  /** Decimal places of the currency. */
  readonly decimals: number;
  readonly denominations: readonly string[];
  /** The range of an amount of the payer's own; null where denominations are all there is. */
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
