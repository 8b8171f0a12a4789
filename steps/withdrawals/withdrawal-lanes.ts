import { Batcher } from '../../db/batcher';
import type { Database } from '../../db/client';
import { refusalOf } from '../../db/refusals';
import { acceptWithdrawals, type NewWithdrawal, type WithdrawalAcceptance } from '../../db/withdrawals/withdrawals';

/** Withdrawals of one balance: its lock lets one transaction in at a time. */
const LOCKED = { size: 50, underWay: 1 };
/** Attempts while the balance's row is locked. */
const LOCK_TRIES = 2;

/** BUSY: the lock of the balance was not got in time, and nothing was done. */
export type LaneOutcome = WithdrawalAcceptance | 'BUSY';

/**
 * Accepts withdrawals in batches, one transaction each. Each balance has its own lane: a locked balance delays only its
 * merchant, and holds one connection.
 */
export class WithdrawalLanes {
  private readonly lanes = new Map<string, Batcher<NewWithdrawal, LaneOutcome>>();

  constructor(private readonly database: Database) {}

  /**
   * @throws the database's refusal
   */
  async accepted(asked: NewWithdrawal): Promise<LaneOutcome> {
    const { merchantId, currencyCode } = asked.withdrawal;
    const balance = `${merchantId}:${currencyCode}`;
    const lane =
      this.lanes.get(balance) ?? new Batcher(async (all) => await this.accept(all), LOCKED, this.database.patience);
    this.lanes.set(balance, lane);
    return await lane.call(asked);
  }

  private async accept(all: readonly NewWithdrawal[]): Promise<LaneOutcome[]> {
    for (let tries = 1; tries <= LOCK_TRIES; tries++)
      try {
        return await acceptWithdrawals(this.database, all);
      } catch (error) {
        if (refusalOf(error)?.kind !== 'OPTIMISTIC_LOCK_ERROR') throw error;
      }
    return all.map(() => 'BUSY');
  }
}
