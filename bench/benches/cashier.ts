import { createHash } from 'node:crypto';
import { fork } from 'node:child_process';
import path from 'node:path';
import { uuidv7 } from 'uuidv7';
import { publishEvents } from '../../db/events/events';
import type { Bench, Finding } from '../bench';
import { memoryOf } from '../cpu';
import { percentile } from '../harness';
import { type PayerPath, walkPayerPaths } from '../payer';
import { sending, Sockets } from '../sockets';
import { type BenchMerchant, CURRENCY } from '../testbed';

const SOCKETS = 2_000;
/** The tabs of one payer: the most that one link may have. */
const OF_A_SESSION = 8;
const PATHS = 5;
const OURS = 'changes of 250 sessions, by a gateway';
const FLOOR = 'a bare ws server, the same bytes';

interface Opened {
  readonly sessionId: string;
  /** The page's path on the gateway. */
  readonly path: string;
}

/** A session by the merchant API, as the contract signs it. */
async function openSession(gateway: string, { apiKey }: BenchMerchant): Promise<Opened> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const body = { currency_code: CURRENCY, merchant_order_no: uuidv7(), user_id: uuidv7() };
  const text = Object.entries({ ...body, timestamp })
    .map(([key, value]) => `${key}=${value}`)
    .join('&');
  const answer = await fetch(`${gateway}/api/v1/merchant/orders/deposit/cashier`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': apiKey,
      'x-timestamp': timestamp,
      'x-signature': createHash('md5')
        .update(sorted(text) + apiKey)
        .digest('hex'),
    },
    body: JSON.stringify(body),
  });
  const { data, message } = (await answer.json()) as {
    data: { session_id: string; cashier_token: string } | null;
    message: string;
  };
  if (!data) throw new Error(message);
  return { sessionId: data.session_id, path: `/cashier/${data.cashier_token}` };
}

const sorted = (text: string): string => text.split('&').sort().join('&');

const findingsOf = (what: string, paths: readonly PayerPath[]): Finding[] => {
  const median = (figure: keyof PayerPath): number =>
    percentile(
      paths.map((one) => one[figure]),
      0.5,
    );
  return [
    { what: `${what}: first contentful paint`, value: median('firstPaint'), unit: 'ms' },
    { what: `${what}: until the amount can be chosen`, value: median('usable'), unit: 'ms' },
    { what: `${what}: from there until it can be paid`, value: median('paying'), unit: 'ms' },
    { what: `${what}: all bytes of the first page`, value: median('bytes'), unit: 'bytes' },
  ];
};

export const cashier: Bench = {
  sentence: "a payer's path on a slow phone, and 2,000 payers' sockets beside a bare ws server",
  needs: { temporal: false, countStatements: false },
  async open(testbed, { short }) {
    const [many, walks] = short ? [10 * OF_A_SESSION, 1] : [SOCKETS, PATHS];
    const { database } = testbed;
    const [merchant] = await testbed.merchants(1);
    await testbed.accounts(1);
    if (!merchant) throw new Error('there is no merchant');
    const gateway = await testbed.startRole('gateway');
    const sessions: Opened[] = [];
    while (sessions.length * OF_A_SESSION < many) sessions.push(await openSession(gateway.url, merchant));
    // The events of their opening are published before anybody subscribes.
    while (await publishEvents(database, 1_000));

    const [process] = gateway.watched;
    const memory = (): number => (process && memoryOf(process)) ?? Number.NaN;
    const before = memory();
    const ws = gateway.url.replace('http', 'ws');
    const sockets = await Sockets.open({
      url: sessions.map((one) => `${ws}${one.path}/stream`),
      protocol: '',
      sockets: many,
      greetings: [[]],
    });
    const after = memory();
    const publish = async (): Promise<void> => {
      const now = new Date();
      const ids = sessions.map(() => uuidv7());
      await database.sql`
        insert into order_events (id, order_id, noun, type, actor, detail, at)
        select id, session, 'cashier', 'bench', 'system', '{}', ${now}
        from unnest(${ids}::uuid[], ${sessions.map((one) => one.sessionId)}::uuid[]) as e (id, session)`;
      while (await publishEvents(database, 1_000));
    };
    const one = sockets.messages(many);
    await publish();
    const { text, bytes } = await one;

    const floor = fork(path.join(__dirname, '..', 'floor', 'fanout.js'));
    const floorUrl = await new Promise<string>((resolve) => {
      floor.once('message', (message) => {
        resolve((message as { url: string }).url);
      });
    });
    const floorSockets = await Sockets.open({
      url: floorUrl,
      protocol: '',
      sockets: many,
      greetings: [[]],
    });
    return {
      heats: [
        {
          name: 'a change of each session, to all of its tabs',
          unit: 'messages a second',
          variants: [
            { name: OURS, watched: gateway.watched, run: sending(sockets, many, publish) },
            {
              name: FLOOR,
              watched: [{ name: 'the floor', pid: floor.pid ?? 0 }],
              run: sending(floorSockets, many, async () => {
                floor.send([text]);
                await Promise.resolve();
              }),
            },
          ],
          aims: [
            { of: OURS, beside: FLOOR },
            { of: OURS, beside: FLOOR, figure: 'p95 ms' },
          ],
        },
      ],
      findings: async () => {
        sockets.close();
        floorSockets.close();
        const urls: string[] = [];
        while (urls.length < 2 * walks) urls.push(gateway.url + (await openSession(gateway.url, merchant)).path);
        return [
          { what: 'sockets of one gateway', value: many, unit: 'sockets' },
          { what: 'bytes of a message', value: bytes, unit: 'bytes' },
          {
            what: 'memory of the gateway, each socket',
            value: (after - before) / many / 1024,
            unit: 'KB',
          },
          ...findingsOf('as this machine is', await walkPayerPaths(urls.slice(0, walks), false)),
          ...findingsOf('4x CPU, 400 ms', await walkPayerPaths(urls.slice(walks), true)),
        ];
      },
      close: () => {
        floor.disconnect();
      },
    };
  },
};
