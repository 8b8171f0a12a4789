import type { AccountLimits, AccountStatus, AmountFloat } from '../../domain/bank-account';
import type { AccountHealthRefusal } from '../../domain/health';
import { money, type Money } from '../../domain/money';
import type { ReceivedLimits, ReceivedUse } from '../../domain/received-limits';
import type { RoutableAccount } from '../../domain/routing';
import type { Database, Transaction } from '../client';
import { amountFieldsOf, parametersOf, type Raw, type RowOf, rowReader } from '../rows';
import { bankAccounts } from '../schema/bank-accounts';

type Stored = RowOf<typeof bankAccounts>;
/** A bank account that we manage and payers transfer to. Amounts in its currency, four decimals; times UTC. */
export interface BankAccountRow extends Omit<
  Stored,
  keyof FloatColumns | 'bankBalance' | 'bankBalanceAt' | 'balanceChain'
> {
  /** Only for mode FLOAT. */
  readonly float: AmountFloat | null;
}
type FloatColumns = Pick<Stored, 'floatStep' | 'floatUp' | 'floatDown' | 'quarantineMinutes'>;

/** As PostgreSQL returns it. */
export type RawAccount = Raw<Stored>;

const readAmounts = rowReader<Stored>(amountFieldsOf(bankAccounts));

/** In our own types. */
export function accountOf(raw: RawAccount): BankAccountRow {
  const { floatStep, floatUp, floatDown, quarantineMinutes, ...account } = readAmounts(raw);
  return {
    ...account,
    float:
      floatStep === null || floatUp === null || floatDown === null
        ? null
        : { step: floatStep, up: floatUp, down: floatDown, quarantineMinutes },
  };
}

/** Fields of an account, including its float, in the form of the columns. */
const columnsOf = ({ float, ...fields }: Partial<BankAccountRow>) =>
  parametersOf(bankAccounts, {
    ...fields,
    floatStep: float?.step ?? null,
    floatUp: float?.up ?? null,
    floatDown: float?.down ?? null,
    ...(float && { quarantineMinutes: float.quarantineMinutes }),
  });

/** A number that is registered already violates bank_accounts_number. */
export async function insertBankAccount(tx: Transaction, account: BankAccountRow): Promise<void> {
  await tx`insert into bank_accounts ${tx(columnsOf(account))}`;
}

/** What may be changed of an account in use. */
export type BankAccountChange = Omit<AccountLimits, keyof ReceivedLimits> &
  Pick<BankAccountRow, 'name' | 'float' | 'balanceRequired' | 'maxDailyAmount'> &
  Partial<Pick<BankAccountRow, 'timeZone' | 'silentMinutes' | keyof ReceivedLimits>>;

/**
 * Changes an account's name, limits and float; open orders keep theirs. Use is recounted for new limits at once.
 * @returns undefined if there is none
 */
export async function updateBankAccount(
  tx: Transaction,
  id: string,
  change: BankAccountChange,
  now: Date,
): Promise<BankAccountRow | undefined> {
  const columns = columnsOf({ ...change, updatedAt: now });
  const [row] = await tx<RawAccount[]>`
    update bank_accounts set ${tx(columns)} where id = ${id} returning *`;
  if (row) await tx`select recount_account(${id}, ${now})`;
  return row && accountOf(row);
}

/** @returns undefined if there is no such account */
export async function setBankAccountStatus(
  tx: Transaction,
  id: string,
  status: AccountStatus,
  reason: string,
  now: Date,
): Promise<BankAccountRow | undefined> {
  const [row] = await tx<RawAccount[]>`
    update bank_accounts set status = ${status}, status_reason = ${reason}, updated_at = ${now}
    where id = ${id} returning *`;
  return row && accountOf(row);
}

/** An account, its row locked against other changes. */
export async function lockBankAccount(tx: Transaction, id: string): Promise<BankAccountRow | undefined> {
  const [row] = await tx<RawAccount[]>`
    select * from bank_accounts where id = ${id} for no key update`;
  return row && accountOf(row);
}

/** Several accounts by their ids. */
export async function findBankAccounts({ sql }: Database, ids: readonly string[]): Promise<BankAccountRow[]> {
  const rows = await sql<RawAccount[]>`
    select * from bank_accounts where id = any(${ids as string[]})`;
  return rows.map(accountOf);
}

