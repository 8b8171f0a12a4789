import type { Posting } from '../../domain/ledger';
import type { Money } from '../../domain/money';
import type { Database } from '../client';
import { Lanes } from '../lanes';
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
export async function creditDeposits({ sql }: Database, credits: readonly Credit[]): Promise<boolean[]> {
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

/** Most credits of one transaction. */
const BATCH_SIZE = 100;

/**
 * Credits deposits to their merchants, in lanes of merchants. Each credit has its own outcome: after a rollback, the
 * credits are retried one by one.
 */
export class CreditWriter {
  private readonly lanes: Lanes<Credit, boolean>;

  constructor(database: Database) {
    // For a single credit the simple statement costs two thirds.
    const send = async (credits: readonly Credit[]): Promise<boolean[]> => {
      const [first] = credits;
      return first && credits.length === 1
        ? [await creditDeposit(database, first)]
        : await creditDeposits(database, credits);
    };
    this.lanes = new Lanes(send, BATCH_SIZE, database.patience);
  }

  /** @returns whether this call did it; false: the deposit was not MATCHED any more */
  async credit(credit: Credit): Promise<boolean> {
    return await this.lanes.call(credit.merchantId, credit);
  }
}
