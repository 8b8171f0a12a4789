import { setTimeout as sleep } from 'node:timers/promises';
import type { Campaign } from '../campaign';
import { CALM_MS, outage, OUTAGE_MS } from '../outage';

const RECOVERS_WITHIN_MS = 10_000;
const OUTAGES = 3;
const ALTOGETHER_MS = OUTAGES * (OUTAGE_MS + CALM_MS) + CALM_MS;

export const postgresOutage: Campaign = {
  name: 'postgres-outage',
  about: 'restarts, crashes and freezes PostgreSQL under load: 503 within 5 s, and the platform recovers by itself',
  size: { gateways: 1, workers: 1 },
  orders: 400,
  run: async ({ platform, load, orders, gateways, found: { breaches }, say }) => {
    const scene = { gateways, breaches, say };
    const recoversWithinMs = RECOVERS_WITHIN_MS;
    const coming = load.start(orders, ALTOGETHER_MS);
    await sleep(CALM_MS);
    await outage(scene, {
      name: 'stopped in order and started again',
      begin: () => platform.stopPostgres(),
      end: () => platform.startPostgres(),
      recoversWithinMs,
    });
    await outage(scene, {
      name: 'crashed and recovered',
      begin: () => platform.crashPostgres(),
      end: () => platform.startPostgres(),
      recoversWithinMs,
    });
    await outage(scene, {
      name: 'frozen (SIGSTOP) and continued',
      begin: () => {
        platform.freezePostgres();
      },
      end: () => {
        platform.thawPostgres();
      },
      recoversWithinMs,
    });
    await coming;
  },
};
