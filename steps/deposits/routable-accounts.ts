import { Batcher } from '../../db/batcher';
import { findRoutableAccounts, type RoutableAccountRow } from '../../db/accounts/bank-accounts';
import type { Database } from '../../db/client';

/** Accounts as they were read; `fresh` if they were read for this call. */
export interface KnownAccounts {
  readonly accounts: readonly RoutableAccountRow[];
  readonly fresh: boolean;
}

/** Lifetime of a reading, milliseconds. */
const GOOD_FOR_MS = 1_000;
const LOOKUPS = { size: 64, underWay: 1 };

/**
 * A short-lived cache of the accounts for deposits. An acceptance is checked again under the account's lock, so a stale
 * value may propose an account, but must not refuse a deposit: read again before a refusal.
 */
export class RoutableAccounts {
  private readonly read: Batcher<string, readonly RoutableAccountRow[]>;
  private readonly known = new Map<
    string,
    { readonly accounts: readonly RoutableAccountRow[]; readonly until: number }
  >();

  constructor(database: Database, clock: () => Date) {
    const read = async (currencies: readonly string[]): Promise<(readonly RoutableAccountRow[])[]> => {
      const found = await findRoutableAccounts(database, [...new Set(currencies)], clock());
      return currencies.map((code) => found.filter((account) => account.currencyCode === code));
    };
    this.read = new Batcher(read, LOOKUPS, database.patience);
  }

  /** The accounts of a currency, cached or read now. */
  async of(currencyCode: string, afresh: boolean): Promise<KnownAccounts> {
    const known = this.known.get(currencyCode);
    if (known && !afresh && performance.now() < known.until) return { accounts: known.accounts, fresh: false };
    const accounts = await this.read.call(currencyCode);
    this.known.set(currencyCode, { accounts, until: performance.now() + GOOD_FOR_MS });
    return { accounts, fresh: true };
  }
}
