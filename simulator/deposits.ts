/** The status of a deposit as the simulator reports it. */
export type DepositState = 'opened' | 'matched' | 'completed' | 'refused' | 'failed';

/** A deposit as the simulator remembers it. */
export interface Deposit {
  readonly reference: string;
  readonly channelOrderNo: string;
  readonly amount: string;
  readonly currency: string;
  /** Everything that its client sent with the first request. */
  readonly asked: Readonly<Record<string, unknown>>;
  state: DepositState;
  reason: string | null;
  /** How often its client requested it. More than once is a second deposit at a careless upstream. */
  opened: number;
  /** How often its client queried it. */
  queried: number;
  /** When its payer paid it, Unix milliseconds; null: not yet. */
  paidAt: number | null;
  /** What the payer pays. */
  paidAmount: string;
}

/** What payers owe and paid at the simulator. */
export class Deposits {
  private readonly byReference = new Map<string, Deposit>();

  find(reference: string): Deposit | undefined {
    return this.byReference.get(reference);
  }

  /** Records a request to open one. */
  ask(request: Pick<Deposit, 'reference' | 'amount' | 'currency' | 'asked'>): Deposit {
    const known = this.byReference.get(request.reference);
    if (known) {
      known.opened++;
      return known;
    }
    const deposit: Deposit = {
      ...request,
      channelOrderNo: `I${String(this.byReference.size + 1).padStart(8, '0')}`,

      state: 'opened',
      reason: null,
      opened: 1,
      queried: 0,
      paidAt: null,
      paidAmount: request.amount,
    };
    this.byReference.set(request.reference, deposit);
    return deposit;
  }

  pay(deposit: Deposit): void {
    deposit.state = 'completed';
    deposit.reason = null;
    deposit.paidAt ??= Date.now();
  }

  /** Every requested deposit. */
  all(): readonly Deposit[] {
    return [...this.byReference.values()];
  }
}
