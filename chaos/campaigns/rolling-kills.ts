import { setTimeout as sleep } from 'node:timers/promises';
import { loadSecrets } from '../../local/secrets';
import type { Campaign } from '../campaign';
import { Watchers } from '../watchers';

const EVERY_MS = 15_000;
const ORDERS_A_SECOND = 3;

export const rollingKills: Campaign = {
  name: 'rolling-kills',
  about:
    'two of each role, and Temporal over PostgreSQL; one of each role is killed (-9) in turn every 15 s, for five minutes',
  size: { gateways: 2, graphs: 2, workers: 2, balanced: true, temporalOverPostgres: true },
  orders: 900,
  run: async ({ platform, load, orders, found, say }) => {
    const secrets = loadSecrets(platform.folder, {});
    const watchers = new Watchers(platform.graphqlUrl, platform.databaseUrl);
    await watchers.login(secrets.OPERATOR_LOGIN, secrets.OPERATOR_PASSWORD);
    const watching = watchers.watch();
    const forMs = (orders / ORDERS_A_SECOND) * 1_000;
    const coming = load.start(orders, forMs);
    const kills = Math.max(1, Math.floor(forMs / EVERY_MS));
    for (let n = 0; n < kills; n++) {
      await sleep(EVERY_MS);
      const killed = [platform.gateways, platform.graphs, platform.workers].map(
        (members) => members[n % members.length],
      );
      for (const member of killed) member?.kill();
      say(`kill ${n + 1} of ${kills}: ${killed.map((member) => member?.name).join(', ')}`);
    }
    await coming;
    await load.done();
    for (const balancer of platform.balancers) await balancer.allReady();
    found.breaches.push(...(await watchers.stop()));
    await watching;
    const { answers } = watchers.graph;
    const cut = answers.filter(({ status }) => status === 0).length;
    say(
      `answers of graphs: ${answers.length - cut}, cut: ${cut}; ` +
        `sockets closed with ${watchers.closings.join(', ')}`,
    );
    if (watchers.closings.length === 0) found.breaches.push('no socket had to move');
  },
};
