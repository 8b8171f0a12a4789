import type { Posting } from '../../domain/ledger';
import type { Money } from '../../domain/money';
import { Batcher } from '../batcher';
import type { Database } from '../client';
import { accountsOf, amountsOf } from '../ledger/postings';

/** What crediting a deposit writes. Amounts in its currency. */
export interface Credit {
  readonly depositId: string;
  readonly merchantId: string;
  /** Gross amount received. */
  readonly actual: Money;
  readonly fee: Money;
  readonly postings: readonly Posting[];
  readonly callbackBody: string;
  readonly now: Date;
}

/** MATCHED → COMPLETED with ledger transfer, event and callback. @returns whether this call did it */
export async function creditDeposit({ sql }: Database, credit: Credit): Promise<boolean> {
  const { depositId, actual, fee, postings, callbackBody, now } = credit;
  const [row] = await sql<{ done: boolean }[]>`
    select credit_deposit(${depositId}, ${actual.toFixed()}, ${fee.toFixed()},
      ${accountsOf(postings)}, ${amountsOf(postings)}::numeric[], ${callbackBody}, ${now}) as done`;
  return row?.done ?? false;
}

/**
 * The same for several deposits in one transaction.
 * @returns for each whether this call did it; an error leaves all as they were
 */
export async function creditDeposits(
  { sql }: Database,
  credits: readonly Credit[],
): Promise<boolean[]> {
  const lines = credits.flatMap(({ depositId, postings }) =>
    postings.map(({ account, amount }) => ({ depositId, account, amount: amount.toFixed() })),
  );
  const rows = await sql<{ id: string }[]>`
    select id from credit_deposits(
      ${credits.map(({ depositId }) => depositId)}::uuid[],
      ${credits.map(({ actual }) => actual.toFixed())}::numeric[],
      ${credits.map(({ fee }) => fee.toFixed())}::numeric[],
      ${credits.map(({ callbackBody }) => callbackBody)}::text[],
      ${credits.map(({ now }) => now.toISOString())}::timestamptz[],
      ${lines.map(({ depositId }) => depositId)}::uuid[],
      ${lines.map(({ account }) => account)}::text[],
      ${lines.map(({ amount }) => amount)}::numeric[]) as id`;
  const credited = new Set(rows.map(({ id }) => id));
  return credits.map(({ depositId }) => credited.has(depositId));
}

/** Concurrent transactions, each with merchants of its own. */
const LANES = 4;
/** Most credits of one transaction: its locks are held for a few milliseconds only. */
const LANE = { size: 100, underWay: 1 };

/**
 * Credits deposits to their merchants. Those of one merchant go through one lane, one transaction after another, so
 * that no credit waits for a balance that another one of this process has locked; credits that come meanwhile form the
 * next batch. Each credit has its own outcome: after a rollback, the credits are retried one by one.
 */
export class CreditWriter {
  private readonly lanes: readonly Batcher<Credit, boolean>[];

  constructor(database: Database) {
    // For a single credit the simple statement costs two thirds.
    const send = async (credits: readonly Credit[]): Promise<boolean[]> => {
      const [first] = credits;
      return first && credits.length === 1
        ? [await creditDeposit(database, first)]
        : await creditDeposits(database, credits);
    };
    this.lanes = Array.from({ length: LANES }, () => new Batcher(send, LANE, database.patience));
  }

  /** @returns whether this call did it; false: the deposit was not MATCHED any more */
  async credit(credit: Credit): Promise<boolean> {
    // The last digits of a merchant's id are random, so they spread merchants over the lanes.
    const lane = this.lanes[Number.parseInt(credit.merchantId.slice(-4), 16) % LANES];
    if (!lane) throw new Error(`${credit.merchantId} is no merchant's id`);
    return await lane.call(credit);
  }
}
