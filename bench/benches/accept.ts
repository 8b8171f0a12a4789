import type { Bench } from '../bench';
import type { Heat, Variant } from '../harness';
import { LoadGenerator } from '../load';
import { hasPgbench, pgbench } from '../pgbench';
import { CURRENCY, type Testbed } from '../testbed';

const MERCHANTS = 8;
const ACCOUNTS = 8;
const CONNECTIONS = [1, 32, 256];

const ROUTE = 'signed deposits, 201';
const FLOOR = 'same route without database';
const INSERT = 'single-row inserts, postgres.js';
const PGBENCH = 'single-row inserts, pgbench';

/** Removes what earlier goes left: open orders are limited, and the relay removes outbox rows. */
async function tidy(testbed: Testbed): Promise<void> {
  const { sql } = testbed.database;
  await sql`truncate outbox`;
  await sql`update deposit_orders set status = 'EXPIRED' where status = 'PENDING'`;
  await testbed.settle();
}

export const accept: Bench = {
  sentence:
    'accepted signed deposits at 1, 32 and 256 connections, beside the route without database and beside single-row inserts',
  needs: { temporal: false, countStatements: false },
  async open(testbed) {
    const { servers } = testbed;
    const { folder, databaseUrl } = servers;
    const merchants = await testbed.merchants(MERCHANTS);
    await testbed.accounts(ACCOUNTS);
    const gateway = await testbed.startRole('gateway');
    const floor = await testbed.startFloor('gateway');
    const generator = LoadGenerator.start();
    const withPgbench = await hasPgbench();
    const apiKeys = merchants.map(({ apiKey }) => apiKey);

    const heat = (connections: number): Heat => {
      const deposits = (url: string) => async (seconds: number) =>
        await generator.run({
          kind: 'createDeposit',
          ...{ url, connections, seconds, apiKeys, currencyCode: CURRENCY },
        });
      const variants: Variant[] = [
        {
          name: ROUTE,
          watched: [...gateway.watched, ...servers.own],
          prepare: async () => {
            await tidy(testbed);
          },
          run: deposits(gateway.url),
        },
        { name: FLOOR, watched: floor.watched, run: deposits(floor.url) },
        {
          name: INSERT,
          watched: servers.own,
          run: async (seconds) =>
            await generator.run({ kind: 'insertRows', databaseUrl, connections, seconds }),
        },
      ];
      if (withPgbench)
        variants.push({
          name: PGBENCH,
          watched: servers.own,
          run: async (seconds) => await pgbench(databaseUrl, folder, connections, seconds),
        });
      return {
        name: `${connections} ${connections === 1 ? 'connection' : 'connections'}`,
        unit: 'a second',
        variants,
        aims: [
          { of: ROUTE, beside: FLOOR, atLeast: 0.6 },
          { of: ROUTE, beside: INSERT, ...(connections === 256 && { atLeast: 1 }) },
          ...(withPgbench ? [{ of: ROUTE, beside: PGBENCH }] : []),
        ],
      };
    };

    return {
      heats: CONNECTIONS.map(heat),
      close: () => {
        generator.stop();
      },
    };
  },
};
