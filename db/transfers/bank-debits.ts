import type { NamedTask } from '../../domain/debit-match';
import { money } from '../../domain/money';
import { type BalanceChain, chainOf, keptChain, shownBalance } from '../../domain/running-balance';
import type { Database, Transaction } from '../client';
import { amountFieldsOf, type Raw, type RowOf, rowReader } from '../rows';
import { bankDebits } from '../schema/bank-debits';

/** A debit as a bank reported it on one of our accounts. Amounts in its currency, four decimals; times UTC. */
export type BankDebitRow = Omit<RowOf<typeof bankDebits>, 'dedupeKey'>;

/** With the withdrawal that it paid, if any, and its merchant. */
export interface BankDebitView extends BankDebitRow {
  readonly orderNo: string | null;
  readonly merchantId: string | null;
}

/** As PostgreSQL returns it. */
export type RawDebit = Raw<BankDebitView>;
/** In our own types. */
export const debitOfRow = rowReader<BankDebitView>(amountFieldsOf(bankDebits));

/** Each debit with the withdrawal that it paid out. @param debits the rows, as `b` */
export const withWithdrawal = (sql: Database['sql'] | Transaction, debits: ReturnType<typeof sql>) =>
  sql`
    select b.id, b.account_id, b.amount, b.currency_code, b.bank_reference, b.bank_time, b.payee_name,
      b.payee_account, b.memo, b.balance_after, b.source, b.received_at, b.attempt_id, b.explained_by,
      b.explained_at, b.reason, w.order_no, w.merchant_id
    from ${debits} b
    left join payout_attempts a on a.id = b.attempt_id
    left join withdrawal_orders w on w.id = a.withdrawal_id`;

/** One debit. */
export async function findBankDebit(
  sql: Database['sql'] | Transaction,
  id: string,
): Promise<BankDebitView | undefined> {
  const [row] = await sql<RawDebit[]>`
    ${withWithdrawal(sql, sql`bank_debits`)} where b.id = ${id}`;
  return row && debitOfRow(row);
}

/** The debits of these payout attempts, as far as banks have reported them. */
export async function findDebitsOfAttempts({ sql }: Database, attemptIds: readonly string[]): Promise<BankDebitView[]> {
  const rows = await sql<RawDebit[]>`
    ${withWithdrawal(sql, sql`bank_debits`)} where b.attempt_id = any(${attemptIds as string[]})`;
  return rows.map(debitOfRow);
}

/**
 * Locks an account against other reports on it and changes of its tasks, so that a debit and the completion of its task
 * are serialised. Always locked before a withdrawal, never after. @returns what is known of its balance; undefined where
 * there is no such account
 */
export async function lockReportedBalance(
  tx: Transaction,
  accountId: string,
): Promise<{ readonly chain: BalanceChain; readonly isOpen: boolean; readonly currencyCode: string } | undefined> {
  const [row] = await tx<
    {
      bankBalance: string | null;
      bankBalanceAt: Date | null;
      balanceChain: unknown;
      isOpen: boolean;
      currencyCode: string;
    }[]
  >`
    select bank_balance, bank_balance_at, balance_chain, status = 'ACTIVE' as is_open, currency_code
    from bank_accounts where id = ${accountId} for no key update`;
  if (!row) return undefined;
  const { bankBalance, bankBalanceAt, balanceChain, ...account } = row;
  const newest =
    bankBalance === null || bankBalanceAt === null ? null : { balance: money(bankBalance), at: bankBalanceAt };
  return { ...account, chain: chainOf(newest, balanceChain) };
}

/** The debits of an account that were recorded under one of these keys. */
export async function findDebitsByKey(
  tx: Transaction,
  accountId: string,
  dedupeKeys: readonly string[],
): Promise<BankDebitView[]> {
  const rows = await tx<RawDebit[]>`
    ${withWithdrawal(tx, tx`bank_debits`)}
    where b.account_id = ${accountId} and b.dedupe_key = any(${dedupeKeys as string[]})`;
  return rows.map(debitOfRow);
}

/** What must be equal for a debit and its task. */
export type DebitMoney = Pick<BankDebitRow, 'accountId' | 'amount' | 'currencyCode'>;

/** A task that a debit may have paid out. */
export interface DebitTask extends NamedTask {
  readonly id: string;
  readonly orderNo: string;
  readonly merchantId: string;
  readonly beneficiaryAccount: string;
}

