import type { Fragment, Sql } from 'postgres';
import type { AccountKind, Posting, TransferType } from '../../domain/ledger';
import { money, type Money } from '../../domain/money';
import type { Database, Transaction } from '../client';
import { amountFieldsOf, type Raw, type RowOf, rowReader } from '../rows';
import { ledgerEntries, type ledgerTransfers, merchantBalances } from '../schema/ledger';
import { accountsOf, amountsOf } from './postings';

/**
 * A merchant's money in one currency, four decimals. `version` rises with each posting; while `receivable`, what the
 * merchant owes us, is above zero nothing is available.
 */
export type BalanceRow = RowOf<typeof merchantBalances> & { readonly total: Money };

const readBalance = rowReader<BalanceRow>(amountFieldsOf(merchantBalances));

/** A merchant's balances: every enabled currency, zeros included, and any other that is not zero; by currency. */
export async function findBalances(
  { sql }: Database,
  merchantIds: readonly string[],
): Promise<BalanceRow[]> {
  const rows = await sql<(Omit<Raw<BalanceRow>, 'version'> & { readonly version: string })[]>`
    select b.* from merchant_balances b
    join merchant_currencies c using (merchant_id, currency_code)
    where b.merchant_id = any(${merchantIds as string[]})
      and (c.enabled or b.available <> 0 or b.frozen <> 0 or b.receivable <> 0)
    order by b.currency_code`;
  return rows.map((row) => readBalance({ ...row, version: Number(row.version) }));
}

/**
 * Posts one transfer. @returns false if its key was posted before
 * A balance below zero violates merchant_balances_never_negative.
 */
export async function postTransfer(
  tx: Transaction,
  transfer: {
    readonly type: TransferType;
    /** Names the business event, so that it posts once. */
    readonly key: string;
    readonly currencyCode: string;
    readonly orderId: string | null;
    readonly bankTransferId: string | null;
    readonly postings: readonly Posting[];
    readonly now: Date;
  },
): Promise<boolean> {
  const [row] = await tx<{ done: boolean }[]>`
    select post_transfer(${transfer.type}, ${transfer.key}, ${transfer.currencyCode}::char(3),
      ${transfer.orderId}, ${transfer.bankTransferId}, ${transfer.now},
      ${accountsOf(transfer.postings)}, ${amountsOf(transfer.postings)}::numeric[]) as done`;
  return row?.done ?? false;
}

type Entry = Omit<RowOf<typeof ledgerEntries>, 'version'>;
/** A posted line with its transfer. Credit positive, debit negative, four decimals. */
export type LedgerEntryRow = Entry &
  Pick<RowOf<typeof ledgerTransfers>, 'type' | 'at' | 'orderId' | 'bankTransferId'>;

/** As PostgreSQL returns it. */
export type RawEntry = Raw<LedgerEntryRow>;
/** In our own types. */
export const entryOf = rowReader<LedgerEntryRow>(amountFieldsOf(ledgerEntries));

/** The ledger's lines about these deposits: of their credits and of the bank transfers that paid them, as posted. */
export async function findEntriesOfDeposits(
  { sql }: Database,
  depositIds: readonly string[],
): Promise<(LedgerEntryRow & { readonly depositId: string })[]> {
  const rows = await sql<(RawEntry & { depositId: string })[]>`
    with about as (
      select t.id, t.order_id as deposit_id from ledger_transfers t
      where t.order_id = any(${depositIds as string[]})
      union
      select t.id, a.deposit_id from transfer_allocations a
      join ledger_transfers t on t.key = 'bank-credit:' || a.transfer_id
      where a.deposit_id = any(${depositIds as string[]})
    )
    select about.deposit_id, t.type, t.at, t.order_id, t.bank_transfer_id, e.*
    from about join ledger_transfers t using (id) join ledger_entries e on e.transfer_id = t.id
    order by t.at, t.id, e.line`;
  return rows.map(({ depositId, ...row }) => ({ ...entryOf(row), depositId }));
}

