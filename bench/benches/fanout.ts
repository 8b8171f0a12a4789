import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { publishEvents } from '../../db/events/events';
import type { Bench, Finding } from '../bench';
import { memoryOf } from '../cpu';
import { forkFloor } from '../forked-floor';
import type { Heat } from '../harness';
import { sending, Sockets } from '../sockets';
import { SeededOrders } from '../seed';

const SOCKETS = 1_000;
/** Sockets of one login. */
const OF_A_LOGIN = 50;
const OURS = 'ordersChanged of a graph process';
const FLOOR = 'a bare ws server, the same bytes';

const SUBSCRIPTION = `subscription {
  ordersChanged {
    seq
    event { id type actor at }
    deposit { orderNo merchantOrderNo amount currencyCode status callbackStatus updatedAt }
  }
}`;

export const fanout: Bench = {
  sentence: 'events to 1,000 subscribers of one graph process, beside a bare ws server',
  needs: { temporal: false, countStatements: false },
  async open(testbed, { short }) {
    const many = short ? 100 : SOCKETS;
    const { database } = testbed;
    const [merchant] = await testbed.merchants(1);
    const [accountId = ''] = await testbed.accounts(1);
    if (!merchant) throw new Error('there is no merchant');
    const seeded = new SeededOrders(testbed, merchant, accountId, 'PENDING', '');
    await seeded.fill(1);
    const { depositId } = seeded.take();
    const publish = async (events: number): Promise<void> => {
      const now = new Date();
      const ids = Array.from({ length: events }, () => uuidv7());
      await database.sql`
        insert into order_events (id, order_id, noun, type, actor, detail, at)
        select id, ${depositId}, 'deposit', 'bench', 'system', '{}', ${now}
        from unnest(${ids}::uuid[]) id`;
      while (await publishEvents(database, 1_000));
    };

    const graph = await testbed.startRole('graph');
    const [process] = graph.watched;
    const memory = (): number => (process && memoryOf(process)) ?? Number.NaN;
    const url = `${graph.url.replace('http', 'ws')}/graphql`;
    const tokens: string[] = [];
    while (tokens.length * OF_A_LOGIN < many) tokens.push(await testbed.token());
    await sleep(1_000);
    const before = memory();
    const sockets = await Sockets.open({
      url,
      protocol: 'graphql-transport-ws',
      sockets: many,
      greetings: tokens.map((token) => [
        JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }),
        JSON.stringify({ id: '1', type: 'subscribe', payload: { query: SUBSCRIPTION } }),
      ]),
    });
    const after = memory();

    // The exact messages: the floor sends the same.
    const one = sockets.messages(many);
    await publish(1);
    const { text, bytes } = await one;
    const floor = await forkFloor('fanout');
    const floorSockets = await Sockets.open({
      url: floor.url,
      protocol: '',
      sockets: many,
      greetings: [[]],
    });

    const heat = (events: number): Heat => ({
      name: events === 1 ? 'one event at a time' : `${events} events at once`,
      unit: 'messages a second',
      variants: [
        {
          name: OURS,
          watched: graph.watched,
          run: sending(sockets, events * many, async () => {
            await publish(events);
          }),
        },
        {
          name: FLOOR,
          watched: floor.watched,
          run: sending(floorSockets, events * many, async () => {
            floor.send(Array.from({ length: events }, () => text));
            await Promise.resolve();
          }),
        },
      ],
      aims: [
        { of: OURS, beside: FLOOR },
        { of: OURS, beside: FLOOR, figure: 'p95 ms' },
      ],
    });

    return {
      heats: [heat(1), heat(20)],
      findings: async () => {
        const findings: Finding[] = [
          { what: 'bytes of a message', value: bytes, unit: 'bytes' },
          {
            what: 'memory of the graph process, each socket',
            value: (after - before) / many / 1024,
            unit: 'KB',
          },
          {
            what: 'the same after all events',
            value: (memory() - before) / many / 1024,
            unit: 'KB',
          },
        ];
        return await Promise.resolve(findings);
      },
      close: () => {
        sockets.close();
        floorSockets.close();
        floor.stop();
      },
    };
  },
};
