import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import type { Arena } from '../arena';
import type { Campaign } from '../campaign';
import type { Member } from '../member';
import { makeNextRelease, type NextRelease } from '../next-release';

const ORDERS_A_SECOND = 3;
/** The parts of the campaign: before the upgrade, side by side, after an old migrate, after the old roles. */
const PARTS = 4;
/** What the old functions had begun when they were replaced has been written by then. */
const UNDER_WAY_MS = 5_000;

/** Checks that the next release's functions matched every order since then, no matter which release called them. */
async function judgeFunctions({ platform, found, say }: Arena, { number }: NextRelease, since: Date): Promise<void> {
  const sql = postgres(platform.databaseUrl, { max: 1 });
  try {
    const [row] = await sql<{ own: number; others: number; release: number }[]>`
      select count(*) filter (where detail ->> 'release' = ${String(number)})::int as own,
        count(*) filter (where detail ->> 'release' is distinct from ${String(number)})::int as others,
        (select release from migrations.release) as release
      from order_events where type = 'matched' and at > ${since}`;
    const { own, others, release } = row ?? { own: 0, others: 0, release: 0 };
    say(`release ${release}; orders matched by its functions: ${own}, by older ones: ${others}`);
    if (release !== number) found.breaches.push(`the schema is of release ${release}`);
    if (own === 0) found.breaches.push('no order was matched by the new functions');
    if (others > 0) found.breaches.push(`${others} orders were matched by functions of the older release`);
  } finally {
    await sql.end();
  }
}

export const upgrade: Campaign = {
  name: 'upgrade',
  about: 'migrates to a next release under load; old and new roles side by side, then only the new ones',
  size: { gateways: 2, workers: 2 },
  orders: 360,
  run: async (arena) => {
    const { platform, load, orders, say } = arena;
    const next = makeNextRelease(path.join(platform.folder, 'next'));
    const part = Math.ceil(orders / PARTS);
    const underLoad = async (work: () => Promise<void>): Promise<void> => {
      const coming = load.start(part, (part / ORDERS_A_SECOND) * 1_000);
      await Promise.all([coming, work()]);
    };
    const upgradeAll = async (members: readonly (Member | undefined)[]): Promise<void> => {
      for (const member of members) {
        await member?.replaceBy(next.program);
        say(`${member?.name ?? ''} is of release ${next.number}`);
      }
    };

    await underLoad(async () => {
      await platform.runOnce('migrate', next.program);
      say(`migrated to release ${next.number}`);
    });
    await underLoad(async () => {
      await upgradeAll([platform.gateways[1], platform.workers[1]]);
    });
    await underLoad(async () => {
      await platform.runOnce('migrate');
      say('the old release migrated again');
      // Restarted processes still run the old release, on a newer schema.
      platform.gateways[0]?.kill();
      platform.workers[0]?.kill();
    });
    await sleep(UNDER_WAY_MS);
    const since = new Date();
    await underLoad(async () => {
      await upgradeAll(platform.members.filter((member) => !member.isOf(next.program)));
    });
    await load.done();
    await judgeFunctions(arena, next, since);
  },
};
