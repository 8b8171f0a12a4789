import type { JSONValue } from 'postgres';
import type { AccountMode, AccountStatus } from '../../domain/bank-account';
import type { Posting } from '../../domain/ledger';
import type { MatchVerdict, NamedDeposit, ReceivingAccount } from '../../domain/matching';
import { money, type Money } from '../../domain/money';
import type { AlikeReport } from '../../domain/near-duplicate';
import { type BalanceChain, chainOf, keptChain, shownBalance } from '../../domain/running-balance';
import type { Database, Transaction } from '../client';
import type { MatchedDeposit } from '../deposits/deposits';
import { accountsOf, amountsOf } from '../ledger/postings';
import { amountFieldsOf, columnsOf, type Raw, type RowOf, rowReader } from '../rows';
import { bankTransfers } from '../schema/bank-transfers';
import type { PayerRulesJson } from '../payers/rules';

/** A bank credit of one of our accounts, as the bank reported it. Amounts in its currency, four decimals; times UTC. */
export type BankTransferRow = Omit<RowOf<typeof bankTransfers>, 'dedupeKey' | 'countedDay' | 'namedRemarks'>;

/** With the deposit that it pays, if any. */
export interface BankTransferView extends BankTransferRow {
  readonly depositId: string | null;
  readonly orderNo: string | null;
  /** Of the request that created the deposit. */
  readonly depositTraceId: string | null;
}

/** The deposit's fields of a credit that pays none. */
export const NO_DEPOSIT = { depositId: null, orderNo: null, depositTraceId: null } as const;

/** In our own types. */
export const transferOf = rowReader<BankTransferView>(amountFieldsOf(bankTransfers));

/** What a bank reported, and what the verdict on it needs; in clear, or as its row keeps it where it is written. */
export interface TransferReport extends Omit<
  BankTransferRow,
  ('direction' | 'unmatchedReason' | 'receivedAt' | 'confirmedBy' | 'confirmedAt') | 'payerFinding'
> {
  readonly dedupeKey: string;
  readonly receivedAt: Date;
  /** The parts of the memo that could be a remark. */
  readonly remarks: readonly string[];
  /** Another report within this much bank time may be of the same credit, seconds. */
  readonly nearSeconds: number;
  /** The key that reports it, if an agent does. */
  readonly agentKeyId: string | null;
  /** The beginning of the key's day, if it has a ceiling for the day. */
  readonly creditedSince: Date | null;
  /** Whether it is several payments that nothing separates. */
  readonly collective?: boolean;
}

/** A deposit as its row keeps it, with its payer rules; null if there are none. */
interface NamedUnderRules {
  readonly merchantOrderNo: string;
  readonly payerRules: PayerRulesJson | null;
}

/** The facts on which the verdict on a bank credit depends. */
export interface TransferFacts {
  /** Undefined where there is no such account. */
  readonly account:
    | (ReceivingAccount & {
        readonly status: AccountStatus;
        readonly chain: BalanceChain;
        readonly balanceRequired: boolean;
        readonly pausedByGap: boolean;
      })
    | undefined;
  /** The credit, if it was recorded before. */
  readonly recordedId: string | null;
  /** Whether its bank reference was reported before with another amount or currency. */
  readonly referenceReused: boolean;
  /** If another source reported credits of the same account and amount around the same day: all of these. */
  readonly alike: readonly (AlikeReport & { readonly id: string })[];
  /** If its balance does not follow: credits of the same amount and balance around its time, of which one may be the same. */
  readonly echoes: readonly (AlikeReport & { readonly id: string })[];
  /** Whether the reporting key is not revoked. */
  readonly keyLive: boolean;
  /**
   * The sum that the reporting key has caused to be credited without a person; null if it has no ceiling for the day.
   */
  readonly credited: Money | null;
  /** The deposits that it names, by remark or by amount, depending on the account's mode. */
  readonly named: readonly (NamedDeposit & MatchedDeposit & NamedUnderRules)[];
  /** Whether any payer is on a list. */
  readonly payersListed: boolean;
  /** The facts as PostgreSQL returned them, which it compares again under the account's lock. */
  readonly raw: JSONValue;
}

type RawReport = Omit<AlikeReport, 'bankTime'> & {
  readonly id: string;
  readonly bankTime: string;
};

interface RawFacts {
  readonly account: {
    currencyCode: string;
    mode: AccountMode;
    status: AccountStatus;
    balanceRequired: boolean;
    /** Paused because its balance does not add up: such a pause may end by itself. */
    pausedByGap: boolean;
    bankBalance: string | null;
    bankBalanceAt: string | null;
    balanceChain: JSONValue | null;
  } | null;
  readonly recordedId: string | null;
  readonly referenceReused: boolean;
  readonly alike: RawReport[];
  readonly echoes: RawReport[];
  readonly keyLive: boolean;
  readonly credited: string | null;
  readonly named: (Omit<NamedDeposit, 'amount' | 'fee' | 'createdAt' | 'comparison'> &
    Record<'amount' | 'fee' | 'createdAt', string> &
    MatchedDeposit &
    NamedUnderRules)[];
  readonly payersListed: boolean;
}