/** Manual payouts of this amount, open or completed since a time, that have no debit yet. */
export const findDebitTasks = async (
  tx: Transaction,
  { accountId, amount, currencyCode }: DebitMoney,
  doneSince: Date,
): Promise<DebitTask[]> =>
  await tx<DebitTask[]>`
    select * from debit_tasks(${accountId}, ${amount.toFixed()}::numeric, ${currencyCode}::char(3), ${doneSince})`;

/** A debit that is not explained yet. */
export type OpenDebit = Pick<BankDebitRow, 'id' | 'bankReference' | 'memo' | 'payeeAccount' | 'source'>;

/**
 * Records that the bank paid someone other than the beneficiary: the withdrawal waits for an operator, and the account
 * is paused. @param debitId the debit that the bank reported
 */
export async function doubtPayee(tx: Transaction, attemptId: string, debitId: string, now: Date): Promise<void> {
  await tx`select doubt_payee(${attemptId}, ${debitId}, ${now})`;
}

/** The unexplained debits of this amount. */
export const findOpenDebits = async (
  tx: Transaction,
  { accountId, amount, currencyCode }: DebitMoney,
): Promise<OpenDebit[]> =>
  await tx<OpenDebit[]>`
    select id, bank_reference, memo, payee_account, source from bank_debits
    where account_id = ${accountId} and amount = ${amount.toFixed()}::numeric
      and currency_code = ${currencyCode} and explained_at is null`;

/** Who reported the debit of an attempt; null if it is not reported. */
export async function sourceOfDebit(tx: Transaction, attemptId: string): Promise<string | null> {
  const [row] = await tx<{ source: string }[]>`
    select source from bank_debits where attempt_id = ${attemptId} limit 1`;
  return row?.source ?? null;
}

/** Whether a bank has reported the debit of an attempt. */
export async function isPaidOut(tx: Transaction, attemptId: string): Promise<boolean> {
  const rows = await tx`select from bank_debits where attempt_id = ${attemptId}`;
  return rows.length > 0;
}

/** Records a debit. One that was recorded under its key violates bank_debits_once. */
export async function insertBankDebit(
  tx: Transaction,
  debit: BankDebitRow & { readonly dedupeKey: string },
): Promise<void> {
  const d = debit;
  const row = {
    id: d.id,
    account_id: d.accountId,
    amount: d.amount.toFixed(),
    currency_code: d.currencyCode,
    bank_reference: d.bankReference,
    dedupe_key: d.dedupeKey,
    bank_time: d.bankTime,
    memo: d.memo,
    source: d.source,
    payee_name: d.payeeName,
    payee_account: d.payeeAccount,
    balance_after: d.balanceAfter?.toFixed() ?? null,
    received_at: d.receivedAt,
    attempt_id: d.attemptId,
    reason: d.reason,
    explained_by: d.explainedBy,
    explained_at: d.explainedAt,
  };
  await tx`insert into bank_debits ${tx(row)}`;
}

/** Stores what is known of an account's balance; pauses the account if a reason is given, or opens it again. */
export async function noteBalanceChain(
  tx: Transaction,
  accountId: string,
  chain: BalanceChain | null,
  { pause, resume, now }: { readonly pause: string | null; readonly resume: boolean; readonly now: Date },
): Promise<void> {
  const shown = chain && shownBalance(chain);
  if (chain !== null)
    await tx`
      update bank_accounts set bank_balance = ${shown?.balance.toFixed() ?? null},
        bank_balance_at = ${shown?.at ?? null}, balance_chain = ${tx.json(keptChain(chain) as never)}
      where id = ${accountId}`;
  if (resume) await tx`select resume_account(${accountId}, ${now})`;
  if (pause !== null)
    await tx`
      update bank_accounts set status = 'PAUSED', status_reason = ${pause}, updated_at = ${now}
      where id = ${accountId} and status = 'ACTIVE'`;
}

/**
 * Takes credits of an account that waited outside its chain of balances and follow now. The account stays locked.
 * @param limit most of one call
 */
export async function takeDueCredits(tx: Transaction, accountId: string, limit: number): Promise<readonly string[]> {
  const [row] = await tx<{ due: readonly string[] }[]>`
    select balance_chain -> 'due' as due from bank_accounts
    where id = ${accountId} and balance_chain -> 'due' <> '[]' for no key update`;
  if (!row) return [];
  const due = row.due.slice(0, limit);
  await tx`
    update bank_accounts set balance_chain = jsonb_set(balance_chain, '{due}', ${tx.json(row.due.slice(limit))})
    where id = ${accountId}`;
  return due;
}

