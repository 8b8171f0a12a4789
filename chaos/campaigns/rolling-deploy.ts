import path from 'node:path';
import { loadSecrets } from '../../local/secrets';
import type { Arena } from '../arena';
import type { Campaign } from '../campaign';
import type { Member } from '../member';
import { makeNextRelease } from '../next-release';
import { Watchers } from '../watchers';

const ORDERS_A_SECOND = 4;
/** Of the orders before the migration, during it, and through the roll of each role. */
const PARTS = 3;

/** Counts what clients of the gateways and of the graph saw, and names what must not be. */
function judgeRoll({ gateways, found, counts, say }: Arena, watchers: Watchers): void {
  const all = [
    ...gateways.answers.map((answer) => ({ ...answer, of: 'a gateway' })),
    ...watchers.graph.answers.map((answer) => ({ ...answer, of: 'a graph' })),
  ];
  for (const { of, at, ms, status } of all)
    if (status === 0 || status >= 500)
      say(`${of} at ${new Date(at).toISOString()}: ${status} after ${Math.round(ms)} ms`);
  const cut = all.filter(({ status }) => status === 0).length + watchers.cutSockets;
  const failed = all.filter(({ status }) => status >= 500).length;
  say(
    `answers of gateways: ${gateways.answers.length}, of graphs: ${watchers.graph.answers.length}; ` +
      `sockets closed with ${watchers.closings.join(', ')}`,
  );
  counts.push(`cut=${cut}`, `5xx=${failed}`);
  if (cut > 0) found.breaches.push(`${cut} requests or sockets were cut`);
  if (failed > 0) found.breaches.push(`${failed} requests were answered 5xx`);
  if (watchers.failed > 0) found.breaches.push(`${watchers.failed} lists came without a list`);
  if (watchers.closings.length === 0) found.breaches.push('no socket had to move');
}

export const rollingDeploy: Campaign = {
  name: 'rolling-deploy',
  about:
    'rolls two of each role one by one behind balancers that ask for readiness: with the same release, and, after a migration, to the next one',
  size: { gateways: 2, graphs: 2, workers: 2, balanced: true },
  orders: 480,
  run: async (arena) => {
    const { platform, load, orders, found, say } = arena;
    const next = makeNextRelease(path.join(platform.folder, 'next'));
    const secrets = loadSecrets(platform.folder, {});
    const watchers = new Watchers(platform.graphqlUrl, platform.databaseUrl);
    await watchers.login(secrets.OPERATOR_LOGIN, secrets.OPERATOR_PASSWORD);
    const watching = watchers.watch();

    const roll = async (members: readonly Member[], program: string): Promise<void> => {
      for (const member of members) {
        const began = Date.now();
        await member.rollTo(program);
        for (const balancer of platform.balancers) await balancer.allReady();
        say(`${member.name} was rolled in ${((Date.now() - began) / 1000).toFixed(1)} s`);
      }
    };
    const rollAll = async (program: string): Promise<void> => {
      for (const members of [platform.gateways, platform.graphs, platform.workers]) await roll(members, program);
    };
    const underLoad = async (work: () => Promise<void>): Promise<void> => {
      const part = Math.ceil(orders / PARTS);
      await Promise.all([load.start(part, (part / ORDERS_A_SECOND) * 1_000), work()]);
    };

    await underLoad(async () => {
      await rollAll(platform.program);
    });
    await underLoad(async () => {
      await platform.runOnce('migrate', next.program);
      say(`migrated to release ${next.number}, under release ${next.number - 1}`);
    });
    await underLoad(async () => {
      await rollAll(next.program);
    });
    await load.done();
    found.breaches.push(...(await watchers.stop()));
    await watching;
    judgeRoll(arena, watchers);
  },
};
