import { Batcher } from '../db/batcher';
import type { Database } from '../db/client';
import { findAgentKeys, type NonceUse, type SigningAgentKey, useNonces } from '../db/accounts/agent-keys';
import { type BankAccountRow, findBankAccounts } from '../db/accounts/bank-accounts';
import {
  type Acceptance,
  acceptDeposits,
  findMerchantDeposits,
  type MerchantDeposit,
  type MerchantDepositKey,
  type NewDeposit,
} from '../db/deposits/deposits';
import { findOpenings } from '../db/deposits/channel-deposits';
import { type AuthenticatedMerchant, findMerchantsByKeys } from '../db/merchants/merchants';
import { findPayerPasts, type PayerKey, RuleSets } from '../db/routing/routing-rules';
import { ReportBatches } from '../db/transfers/report-batches';
import { LIMITS } from '../domain/limits';
import type { PayerPast } from '../domain/routing-rules';
import type { Logger } from '../runtime/log';
import { CreditWatch } from './deposits/credit-watch';
import { DepositChannels } from './deposits/deposit-channels';
import { DepositLanes } from './deposits/deposit-lanes';
import { OpenDeposits } from './deposits/open-deposits';
import { RoutableAccounts } from './deposits/routable-accounts';
import { PlatformWatch } from './platform/platform-watch';
import { RelayHints } from './relay-hints';
import { WithdrawalLanes } from './withdrawals/withdrawal-lanes';

/** State shared by the requests of one process: batchers and short-lived caches. */
export interface Shared {
  /**
   * The merchant of a live API key, by its lookup hashes: the key of the ring under which it is stored is not known.
   */
  readonly merchantsByKey: Batcher<readonly string[], AuthenticatedMerchant | undefined>;
  /** A live key of an agent, by its public id. */
  readonly agentKeys: Batcher<string, SigningAgentKey | undefined>;
  /** Uses a nonce of an agent's key; false if it was used before. */
  readonly agentNonces: Batcher<NonceUse, boolean>;
  /** A merchant's deposit, by one of its numbers. */
  readonly merchantDeposits: Batcher<MerchantDepositKey, MerchantDeposit | undefined>;
  /** A managed account, by its id. */
  readonly bankAccounts: Batcher<string, BankAccountRow | undefined>;
  readonly routableAccounts: RoutableAccounts;
  readonly depositChannels: DepositChannels;
  /** Versions of routing rules, by id. */
  readonly ruleSets: RuleSets;
  /** Completed orders of payers. */
  readonly payerPasts: Batcher<PayerKey, PayerPast>;
  /** Whether a deposit has its channel's details, or has ended without them; by its id. */
  readonly openings: Batcher<string, boolean>;
  readonly openDeposits: OpenDeposits;
  /** Refuses new deposits while credits of paid ones are late. */
  readonly creditWatch: CreditWatch;
  /** The platform's health, as operators see it. */
  readonly platformWatch: PlatformWatch;
  readonly deposits: DepositLanes;
  readonly withdrawals: WithdrawalLanes;
  /** What banks and their watchers report. */
  readonly reports: ReportBatches;
  /** Tells the relays that something was committed. */
  readonly relayHints: RelayHints;
}

/** What the shared parts need. */
export interface SharedDeps {
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
  /**
   * If a paid deposit waits longer than this for its credit, new deposits are refused, milliseconds; 2 minutes by
   * default.
   */
  readonly creditAgeLimitMs?: number;
}

/**
 * Two batches under way: the second continues if the first is delayed. More would make each batch smaller at the same
 * cost.
 */
const LOOKUPS = { size: 64, underWay: 2 };

/**
 * How long a nonce is stored, milliseconds: a timestamp is valid for a window in both directions, in whole seconds, so
 * for more than two windows.
 */
const NONCE_REMEMBERED_MS = (2 * LIMITS.timestampWindowSeconds + 60) * 1000;

/** Creates the shared state of one process. */
export const createShared = ({ database, clock, log, creditAgeLimitMs }: SharedDeps): Shared => ({
  merchantsByKey: new Batcher(
    async (asked: readonly (readonly string[])[]) => {
      // One SQL statement for all hashes of a key, because a rotation may be replacing the stored one.
      const found = await findMerchantsByKeys(database, [...new Set(asked.flat())], clock());
      return asked.map((hashes) => hashes.map((hash) => found.get(hash)).find(Boolean));
    },
    LOOKUPS,
    database.patience,
  ),
  agentKeys: new Batcher(
    async (keyIds) => {
      const found = await findAgentKeys(database, [...new Set(keyIds)]);
      return keyIds.map((keyId) => found.get(keyId));
    },
    LOOKUPS,
    database.patience,
  ),
  agentNonces: new Batcher(
    async (uses: readonly NonceUse[]) => {
      const now = clock();
      return await useNonces(database, uses, now, new Date(now.getTime() - NONCE_REMEMBERED_MS));
    },
    LOOKUPS,
    database.patience,
  ),
  merchantDeposits: new Batcher(
    async (keys: readonly MerchantDepositKey[]) => await findMerchantDeposits(database, keys),
    LOOKUPS,
    database.patience,
  ),
  bankAccounts: new Batcher(
    async (ids) => {
      const rows = await findBankAccounts(database, [...new Set(ids)]);
      const found = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => found.get(id));
    },
    LOOKUPS,
    database.patience,
  ),
  routableAccounts: new RoutableAccounts(database, clock),
  depositChannels: new DepositChannels(database, clock),
  ruleSets: new RuleSets(database),
  payerPasts: new Batcher(
    async (keys: readonly PayerKey[]) => await findPayerPasts(database, keys),
    LOOKUPS,
    database.patience,
  ),
  openings: new Batcher(
    async (ids) => {
      const done = new Set(await findOpenings(database, [...new Set(ids)]));
      return ids.map((id) => done.has(id));
    },
    LOOKUPS,
    database.patience,
  ),
  openDeposits: new OpenDeposits(database),
  withdrawals: new WithdrawalLanes(database),
  reports: new ReportBatches(database),
  creditWatch: new CreditWatch({ database, clock, log }, creditAgeLimitMs),
  platformWatch: new PlatformWatch({ database, clock, log }),
  relayHints: new RelayHints({ database, log }),
  deposits: new DepositLanes(
    async (deposits: readonly NewDeposit[]): Promise<Acceptance[]> => await acceptDeposits(database, deposits),
    database.patience,
  ),
});
