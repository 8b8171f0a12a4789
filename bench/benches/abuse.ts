import { fork } from 'node:child_process';
import path from 'node:path';
import { AskedPages } from '../asked-pages';
import type { Bench } from '../bench';
import type { Heat, Sample } from '../harness';
import { SeededOrders } from '../seed';

/** Operators' screens that send requests concurrently. */
const ASKERS = 4;
const ORDERS = 1_000;
/** Requests of the corpus a second. */
const ABUSES = [50, 200];

const ALONE = 'a page of deposits';
const ABUSED = 'a page of deposits, under abuse';

const QUERY = `query ($first: Int) {
  deposits(first: $first) {
    nodes { id orderNo merchantOrderNo amount currencyCode status createdAt merchant { id name } }
    pageInfo { hasNextPage endCursor }
  }
}`;

export const abuse: Bench = {
  sentence: "operators' pages while the corpus of abuse is sent, beside the same without",
  needs: { temporal: false, countStatements: false },
  async open(testbed, { short }) {
    const [merchant] = await testbed.merchants(1);
    const [accountId = ''] = await testbed.accounts(1);
    if (!merchant) throw new Error('there is no merchant');
    await new SeededOrders(testbed, merchant, accountId, 'PENDING', '').fill(short ? ORDERS / 10 : ORDERS);
    await testbed.settle();
    const graph = await testbed.startRole('graph');
    const url = `${graph.url}/graphql`;
    const [token, abuser] = [await testbed.token(), await testbed.token()];
    const asked = new AskedPages(url, token, ASKERS, QUERY, { first: 50 });
    const pages = async (seconds: number): Promise<Sample> => await asked.run(seconds);

    const underAbuse =
      (perSecond: number) =>
      async (seconds: number): Promise<Sample> => {
        const child = fork(path.join(__dirname, '..', 'abuse-process.js'));
        const ended = new Promise<{ refused: number }>((resolve, reject) => {
          child.once('message', (message) => {
            resolve(message as { refused: number });
          });
          child.once('exit', () => {
            reject(new Error('the process of abuse ended'));
          });
        });
        child.send({ url, token: abuser, perSecond, seconds });
        const sample = await pages(seconds);
        const { refused } = await ended;
        child.disconnect();
        return { ...sample, figures: { ...sample.figures, 'refused a second': refused / seconds } };
      };

    const heat = (perSecond: number): Heat => ({
      name: `${perSecond} abuses a second`,
      unit: 'pages a second',
      variants: [
        { name: ALONE, watched: graph.watched, run: pages },
        { name: ABUSED, watched: graph.watched, run: underAbuse(perSecond) },
      ],
      aims: [{ of: ABUSED, beside: ALONE, figure: 'p95 ms', atMost: 1.5 }],
    });

    return {
      heats: ABUSES.map(heat),
      close: async () => {
        await asked.close();
      },
    };
  },
};
