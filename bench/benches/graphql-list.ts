import { isDeepStrictEqual } from 'node:util';
import { AskedPages } from '../asked-pages';
import type { Bench } from '../bench';
import { forkFloor } from '../forked-floor';
import type { Heat } from '../harness';
import { SeededOrders } from '../seed';

const ORDERS = 1_000;
/** Operators' screens that send requests concurrently. */
const ASKERS = [1, 8];
const ROWS = 50;

const OURS = `a page of ${ROWS} deposits of the graph role`;
const PLAIN = 'the same rows of a plain Apollo server';

const QUERY = `query ($first: Int) {
  deposits(first: $first) {
    nodes { id orderNo merchantOrderNo amount currencyCode status createdAt merchant { id name } }
    pageInfo { hasNextPage }
  }
}`;

export const graphqlList: Bench = {
  sentence:
    "a list of the operators' GraphQL over HTTP, beside a plain Apollo server with the same rows, without logins and rules",
  needs: { temporal: false, countStatements: false },
  async open(testbed, { short }) {
    const { servers } = testbed;
    const [merchant] = await testbed.merchants(1);
    const [accountId = ''] = await testbed.accounts(1);
    if (!merchant) throw new Error('there is no merchant');
    const seeded = new SeededOrders(testbed, merchant, accountId, 'PENDING', '');
    await seeded.fill(short ? ORDERS / 10 : ORDERS);
    await testbed.settle();
    const graph = await testbed.startRole('graph');
    const token = await testbed.token();
    const floor = await forkFloor('apollo', { DATABASE_URL: servers.databaseUrl });

    const opened: AskedPages[] = [];
    const pages = (url: string, login: string | null, askers: number): AskedPages => {
      const asked = new AskedPages(url, login, askers, QUERY, { first: ROWS });
      opened.push(asked);
      return asked;
    };
    const ours = `${graph.url}/graphql`;
    const [one, other] = [pages(ours, token, 1), pages(floor.url, null, 1)];
    if (!isDeepStrictEqual(await one.ask(), await other.ask())) throw new Error('the two servers answer other rows');

    const heat = (askers: number): Heat => {
      const variant = (name: string, asked: AskedPages, watched: typeof floor.watched) => ({
        name,
        watched: [...watched, ...servers.own],
        run: async (seconds: number) => await asked.run(seconds),
      });
      return {
        name: `${askers} at a time`,
        unit: 'pages a second',
        variants: [
          variant(OURS, pages(ours, token, askers), graph.watched),
          variant(PLAIN, pages(floor.url, null, askers), floor.watched),
        ],
        aims: [
          { of: OURS, beside: PLAIN },
          { of: OURS, beside: PLAIN, figure: 'p95 ms' },
        ],
      };
    };
    return {
      heats: ASKERS.map(heat),
      close: async () => {
        for (const asked of opened) await asked.close();
        floor.stop();
      },
    };
  },
};
