import { platformBreaches } from '../breaches';
import { onOwnPlatform } from '../own-platform';
import type { CampaignOptions, Outcome } from '../outcome';
import type { Platform } from '../platform';
import { Random } from '../random';
import { booksDiffer, closeAll, sumsDiffer, waitingDiffers } from './judge';
import { Lane } from './lane';
import { CURRENCIES } from './money';
import { burst, byChannel, byHand, settlement } from './payouts';
import * as deposits from './scenes-deposits';
import * as own from './scenes-own';
import * as races from './scenes-races';
import { refund } from './waiting';
import { makeWorld, type World } from './world';

/** The scenes of a lane, and how often each is played. */
const SCENES: readonly (readonly [weight: number, scene: (lane: Lane) => Promise<void>])[] = [
  ...([
    [10, deposits.deposit],
    [4, deposits.deposits],
    [4, deposits.otherAmount],
    [6, deposits.cancelRace],
    [4, deposits.late],
    [3, deposits.combine],
    [3, deposits.split],
    [5, deposits.unknown],
    [3, deposits.later],
    [3, deposits.nameless],
  ] as const),
  ...([
    [6, byHand],
    [10, byChannel],
    [2, burst],
    [3, settlement],
    [4, refund],
  ] as const),
  ...([
    [2, own.charge],
    [2, own.profit],
    [3, own.ownTransfer],
    [2, own.funding],
    [1, own.channelCharge],
    [1, own.correction],
    [4, own.topUp],
    [2, own.adjust],
    [4, own.recall],
    [2, own.together],
  ] as const),
  ...([
    [3, races.twoEnds],
    [3, races.twoMatches],
    [3, races.recallAndRefund],
    [2, races.twoReversals],
  ] as const),
];
const WEIGHTS = SCENES.reduce((sum, [weight]) => sum + weight, 0);

function nextScene(random: Random): (lane: Lane) => Promise<void> {
  let left = random.int(1, WEIGHTS);
  for (const [weight, scene] of SCENES) {
    left -= weight;
    if (left <= 0) return scene;
  }
  return deposits.deposit;
}

/** The options of the campaign. */
export interface BooksOptions extends Omit<CampaignOptions, 'orders'> {
  readonly minutes: number;
}

/** Plays a lane until the time is over, or the platform differs from the model. */
async function play(lane: Lane, until: number, violate: (violation: string) => void, signal: AbortSignal) {
  let scene = 'topUp';
  try {
    await own.topUp(lane, 2_000n * lane.some());
    await lane.agrees();
    while (Date.now() < until && !signal.aborted) {
      const next = nextScene(lane.random);
      scene = next.name;
      await next(lane);
      await lane.agrees();
    }
  } catch (error) {
    violate(`${lane.name}, ${scene}: ${(error as Error).message}`);
  }
}

async function judge(
  world: World,
  lanes: readonly Lane[],
  platform: Platform,
  say: BooksOptions['say'],
): Promise<string[]> {
  const found = [
    ...world.model.problems(),
    ...(await sumsDiffer(world)),
    ...(await waitingDiffers(world, lanes)),
    ...(await booksDiffer(world)),
  ];
  const { problems, closed, lines } = await closeAll(world, platform);
  say(`accounts=${world.accounts.length} statement-lines=${lines} closed=${closed} differ=${problems.length}`);
  const proof = await platformBreaches(platform);
  say(`discrepancies=${proof.length === 0 ? 0 : proof.join(' ')}`);
  return [...found, ...problems, ...proof];
}

async function onPlatform(options: BooksOptions, platform: Platform): Promise<Outcome> {
  const { seed, folder, say, signal, minutes } = options;
  const world = await makeWorld(platform, folder);
  try {
    const lanes = world.merchants.flatMap((merchant, m) =>
      CURRENCIES.map((currency, c) => new Lane(world, merchant, currency, new Random(seed + 100 * m + c))),
    );
    const [first] = world.merchants;
    for (const lane of lanes.filter(({ merchant }) => merchant === first)) await own.openBooks(lane);
    say(`${world.merchants.length} merchants in ${lanes.length} lanes begin`);
    const violations: string[] = [];
    const violate = (violation: string): void => {
      violations.push(violation);
      say(violation);
    };
    const until = Date.now() + minutes * 60_000;
    await Promise.all(
      lanes.map(async (lane) => {
        await play(lane, until, violate, signal);
      }),
    );
    for (const [what, times] of [...world.counts].sort((a, b) => b[1] - a[1]))
      say(`${String(times).padStart(6)} ${what}`);
    const operations = [...world.counts.values()].reduce((sum, times) => sum + times, 0);
    for (const violation of await judge(world, lanes, platform, say)) violate(violation);
    return {
      line: `operations=${operations} violations=${violations.length}`,
      good: violations.length === 0,
    };
  } finally {
    await world.close();
  }
}

/** Its entry in the list of `npm run chaos`. */
export const BOOKS = {
  name: 'books',
  about:
    'moves money in every way through REST, agents and GraphQL, for four merchants in three currencies concurrently, and compares it with a model and the banks’ own records; then closes every account',
  minutes: 6,
  run: async (options: BooksOptions): Promise<Outcome> =>
    await onOwnPlatform(
      ...([options, { gateways: 1, workers: 1 }] as const),
      async (platform) => await onPlatform(options, platform),
    ),
} as const;
