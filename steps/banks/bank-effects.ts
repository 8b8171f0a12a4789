import type { Plain, Settings } from '../../domain/change-request';
import * as db from '../../db/accounts/banks';
import { effect } from '../changes/change-effect';

/** Banks to add or change, as a proposal stores them. */
export type BanksPayload = Readonly<{
  currencyCode: string;
  banks: readonly Readonly<{ bankCode: string; name: string; enabled: boolean }>[];
}>;

/** A directory as an approver compares it: by code, the name, or null for a bank that accepts no withdrawals. */
export const directoryOf = (banks: readonly Pick<db.BankRow, 'bankCode' | 'name' | 'enabled'>[]): Settings =>
  Object.fromEntries(banks.map(({ bankCode, name, enabled }): [string, Plain] => [bankCode, { name, enabled }]));

/** Adds banks to a currency's directory, or changes them. */
export const putBanks = effect<BanksPayload>({
  basis: async (tx, { currencyCode }) => directoryOf(await db.lockBanks(tx, currencyCode)),
  apply: async (tx, { currencyCode, banks }, { now }) => {
    await db.putBanks(tx, currencyCode, banks, now);
  },
});
