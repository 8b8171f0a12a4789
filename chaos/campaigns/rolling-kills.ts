import { setTimeout as sleep } from 'node:timers/promises';
import type { Campaign } from '../campaign';

const EVERY_MS = 15_000;
const ORDERS_A_SECOND = 3;

export const rollingKills: Campaign = {
  name: 'rolling-kills',
  about: 'two gateways and two workers; one of each is killed (-9) every 15 s, for five minutes',
  size: { gateways: 2, workers: 2 },
  orders: 900,
  run: async ({ platform, load, orders, random, say }) => {
    const forMs = (orders / ORDERS_A_SECOND) * 1_000;
    const coming = load.start(orders, forMs);
    const kills = Math.max(1, Math.floor(forMs / EVERY_MS));
    for (let n = 0; n < kills; n++) {
      await sleep(EVERY_MS);
      const worker = platform.workers[n % 2];
      const gateway = platform.gateways[random.int(0, 1)];
      worker?.kill();
      gateway?.kill();
      say(`kill ${n + 1} of ${kills}: ${worker?.name ?? ''} and ${gateway?.name ?? ''}`);
    }
    await coming;
  },
};
