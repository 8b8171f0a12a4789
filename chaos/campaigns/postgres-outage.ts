import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena } from '../arena';
import type { Campaign } from '../campaign';
import { until } from '../until';

/** The promise to clients: an answer within this, even if something hangs. */
const PROMISED_MS = 5_000;
const OUTAGE_MS = 15_000;
const CALM_MS = 10_000;
const RECOVERS_WITHIN_MS = 10_000;
const OUTAGES = 3;
const ALTOGETHER_MS = OUTAGES * (OUTAGE_MS + CALM_MS) + CALM_MS;

/** One outage under load: answers come in time, with 503 while it lasts, and the platform recovers by itself. */
async function outage(
  { gateways, found, say }: Arena,
  name: string,
  begin: () => Promise<void> | void,
  end: () => Promise<void> | void,
): Promise<void> {
  const began = Date.now();
  await begin();
  await sleep(Math.max(0, began + OUTAGE_MS - Date.now()));
  const returns = Date.now();
  await end();
  const isGood = ({ at, status }: { at: number; status: number }): boolean =>
    at > returns && (status === 201 || status === 200);
  const recovered = await until(() => gateways.answers.some(isGood), RECOVERS_WITHIN_MS);
  const recoveredMs = Date.now() - returns;
  await sleep(CALM_MS);

  const during = gateways.answers.filter(({ at }) => at >= began && at < returns);
  const unavailable = during.filter(({ status }) => status === 503).length;
  const silent = during.filter(({ status }) => status === 0).length;
  const slowest = Math.max(0, ...during.map(({ ms }) => ms));
  say(
    `${name}: ${during.length} answers, ${unavailable} of them 503, ${silent} none, ` +
      `the slowest after ${(slowest / 1000).toFixed(1)} s; recovered ${(recoveredMs / 1000).toFixed(1)} s after its end`,
  );
  if (unavailable === 0) found.breaches.push(`${name}: nothing was answered 503`);
  if (silent > 0) found.breaches.push(`${name}: ${silent} requests got no answer`);
  if (slowest > PROMISED_MS)
    found.breaches.push(
      `${name}: an answer took ${Math.round(slowest)} ms, ${PROMISED_MS} are promised`,
    );
  if (!recovered) found.breaches.push(`${name}: no recovery within ${RECOVERS_WITHIN_MS} ms`);
}

export const postgresOutage: Campaign = {
  name: 'postgres-outage',
  about:
    'restarts, crashes and freezes PostgreSQL under load: 503 within 5 s, and the platform recovers by itself',
  size: { gateways: 1, workers: 1 },
  orders: 400,
  run: async (arena) => {
    const { platform, load, orders } = arena;
    const coming = load.start(orders, ALTOGETHER_MS);
    await sleep(CALM_MS);
    await outage(
      arena,
      'stopped in order and started again',
      () => platform.stopPostgres(),
      () => platform.startPostgres(),
    );
    await outage(
      arena,
      'crashed and recovered',
      () => platform.crashPostgres(),
      () => platform.startPostgres(),
    );
    await outage(
      arena,
      'frozen (SIGSTOP) and continued',
      () => {
        platform.freezePostgres();
      },
      () => {
        platform.thawPostgres();
      },
    );
    await coming;
  },
};
