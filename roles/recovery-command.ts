import { uuidv7 } from 'uuidv7';
import type { Config } from '../config';
import { readClock } from '../db/clock';
import { openDatabase } from '../db/client';
import { countFindings, findRecovery } from '../db/platform/findings';
import { beginRecoveryByHand } from '../db/platform/recoveries';
import { FINDING_KINDS } from '../domain/recovery';

/**
 * Prints the recovery under way, or the last one.
 * @param args `begin`: begins one first, because a person says that the database was restored
 * @returns whether none is under way
 * @throws for other arguments
 */
export async function recoveryOnce(
  { database: options }: Pick<Config, 'database'>,
  args: readonly string[],
): Promise<boolean> {
  const [how, ...rest] = args;
  if (rest.length > 0 || (how !== undefined && how !== 'begin'))
    throw new Error('recovery takes no arguments, or `begin`');
  const database = openDatabase({ ...options, applicationName: 'causeway-recovery', max: 1 });
  try {
    if (how === 'begin') await beginRecoveryByHand(database, uuidv7(), await readClock(database));
    const recovery = await findRecovery(database);
    if (!recovery) {
      process.stdout.write('the database was never restored\n');
      return true;
    }
    const { lostSince, begunAt, askedAt, endedAt, epoch, id } = recovery;
    const times = { lostSince, begunAt, askedAt, endedAt };
    for (const [name, time] of Object.entries(times))
      process.stdout.write(`${name}=${time?.toISOString() ?? 'not yet'}\n`);
    const counts = await countFindings(database, id);
    const found = FINDING_KINDS.map((kind) => `${kind}=${counts.get(kind) ?? 0}`);
    process.stdout.write(`epoch=${epoch} ${found.join(' ')}\n`);
    return endedAt !== null;
  } finally {
    await database.close();
  }
}
