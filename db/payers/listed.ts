import type { KnownTrait, PayerEntry } from '../../domain/payer-lists';
import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { listedPayers } from '../schema/payers';

/** A payer on one of the lists: ALLOW, DENY or WATCH. */
export type ListedPayerRow = RowOf<typeof listedPayers>;

/** One entry, listed or removed. */
export async function findListedPayer({ sql }: Database, id: string): Promise<ListedPayerRow | undefined> {
  const [row] = await sql<ListedPayerRow[]>`select * from listed_payers where id = ${id}`;
  return row;
}

/** A trait that is looked up, with all keys that its entries may have. */
interface Sought extends KnownTrait {
  readonly keys: readonly string[];
}

/** The entries about one of these that have not expired, of all merchants, in the order of their listing. */
export async function findEntriesOf(
  { sql }: Pick<Database, 'sql'>,
  traits: readonly Sought[],
  now: Date,
): Promise<PayerEntry[]> {
  if (traits.length === 0) return [];
  const asked = traits.flatMap(({ trait, key, keys }) => keys.map((kept) => ({ trait, key, kept })));
  return await sql<PayerEntry[]>`
    select l.list, l.trait, t.key, l.bank_code, l.merchant_id, l.reason, l.expires_at
    from unnest(${asked.map(({ trait }) => trait)}::text[], ${asked.map(({ key }) => key)}::text[],
      ${asked.map(({ kept }) => kept)}::text[]) as t(trait, key, kept)
    join listed_payers l on l.key = t.kept and l.trait = t.trait
    where l.removed_at is null and (l.expires_at is null or l.expires_at > ${now}::timestamptz)
    order by l.created_at, l.id`;
}

/**
 * Lists a payer; replaces an expired entry. @param keys all keys that an entry about it may have
 * @returns false where there is an entry
 */
export async function insertListedPayer(
  tx: Transaction,
  listed: Omit<ListedPayerRow, 'removedAt'>,
  keys: readonly string[],
): Promise<boolean> {
  const l = listed;
  // One entry may have a key of the ring and another an older one, which listed_payers_once does not see.
  await tx`select pg_advisory_xact_lock(hashtextextended('listed_payers', 0))`;
  await tx`
    update listed_payers set removed_at = expires_at
    where key = any(${keys as string[]}) and trait = ${l.trait} and bank_code is not distinct from ${l.bankCode}
      and merchant_id is not distinct from ${l.merchantId} and removed_at is null and expires_at <= ${l.createdAt}`;
  const { count } = await tx`
    insert into listed_payers
      (id, list, trait, value, key, bank_code, merchant_id, reason, created_at, expires_at)
    select ${l.id}::uuid, ${l.list}, ${l.trait}, ${l.value}, ${l.key}, ${l.bankCode}, ${l.merchantId}::uuid, ${l.reason},
      ${l.createdAt}::timestamptz, ${l.expiresAt}::timestamptz
    where not exists (
      select from listed_payers
      where key = any(${keys as string[]}) and trait = ${l.trait} and bank_code is not distinct from ${l.bankCode}
        and merchant_id is not distinct from ${l.merchantId}::uuid and removed_at is null)`;
  return count === 1;
}

/** Takes a payer off its list. @returns whether this call did */
export async function removeListedPayer(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const rows = await tx`
    update listed_payers set removed_at = ${now} where id = ${id} and removed_at is null returning id`;
  return rows.length === 1;
}

/**
 * Records a finding about the payer of a bank credit. @param finding as the row keeps it @param alert the order of the
 * alert, and what it says, which names nobody; null: no alert, as the credit waits for an operator anyway
 */
export async function notePayerFinding(
  tx: Transaction,
  note: {
    readonly transferId: string;
    readonly finding: string;
    readonly alert: { readonly orderId: string; readonly words: string } | null;
    readonly now: Date;
  },
): Promise<void> {
  const { transferId, finding, alert, now } = note;
  await tx`
    select note_payer_finding(${transferId}, ${finding}, ${alert?.orderId ?? null}, ${now}, ${alert?.words ?? null})`;
}
