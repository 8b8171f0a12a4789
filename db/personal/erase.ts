import type { ErasedWhenOld } from '../../domain/personal';
import { appendAudit, type AuditDigest, type AuditEntry } from '../audit/audit-log';
import type { Database, Transaction } from '../client';
import { idsOfTime } from '../pages';

/** An order of a person. */
export interface PersonOrder {
  readonly noun: 'deposit' | 'withdrawal';
  readonly id: string;
  /** Whether it has not ended, or a callback or a refund of it is under way. */
  readonly open: boolean;
}

type Sql = Database['sql'] | Transaction;

/** What an order says of a person, as its row keeps it. */
export interface KeptPerson {
  readonly merchantId: string;
  readonly merchantOrderNo: string;
  readonly orderNo: string;
  readonly payerAccountNo: string | null;
  readonly payerMobile: string | null;
  readonly payerEmail: string | null;
  readonly beneficiaryAccount: string | null;
}

/** What a deposit, or a merchant's withdrawal, says of its person. */
export async function findPerson(sql: Sql, orderId: string): Promise<KeptPerson | undefined> {
  const [row] = await sql<KeptPerson[]>`
    select merchant_id, merchant_order_no, order_no, payer_account_no, payer_mobile, payer_email, null as beneficiary_account
    from deposit_orders where id = ${orderId}
    union all
    select merchant_id, merchant_order_no, order_no, null, null, null, beneficiary_account
    from withdrawal_orders where id = ${orderId} and origin = 'MERCHANT'`;
  return row;
}

/** What the orders of a person are found by: the blind indexes of each value, under each key of the ring. */
interface SoughtPerson {
  /** Of the account, as a beneficiary's is compared. */
  readonly beneficiaryIndexes: readonly string[];
  readonly accountIndexes: readonly string[];
  readonly mobileIndexes: readonly string[];
  readonly emailIndexes: readonly string[];
}

/**
 * The orders of one merchant that are of the same person as one of them: by account, mobile number, mail address or the
 * merchant's own name of the user. @param said what that order says of it
 */
export async function findOrdersOfPerson(sql: Sql, orderId: string, said: SoughtPerson): Promise<PersonOrder[]> {
  const asked = sql.json({
    account_indexes: said.accountIndexes,
    beneficiary_indexes: said.beneficiaryIndexes,
    mobile_indexes: said.mobileIndexes,
    email_indexes: said.emailIndexes,
  });
  return await sql<PersonOrder[]>`
    select noun, id, open from orders_of_person(${orderId}, ${asked}::jsonb)`;
}

/** What one kind of row had of a person. */
interface Erased {
  readonly what: string;
  readonly rows: number;
}

/** Erases a person from these orders, and from all that belongs to them. @param actor who, in the orders' timelines */
export async function erasePerson(
  tx: Transaction,
  orders: readonly PersonOrder[],
  actor: string,
  now: Date,
): Promise<Erased[]> {
  const of = (noun: string): string[] => orders.filter((order) => order.noun === noun).map(({ id }) => id);
  return await tx<Erased[]>`
    select what, rows from erase_person(${of('deposit')}, ${of('withdrawal')}, ${actor}, ${now})`;
}

/** The rows of each kind, whose ids begin with their time. */
const TABLES: Readonly<Record<ErasedWhenOld, string>> = {
  deposits: 'deposit_orders',
  withdrawals: 'withdrawal_orders',
  sessions: 'cashier_sessions',
  returns: 'payer_returns',
  credits: 'bank_transfers',
  debits: 'bank_debits',
  texts: 'agent_texts',
  changes: 'change_requests',
};

/** A batch waits for requests that lock one of its rows; milliseconds. */
const BATCH_MS = 60_000;

/**
 * Erases people from the next rows of a kind that were made before a time, unless something about a row is under way,
 * and says so in the audit log, in one transaction. @param entry gets how many rows had something to erase
 * @returns the last row that it looked at; null at the end
 */
export async function eraseOld(
  { transaction }: Pick<Database, 'transaction'>,
  what: ErasedWhenOld,
  { before, after, limit }: { readonly before: Date; readonly after: string; readonly limit: number },
  entry: (rows: number) => AuditEntry,
  digest: AuditDigest,
): Promise<{ readonly last: string | null; readonly rows: number }> {
  return await transaction(async (tx) => {
    await tx.unsafe(`set local statement_timeout = ${BATCH_MS}`);
    const found = await tx<{ id: string }[]>`
      select t.id from ${tx(TABLES[what])} t
      where t.id > ${after} and ${idsOfTime(tx, 't.id', { to: before })} order by t.id limit ${limit}`;
    const ids = found.map(({ id }) => id);
    const [row] = await tx<{ rows: number }[]>`select ${tx(`erase_${what}`)}(${ids}::uuid[]) as rows`;
    const rows = row?.rows ?? 0;
    if (rows > 0) await appendAudit(tx, entry(rows), digest);
    return { last: ids.at(-1) ?? null, rows };
  });
}
