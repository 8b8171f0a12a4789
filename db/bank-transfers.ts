import type { UnmatchedReason } from '../domain/matching';
import { money, type Money } from '../domain/money';
import type { Database, Transaction } from './client';

/** What a bank reported on one of our accounts. Amounts in its currency, four decimals; times UTC. */
export interface BankTransferRow {
  readonly id: string;
  readonly accountId: string;
  readonly direction: 'CREDIT';
  readonly amount: Money;
  readonly currencyCode: string;
  readonly bankReference: string | null;
  readonly bankTime: Date;
  readonly payerName: string | null;
  readonly payerAccount: string | null;
  readonly memo: string;
  readonly balanceAfter: Money | null;
  readonly source: string;
  readonly unmatchedReason: UnmatchedReason | null;
  readonly receivedAt: Date;
}

/** With the deposit that it pays, if any. */
export interface BankTransferView extends BankTransferRow {
  readonly depositId: string | null;
  readonly orderNo: string | null;
  /** Of the request that created the deposit. */
  readonly depositTraceId: string | null;
}

/** What a transfer that pays nothing has of a deposit. */
export const NO_DEPOSIT = { depositId: null, orderNo: null, depositTraceId: null } as const;

type Raw<Row extends BankTransferRow> = Omit<Row, 'amount' | 'balanceAfter'> & {
  amount: string;
  balanceAfter: string | null;
};

const transferOf = (raw: Raw<BankTransferView>): BankTransferView => ({
  ...raw,
  amount: money(raw.amount),
  balanceAfter: raw.balanceAfter === null ? null : money(raw.balanceAfter),
});

/** @returns false if this transfer was recorded before */
export async function insertBankTransfer(
  tx: Transaction,
  t: BankTransferRow & { readonly dedupeKey: string },
): Promise<boolean> {
  const rows = await tx`
    insert into bank_transfers
      (id, account_id, direction, amount, currency_code, bank_reference, dedupe_key, bank_time, payer_name,
       payer_account, memo, balance_after, source, unmatched_reason, received_at)
    values
      (${t.id}, ${t.accountId}, ${t.direction}, ${t.amount.toFixed()}, ${t.currencyCode}, ${t.bankReference},
       ${t.dedupeKey}, ${t.bankTime}, ${t.payerName}, ${t.payerAccount}, ${t.memo},
       ${t.balanceAfter?.toFixed() ?? null}, ${t.source}, ${t.unmatchedReason}, ${t.receivedAt})
    on conflict (account_id, direction, dedupe_key) do nothing
    returning 1`;
  return rows.length === 1;
}

/** Says why a transfer waits for a person. */
export async function setUnmatchedReason(
  tx: Transaction,
  id: string,
  reason: UnmatchedReason,
): Promise<void> {
  await tx`update bank_transfers set unmatched_reason = ${reason} where id = ${id}`;
}

/** How a transfer is found: by id, or by what makes it the same transfer. */
export type BankTransferKey =
  { readonly id: string } | { readonly accountId: string; readonly dedupeKey: string };

/** One transfer, with the deposit that it pays now. */
export async function findBankTransfer(
  sql: Transaction | Database['sql'],
  key: BankTransferKey,
): Promise<BankTransferView | undefined> {
  const named =
    'id' in key
      ? sql`t.id = ${key.id}`
      : sql`t.account_id = ${key.accountId} and t.direction = 'CREDIT' and t.dedupe_key = ${key.dedupeKey}`;
  const [row] = await sql<Raw<BankTransferView>[]>`
    select t.*, a.deposit_id, d.order_no, d.trace_id as deposit_trace_id
    from bank_transfers t
    left join transfer_allocations a on a.transfer_id = t.id and a.released_at is null
    left join deposit_orders d on d.id = a.deposit_id
    where ${named}`;
  return row && transferOf(row);
}

/** The transfers that pay these deposits, or once did: `ofDepositId` says whose. */
export async function findTransfersOfDeposits(
  { sql }: Database,
  depositIds: readonly string[],
): Promise<(BankTransferView & { readonly ofDepositId: string })[]> {
  const rows = await sql<(Raw<BankTransferView> & { ofDepositId: string })[]>`
    select t.*, a.deposit_id as of_deposit_id, d.id as deposit_id, d.order_no,
      d.trace_id as deposit_trace_id
    from bank_transfers t
    join transfer_allocations a on a.transfer_id = t.id
    left join deposit_orders d on d.id = a.deposit_id and a.released_at is null
    where a.deposit_id = any(${depositIds as string[]}) order by a.at`;
  return rows.map((row) => ({ ...transferOf(row), ofDepositId: row.ofDepositId }));
}

/** Transfers that wait for a person, newest first. */
export async function listUnmatchedTransfers(
  { sql }: Database,
  first: number,
  after: { readonly receivedAt: Date; readonly id: string } | null,
): Promise<BankTransferView[]> {
  const rows = await sql<Raw<BankTransferRow>[]>`
    select * from bank_transfers
    where unmatched_reason is not null
      ${after ? sql`and (received_at, id) < (${after.receivedAt}, ${after.id})` : sql``}
    order by received_at desc, id desc limit ${first}`;
  return rows.map((row) => transferOf({ ...row, ...NO_DEPOSIT }));
}

/** What one source had credited, newest first: the look-back when an agent key is revoked. */
export async function listTransfersOfSource(
  { sql }: Database,
  source: string,
  first: number,
): Promise<BankTransferView[]> {
  const rows = await sql<Raw<BankTransferView>[]>`
    select t.*, a.deposit_id, d.order_no, d.trace_id as deposit_trace_id
    from bank_transfers t
    join transfer_allocations a on a.transfer_id = t.id and a.released_at is null
    join deposit_orders d on d.id = a.deposit_id
    where t.source = ${source} order by t.received_at desc limit ${first}`;
  return rows.map(transferOf);
}

/**
 * The memos of transfers that were told of in another way, same account and amount at about the same bank time:
 * by another source, or with a bank reference where this one has none.
 */
export async function findAlikeMemos(
  tx: Transaction,
  transfer: BankTransferRow,
  withinSeconds: number,
): Promise<string[]> {
  const { id, accountId, amount, bankReference, bankTime, source } = transfer;
  const rows = await tx<{ memo: string }[]>`
    select memo from bank_transfers
    where account_id = ${accountId} and amount = ${amount.toFixed()} and id <> ${id}
      and (source <> ${source} or (bank_reference is null) <> ${bankReference === null})
      and bank_time between ${bankTime}::timestamptz - make_interval(secs => ${withinSeconds})
        and ${bankTime}::timestamptz + make_interval(secs => ${withinSeconds})
    limit 100`;
  return rows.map((row) => row.memo);
}

/** What a source had credited without a person since a time. */
export async function sumCreditedSince(
  tx: Transaction,
  source: string,
  currencyCode: string,
  since: Date,
): Promise<Money> {
  const [row] = await tx<{ sum: string }[]>`
    select coalesce(sum(t.amount), 0)::text as sum from bank_transfers t
    join transfer_allocations a on a.transfer_id = t.id and a.matched_by = 'system'
    where t.source = ${source} and t.currency_code = ${currencyCode}::char(3) and t.received_at >= ${since}`;
  return money(row?.sum ?? '0');
}
