import type { Fragment } from 'postgres';
import { normaliseReference } from '../domain/bank-reference';
import { normaliseMemo, REMARK_LENGTH } from '../domain/remark';
import type { Database } from './client';
import { all, among, beginsWith, type Condition } from './pages';

/** The searched columns of a row, in the order in which their hits are listed. */
export const SEARCHED = [
  'ORDER_NO',
  'MERCHANT_ORDER_NO',
  'REMARK',
  'BANK_REFERENCE',
  'BENEFICIARY_ACCOUNT',
  'MERCHANT_CODE',
  'MERCHANT_NAME',
  'USER_ID',
  'AMOUNT',
  'PAYER_LAST4',
] as const;
/** One of SEARCHED. */
export type Searched = (typeof SEARCHED)[number];

/** A row that was found. */
export interface Hit {
  readonly kind: 'DEPOSIT' | 'WITHDRAWAL' | 'BANK_TRANSFER' | 'MERCHANT';
  readonly id: string;
  readonly field: Searched;
  /** An exact hit, not a prefix. */
  readonly exact: boolean;
}

/** Shorter prefixes match too much. */
const LEAST_PREFIX = 3;
const AMOUNT = /^\d{1,14}(\.\d{1,4})?$/;
const LAST4 = /^[A-Za-z0-9]{4}$/;

/**
 * Rows that match a text: exact hits first, then prefixes; within each by column, the newest first. One statement, of
 * which each part uses an index and reads at most `most` rows.
 * @param beneficiaryIndexes the text as a sealed account is found, which no prefix finds
 * @param merchantIds null: all merchants; else only these merchants, and no bank credits
 */