/** Raises the alert that the balance after a debit does not follow from its account's. */
export async function alertOutsideDebit(
  tx: Transaction,
  { id, accountId }: Pick<BankDebitRow, 'id' | 'accountId'>,
  now: Date,
): Promise<void> {
  await tx`
    select raise_alert('DOUBTFUL_TRANSFER', 'debit-balance:' || ${id}::text, null,
      ${tx.json({ debitId: id, accountId, reason: 'BALANCE_DIFFERS' })}, ${now})`;
}

/** Debits of the same amount and balance within an hour, whose references do not differ: one may be the same. */
export async function findEchoes(
  tx: Transaction,
  {
    accountId,
    amount,
    balanceAfter,
    bankReference,
    bankTime,
  }: Pick<BankDebitRow, 'accountId' | 'amount' | 'balanceAfter' | 'bankReference' | 'bankTime'>,
): Promise<BankDebitView[]> {
  if (balanceAfter === null) return [];
  const rows = await tx<RawDebit[]>`
    ${withWithdrawal(tx, tx`bank_debits`)}
    where b.account_id = ${accountId} and b.amount = ${amount.toFixed()}::numeric
      and b.balance_after = ${balanceAfter.toFixed()}::numeric
      and (b.bank_reference is null or ${bankReference}::text is null)
      and b.bank_time between ${bankTime}::timestamptz - interval '1 hour' and ${bankTime}::timestamptz + interval '1 hour'
    order by b.bank_time limit 5`;
  return rows.map(debitOfRow);
}

/** Explains a debit. @returns whether it was unexplained before */
export async function explainDebit(
  tx: Transaction,
  {
    id,
    attemptId,
    by,
    reason,
    now,
  }: {
    readonly id: string;
    readonly attemptId: string | null;
    readonly by: string;
    readonly reason: string | null;
    readonly now: Date;
  },
): Promise<boolean> {
  const rows = await tx`
    update bank_debits
    set attempt_id = ${attemptId}, explained_by = ${by}, explained_at = ${now}, reason = ${reason}
    where id = ${id} and explained_at is null returning 1`;
  return rows.length === 1;
}

/**
 * Raises an alert for each debit that has been unexplained since a time, once. @param limit most alerts of one call:
 * the next call continues @returns how many wait, alerted before or not
 */
export async function alertUnexplainedDebits(
  { sql }: Database,
  receivedBefore: Date,
  limit: number,
  now: Date,
): Promise<number> {
  await sql`
    select raise_alert('DEBIT_UNEXPLAINED', 'debit:' || d.id, null,
      jsonb_build_object('debitId', d.id, 'accountId', d.account_id,
        'reason', d.amount || ' ' || d.currency_code || ' left the account'), ${now})
    from (
      select * from bank_debits b
      where explained_at is null and received_at <= ${receivedBefore}
        and not exists (select from alerts where key = 'debit:' || b.id)
      order by received_at, id limit ${limit}
    ) d`;
  const [row] = await sql<{ waiting: number }[]>`
    select count(*)::int as waiting from bank_debits
    where explained_at is null and received_at <= ${receivedBefore}`;
  return row?.waiting ?? 0;
}

/**
 * Raises an alert for each manual payout whose debit was not reported in time, once. Only those of the last weeks:
 * older ones had their alert.
 * @param limit most alerts of one call: the next call continues
 */
export async function alertPayoutsWithoutDebit(
  { sql }: Database,
  doneBefore: Date,
  limit: number,
  now: Date,
): Promise<void> {
  await sql`
    select raise_alert('PAYOUT_WITHOUT_DEBIT', 'no-debit:' || p.id, p.merchant_id,
      jsonb_build_object('orderNo', p.order_no, 'accountId', p.account_id,
        'reason', p.amount || ' ' || p.currency_code || ' is said to be paid, and no debit tells of it'), ${now})
    from (
      select a.id, a.account_id, w.merchant_id, w.order_no, w.amount, w.currency_code
      from payout_attempts a join withdrawal_orders w on w.id = a.withdrawal_id
      where a.method = 'MANUAL' and a.status = 'COMPLETED'
        and a.finished_at <= ${doneBefore} and a.finished_at > ${doneBefore}::timestamptz - interval '30 days'
        and not exists (select from bank_debits b where b.attempt_id = a.id)
        and not exists (select from alerts where key = 'no-debit:' || a.id)
      order by a.finished_at, a.id limit ${limit}
    ) p`;
}
