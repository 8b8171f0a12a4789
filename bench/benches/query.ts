import type { Bench } from '../bench';
import type { Heat } from '../harness';
import { LoadGenerator } from '../load';
import { CURRENCY } from '../testbed';

const MERCHANTS = 8;
const ACCOUNTS = 8;
const CONNECTIONS = [1, 32, 256];
/** Deposits that are queried in turn. */
const ORDERS = 2_000;
/** Deposits are created for this long at first, seconds. */
const MAKE_FOR_SECONDS = 5;

const ROUTE = 'signed GET of a deposit, 200';
const FLOOR = 'same route without database';

export const query: Bench = {
  sentence: 'signed GET of a deposit at 1, 32 and 256 connections, beside the route without database',
  needs: { temporal: false, countStatements: false },
  async open(testbed, { short }) {
    const { servers } = testbed;
    const merchants = await testbed.merchants(MERCHANTS);
    await testbed.accounts(ACCOUNTS);
    const gateway = await testbed.startRole('gateway');
    const generator = LoadGenerator.start();
    await generator.run({
      kind: 'createDeposit',
      url: gateway.url,
      connections: 32,
      seconds: short ? 0.5 : MAKE_FOR_SECONDS,
      currencyCode: CURRENCY,
      apiKeys: merchants.map(({ apiKey }) => apiKey),
    });
    const rows = await testbed.database.sql<{ orderNo: string; merchantId: string }[]>`
      select order_no, merchant_id from deposit_orders
      where merchant_id = any(${merchants.map(({ id }) => id)}) limit ${ORDERS}`;
    const keys = new Map(merchants.map(({ id, apiKey }) => [id, apiKey]));
    const orders = rows.map(({ orderNo, merchantId }) => ({
      orderNo,
      apiKey: keys.get(merchantId) ?? '',
    }));
    // It copies the existing orders into its memory.
    const floor = await testbed.startFloor('gateway');
    await testbed.settle();

    const heat = (connections: number): Heat => {
      const asking = (url: string) => async (seconds: number) =>
        await generator.run({ kind: 'queryDeposit', url, connections, seconds, orders });
      return {
        name: `${connections} ${connections === 1 ? 'connection' : 'connections'}`,
        unit: 'a second',
        variants: [
          {
            name: ROUTE,
            watched: [...gateway.watched, ...servers.own],
            run: asking(gateway.url),
          },
          { name: FLOOR, watched: floor.watched, run: asking(floor.url) },
        ],
        aims: [{ of: ROUTE, beside: FLOOR, ...(connections > 1 && { atLeast: 0.6 }) }],
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
