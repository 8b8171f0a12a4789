import { type Balances, type OrderStep, type Step, type Taker, WITHDRAWAL_ACTS, type WithdrawalAct } from './steps';

type State = 'PENDING' | 'APPROVED' | 'REJECTED' | 'SENT' | 'TASK' | 'PAID' | 'FAILED' | 'CANCELLED';
/** The state of the newest attempt at a channel. LATE: it paid after it had ended otherwise. */
type Try = 'NONE' | 'LIVE' | 'REFUSED' | 'FAILED' | 'SUCCEEDED' | 'LATE' | 'RETURNED';

interface Deposit {
  readonly amount: bigint;
  /** The part of its credit that is held. */
  held: bigint;
  recalled: boolean;
}

interface Withdrawal {
  readonly amount: bigint;
  readonly fee: bigint;
  state: State;
  newest: Try;
}

/** Kinds of accounts that belong to no merchant, credit positive. */
export type Kind =
  | 'bank'
  | 'suspense'
  | 'fee_income'
  | 'channel'
  | 'channel_cost'
  | 'channel_claim'
  | 'loss'
  | 'treasury'
  | 'adjustment';

/** What a channel charges for each payout, hundredths. */
export const COST = 3n;

/** The statuses from which an act on the order itself moves it, and the new status. */
const MOVES: Readonly<Partial<Record<WithdrawalAct, readonly [from: State, to: State]>>> = {
  approve: ['PENDING', 'APPROVED'],
  reject: ['PENDING', 'REJECTED'],
  send: ['APPROVED', 'SENT'],
  refuse: ['SENT', 'APPROVED'],
  pay: ['SENT', 'PAID'],
  fail: ['SENT', 'FAILED'],
  openTask: ['APPROVED', 'TASK'],
  transfer: ['TASK', 'PAID'],
  cancel: ['TASK', 'CANCELLED'],
};
const TRIES: Readonly<Partial<Record<WithdrawalAct, Try>>> = {
  send: 'LIVE',
  refuse: 'REFUSED',
  pay: 'SUCCEEDED',
  fail: 'FAILED',
};

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The ledger of one merchant as a few plain sums: the expected balances. */
export class LedgerModel implements Taker {
  /** How often each act had an effect, and how many steps had none. */
  readonly taken = new Map<Step['act'] | 'none', number>();
  private available = 0n;
  private frozen = 0n;
  private owed = 0n;
  private readonly sums = new Map<Kind, bigint>();
  private readonly deposits: Deposit[] = [];
  private readonly withdrawals: Withdrawal[] = [];

  /** @param holds whether the merchant waits for its credits until a day is over */
  constructor(private readonly holds: boolean) {}

  balances(): Balances {
    const { available, frozen, owed } = this;
    return { available, frozen, owed };
  }

  /** What was posted to accounts that are not the merchant's, by their kind. */
  others(): ReadonlyMap<Kind, bigint> {
    return this.sums;
  }

  /** How many orders there are. */
  counts(): { readonly deposits: number; readonly withdrawals: number } {
    return { deposits: this.deposits.length, withdrawals: this.withdrawals.length };
  }

  /** For each order with possible steps, those steps. */
  fittingSteps(): Record<'deposits' | 'withdrawals', OrderStep[][]> {
    const deposits = this.deposits.map(({ recalled }, order) => (recalled ? [] : [{ act: 'recall' as const, order }]));
    const withdrawals = this.withdrawals.map((withdrawal, order) =>
      WITHDRAWAL_ACTS.filter((act) => this.fits(act, withdrawal)).map((act) => ({ act, order })),
    );
    const some = (steps: readonly OrderStep[]): boolean => steps.length > 0;
    return { deposits: deposits.filter(some), withdrawals: withdrawals.filter(some) };
  }

  take(step: Step): boolean {
    const effective = this.follow(step);
    const counted = effective ? step.act : 'none';
    this.taken.set(counted, (this.taken.get(counted) ?? 0) + 1);
    return effective;
  }