function factsOf(raw: RawFacts): TransferFacts {
  const { account, alike, credited, echoes, named, ...facts } = raw;
  const { bankBalance = null, bankBalanceAt = null, balanceChain = null } = account ?? {};
  const inTime = (reports: readonly RawReport[]) =>
    reports.map((report) => ({ ...report, bankTime: new Date(report.bankTime) }));
  return {
    ...facts,
    account: account
      ? {
          ...account,
          paused: account.status !== 'ACTIVE',
          chain: chainOf(
            bankBalance === null || bankBalanceAt === null
              ? null
              : { balance: money(bankBalance), at: new Date(bankBalanceAt) },
            balanceChain,
          ),
        }
      : undefined,
    credited: credited === null ? null : money(credited),
    alike: inTime(alike),
    echoes: inTime(echoes),
    named: named.map((deposit) => ({
      ...deposit,
      amount: money(deposit.amount),
      fee: money(deposit.fee),
      createdAt: new Date(deposit.createdAt),
      comparison: deposit.payerRules?.comparison ?? 'IGNORE',
    })),
    raw: raw as unknown as JSONValue,
  };
}

/** The facts depend on no text of a person: the remarks stand beside the memo. */
const NOBODY = { payerName: null, payerAccount: null, memo: '' } as const;

/** The present facts for the verdicts on several bank credits, by the reports' ids, in one SQL statement. */
export async function findFactsOfReports(
  { sql }: { readonly sql: Transaction | Database['sql'] },
  reports: readonly TransferReport[],
): Promise<ReadonlyMap<string, TransferFacts>> {
  const rows = await sql<{ id: string; facts: RawFacts }[]>`
    select id, facts from transfer_facts(
      array(select jsonb_populate_record(null::transfer_report, r)
        from jsonb_array_elements(${sql.json(reports.map((report) => columnsOf({ ...report, ...NOBODY })))}::jsonb) r))`;
  return new Map(rows.map(({ id, facts }) => [id, factsOf(facts)]));
}

/** The outcome for a bank credit. */
export interface TransferVerdict {
  readonly match: MatchVerdict;
  /** Stores what is known of the account's balance, `chain` or the report's own, and pauses the account for this reason. */
  readonly noteBalance: boolean;
  readonly chain?: BalanceChain | null;
  readonly pause: string | null;
  /** Opens the account that was paused because of its balance. */
  readonly resume?: boolean;
  readonly postings: readonly Posting[];
}

/** A bank credit with its verdict, and the facts of that verdict. */
export interface JudgedReport {
  /** As its row keeps it. */
  readonly report: TransferReport;
  /** As PostgreSQL returned them. */
  readonly facts: JSONValue;
  readonly verdict: TransferVerdict;
}

/**
 * Records bank credits and applies their verdicts, in one SQL statement, each if its facts still hold under the account's
 * lock. @returns for each undefined if so, else the facts as they were before this call, with nothing written; in a
 * transaction the account stays locked, so that the next verdict holds
 */
export async function recordTransfers(
  sql: Transaction | Database['sql'],
  judged: readonly JudgedReport[],
): Promise<(TransferFacts | undefined)[]> {
  const asked = judged.map(({ report, facts, verdict: { match, noteBalance, chain, pause, resume, postings } }) => ({
    ...columnsOf(report),
    ...(chain && {
      newest_balance: shownBalance(chain)?.balance.toFixed(),
      newest_at: shownBalance(chain)?.at.toISOString(),
      balance_chain: keptChain(chain) as unknown as JSONValue,
      resume,
    }),
    facts,
    pause,
    note_balance: noteBalance,
    accounts: accountsOf(postings),
    amounts: amountsOf(postings),
    ...(match.matched ? { deposit_id: match.depositId, fee: match.fee.toFixed() } : { reason: match.reason }),
  }));
  const rows = await sql<{ id: string; recorded: boolean; facts: RawFacts | null }[]>`
    select id, recorded, facts from record_transfers(${sql.json(asked)})`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return judged.map(({ report: { id } }) => {
    const { recorded, facts } = byId.get(id) ?? {};
    if (recorded) return undefined;
    if (!facts) throw new Error('record_transfers said nothing');
    return factsOf(facts);
  });
}

/**
 * Writes a better report into the row of a waiting credit and applies the verdict, if the facts still hold. @param report
 * with the payer as the row of that credit keeps it @returns whether they did, and the credit was still waiting
 */
export async function improveTransfer(
  { sql }: { readonly sql: Transaction | Database['sql'] },
  report: TransferReport,
  knownId: string,
  facts: JSONValue,
  { match, noteBalance, pause }: TransferVerdict,
): Promise<boolean> {
  const [row] = await sql<{ improved: boolean }[]>`
    select improve_transfer(
      jsonb_populate_record(null::transfer_report, ${sql.json(columnsOf(report))}), ${knownId}, ${sql.json(facts)},
      ${match.matched ? match.depositId : null}, ${match.matched ? match.fee.toFixed() : null}::numeric,
      ${match.matched ? null : match.reason}, ${pause}, ${noteBalance}) as improved`;
  return row?.improved ?? false;
}

