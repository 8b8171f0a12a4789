import { setTimeout as sleep } from 'node:timers/promises';
import { type Gateways, slowestMs } from './gateways';
import { until } from './until';

/** The promise to clients: an answer within this, even if something hangs. */
const PROMISED_MS = 5_000;
/** How long an outage lasts, and the calm after it. */
export const OUTAGE_MS = 15_000;
export const CALM_MS = 10_000;

/** Where an outage is watched and reported. */
export interface Scene {
  readonly gateways: Gateways;
  readonly breaches: string[];
  readonly say: (line: string) => void;
}

/** An outage of PostgreSQL. */
export interface Outage {
  readonly name: string;
  readonly begin: () => Promise<void> | void;
  readonly end: () => Promise<void> | void;
  /** How soon after the begin of its end an order is created again. */
  readonly recoversWithinMs: number;
}

/** One outage under load: answers come in time, with 503 while it lasts, and the platform recovers by itself. */
export async function outage(
  { gateways, breaches, say }: Scene,
  { name, begin, end, recoversWithinMs }: Outage,
): Promise<void> {
  const began = Date.now();
  await begin();
  await sleep(Math.max(0, began + OUTAGE_MS - Date.now()));
  const returns = Date.now();
  await end();
  const isGood = ({ at, status }: { at: number; status: number }): boolean => at > returns && status === 201;
  const recovered = await until(() => gateways.answers.some(isGood), returns + recoversWithinMs - Date.now());
  const recoveredMs = Date.now() - returns;
  await sleep(CALM_MS);

  const during = gateways.answers.filter(({ at }) => at >= began && at < returns + recoveredMs);
  const count = (status: number): number => during.filter((one) => one.status === status).length;
  const slowest = slowestMs(during);
  say(
    `${name}: ${during.length} answers, ${count(503)} of them 503, ${count(500)} 500, ${count(0)} none, ` +
      `the slowest after ${(slowest / 1000).toFixed(1)} s; recovered ${(recoveredMs / 1000).toFixed(1)} s after its end`,
  );
  if (count(503) === 0) breaches.push(`${name}: nothing was answered 503`);
  if (count(500) > 0) breaches.push(`${name}: ${count(500)} requests were answered 500`);
  if (count(0) > 0) breaches.push(`${name}: ${count(0)} requests got no answer`);
  if (slowest > PROMISED_MS)
    breaches.push(`${name}: an answer took ${Math.round(slowest)} ms, ${PROMISED_MS} are promised`);
  if (!recovered) breaches.push(`${name}: no recovery within ${recoversWithinMs} ms`);
}
