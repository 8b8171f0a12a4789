import { setTimeout as sleep } from 'node:timers/promises';
import { type Failpoint, FAILPOINTS } from '../failpoints';
import type { Arena } from './arena';
import type { Member } from './member';
import { until } from './until';

const ROUNDS = 3;
/** What a burst of orders takes to come. */
const BURST_MS = 1_000;
/** A step that nothing passes yet stays armed, and the next one is armed beside it. */
const PASSED_WITHIN_MS = 10_000;
/** The slowest step: an order expires a minute after it was made. */
const ALL_PASSED_WITHIN_MS = 120_000;

/**
 * Kills the one process of a role at each of its steps, several times over, each time with a burst of orders on
 * their way. Whoever passes the step next is hit; nobody is hit twice at one step.
 */
export async function killAtEachStep(
  { platform, load, random, orders, found, say }: Arena,
  role: (typeof FAILPOINTS)[Failpoint],
  member: Member,
): Promise<void> {
  const steps = (Object.keys(FAILPOINTS) as Failpoint[]).filter(
    (step) => FAILPOINTS[step] === role,
  );
  const rounds = Math.min(ROUNDS, Math.max(1, Math.floor(orders / steps.length / 4)));
  const kills = Array.from({ length: rounds }, () => random.shuffle(steps)).flat();
  const burst = Math.floor(orders / kills.length);
  const pending: { readonly step: Failpoint; readonly fired: () => boolean }[] = [];

  for (const [n, step] of kills.entries()) {
    // Those before have been answered, but for a few: nobody is to meet every single kill.
    await until(() => load.underWay < burst, PASSED_WITHIN_MS);
    const { life } = member;
    const coming = load.start(n === 0 ? orders - burst * (kills.length - 1) : burst, BURST_MS);
    await sleep(random.int(BURST_MS / 2, BURST_MS));
    const after = random.int(0, Math.floor(burst / 8));
    const fired = platform.failpoints.arm({ step, action: 'kill', after });
    const hit = await until(fired, PASSED_WITHIN_MS);
    if (!hit) pending.push({ step, fired });
    await coming;
    if (hit) await member.serves(life);
    const what = hit ? `at ${step}; runs again` : `nothing passes ${step} yet, it stays armed`;
    say(`kill ${n + 1} of ${kills.length}: ${what}`);
  }
  await until(() => pending.every(({ fired }) => fired()), ALL_PASSED_WITHIN_MS);
  for (const { step, fired } of pending)
    if (!fired()) found.breaches.push(`${step} was armed, and nothing passed it`);
  await until(() => member.kills >= platform.failpoints.fired().length, PASSED_WITHIN_MS);
  await member.serves();
}