/** The trial balance: the balance of each account of the chart, per currency. Sums to zero. */
export async function trialBalance({
  read,
}: Database): Promise<{ account: string; currencyCode: string; balance: Money }[]> {
  const rows = await read<{ account: string; currencyCode: string; balance: string }[]>`
    select account, currency_code, sum(amount)::text as balance from ledger_entries
    group by account, currency_code order by currency_code, account`;
  return rows.map((row) => ({ ...row, balance: money(row.balance) }));
}

/** The kind of the account in column `account`. */
export const kindOfAccount = (sql: Sql): Fragment => sql`
  upper(case when account like 'merchant:%' then 'merchant_' || split_part(account, ':', 3)
    else split_part(account, ':', 1) end)`;

/** What the accounts of one kind were credited and debited with, all of them together, in one currency. */
export interface KindBalance {
  readonly currencyCode: string;
  readonly kind: AccountKind;
  /** Above zero or zero. */
  readonly credits: Money;
  /** Below zero or zero. */
  readonly debits: Money;
  /** credits + debits. */
  readonly balance: Money;
}

/** The trial balance by kind of account: per currency credits and debits are equal, and the balances sum to zero. */
export async function trialBalanceByKind({ read }: Database): Promise<KindBalance[]> {
  const rows = await read<
    { currencyCode: string; kind: AccountKind; credits: string; debits: string }[]
  >`
    select currency_code,
      ${kindOfAccount(read)} as kind,
      coalesce(sum(amount) filter (where amount > 0), 0)::text as credits,
      coalesce(sum(amount) filter (where amount < 0), 0)::text as debits
    from ledger_entries group by 1, 2 order by 1, 2`;
  return rows.map(({ currencyCode, kind, ...row }) => {
    const [credits, debits] = [money(row.credits), money(row.debits)];
    return { currencyCode, kind, credits, debits, balance: credits.plus(debits) };
  });
}

/** Something in the ledger that does not add up, in words that name the row. */
export interface Discrepancy {
  readonly subject: string;
  readonly problem: string;
}

/** Rebuilds every balance from the entries, and checks each transfer, each chain of balances, and each line against what
 * it is about: the bank's transfer, the order, its recall, or the approved change. */