  private follow(step: Step): boolean {
    switch (step.act) {
      case 'topUp':
        this.post('treasury', -step.amount);
        this.gain(step.amount);
        return true;
      case 'adjust':
        if (this.available + step.amount < 0n) return false;
        this.post('adjustment', -step.amount);
        this.gain(step.amount);
        return true;
      case 'deposit':
        for (const amount of step.amounts) this.credit(amount, step.fee);
        return true;
      case 'withdraw':
        return this.withdraw(step.amount, step.fee);
      case 'release':
        return this.release();
      case 'creditAgain':
        return false;
      case 'recall':
        return this.recall(this.deposits[step.order]);
      default: {
        const order = this.withdrawals[step.order];
        if (!order || !this.fits(step.act, order)) return false;
        this.move(step.act, order);
        return true;
      }
    }
  }

  private post(kind: Kind, amount: bigint): void {
    this.sums.set(kind, (this.sums.get(kind) ?? 0n) + amount);
  }

  /** Money that becomes available first covers the merchant's debt. */
  private gain(amount: bigint): void {
    this.available += amount;
    const covered = least(this.available, this.owed);
    this.available -= covered;
    this.owed -= covered;
  }

  private credit(amount: bigint, fee: bigint): void {
    this.post('bank', -amount);
    this.post('fee_income', fee);
    this.gain(amount - fee);
    const held = this.holds ? least(amount - fee, this.available) : 0n;
    this.available -= held;
    this.frozen += held;
    this.deposits.push({ amount, held, recalled: false });
  }

  private release(): boolean {
    const held = this.deposits.filter((deposit) => deposit.held > 0n);
    for (const deposit of held) {
      this.frozen -= deposit.held;
      this.gain(deposit.held);
      deposit.held = 0n;
    }
    return held.length > 0;
  }

  /** Takes the held part, then the available balance; the rest becomes debt. The fee stays earned. */
  private recall(deposit: Deposit | undefined): boolean {
    if (!deposit || deposit.recalled) return false;
    const { amount } = deposit;
    const fromHeld = least(amount, deposit.held);
    const fromAvailable = least(amount - fromHeld, this.available);
    this.frozen -= fromHeld;
    this.available -= fromAvailable;
    this.owed += amount - fromHeld - fromAvailable;
    this.post('bank', amount);
    deposit.recalled = true;
    deposit.held -= fromHeld;
    return true;
  }

  private withdraw(amount: bigint, fee: bigint): boolean {
    if (this.available < amount + fee) return false;
    this.available -= amount + fee;
    this.frozen += amount + fee;
    this.withdrawals.push({ amount, fee, state: 'PENDING', newest: 'NONE' });
    return true;
  }

  private fits(act: WithdrawalAct, order: Withdrawal | undefined): boolean {
    if (act === 'succeedLate') return order?.newest === 'REFUSED' || order?.newest === 'FAILED';
    if (act === 'giveBack') return order?.newest === 'SUCCEEDED';
    return order?.state === MOVES[act]?.[0];
  }

  private move(act: WithdrawalAct, order: Withdrawal): void {
    const { amount, fee } = order;
    switch (act) {
      case 'reject':
      case 'fail':
      case 'cancel':
        this.frozen -= amount + fee;
        this.gain(amount + fee);
        break;
      case 'pay':
        this.spend(order, 'channel');
        this.post('channel_cost', -COST);
        this.post('channel', COST);
        break;
      case 'transfer':
        this.spend(order, 'bank');
        break;
      case 'giveBack':
        order.newest = 'RETURNED';
        this.post('channel', -amount);
        this.gain(amount);
        break;
      case 'succeedLate': {
        order.newest = 'LATE';
        // A merchant that got the money back pays it with the fee, or owes it; otherwise the channel owes it.
        if (order.state === 'FAILED' || order.state === 'CANCELLED') {
          const taken = least(amount + fee, this.available);
          this.available -= taken;
          this.owed += amount + fee - taken;
          this.post('fee_income', fee);
        } else this.post('channel_claim', -amount);
        this.post('channel_cost', -COST);
        this.post('channel', COST);
        this.post('channel', amount);
        break;
      }
      case 'approve':
      case 'send':
      case 'refuse':
      case 'openTask':
      // No money moves.
    }
    order.state = MOVES[act]?.[1] ?? order.state;
    order.newest = TRIES[act] ?? order.newest;
  }

  private spend({ amount, fee }: Withdrawal, payer: Kind): void {
    this.frozen -= amount + fee;
    this.post(payer, amount);
    this.post('fee_income', fee);
  }
}
