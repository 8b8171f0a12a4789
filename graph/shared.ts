import { Batcher } from '../db/batcher';
import { type Acceptance, acceptDeposits, type NewDeposit } from '../db/deposits';
import { type AuthenticatedMerchant, findMerchantsByKeys } from '../db/merchants';
import type { GraphDeps } from './context';
import { DepositLanes } from './deposit-lanes';
import { OpenDeposits } from './open-deposits';
import { RoutableAccounts } from './routable-accounts';

/** What the requests of one process share: statements for many, and what it remembers for a moment. */
export interface Shared {
  /** The merchant behind a live api key, by its lookup hash. */
  readonly merchantsByKey: Batcher<string, AuthenticatedMerchant | undefined>;
  readonly routableAccounts: RoutableAccounts;
  readonly openDeposits: OpenDeposits;
  readonly deposits: DepositLanes;
}

/** Look-ups are cheap: several statements may be under way. */
const LOOKUPS = { size: 64, underWay: 4 };

/** Makes what the requests of one process share. */
export const createShared = ({
  database,
  clock,
}: Pick<GraphDeps, 'database' | 'clock'>): Shared => ({
  merchantsByKey: new Batcher(async (hashes) => {
    const found = await findMerchantsByKeys(database, [...new Set(hashes)], clock());
    return hashes.map((hash) => found.get(hash));
  }, LOOKUPS),
  routableAccounts: new RoutableAccounts(database, clock),
  openDeposits: new OpenDeposits(database),
  deposits: new DepositLanes(
    async (deposits: readonly NewDeposit[]): Promise<Acceptance[]> =>
      await acceptDeposits(database, deposits),
  ),
});
