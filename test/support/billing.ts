import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { resolve } from 'node:path';
import type { Sql } from 'postgres';
import { uuidv7 } from 'uuidv7';
import type { Database } from '../../db/client';
import * as billing from '../../db/billing/statements';
import { postTransfer } from '../../db/ledger/ledger';
import { sealLedger } from '../../db/proof/seals';
import { ledgerAccount, type TransferType } from '../../domain/ledger';
import { money } from '../../domain/money';

const script = resolve(__dirname, '..', 'verifier', 'recount_billing.py');

/** Types that may be posted without a row of their own; the book is not proven then. */
export type LoosePosting = Extract<
  TransferType,
  'BALANCE_TOP_UP' | 'BALANCE_ADJUSTMENT' | 'DEPOSIT_CREDIT' | 'WITHDRAWAL_FREEZE'
>;

/** The lines of a posting: what the merchant gets, and our fee of it. */
export function loosePosting(
  merchantId: string,
  type: LoosePosting,
  amount: string,
  fee = '0',
): { account: string; amount: string }[] {
  const available = ledgerAccount.merchantAvailable(merchantId);
  const negative = (text: string) => money(text).negated().toFixed(4);
  const lines = {
    BALANCE_TOP_UP: [{ account: 'treasury', amount: negative(amount) }],
    BALANCE_ADJUSTMENT: [{ account: 'adjustment', amount: negative(amount) }],
    DEPOSIT_CREDIT: [
      { account: 'suspense', amount: negative(amount) },
      { account: 'fee_income', amount: fee },
    ],
    WITHDRAWAL_FREEZE: [{ account: ledgerAccount.merchantFrozen(merchantId), amount }],
  }[type];
  const own = type === 'WITHDRAWAL_FREEZE' ? negative(amount) : money(amount).minus(fee).toFixed(4);
  return [...lines, { account: available, amount: own }].filter((line) => Number(line.amount) !== 0);
}

const keyOf = (type: LoosePosting, id: string): string => `${type.toLowerCase().replaceAll('_', '-')}:${id}`;

/** Posts in a transaction of its own, or in one that is given. */
export async function postLoose(
  tx: Parameters<typeof postTransfer>[0],
  merchantId: string,
  posting: { type: LoosePosting; amount: string; fee?: string; now: Date; currencyCode?: string },
): Promise<void> {
  const { type, amount, fee, now, currencyCode = 'THB' } = posting;
  const id = uuidv7();
  await postTransfer(tx, {
    type,
    key: keyOf(type, id),
    currencyCode,
    bankTransferId: null,
    now,
    orderId: type === 'BALANCE_TOP_UP' || type === 'BALANCE_ADJUSTMENT' ? null : id,
    postings: loosePosting(merchantId, type, amount, fee).map((line) => ({
      ...line,
      amount: money(line.amount),
    })),
  });
}

/** Many postings of a merchant, in as few statements as there are thousands. */
export async function postMany(
  sql: Sql,
  merchantId: string,
  all: readonly { type: LoosePosting; amount: string; fee?: string; now: Date }[],
): Promise<void> {
  for (let from = 0; from < all.length; from += 1_000) {
    const some = all.slice(from, from + 1_000).map((posting) => ({ ...posting, id: uuidv7() }));
    const lines = some.flatMap(({ id, type, amount, fee }) =>
      loosePosting(merchantId, type, amount, fee).map((line) => ({
        key: keyOf(type, id),
        ...line,
      })),
    );
    const unbound = (type: LoosePosting) => type === 'BALANCE_TOP_UP' || type === 'BALANCE_ADJUSTMENT';
    await sql`
      select post_transfers(${some.map(({ type }) => type)}, ${some.map(({ type, id }) => keyOf(type, id))},
        ${some.map(() => 'THB')}, ${some.map(({ type, id }) => (unbound(type) ? null : id)) as string[]}::uuid[],
        ${some.map(() => null)}::uuid[],
        ${some.map(({ now }) => now.toISOString())}::timestamptz[],
        ${lines.map(({ key }) => key)}, ${lines.map(({ account }) => account)},
        ${lines.map(({ amount }) => amount)}::numeric[])`;
  }
}