/**
 * Applies a new verdict to a credit that waited because of its account's balance, under the account's lock, if the facts
 * still hold. @returns whether they did, and the credit was still waiting
 */
export async function judgeWaitingCredit(
  tx: Transaction,
  report: TransferReport,
  facts: JSONValue,
  { match }: Pick<TransferVerdict, 'match'>,
): Promise<boolean> {
  const [row] = await tx<{ judged: boolean }[]>`
    select judge_waiting_credit(
      jsonb_populate_record(null::transfer_report, ${tx.json(columnsOf({ ...report, ...NOBODY }))}), ${tx.json(facts)},
      ${match.matched ? match.depositId : null}, ${match.matched ? match.fee.toFixed() : null}::numeric,
      ${match.matched ? null : match.reason}) as judged`;
  return row?.judged ?? false;
}

/** Joins the deposit that a credit `t` pays now, as `a` and `d`; of several, the first. */
export const paidBy = (sql: Database['sql'] | Transaction) => sql`
  left join lateral (
    select deposit_id from transfer_allocations where transfer_id = t.id and released_at is null
    order by at, id limit 1) a on true
  left join deposit_orders d on d.id = a.deposit_id`;

/** Several bank credits by their ids, each with the deposit that it pays now. */
export async function findBankTransfers(
  { sql }: { readonly sql: Transaction | Database['sql'] },
  ids: readonly string[],
): Promise<BankTransferView[]> {
  const rows = await sql<Raw<BankTransferView>[]>`
    select t.*, a.deposit_id, d.order_no, d.trace_id as deposit_trace_id
    from bank_transfers t
    ${paidBy(sql)}
    where t.id = any(${ids as string[]})`;
  return rows.map(transferOf);
}

/** One bank credit, with the deposit that it pays now. */
export const findBankTransfer = async (
  database: { readonly sql: Transaction | Database['sql'] },
  id: string,
): Promise<BankTransferView | undefined> => (await findBankTransfers(database, [id]))[0];

/** One bank credit, its row locked, with the currency of its account. */
export async function lockBankTransfer(
  tx: Transaction,
  id: string,
): Promise<(BankTransferView & { readonly accountCurrency: string }) | null> {
  const [row] = await tx<(Raw<BankTransferView> & { accountCurrency: string })[]>`
    select t.*, b.currency_code as account_currency, a.deposit_id, d.order_no, d.trace_id as deposit_trace_id
    from bank_transfers t
    join bank_accounts b on b.id = t.account_id
    ${paidBy(tx)}
    where t.id = ${id} for update of t`;
  return row ? { ...transferOf(row), accountCurrency: row.accountCurrency } : null;
}

/**
 * Records that a bank's side has confirmed a credit that an operator entered, which is then no longer provisional. Only
 * the first confirmation counts.
 */
export async function confirmTransfer({ sql }: Database, id: string, by: string, now: Date): Promise<void> {
  await sql`
    update bank_transfers set confirmed_by = ${by}, confirmed_at = ${now}
    where id = ${id} and confirmed_at is null and source like 'operator:%'`;
}

/** The bank credits that pay these deposits, or once did: `ofDepositId` is the deposit. */
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
  return rows.map(({ ofDepositId, ...row }) => ({ ...transferOf(row), ofDepositId }));
}

/** The credits that one source caused, newest first: for review when an agent key is revoked. */
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

/** A bank credit in its present state, with the number of its last change. */
export interface TransferChange {
  readonly seq: bigint;
  readonly transfer: BankTransferView;
}

/** Bank credits whose last change was published after a number, by these numbers. */
export async function findTransferChangesAfter(
  { sql }: Database,
  seq: bigint,
  limit: number,
): Promise<TransferChange[]> {
  const rows = await sql<(Raw<BankTransferView> & { readonly changeSeq: string })[]>`
    select t.*, a.deposit_id, d.order_no, d.trace_id as deposit_trace_id, c.change_seq
    from (
      select transfer_id, seq::text as change_seq, seq from bank_transfer_changes
      where seq > ${seq.toString()}::bigint order by seq limit ${limit}
    ) c
    join bank_transfers t on t.id = c.transfer_id
    ${paidBy(sql)}
    order by c.seq`;
  return rows.map(({ changeSeq, ...row }) => ({
    seq: BigInt(changeSeq),
    transfer: transferOf(row as Raw<BankTransferView>),
  }));
}

/** The highest number in use; 0 before the first. */
export async function lastTransferNumber({ sql }: Database): Promise<bigint> {
  const [row] = await sql<{ seq: string | null }[]>`
    select max(seq)::text as seq from bank_transfer_changes`;
  return BigInt(row?.seq ?? '0');
}
