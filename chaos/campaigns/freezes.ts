import { setTimeout as sleep } from 'node:timers/promises';
import type { Failpoint } from '../../runtime/failpoints';
import type { Arena } from '../arena';
import type { Campaign } from '../campaign';
import { stepsOf } from '../kill-at-each-step';
import { until } from '../until';

/** Processes of each role that are frozen at once; one keeps working. */
const AT_ONCE = 2;
/** Longer than a takeover: Temporal notices the loss of a callback's attempt after 15 s and repeats it 30 s later. */
const STANDS_STILL_MS = 50_000;
const PASSED_WITHIN_MS = 15_000;
/** Limited by the slowest step: an order expires a minute after its creation. */
const ALL_PASSED_WITHIN_MS = 90_000;

/** Freezes the processes that pass these steps, and continues them after others have done their work. */
async function standStill({ platform, say }: Arena, steps: readonly Failpoint[]) {
  const armed = steps.map((step) => platform.failpoints.arm({ step, action: 'freeze' }));
  await until(() => armed.every((fired) => fired()), PASSED_WITHIN_MS);
  const frozen = steps.filter((_step, n) => armed[n]?.());
  await sleep(STANDS_STILL_MS);
  for (const member of platform.members) member.thaw();
  say(`frozen for ${STANDS_STILL_MS / 1_000} s: ${frozen.join(', ')}`);
  return armed;
}

export const freezes: Campaign = {
  name: 'freezes',
  about: 'of three gateways and workers, two are frozen at each step for 50 s and then continue',
  size: { gateways: 3, workers: 3 },
  orders: 600,
  run: async (arena) => {
    const { load, orders, found } = arena;
    const [worker, gateway] = [stepsOf('worker').toReversed(), stepsOf('gateway')];
    const groups = Math.ceil(Math.max(worker.length, gateway.length) / AT_ONCE);
    const coming = load.start(orders, groups * STANDS_STILL_MS);
    const armed: (() => boolean)[] = [];
    for (let n = 0; n < groups; n++) {
      const of = (steps: readonly Failpoint[]) => steps.slice(n * AT_ONCE, (n + 1) * AT_ONCE);
      armed.push(...(await standStill(arena, [...of(gateway), ...of(worker)])));
    }
    await coming;
    if (armed.every((fired) => fired())) return;
    if (!(await until(() => armed.every((fired) => fired()), ALL_PASSED_WITHIN_MS)))
      found.breaches.push('a step was armed, and nothing passed it');
    await standStill(arena, []);
  },
};
