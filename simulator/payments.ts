/** The status of a payout as the simulator reports it. */
export type State = 'accepted' | 'completed' | 'refused' | 'failed' | 'returned';

/** A payout as the simulator remembers it. */
export interface Payment {
  readonly reference: string;
  readonly channelOrderNo: string;
  readonly amount: string;
  readonly currency: string;
  state: State;
  reason: string | null;
  /** When its client requested it first, Unix milliseconds. */
  readonly askedAt: number;
  /** How often its client requested it. */
  asked: number;
  /** How often the beneficiary was paid. More than once is a double payment. */
  paid: number;
}

/** Whole units and ten-thousandths: the simulator's own arithmetic, exact. */
const SCALE = 10_000n;
function unitsOf(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole) * SCALE + BigInt(fraction.padEnd(4, '0'));
}
const textOf = (units: bigint): string => {
  const whole = units < 0n ? -units : units;
  const text = `${whole / SCALE}.${String(whole % SCALE).padStart(4, '0')}`;
  return units < 0n ? `-${text}` : text;
};

/** The simulator's payments and balances. It pays at each request, like the worst upstream. */
export class Payments {
  private readonly byReference = new Map<string, Payment>();
  private readonly balances = new Map<string, bigint>();

  /**
   * Sets a balance.
   * @param amount plain decimal
   */
  fund(currency: string, amount: string): void {
    this.balances.set(currency, unitsOf(amount));
  }

  /** @returns null if no balance was set */
  balance(currency: string): string | null {
    const held = this.balances.get(currency);
    return held === undefined ? null : textOf(held);
  }

  covers(currency: string, amount: string): boolean {
    const held = this.balances.get(currency);
    return held === undefined || held >= unitsOf(amount);
  }

  find(reference: string): Payment | undefined {
    return this.byReference.get(reference);
  }

  /** Records a request for a payout. */
  ask(request: Pick<Payment, 'reference' | 'amount' | 'currency'>): Payment {
    const known = this.byReference.get(request.reference);
    if (known) {
      known.asked++;
      return known;
    }
    const channelOrderNo = `S${String(this.byReference.size + 1).padStart(8, '0')}`;
    const fresh = {
      state: 'accepted' as const,
      reason: null,
      askedAt: Date.now(),
      asked: 1,
      paid: 0,
    };
    const payment: Payment = { ...request, channelOrderNo, ...fresh };
    this.byReference.set(request.reference, payment);
    return payment;
  }

  pay(payment: Payment): void {
    payment.state = 'completed';
    payment.reason = null;
    payment.paid++;
    this.move(payment, -1n);
  }

  giveBack(payment: Payment): void {
    payment.state = 'returned';
    payment.reason = 'the bank returned it';
    this.move(payment, 1n);
  }

  /** Every requested payout. */
  all(): readonly Payment[] {
    return [...this.byReference.values()];
  }

  private move({ currency, amount }: Payment, sign: bigint): void {
    const held = this.balances.get(currency);
    if (held !== undefined) this.balances.set(currency, held + sign * unitsOf(amount));
  }
}