export async function search(
  { read: sql }: Database,
  text: string,
  beneficiaryIndexes: readonly string[],
  most: number,
  merchantIds: readonly string[] | null,
): Promise<Hit[]> {
  const prefixed = text.length >= LEAST_PREFIX;
  const parts: Fragment[] = [];

  interface Part {
    readonly kind: Hit['kind'];
    readonly field: Searched;
    readonly from: Fragment;
    readonly id: Fragment;
    readonly at: Fragment;
    readonly order: Fragment;
  }
  const add = (exact: Fragment, where: Fragment, part: Part): void => {
    const rank = SEARCHED.indexOf(part.field);
    parts.push(sql`(
      select ${part.kind} as kind, ${part.id} as id, ${part.field} as field, ${exact} as exact, ${rank}::int as rank,
        ${part.at} as at
      from ${part.from} where ${where} order by ${part.order} limit ${most})`);
  };

  /** Exact hits by an order of their own, then prefixes. */
  const addText = (column: `${string}.${string}`, sought: string, part: Part, only: Condition = null): void => {
    const scope = part.kind === 'MERCHANT' ? among(sql, 'm.id', merchantIds, 'uuid') : ofMerchant;
    add(sql`true`, all(sql, [sql`${sql(column)} = ${sought}`, scope, only]), part);
    if (!prefixed) return;
    const longer = all(sql, [beginsWith(sql, column, sought), sql`${sql(column)} <> ${sought}`, scope, only]);
    add(sql`false`, longer, { ...part, order: sql`${sql(column)}` });
  };

  const ofMerchant = among(sql, 'd.merchant_id', merchantIds, 'uuid');
  const deposit = {
    kind: 'DEPOSIT',
    from: sql`deposit_orders d`,
    id: sql`d.id`,
    at: sql`d.created_at`,
    order: sql`d.created_at desc, d.id desc`,
  } as const;

  const withdrawal = { ...deposit, kind: 'WITHDRAWAL', from: sql`withdrawal_orders d` } as const;

  const number = text.toUpperCase();
  if (number.startsWith('D')) addText('d.order_no', number, { ...deposit, field: 'ORDER_NO' });
  if (number.startsWith('W')) addText('d.order_no', number, { ...withdrawal, field: 'ORDER_NO' });
  // Merchant by merchant: a number is unique within one, and the index begins with it.
  const numbers = (orders: Fragment, holds: Fragment): Fragment => sql`
    merchants m
    cross join lateral (
      select n.order_id, n.merchant_order_no from merchant_order_numbers n
      where n.merchant_id = m.id and ${holds} order by n.merchant_order_no limit ${most}) n
    join ${orders} on d.id = n.order_id`;
  const isNumber = sql`n.merchant_order_no = ${text}`;
  const seen = among(sql, 'm.id', merchantIds, 'uuid');
  for (const order of [deposit, withdrawal]) {
    const part = { ...order, field: 'MERCHANT_ORDER_NO' } as const;
    add(sql`true`, all(sql, [seen]), { ...part, from: numbers(order.from, isNumber) });
    if (prefixed)
      add(sql`false`, all(sql, [sql`not ${isNumber}`, seen]), {
        ...part,
        from: numbers(order.from, beginsWith(sql, 'n.merchant_order_no', text)),
        order: sql`n.merchant_order_no`,
      });
  }
  const beneficiary = { ...withdrawal, field: 'BENEFICIARY_ACCOUNT' } as const;
  add(sql`true`, all(sql, [among(sql, 'd.beneficiary_account_index', beneficiaryIndexes), ofMerchant]), beneficiary);
  addText('d.beneficiary_account', text, beneficiary, sql`d.beneficiary_account_index is null`);
  const isReference = sql`bank_reference_key(d.bank_reference) = ${normaliseReference(text)}`;
  add(sql`true`, all(sql, [isReference, ofMerchant]), { ...withdrawal, field: 'BANK_REFERENCE' });
  const remark = normaliseMemo(text);
  if (remark.length >= LEAST_PREFIX && remark.length <= REMARK_LENGTH)
    addText('d.expected_remark', remark, { ...deposit, field: 'REMARK' });
  addText('d.user_id', text, { ...deposit, field: 'USER_ID' });
  if (LAST4.test(text))
    add(sql`true`, all(sql, [sql`d.payer_account_last4 = ${text}`, ofMerchant]), {
      ...deposit,
      field: 'PAYER_LAST4',
    });
  const amount = text.replace(/[,\s]/g, '');
  if (AMOUNT.test(amount))
    for (const order of [deposit, withdrawal])
      add(sql`true`, all(sql, [sql`d.amount = ${amount}::text::numeric`, ofMerchant]), {
        ...order,
        field: 'AMOUNT',
        order: sql`d.id desc`,
      });

  if (merchantIds === null) {
    // Account by account, too.
    const transfer = (field: Searched, holds: Fragment, order: Fragment): Part => ({
      kind: 'BANK_TRANSFER',
      field,
      from: sql`
        bank_accounts a
        cross join lateral (
          select t.id, t.received_at, t.dedupe_key, t.bank_time from bank_transfers t
          where t.account_id = a.id and ${holds} order by ${order} limit ${most}) t`,
      id: sql`t.id`,
      at: sql`t.received_at`,
      order,
    });
    const reference = `ref:${normaliseReference(text)}`;
    const byKey = sql`t.dedupe_key`;
    const is = sql`t.direction = 'CREDIT' and t.dedupe_key = ${reference}`;
    add(sql`true`, sql`true`, transfer('BANK_REFERENCE', is, byKey));
    const begins = sql`t.direction = 'CREDIT' and ${beginsWith(sql, 't.dedupe_key', reference)}`;
    if (prefixed) add(sql`false`, sql`t.dedupe_key <> ${reference}`, transfer('BANK_REFERENCE', begins, byKey));
    if (AMOUNT.test(amount))
      add(sql`true`, sql`true`, transfer('AMOUNT', sql`t.amount = ${amount}::text::numeric`, sql`t.bank_time desc`));
  }

  const merchant = {
    kind: 'MERCHANT',
    from: sql`merchants m`,
    id: sql`m.id`,
    at: sql`m.created_at`,
  } as const;
  addText('m.merchant_code', text, {
    ...merchant,
    field: 'MERCHANT_CODE',
    order: sql`m.merchant_code`,
  });
  const name = sql`lower(m.name) collate "C"`;
  add(
    sql`lower(m.name) = lower(${text}::text)`,
    all(sql, [sql`${name} ^@ lower(${text}::text)`, among(sql, 'm.id', merchantIds, 'uuid')]),
    { ...merchant, field: 'MERCHANT_NAME', order: name },
  );

  const joined = parts.map((part, n) => (n === 0 ? part : sql`union all ${part}`));
  const found = await sql<Hit[]>`
    select kind, id, field, exact from (${joined}) hits
    order by exact desc, rank, at desc, id desc limit ${most * 2}`;
  const once = new Map<string, Hit>();
  for (const hit of found) {
    const key = `${hit.kind} ${hit.id}`;
    if (!once.has(key)) once.set(key, hit);
  }
  return [...once.values()].slice(0, most);
}
