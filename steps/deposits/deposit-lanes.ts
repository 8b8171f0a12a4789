import { Batcher } from '../../db/batcher';
import { countsDays, countsReceived } from '../../domain/received-limits';
import type { BankAccountRow } from '../../db/accounts/bank-accounts';
import type { ChannelRow } from '../../db/channels/channels';
import type { Acceptance, NewDeposit } from '../../db/deposits/deposits';

/** Deposits that lock nothing: a few transactions at once keep PostgreSQL busy. */
const OPEN = { size: 32, underWay: 3 };
/** Where a deposit goes: to an account, or only to a channel. */
export type Taker = { readonly account: BankAccountRow } | { readonly account: null; readonly channel: ChannelRow };

const locks = (taker: Taker): boolean =>
  taker.account
    ? taker.account.mode === 'FLOAT' || countsReceived(taker.account)
    : countsDays(taker.channel.depositLimits);

/** Deposits that lock the same account, channel or balance: its lock lets one transaction in at a time. */
const LOCKED = { size: 32, underWay: 1 };

/**
 * Accepts deposits in batches, one transaction each. An account or a channel that must be locked, because it assigns
 * amounts or shares of its limits, has its own lane, so that a delayed one does not delay others. A merchant whose
 * balance holds fees has its own lane, too.
 */
export class DepositLanes {
  private readonly open: Batcher<NewDeposit, Acceptance>;
  private readonly locked = new Map<string, Batcher<NewDeposit, Acceptance>>();

  /** @param patience of the database (DatabaseOptions) */
  constructor(
    private readonly accept: (deposits: readonly NewDeposit[]) => Promise<readonly Acceptance[]>,
    private readonly patience: number,
  ) {
    this.open = new Batcher(accept, OPEN, patience);
  }

  /** @throws the database's refusal of this deposit */
  async accepted(deposit: NewDeposit, taker: Taker): Promise<Acceptance> {
    if (locks(taker)) return await this.laneOf((taker.account ?? taker.channel).id).call(deposit);
    return await (deposit.feeHeld ? this.laneOf(deposit.merchantId) : this.open).call(deposit);
  }

  /** @param id of the account, the channel or the merchant */
  private laneOf(id: string): Batcher<NewDeposit, Acceptance> {
    const lane = this.locked.get(id) ?? new Batcher(this.accept, LOCKED, this.patience);
    this.locked.set(id, lane);
    return lane;
  }
}
