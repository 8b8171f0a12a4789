import { setTimeout as sleep } from 'node:timers/promises';
import { type Failpoint, FAILPOINTS } from '../runtime/failpoints';
import type { Arena } from './arena';
import type { Member } from './member';
import { until } from './until';

/**
 * Steps that are passed a minute after their order was created at the earliest. They are armed first, with orders that
 * nobody pays, and fire during the others.
 */
const LATE: readonly Failpoint[] = ['expire.read', 'expire.expired'];
/** How the names of steps begin that take half a minute to recover from: an attempt's retry, a lease. */
const SLOW = ['callback.', 'outbox.'];
/** Kills at each step, if there are orders enough for each kill. */
const ROUNDS = 3;
const ORDERS_A_KILL = 4;
/** After this no round begins, so that a slow machine plays fewer rounds. */
const LAST_ROUND_BEGINS_MS = 200_000;
/** Duration of a burst of orders. */
const BURST_MS = 1_000;
/** A step that nothing passes for this long stays armed, and the next one is armed beside it. */
const PASSED_WITHIN_MS = 25_000;
/** The next kill comes when at most this many outbox rows wait for a dead worker's lease to end. */
const LEASED = 10;
/** How long the platform gets between kills to finish earlier work. */
const RECOVERS_WITHIN_MS = 25_000;
/** The slowest step: an order expires a minute after it was made. */
const ALL_PASSED_WITHIN_MS = 120_000;

type Role = (typeof FAILPOINTS)[keyof typeof FAILPOINTS];

/** The steps that processes of a role pass, in order. */
export const stepsOf = (role: Role): Failpoint[] =>
  (Object.keys(FAILPOINTS) as (keyof typeof FAILPOINTS)[]).filter((step) => FAILPOINTS[step] === role);

/**
 * Kills the only process of a role at each of its steps, several times over, each time with a burst of orders under
 * way. The next process at the step is killed; no order meets two kills at one step.
 */
export async function killAtEachStep(arena: Arena, role: Role, member: Member): Promise<void> {
  const { platform, random, orders, found, say } = arena;
  const began = Date.now();
  const steps = stepsOf(role);
  const rounds = Math.floor(orders / steps.length / ORDERS_A_KILL);
  const wanted = Math.min(ROUNDS, Math.max(1, rounds));
  const burst = Math.floor(orders / wanted / steps.length);
  const armed: { readonly step: Failpoint; readonly fired: () => boolean }[] = [];
  const late = steps.filter((step) => LATE.includes(step));
  const prompt = steps.filter((step) => !LATE.includes(step));
  const slow = prompt.filter((step) => SLOW.some((begin) => step.startsWith(begin)));
  const slowFirst = [...slow, ...prompt.filter((step) => !slow.includes(step))];
  const unpaidEvery = late.length > 0 ? Infinity : undefined;
  for (let round = 1; round <= wanted; round++) {
    if (round > 1 && Date.now() - began > LAST_ROUND_BEGINS_MS) break;
    for (const step of late) armed.push({ step, fired: platform.failpoints.arm({ step, action: 'kill' }) });
    await arena.load.start(late.length * burst, BURST_MS, 1);
    for (const step of round === 1 ? slowFirst : random.shuffle(prompt)) {
      const fired = await kill(arena, step, member, burst, unpaidEvery);
      armed.push({ step, fired });
      const what = fired() ? `killed at ${step}` : `nothing passes ${step} yet; it stays armed`;
      say(`round ${round} of ${wanted}, ${armed.length}: ${what}`);
    }
  }
  await until(() => armed.every(({ fired }) => fired()), ALL_PASSED_WITHIN_MS);
  for (const { step, fired } of armed) if (!fired()) found.breaches.push(`${step} was armed, and nothing passed it`);
  await until(() => member.kills >= platform.failpoints.fired().length, PASSED_WITHIN_MS);
  await member.serves();
}

/** One kill during a burst. Returns when the next process serves. @returns whether the kill happened */
async function kill(
  { platform, load, ledger, random }: Arena,
  step: Failpoint,
  member: Member,
  burst: number,
  unpaidEvery: number | undefined,
): Promise<() => boolean> {
  // A process that dies repeatedly before it has done anything would prove nothing.
  const hasRecovered = async (): Promise<boolean> =>
    load.underWay < burst && (await ledger.open()).outbox < Math.max(burst, LEASED);
  await until(hasRecovered, RECOVERS_WITHIN_MS);
  const { life } = member;
  const coming = load.start(burst, BURST_MS, unpaidEvery);
  await sleep(random.int(BURST_MS / 2, BURST_MS));
  const after = random.int(0, Math.floor(burst / 8));
  const fired = platform.failpoints.arm({ step, action: 'kill', after });
  if (await until(fired, PASSED_WITHIN_MS)) await member.serves(life);
  await coming;
  return fired;
}
