import type { Bench } from '../bench';
import type { Heat, Variant } from '../harness';
import { LoadGenerator } from '../load';
import { hasPgbench, pgbench } from '../pgbench';
import { CURRENCY, type Testbed } from '../testbed';
import { tidy } from './accept';

const MERCHANTS = 8;
const CONNECTIONS = [32, 256];
/** More than a run needs, so that each deposit is counted and none is refused. */
const QUOTA = '100000000000';

const COUNTED = 'signed deposits on one account with a daily limit, 201';
const UPDATE = 'updates of one row, postgres.js';
const PGBENCH = 'updates of one row, pgbench';

/** @throws unless the account's day counts each accepted deposit */
async function checkCount({ database }: Testbed, accountId: string): Promise<void> {
  const [row] = await database.sql<{ counted: number; accepted: number }[]>`
    select (select coalesce(sum(deposits), 0)::int from account_days where account_id = ${accountId}) as counted,
      (select count(*)::int from deposit_orders where account_id = ${accountId} and status = 'PENDING') as accepted`;
  if (row?.counted !== row?.accepted)
    throw new Error(`the account's day does not fit its deposits: ${JSON.stringify(row)}`);
}

export const quota: Bench = {
  sentence:
    "accepted signed deposits that all count to one account's daily limit, beside updates of one row, by pgbench if it is there",
  needs: { temporal: false, countStatements: false },
  async open(testbed) {
    const { servers } = testbed;
    const { folder, databaseUrl } = servers;
    const { merchants, accountId } = await testbed.crowd(MERCHANTS, QUOTA);
    const gateway = await testbed.startRole('gateway');
    const generator = LoadGenerator.start();
    const withPgbench = await hasPgbench();
    const apiKeys = merchants.map(({ apiKey }) => apiKey);

    const heat = (connections: number): Heat => {
      const variants: Variant[] = [
        {
          name: COUNTED,
          watched: [...gateway.watched, ...servers.own],
          prepare: async () => {
            await tidy(testbed);
          },
          run: async (seconds) => {
            const sample = await generator.run({
              kind: 'createDeposit',
              url: gateway.url,
              connections,
              seconds,
              apiKeys,
              currencyCode: CURRENCY,
            });
            await checkCount(testbed, accountId);
            return sample;
          },
        },
        {
          name: UPDATE,
          watched: servers.own,
          run: async (seconds) => await generator.run({ kind: 'updateHotRow', databaseUrl, connections, seconds }),
        },
      ];
      if (withPgbench)
        variants.push({
          name: PGBENCH,
          watched: servers.own,
          run: async (seconds) => await pgbench('updateHotRow', databaseUrl, folder, connections, seconds),
        });
      return {
        name: `${connections} connections`,
        unit: 'a second',
        variants,
        aims: [
          { of: COUNTED, beside: withPgbench ? PGBENCH : UPDATE, atLeast: 1.5 },
          ...(withPgbench ? [{ of: COUNTED, beside: UPDATE }] : []),
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
