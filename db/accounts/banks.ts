import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { banks } from '../schema/banks';

/** A bank of the directory of a currency, to which withdrawals may go. */
export type BankRow = RowOf<typeof banks>;

/** The directory of a currency, or of all, by currency and code. */
export const findBanks = async ({ sql }: Database, currencyCode: string | null): Promise<BankRow[]> =>
  await sql<BankRow[]>`
    select * from banks where ${currencyCode}::text is null or currency_code = ${currencyCode}
    order by currency_code, bank_code`;

/** A currency's directory, its rows locked. */
export const lockBanks = async (tx: Transaction, currencyCode: string): Promise<BankRow[]> =>
  await tx<BankRow[]>`
    select * from banks where currency_code = ${currencyCode} order by bank_code for update`;

/** Adds banks or changes them. */
export async function putBanks(
  tx: Transaction,
  currencyCode: string,
  banks: readonly Pick<BankRow, 'bankCode' | 'name' | 'enabled'>[],
  now: Date,
): Promise<void> {
  await tx`
    insert into banks (currency_code, bank_code, name, enabled, updated_at)
    select ${currencyCode}, "bankCode", name, enabled, ${now}::timestamptz
    from jsonb_to_recordset(${tx.json(banks)}::jsonb)
      as b("bankCode" text, name text, enabled boolean)
    on conflict (currency_code, bank_code) do update
    set name = excluded.name, enabled = excluded.enabled, updated_at = excluded.updated_at`;
}