/** An account with the data on which routing of a deposit depends. */
export type RoutableAccountRow = BankAccountRow &
  RoutableAccount & {
    /** The channel that reports on it, or null. */
    readonly boundChannelId: string | null;
  };

/** The accounts of several currencies in any status, with the sums of today's deposits, by id. */
export async function findRoutableAccounts(
  { sql }: Database,
  currencyCodes: readonly string[],
  now: Date,
): Promise<RoutableAccountRow[]> {
  const rows = await sql<
    (RawAccount &
      RawUse & {
        poolIds: readonly string[];
        boundChannelId: string | null;
        passedOver: AccountHealthRefusal | null;
      })[]
  >`
    select a.*, c.id as bound_channel_id, u.day_amount::text, u.day_count, u.month_amount::text, u.month_count,
      u.held::text,
      array(select p.pool_id::text from pool_accounts p where p.account_id = a.id) as pool_ids,
      account_health_refusal(a, ${now}::timestamptz) as passed_over
    from bank_accounts a
    left join channels c
      on c.bound_account_id = a.id and c.enabled and a.currency_code = any(c.deposit_currencies)
    cross join lateral account_use(a, ${now}::timestamptz) u
    where a.currency_code = any(${currencyCodes as string[]}::char(3)[]) and a.status <> 'DISABLED'
    order by a.id`;
  return rows.map(({ dayAmount, dayCount, monthAmount, monthCount, held, ...rest }) => {
    const { poolIds, boundChannelId, passedOver, ...row } = rest;
    return {
      ...accountOf(row),
      use: useOf({ dayAmount, dayCount, monthAmount, monthCount, held }),
      poolIds,
      boundChannelId,
      passedOver,
    };
  });
}

/** What counts against limits, as PostgreSQL returns it. */
interface RawUse {
  readonly dayAmount: string;
  readonly dayCount: number;
  readonly monthAmount: string;
  readonly monthCount: number;
  readonly held: string;
}

const useOf = ({ dayAmount, monthAmount, held, ...counts }: RawUse): ReceivedUse => ({
  dayAmount: money(dayAmount),
  monthAmount: money(monthAmount),
  held: money(held),
  ...counts,
});

/** The present use of an account. */
export interface AccountUse {
  /** The account's. */
  readonly id: string;
  /** What counts against its limits; all zero if it never had any. */
  readonly todayDeposits: number;
  readonly todayAmount: Money;
  readonly monthDeposits: number;
  readonly monthAmount: Money;
  /** What counts against the balance that it may hold; zero if that is not limited. */
  readonly held: Money;
  /** PENDING deposits that have not expired, and their sum. */
  readonly openDeposits: number;
  readonly openAmount: Money;
  /** What arrived since the beginning of the day in the account's zone, by the bank's time. */
  readonly todayReceived: Money;
}

/** The present use of several accounts. */
export async function findAccountUse({ sql }: Database, ids: readonly string[], now: Date): Promise<AccountUse[]> {
  const rows = await sql<(Omit<AccountUse, UseAmount> & Record<UseAmount, string>)[]>`
    select a.id, u.day_count as today_deposits, u.day_amount::text as today_amount,
      u.month_count as month_deposits, u.month_amount::text as month_amount, u.held::text,
      o.open_deposits, o.open_amount, t.today_received
    from bank_accounts a
    cross join lateral account_use(a, ${now}::timestamptz) u
    cross join lateral (
      select count(*)::int as open_deposits, coalesce(sum(amount), 0)::text as open_amount
      from deposit_orders where account_id = a.id and status = 'PENDING') o
    cross join lateral (
      select coalesce(sum(amount), 0)::text as today_received
      from bank_transfers where account_id = a.id and direction = 'CREDIT'
        and bank_time >= day_start(u.day, a.time_zone) and bank_time <= ${now}) t
    where a.id = any(${ids as string[]})`;
  return rows.map((row) => ({
    ...row,
    todayAmount: money(row.todayAmount),
    monthAmount: money(row.monthAmount),
    held: money(row.held),
    openAmount: money(row.openAmount),
    todayReceived: money(row.todayReceived),
  }));
}

type UseAmount = 'todayAmount' | 'monthAmount' | 'held' | 'openAmount' | 'todayReceived';
