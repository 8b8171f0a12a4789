import { Batcher } from '../../db/batcher';
import { countsReceived } from '../../domain/bank-account';
import type { BankAccountRow } from '../../db/accounts/bank-accounts';
import type { Acceptance, NewDeposit } from '../../db/deposits/deposits';

/** Deposits that lock nothing: a few transactions at once keep PostgreSQL busy. */
const OPEN = { size: 32, underWay: 3 };
/** Deposits of one account that hands out amounts or shares of its limits: its lock lets one transaction in at a time. */
const LOCKED = { size: 32, underWay: 1 };

/**
 * Accepts deposits in batches, one transaction each. An account that must be locked has its own lane, so
 * that one that is held up holds up no other.
 */
export class DepositLanes {
  private readonly open: Batcher<NewDeposit, Acceptance>;
  private readonly ofAccount = new Map<string, Batcher<NewDeposit, Acceptance>>();

  /** @param patience of the database (DatabaseOptions) */
  constructor(
    private readonly accept: (deposits: readonly NewDeposit[]) => Promise<readonly Acceptance[]>,
    private readonly patience: number,
  ) {
    this.open = new Batcher(accept, OPEN, patience);
  }

  /** @param account null for a channel order @throws the database's refusal of this deposit */
  async accepted(deposit: NewDeposit, account: BankAccountRow | null): Promise<Acceptance> {
    const locks = account && (account.mode === 'FLOAT' || countsReceived(account));
    return await (locks ? this.laneOf(account.id) : this.open).call(deposit);
  }

  private laneOf(accountId: string): Batcher<NewDeposit, Acceptance> {
    const lane = this.ofAccount.get(accountId) ?? new Batcher(this.accept, LOCKED, this.patience);
    this.ofAccount.set(accountId, lane);
    return lane;
  }
}