/** Seals what has committed and issues all that is due, as the schedule does. @returns how many */
export async function issueBilling(database: Database, now: Date): Promise<number> {
  await sealLedger(database, true, now);
  let issued = 0;
  const balances = await billing.findBillingCandidates(database, billing.FIRST_BALANCE, 1_000, now);
  for (const balance of balances)
    while ((await billing.issueBillingStatement(database, balance, now)) === 'ISSUED') issued++;
  return issued;
}

/** What the independent script found. */
export interface Recount {
  readonly statements: number;
  readonly postings: number;
  readonly differences: readonly string[];
}

/** Every balance with statements, as the script reads it: rows alone, nothing is added up here. */
async function* casesOf(sql: Sql, daysOf?: (statementId: string) => Promise<unknown>): AsyncGenerator<string> {
  const balances = await sql<{ merchantId: string; currencyCode: string }[]>`
    select distinct merchant_id, currency_code from billing_statements order by 1, 2`;
  for (const { merchantId, currencyCode } of balances) {
    const entries = await sql<{ row: unknown }[]>`
      select jsonb_build_array(t.id, t.type, (extract(epoch from t.at) * 1000)::bigint, s.seq, e.account,
        e.amount::text) as row
      from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
      left join ledger_seals s on s.transfer_id = t.id
      where t.currency_code = ${currencyCode} and (e.account = 'fee_income' or e.account like ${`%${merchantId}%`})
        and exists (select from ledger_entries o where o.transfer_id = t.id and o.account like ${`%${merchantId}%`})`;
    const statements = await sql<{ id: string; row: Record<string, unknown> }[]>`
      select b.id, jsonb_build_object('number', b.number, 'month', b.month, 'zone', b.time_zone,
        'begins', (extract(epoch from b.begins_at) * 1000)::bigint, 'ends', (extract(epoch from b.ends_at) * 1000)::bigint,
        'from', b.from_seq, 'through', b.through_seq, 'postings', b.postings,
        'opening', array[b.opening_available, b.opening_frozen, b.opening_receivable]::text[],
        'closing', array[b.closing_available, b.closing_frozen, b.closing_receivable]::text[],
        'lines', (select coalesce(jsonb_object_agg(l.type, jsonb_build_array(l.postings, l.amount::text, l.fee::text,
            l.available::text, l.frozen::text, l.receivable::text)), '{}')
          from billing_statement_lines l where l.statement_id = b.id)) as row
      from billing_statements b where b.merchant_id = ${merchantId} and b.currency_code = ${currencyCode}
      order by b.number`;
    const shown = [];
    for (const { id, row } of statements) shown.push(daysOf ? { ...row, days: await daysOf(id) } : row);
    yield `${JSON.stringify({
      merchant: `${merchantId} ${currencyCode}`,
      entries: entries.map(({ row }) => row),
      statements: shown,
    })}\n`;
  }
}

/** Has all statements recounted by a script that shares nothing with the platform. */
export async function recountBilling(sql: Sql, daysOf?: (statementId: string) => Promise<unknown>): Promise<Recount> {
  const python = spawn('python3', [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const failed = new Promise<never>((_, reject) => {
    python.once('error', (cause) => {
      reject(new Error('this test needs python3 on the PATH', { cause }));
    });
  });
  const answer = text(python.stdout);
  for await (const line of casesOf(sql, daysOf))
    if (!python.stdin.write(line))
      await Promise.race([new Promise((drained) => python.stdin.once('drain', drained)), failed]);
  python.stdin.end();
  return JSON.parse(await Promise.race([answer, failed])) as Recount;
}
