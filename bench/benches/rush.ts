import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Finding } from '../bench';
import { cpuMeter, secondsOf } from '../cpu';
import { p95 } from '../payments';
import type { Testbed } from '../testbed';
import { floorRate } from './floor-rate';
import { PayingMerchants } from './paying';

/** More than two to four cores credit: they queue. */
const PER_SECOND = 130;
const SECONDS = 20;
const PAID_AFTER_MS = 1_000;
const PATIENCE_MS = 150_000;

/** How a rush goes. */
interface Rush {
  /** Timer-and-signal workflows that this machine completes in a second, measured before the platform started. */
  readonly floor: number;
  readonly short: boolean;
  /** How many orders are paid a second; by default PER_SECOND. */
  readonly perSecond?: number | undefined;
  /** How many orders are paid; by default those of 20 s. */
  readonly orders?: number | undefined;
}

/**
 * Pays more orders a second than can be credited. Counts the credits at the end of each five seconds from the first
 * payment on, until the last, and the CPU of all processes for each whole order, from the create to the callback. Then
 * stops the platform and measures the floor again: a machine's speed changes within minutes. The credits are divided by
 * the mean of both floors.
 */
export async function rush(
  testbed: Testbed,
  merchants: PayingMerchants,
  { floor, short, perSecond = PER_SECOND, orders = perSecond * SECONDS }: Rush,
): Promise<Finding[]> {
  const count = short ? PER_SECOND / 10 : orders;
  const lookAfter = short ? 1 : 5;
  const what = (words: string): string => `${perSecond} paid a second: ${words}`;
  const watched = [...merchants.watched, ...testbed.servers.own, ...merchants.payments.watched];
  const spent = cpuMeter(watched);
  const before = await merchants.completed();
  const running = merchants.payments.run({
    orders: count,
    perSecond,
    paidAfterMs: PAID_AFTER_MS,
    patienceMs: PATIENCE_MS,
    queryEveryMs: null,
  });
  // The first five seconds begin with the first payment: before it nothing can be credited.
  await sleep(PAID_AFTER_MS);
  const begun = performance.now();
  const findings: Finding[] = [];
  const rates: [second: string, rate: number][] = [];
  let cpu = watched.map(secondsOf);
  let lookedAt = begun;
  let called = await merchants.acknowledged();
  for (let credited = 0; credited < count;) {
    await sleep(lookAfter * 1000);
    const now = (await merchants.completed()) - before;
    const calledNow = await merchants.acknowledged();
    const seconds = (performance.now() - begun) / 1000;
    const eachSecond = 1000 / (performance.now() - lookedAt);
    const rate = (now - credited) * eachSecond;
    lookedAt = performance.now();
    const second = seconds.toFixed(0);
    rates.push([second, rate]);
    findings.push(
      { what: what(`credited, to second ${second}`), value: rate, unit: 'a second' },
      {
        what: what('callbacks acknowledged meanwhile'),
        value: (calledNow - called) * eachSecond,
        unit: 'a second',
      },
    );
    called = calledNow;
    const used = watched.map(secondsOf);
    for (const [n, { name }] of watched.entries()) {
      const [from, to] = [cpu[n], used[n]];
      if (from !== undefined && to !== undefined)
        findings.push({ what: what(`meanwhile CPU of ${name}`), value: to - from, unit: 's' });
    }
    cpu = used;
    credited = now;
    if (seconds * 1000 > PATIENCE_MS) break;
  }
  const rushed = await running;
  findings.push(
    ...Object.entries(spent(count)).map(([name, micros]) => ({
      what: what(name),
      value: micros,
      unit: 'µs',
    })),
    { what: what('callback, p95'), value: p95(rushed.callback) / 1000, unit: 's' },
    { what: what('late'), value: rushed.late, unit: '' },
  );
  await testbed.clear();
  const after = await floorRate(testbed, short);
  return [
    ...findings,
    { what: 'the floor before', value: floor, unit: 'a second' },
    { what: 'the floor after', value: after, unit: 'a second' },
    ...rates.map(([second, rate]) => ({
      what: what(`credited, to second ${second}, by the floor`),
      value: (2 * rate) / (floor + after),
      unit: 'x',
    })),
  ];
}

/** The last part of `flood`, alone. */
export const rushAlone: Bench = {
  sentence:
    'how many orders a second are credited when 130 a second are paid for 20 s (--per-second), beside timer-and-signal workflows, and the CPU for each; the last part of flood',
  needs: { temporal: true, countStatements: false },
  async open(testbed, { short, perSecond, orders }) {
    const floor = await floorRate(testbed, short);
    const merchants = await PayingMerchants.open(testbed, { merchants: 0, expireMinutes: 60 });
    return {
      heats: [],
      findings: async () => {
        await merchants.warmUp(short);
        return await rush(testbed, merchants, { floor, short, perSecond, orders });
      },
      close: () => {
        merchants.close();
      },
    };
  },
};
