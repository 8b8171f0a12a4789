import type { KnownTrait, PayerEntry } from '../../domain/payer-lists';
import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { listedPayers } from '../schema/payers';

/** A payer on one of the lists: ALLOW, DENY or WATCH. */
export type ListedPayerRow = RowOf<typeof listedPayers>;

/** One entry, listed or removed. */
export async function findListedPayer(
  { sql }: Database,
  id: string,
): Promise<ListedPayerRow | undefined> {
  const [row] = await sql<ListedPayerRow[]>`select * from listed_payers where id = ${id}`;
  return row;
}

/** The entries with one of these keys that have not expired, of all merchants, in the order of their listing. */
export async function findEntriesOf(
  { sql }: Pick<Database, 'sql'>,
  traits: readonly KnownTrait[],
  now: Date,
): Promise<PayerEntry[]> {
  if (traits.length === 0) return [];
  return await sql<PayerEntry[]>`
    select l.list, l.trait, l.key, l.bank_code, l.merchant_id, l.reason, l.expires_at
    from unnest(${traits.map(({ trait }) => trait)}::text[], ${traits.map(({ key }) => key)}::text[])
      as t(trait, key)
    join listed_payers l on l.key = t.key and l.trait = t.trait
    where l.removed_at is null and (l.expires_at is null or l.expires_at > ${now}::timestamptz)
    order by l.created_at, l.id`;
}

/** Lists a payer; replaces an expired entry. An entry that exists violates listed_payers_once. */
export async function insertListedPayer(
  tx: Transaction,
  listed: Omit<ListedPayerRow, 'removedAt'>,
): Promise<void> {
  const l = listed;
  await tx`
    update listed_payers set removed_at = expires_at
    where key = ${l.key} and trait = ${l.trait} and bank_code is not distinct from ${l.bankCode}
      and merchant_id is not distinct from ${l.merchantId} and removed_at is null and expires_at <= ${l.createdAt}`;
  await tx`
    insert into listed_payers
      (id, list, trait, value, key, bank_code, merchant_id, reason, created_at, expires_at)
    values (${l.id}, ${l.list}, ${l.trait}, ${l.value}, ${l.key}, ${l.bankCode}, ${l.merchantId}, ${l.reason},
      ${l.createdAt}, ${l.expiresAt})`;
}

/** Takes a payer off its list. @returns whether this call did */
export async function removeListedPayer(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const rows = await tx`
    update listed_payers set removed_at = ${now} where id = ${id} and removed_at is null returning id`;
  return rows.length === 1;
}

/**
 * Records a finding about the payer of a bank credit. @param orderId the order of the alert; null: no alert, as the
 * credit waits for an operator anyway
 */
export async function notePayerFinding(
  tx: Transaction,
  note: {
    readonly transferId: string;
    readonly finding: string;
    readonly orderId: string | null;
    readonly now: Date;
  },
): Promise<void> {
  await tx`select note_payer_finding(${note.transferId}, ${note.finding}, ${note.orderId}, ${note.now})`;
}
