import type { PurgeBatch, Purged } from '../../domain/sandbox-purge';
import type { Database } from '../client';
import type { RowOf } from '../rows';
import type { ledgerBooks } from '../schema/books';

type Reader = Pick<Database, 'sql'>;

/**
 * Indexes that only a purge needs: PostgreSQL uses them to check that nothing refers to deleted rows. Missing ones are
 * built during traffic.
 */
const INDEXES = [
  'ledger_transfers_bank_credit on ledger_transfers (bank_transfer_id) where bank_transfer_id is not null',
  'deposit_orders_number on deposit_orders (merchant_id, merchant_order_no)',
  'withdrawal_orders_number on withdrawal_orders (merchant_id, merchant_order_no)',
  'merchant_order_numbers_order on merchant_order_numbers (order_id)',
  'agent_texts_transfer on agent_texts (transfer_id) where transfer_id is not null',
  'agent_texts_debit on agent_texts (debit_id) where debit_id is not null',
] as const;

/** Whether the database has the functions of a purge: a sandbox's has. */
export async function canPurge({ sql }: Reader): Promise<boolean> {
  const [row] = await sql<{ there: boolean }[]>`
    select exists (select from pg_proc where proname = 'purge_deposits'
      and pronamespace = 'public'::regnamespace) as there`;
  return row?.there === true;
}

/** Builds the indexes that a purge needs, however long that takes. An interrupted build starts again. */
export async function preparePurge({ sql }: Reader): Promise<void> {
  // Without a transaction, which concurrent index builds require, and in a session with settings of its own.
  // eslint-disable-next-line no-restricted-syntax
  const own = await sql.reserve();
  try {
    await own`set statement_timeout = 0`;
    await own`set lock_timeout = 0`;
    const invalid = await own<{ name: string }[]>`
      select indexrelid::regclass::text as name from pg_index
      where not indisvalid and indexrelid::regclass::text like 'purge\\_%'`;
    for (const { name } of invalid) await own.unsafe(`drop index concurrently if exists ${name}`);
    for (const index of INDEXES) await own.unsafe(`create index concurrently if not exists purge_${index}`);
  } finally {
    await own`reset statement_timeout`;
    await own`reset lock_timeout`;
    own.release();
  }
}

/** The statement timeout of a batch, which locks the orders that it checks; milliseconds. */
const BATCH_MS = 300_000;

/**
 * Deletes ended orders with everything that refers to them, and carries forward their balances in the ledger: those
 * among the next `limit` that have not changed since `before`. A batch is one transaction. @param after the last order
 * that the previous batch checked
 */
export async function purgeBatch(
  { transaction }: Pick<Database, 'transaction'>,
  what: Purged,
  {
    before,
    after,
    limit,
    now,
  }: {
    readonly before: Date;
    readonly after: string;
    readonly limit: number;
    readonly now: Date;
  },
): Promise<PurgeBatch> {
  return await transaction(async (tx) => {
    await tx.unsafe(`set local statement_timeout = ${BATCH_MS}`);
    const [row] =
      what === 'sessions'
        ? await tx<PurgeBatch[]>`select * from purge_sessions(${before}, ${after}, ${limit})`
        : await tx<PurgeBatch[]>`
            select * from ${tx(`purge_${what}`)}(${before}, ${after}, ${limit}, ${now})`;
    return row ?? { last: null, gone: 0 };
  });
}

/** A book, and what was deleted since the first one. */
export interface BookRow extends Pick<RowOf<typeof ledgerBooks>, 'number' | 'openedAt' | 'purgedBefore'> {
  /** Orders with postings that purges have deleted, in total. */
  readonly orders: number;
}

/** The newest book that a purge has opened; undefined before the first. */
export async function findBook({ sql }: Reader): Promise<BookRow | undefined> {
  const [row] = await sql<BookRow[]>`
    select number, opened_at, purged_before, (select sum(orders) from ledger_books)::int as orders
    from ledger_books order by number desc limit 1`;
  return row;
}
