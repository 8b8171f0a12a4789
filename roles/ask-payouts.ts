import { uuidv7 } from 'uuidv7';
import type { OpenChannel } from '../channels';
import type { BookAnswer } from '../channels/channel';
import type { Config } from '../config';
import type { ChannelRow } from '../db/channels/channels';
import { readClock } from '../db/clock';
import { type Database, openDatabase } from '../db/client';
import * as db from '../db/payouts/recovery';
import { type PossibleReference, referencesToAsk } from '../domain/recovery';
import { createLogger } from '../runtime/log';
import { RoleClock } from '../runtime/role-clock';
import { openChannels, openSender } from './open-graph';

/** What channels said of the withdrawals that they were asked for. */
export interface AskedPayouts {
  readonly withdrawals: number;
  readonly references: number;
  /** Attempts that were lost here, or not marked as sent, and are taken over. */
  readonly adopted: readonly string[];
  /** Paid or under way at a channel, and not to be taken over: a person decides. */
  readonly unexplained: readonly string[];
  /** A channel did not say whether it knows the reference. */
  readonly unanswered: readonly string[];
}

interface Deps {
  readonly database: Database;
  readonly openChannel: OpenChannel;
  readonly clock: () => Date;
}

/** Withdrawals that are asked for at once. */
const AT_ONCE = 8;
const DAY_MS = 86_400_000;
/** Without another word, withdrawals are asked for that changed within this long. */
const DEFAULT_DAYS = 7;

/** Answers by which a channel has the payout, or has paid it. */
const HAS_IT: ReadonlySet<BookAnswer['kind']> = new Set([
  'ACCEPTED',
  'COMPLETED',
  'RETURNED',
  'FAILED',
]);

/**
 * Asks every channel for every reference by which it may have been asked to pay a withdrawal that is open or changed
 * lately, and takes over what it knows. For a database that was put back, before a worker runs: nothing is sent here. Safe
 * to run again.
 * @param since withdrawals that are final are asked for if they changed at or after this
 */
export async function askPayouts(deps: Deps, since: Date): Promise<AskedPayouts> {
  const { database } = deps;
  const epochs = await db.raiseEpoch(database);
  const channels = await db.findBookChannels(database);
  const found = {
    ...{ withdrawals: 0, references: 0 },
    ...{ adopted: [] as string[], unexplained: [] as string[], unanswered: [] as string[] },
  };
  let after: string | null = null;
  for (;;) {
    const some: readonly db.AskedWithdrawal[] = await db.findWithdrawalsToAsk(
      ...([database, since, after, AT_ONCE] as const),
    );
    await Promise.all(
      some.map(async (order) => {
        found.withdrawals++;
        const references = referencesToAsk(order.orderNo, order.attempts, channels, epochs);
        const answers = await Promise.all(
          references.map(async (one) => ({ one, answer: await ask(deps, channels, order, one) })),
        );
        // One after the other, as the attempts were made.
        for (const { one, answer } of answers) {
          if (answer === null) continue;
          found.references++;
          const line = `${order.orderNo} ${order.status} ${one.reference} ${answer.kind}`;
          if (answer.kind === 'UNKNOWN') found.unanswered.push(`${line}: ${answer.reason}`);
          else if (answer.kind !== 'NOT_FOUND') await take(deps, order, one, answer, line, found);
        }
      }),
    );
    const last = some.at(-1);
    if (!last) return found;
    after = last.id;
  }
}

async function ask(
  { openChannel }: Deps,
  channels: readonly ChannelRow[],
  { amount, currencyCode }: db.AskedWithdrawal,
  { reference, channelId }: PossibleReference,
): Promise<BookAnswer | null> {
  const channel = channels.find(({ id }) => id === channelId);
  return channel
    ? await openChannel(channel).findPayout({ reference, amount, currencyCode })
    : null;
}

/** Follows an answer of a channel that knows the reference. */
async function take(
  { database, clock }: Deps,
  order: db.AskedWithdrawal,
  { reference, channelId, number }: PossibleReference,
  answer: Exclude<BookAnswer, { kind: 'NOT_FOUND' | 'UNKNOWN' }>,
  line: string,
  found: { readonly adopted: string[]; readonly unexplained: string[] },
): Promise<void> {
  // A manual payout has a reference of the old form, too.
  const known = order.attempts.find(
    (attempt) => attempt.reference === reference && attempt.channelId === channelId,
  );
  const paid = answer.kind === 'COMPLETED' || answer.kind === 'RETURNED';
  if (known && known.status !== 'PREPARED') {
    const isContradicted =
      (paid && (known.status === 'REFUSED' || known.status === 'FAILED')) ||
      (answer.kind === 'RETURNED' && known.status === 'SUCCEEDED');
    if (isContradicted) await db.doubtPayout(database, known.id, clock());
    return;
  }
  const refused = answer.kind === 'REFUSED' ? answer.reason : null;
  const adopted = await db.adoptPayout(
    database,
    { attemptId: uuidv7(), withdrawalId: order.id, number, channelId, reference, refused },
    clock(),
  );
  if (adopted) found.adopted.push(line);
  else if (HAS_IT.has(answer.kind)) found.unexplained.push(line);
}

/**
 * Asks for payouts, and prints what came of it.
 * @returns whether nothing is left open
 */
export async function askPayoutsOnce(config: Config, sinceMs: number): Promise<boolean> {
  const database = openDatabase({ url: config.databaseUrl, applicationName: 'causeway-ask' });
  const sender = openSender(config);
  try {
    const log = createLogger('ask', config.logLevel);
    const clock = new RoleClock(async () => await readClock(database), log);
    await clock.measure();
    const openChannel = openChannels({ config, clock }, sender);
    const since = new Date(clock.now().getTime() - sinceMs);
    const found = await askPayouts({ database, clock: clock.now, openChannel }, since);
    for (const kind of ['adopted', 'unexplained', 'unanswered'] as const)
      for (const line of found[kind]) process.stdout.write(`${kind}: ${line}\n`);
    process.stdout.write(
      `withdrawals=${found.withdrawals} references=${found.references} adopted=${found.adopted.length} ` +
        `unexplained=${found.unexplained.length} unanswered=${found.unanswered.length}\n`,
    );
    return found.unexplained.length + found.unanswered.length === 0;
  } finally {
    sender.close();
    await database.close();
  }
}

/** @returns how far back `payouts:ask` looks, milliseconds. @throws where it is no number of days */
export function periodOf(args: readonly string[]): number {
  const [days = String(DEFAULT_DAYS)] = args;
  if (!/^[1-9]\d{0,3}$/.test(days))
    throw new Error('payouts:ask takes nothing, or the number of days to look back');
  return Number(days) * DAY_MS;
}