export async function verifyLedger({ transaction }: Database): Promise<Discrepancy[]> {
  return await transaction(async (tx) => {
    await tx`set local statement_timeout = 0`;
    return await tx<Discrepancy[]>`
      with rebuilt as (
        select split_part(account, ':', 2)::uuid as merchant_id, currency_code,
          coalesce(sum(amount) filter (where account like '%:available'), 0) as available,
          coalesce(sum(amount) filter (where account like '%:frozen'), 0) as frozen,
          coalesce(-sum(amount) filter (where account like 'merchant_receivable:%'), 0) as receivable,
          coalesce(max(version), 0) as version
        from ledger_entries
        where account like 'merchant:%' or account like 'merchant_receivable:%' group by 1, 2
      ), chained as (
        select transfer_id, line, account, currency_code, amount, balance_before, balance_after, version,
          lag(balance_after, 1, 0::numeric) over (
            partition by account, currency_code order by version) as previous
        from ledger_entries where account like 'merchant:%'
      )
      select 'balance ' || coalesce(b.merchant_id, r.merchant_id) || ' '
          || coalesce(b.currency_code, r.currency_code) as subject,
        format('stored available %s, frozen %s, owed %s, version %s; the entries say %s, %s, %s, %s',
          b.available, b.frozen, b.receivable, b.version, coalesce(r.available, 0), coalesce(r.frozen, 0),
          coalesce(r.receivable, 0), coalesce(r.version, 0)) as problem
      from merchant_balances b full join rebuilt r using (merchant_id, currency_code)
      where (b.available, b.frozen, b.receivable, b.version) is distinct from
        (coalesce(r.available, 0), coalesce(r.frozen, 0), coalesce(r.receivable, 0), coalesce(r.version, 0))
      union all
      select 'balance ' || merchant_id || ' ' || currency_code,
        format('it owes %s and has %s available, which covers that first', receivable, available)
      from merchant_balances where receivable > 0 and available > 0
      union all
      select 'transfer ' || t.id || ' (' || t.type || ')',
        format('its %s entries sum to %s: %s', count(e.line), coalesce(sum(e.amount), 0),
          string_agg(e.account || ' ' || e.amount, ', ' order by e.line))
      from ledger_transfers t left join ledger_entries e on e.transfer_id = t.id
      group by t.id
      having coalesce(sum(e.amount), 0) <> 0 or count(e.line) < 2
        or bool_or(e.currency_code <> t.currency_code)
      union all
      select format('entry %s line %s on %s', transfer_id, line, account),
        format('%s + %s = %s does not follow from %s', balance_before, amount, balance_after, previous)
      from chained
      where balance_before <> previous or balance_after <> balance_before + amount
      union all
      select format('entry %s line %s on %s', e.transfer_id, e.line, e.account),
        format('a transfer of type %s does not post %s there', t.type, e.amount)
      from ledger_entries e join ledger_transfers t on t.id = e.transfer_id
      left join bank_transfers b on b.id = t.bank_transfer_id
      left join deposit_orders d on d.id = t.order_id
      left join withdrawal_orders w on w.id = t.order_id
      left join deposit_recalls r on r.deposit_id = t.order_id
      left join held_credits h on h.deposit_id = t.order_id
      where (t.bank_transfer_id is not null or t.order_id is not null) and not coalesce(case t.type
        when 'BANK_CREDIT' then (e.account, e.amount) in
          (('bank:' || b.account_id, -b.amount), ('suspense', b.amount))
        when 'DEPOSIT_CREDIT' then (e.account, e.amount) in
          (('suspense', -d.actual_amount), ('fee_income', d.fee),
            ('merchant:' || d.merchant_id || ':available', d.actual_amount - d.fee))
        when 'WITHDRAWAL_FREEZE' then (e.account, e.amount) in
          (('merchant:' || w.merchant_id || ':available', -w.amount - w.fee),
            ('merchant:' || w.merchant_id || ':frozen', w.amount + w.fee))
        when 'WITHDRAWAL_RELEASE' then (e.account, e.amount) in
          (('merchant:' || w.merchant_id || ':frozen', -w.amount - w.fee),
            ('merchant:' || w.merchant_id || ':available', w.amount + w.fee))
        when 'WITHDRAWAL_PAID' then w.status = 'COMPLETED' and (e.account, e.amount) in
          (('merchant:' || w.merchant_id || ':frozen', -w.amount - w.fee), ('fee_income', w.fee),
            ('channel:' || w.channel_id, w.amount), ('bank:' || w.account_id, w.amount))
        when 'CHANNEL_COST' then (e.account, e.amount) in
          (('channel_cost', -w.actual_channel_cost), ('channel:' || w.channel_id, w.actual_channel_cost))
        -- Which part is whose depends on what the merchant had; none is more than what was paid.
        when 'WITHDRAWAL_LATE_PAID' then
          (e.account like 'channel:%' and e.amount = w.amount)
          or (e.account in ('loss', 'merchant:' || w.merchant_id || ':available')
            and e.amount between -w.amount and 0)
        when 'WITHDRAWAL_RETURNED' then w.status = 'COMPLETED' and (e.account, e.amount) in
          (('channel:' || w.channel_id, -w.amount), ('merchant:' || w.merchant_id || ':available', w.amount))
        when 'CREDIT_HELD' then (e.account, e.amount) in
          (('merchant:' || h.merchant_id || ':available', -h.amount),
            ('merchant:' || h.merchant_id || ':frozen', h.amount))
        when 'HOLD_RELEASED' then h.released_at is not null and (e.account, e.amount) in
          (('merchant:' || h.merchant_id || ':frozen', -h.amount),
            ('merchant:' || h.merchant_id || ':available', h.amount))
        when 'DEPOSIT_RECALLED' then d.status = 'COMPLETED' and r.amount = d.actual_amount
          and (e.account, e.amount) in (('bank:' || r.account_id, r.amount),
            ('merchant:' || d.merchant_id || ':frozen', -r.from_held),
            ('merchant:' || d.merchant_id || ':available', -r.from_available),
            ('merchant_receivable:' || d.merchant_id, -r.owed))
        end, false)
      union all
      select 'deposit ' || d.order_no, format('its recall of %s was never posted', r.amount)
      from deposit_recalls r join deposit_orders d on d.id = r.deposit_id
      where not exists (select from ledger_transfers t where t.key = 'deposit-recalled:' || r.deposit_id)
      union all
      select 'deposit ' || d.order_no, format('its held credit of %s was posted as %s', h.amount,
        coalesce(string_agg(t.type, ', ' order by t.at, t.id), 'nothing'))
      from held_credits h join deposit_orders d on d.id = h.deposit_id
      left join ledger_transfers t on t.order_id = h.deposit_id and t.type in ('CREDIT_HELD', 'HOLD_RELEASED')
      left join deposit_recalls r on r.deposit_id = h.deposit_id
      group by h.deposit_id, d.order_no, r.from_held
      having coalesce(array_agg(t.type order by t.type), '{}') <> case when h.released_at is null
          then array['CREDIT_HELD'] else array['CREDIT_HELD', 'HOLD_RELEASED'] end
        or coalesce(r.from_held, 0) <> case when h.recalled_at is null then 0 else h.amount end
      union all
      select format('entry %s line %s on %s', e.transfer_id, e.line, e.account),
        format('what covers a receivable does not post %s there', e.amount)
      from ledger_entries e join ledger_transfers t on t.id = e.transfer_id
      where t.type = 'RECEIVABLE_COVERED' and not (
        e.account = 'merchant:' || split_part(t.key, ':', 2) || ':available' and e.amount < 0
        or e.account = 'merchant_receivable:' || split_part(t.key, ':', 2) and e.amount > 0)
      union all
      select 'withdrawal ' || w.order_no, format('it is %s, and was posted as %s', w.status,
        coalesce(string_agg(t.type, ', ' order by t.at, t.id), 'nothing'))
      from withdrawal_orders w left join ledger_transfers t on t.order_id = w.id
        and t.type in ('WITHDRAWAL_FREEZE', 'WITHDRAWAL_RELEASE', 'WITHDRAWAL_PAID')
      group by w.id
      having array_agg(t.type order by t.type) <> case
        when w.status in ('PENDING', 'APPROVED') then array['WITHDRAWAL_FREEZE']
        when w.status = 'COMPLETED' then array['WITHDRAWAL_FREEZE', 'WITHDRAWAL_PAID']
        else array['WITHDRAWAL_FREEZE', 'WITHDRAWAL_RELEASE'] end
      union all
      select format('entry %s line %s on %s', e.transfer_id, e.line, e.account),
        format('no approved change of type %s posts %s there', t.type, e.amount)
      from ledger_entries e join ledger_transfers t on t.id = e.transfer_id
      left join change_requests c on c.status = 'APPLIED' and t.key = case c.kind
        when 'TOP_UP_BALANCE' then 'balance-top-up:' || c.id
        when 'ADJUST_BALANCE' then 'balance-adjustment:' || c.id end
      where t.type in ('BALANCE_TOP_UP', 'BALANCE_ADJUSTMENT')
        and not coalesce(t.currency_code = c.currency_code and (e.account, e.amount) in (
          ('merchant:' || c.merchant_id || ':available', c.amount),
          (case t.type when 'BALANCE_TOP_UP' then 'treasury' else 'adjustment' end, -c.amount)), false)
      union all
      select 'change request ' || c.id, format('%s of %s was applied and never posted', c.kind, c.amount)
      from change_requests c
      where c.status = 'APPLIED' and c.kind in ('TOP_UP_BALANCE', 'ADJUST_BALANCE')
        and not exists (
          select from ledger_transfers t where t.key = case c.kind
            when 'TOP_UP_BALANCE' then 'balance-top-up:' || c.id
            else 'balance-adjustment:' || c.id end)`;
  }, 'isolation level repeatable read read only');
}
