import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena } from '../arena';
import type { Campaign } from '../campaign';
import { until } from '../until';

const CUTS = 3;
const BETWEEN_MS = 15_000;
/** The time from the return of the servers until an order is created again. */
const RECOVERS_WITHIN_MS = 30_000;
const ALTOGETHER_MS = CUTS * (BETWEEN_MS + RECOVERS_WITHIN_MS);

/** Everything ends at one moment; servers and processes start again together. */
async function cut({ platform, gateways, found: { breaches }, say }: Arena): Promise<void> {
  for (const member of platform.members) member.kill();
  await Promise.all([platform.crashPostgres(), platform.killTemporal()]);
  await Promise.all([platform.startPostgres(), platform.startTemporal()]);
  const returned = Date.now();
  const recovered = await until(
    () => gateways.answers.some(({ at, status }) => at > returned && status === 201),
    RECOVERS_WITHIN_MS,
  );
  const seconds = ((Date.now() - returned) / 1000).toFixed(1);
  say(`all ended at once; the first order after the servers' return was created within ${seconds} s`);
  if (!recovered) breaches.push(`no order was created within ${RECOVERS_WITHIN_MS} ms`);
}

export const powerCut: Campaign = {
  name: 'power-cut',
  about:
    'kills (-9) every process, PostgreSQL and Temporal at one moment, three times: the platform continues by itself, without recovery',
  size: { gateways: 1, workers: 1 },
  orders: 300,
  run: async (arena) => {
    const coming = arena.load.start(arena.orders, ALTOGETHER_MS);
    for (let n = 0; n < CUTS; n++) {
      await sleep(BETWEEN_MS);
      await cut(arena);
    }
    await coming;
  },
};
