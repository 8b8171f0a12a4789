import type { Bench, Finding } from '../bench';
import { forkFloor } from '../forked-floor';
import type { Heat, Variant } from '../harness';
import { LoadGenerator } from '../load';
import { hasPgbench, pgbench } from '../pgbench';
import { countStatements } from '../statements';
import { type BenchMerchant, CURRENCY, type Testbed } from '../testbed';

const MERCHANTS = 8;
const ACCOUNTS = 8;
const CONNECTIONS = [1, 32, 256];

const ROUTE = 'signed deposits, 201';
const FLOOR = 'same route without database';
const BARE = 'bare Fastify with MD5 and JSON';
const INSERT = 'single-row inserts, postgres.js';
const PGBENCH = 'single-row inserts, pgbench';

/** Removes the rows of earlier runs: open orders are limited, and the relay removes outbox rows. */
export async function tidy(testbed: Testbed): Promise<void> {
  const { sql } = testbed.database;
  await sql`truncate outbox`;
  await sql`update deposit_orders set status = 'EXPIRED' where status = 'PENDING'`;
  await testbed.settle();
}

/** @throws unless each 201 left one order and one event, and nothing else did */
async function countRows(
  { database }: Testbed,
  merchants: readonly BenchMerchant[],
  answered: number,
): Promise<Finding[]> {
  const [row] = await database.sql<{ orders: number; events: number }[]>`
    select count(*)::int as orders, (
        select count(*)::int from order_events e join deposit_orders o on o.id = e.order_id
        where o.merchant_id = any(${merchants.map(({ id }) => id)}) and e.type = 'created') as events
    from deposit_orders where merchant_id = any(${merchants.map(({ id }) => id)})`;
  if (row?.orders !== answered || row.events !== answered)
    throw new Error(`${answered} answers 201 left ${JSON.stringify(row)}`);
  return [{ what: 'rows in the database, one for each 201', value: row.orders, unit: 'orders' }];
}

export const accept: Bench = {
  sentence:
    'accepted signed deposits at 1, 32 and 256 connections, beside the route without database, bare Fastify, and single-row inserts',
  needs: { temporal: false, countStatements: true },
  async open(testbed) {
    const { servers } = testbed;
    const { folder, databaseUrl } = servers;
    const merchants = await testbed.merchants(MERCHANTS);
    await testbed.accounts(ACCOUNTS);
    const gateway = await testbed.startRole('gateway');
    const floor = await testbed.startFloor('gateway');
    const bare = await forkFloor('fastify');
    const generator = LoadGenerator.start();
    const withPgbench = await hasPgbench();
    const apiKeys = merchants.map(({ apiKey }) => apiKey);
    let answered = 0;

    const heat = (connections: number): Heat => {
      const deposits = (url: string) => async (seconds: number) =>
        await generator.run({
          kind: 'createDeposit',
          url,
          connections,
          seconds,
          apiKeys,
          currencyCode: CURRENCY,
        });
      const variants: Variant[] = [
        {
          name: ROUTE,
          watched: [...gateway.watched, ...servers.own],
          prepare: async () => {
            await tidy(testbed);
          },
          run: async (seconds) => {
            const statements = await countStatements(testbed.database);
            const sample = await deposits(gateway.url)(seconds);
            answered += sample.done;
            return {
              ...sample,
              figures: { ...sample.figures, ...(await statements(sample.done)) },
            };
          },
        },
        { name: FLOOR, watched: floor.watched, run: deposits(floor.url) },
        { name: BARE, watched: bare.watched, run: deposits(bare.url) },
        {
          name: INSERT,
          watched: servers.own,
          run: async (seconds) => await generator.run({ kind: 'insertRows', databaseUrl, connections, seconds }),
        },
      ];
      if (withPgbench)
        variants.push({
          name: PGBENCH,
          watched: servers.own,
          run: async (seconds) => await pgbench('insertRows', databaseUrl, folder, connections, seconds),
        });
      return {
        name: `${connections} ${connections === 1 ? 'connection' : 'connections'}`,
        unit: 'a second',
        variants,
        aims: [
          { of: ROUTE, beside: FLOOR, atLeast: connections === 256 ? 0.75 : 0.6 },
          { of: ROUTE, beside: BARE },
          { of: ROUTE, beside: INSERT, ...(connections === 256 && { atLeast: 1 }) },
          ...(withPgbench ? [{ of: ROUTE, beside: PGBENCH }] : []),
        ],
      };
    };

    return {
      heats: CONNECTIONS.map(heat),
      findings: async () => await countRows(testbed, merchants, answered),
      close: () => {
        generator.stop();
        bare.stop();
      },
    };
  },
};
