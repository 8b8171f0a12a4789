import { uuidv7 } from 'uuidv7';
import type { OpenChannel } from '../channels';
import type { BookAnswer } from '../channels/channel';
import type { Config } from '../config';
import { findChannelBanks, type OpenableChannel } from '../db/channels/channels';
import { readClock } from '../db/clock';
import { type Database, openDatabase } from '../db/client';
import { refusePayout } from '../db/payouts/payouts';
import * as db from '../db/payouts/recovery';
import {
  findRecovery,
  findUnknownReferences,
  forgetFinding,
  type NewFinding,
  noteFinding,
  noteOpenReturns,
} from '../db/platform/findings';
import type { RecoveryRow } from '../db/platform/recoveries';
import { formatMoney } from '../domain/money';
import { type FindingKind, type PossibleReference, referencesToAsk } from '../domain/recovery';
import { isFinalWithdrawal } from '../domain/withdrawal';
import { createLogger } from '../runtime/log';
import { RoleClock } from '../runtime/role-clock';
import { openChannels, openSender } from './open-channels';
import { openSecrets } from './secrets';

/** What channels answered about the withdrawals. */
export interface AskedPayouts {
  readonly withdrawals: number;
  readonly references: number;
  /** Attempts that were lost here or not marked as sent, and that were adopted. */
  readonly adopted: readonly string[];
  /** Paid or under way at a channel, and not adopted: a person must decide. */
  readonly unexplained: readonly string[];
  /** A channel did not answer whether it knows the reference. */
  readonly unanswered: readonly string[];
}

interface Deps {
  readonly database: Database;
  readonly openChannel: OpenChannel;
  readonly clock: () => Date;
}

/** Withdrawals that are queried concurrently. */
const AT_ONCE = 8;
/** References that are looked up here in one statement. */
const REFERENCES_AT_ONCE = 500;
const DAY_MS = 86_400_000;
/** By default, withdrawals are queried that changed within this long. */
const DEFAULT_DAYS = 7;

/** Answers that say that the channel has the payout, or has paid it. */
const HAS_IT: ReadonlySet<BookAnswer['kind']> = new Set(['ACCEPTED', 'COMPLETED', 'RETURNED', 'FAILED']);

/** What channels answered about one withdrawal, in lines. */
interface Said {
  readonly adopted: string[];
  readonly unexplained: string[];
  readonly unanswered: string[];
  /** What a channel has or has paid, and what is recorded here too. */
  readonly atChannel: string[];
}

/**
 * Queries every channel for every reference by which it may have been asked to pay a withdrawal that is open or changed
 * recently, and adopts the payouts that it knows. For a database that was restored, before anything is sent; it sends
 * no payout itself. Safe to run again.
 * @param since final withdrawals are queried if they changed at or after this
 * @param recovery stores the findings; without one, the next epoch begins
 * @param unansweredOnly queries only the withdrawals for which the recovery has no answer
 */
export async function askPayouts(
  deps: Deps,
  since: Date,
  recovery: RecoveryRow | null = null,
  unansweredOnly = false,
): Promise<AskedPayouts> {
  const { database } = deps;
  const epochs = recovery?.epoch ?? (await db.raiseEpoch(database));
  const channels = await db.findBookChannels(database);
  const banks = await findChannelBanks(
    database.sql,
    channels.map(({ id }) => id),
  );
  const which: db.AskedWhich = {
    since,
    until: recovery?.begunAt ?? deps.clock(),
    unansweredIn: unansweredOnly ? recovery?.id : undefined,
  };
  const found = {
    withdrawals: 0,
    references: 0,
    adopted: [] as string[],
    unexplained: [] as string[],
    unanswered: [] as string[],
  };
  let after: string | null = null;
  for (;;) {
    const some: readonly db.AskedWithdrawal[] = await db.findWithdrawalsToAsk(
      ...([database, which, after, AT_ONCE] as const),
    );
    await Promise.all(
      some.map(async (order) => {
        found.withdrawals++;
        const possible = channelsOf(order, channels, banks);
        const references = referencesToAsk(order.orderNo, order.attempts, possible, epochs);
        const said = await askForOne(deps, possible, order, references);
        found.references += references.length;
        for (const kind of ['adopted', 'unexplained', 'unanswered'] as const) found[kind].push(...said[kind]);
        if (recovery) await keepFinding(deps, recovery, order, said);
      }),
    );
    const last = some.at(-1);
    if (!last) return found;
    after = last.id;
  }
}

/**
 * The channels that may have got a withdrawal: those that pay its currency to some bank, and those that had an attempt at
 * it.
 */
const channelsOf = (
  { currencyCode, attempts }: db.AskedWithdrawal,
  channels: readonly OpenableChannel[],
  banks: readonly { readonly channelId: string; readonly currencyCode: string }[],
): readonly OpenableChannel[] =>
  channels.filter(
    ({ id, currencies }) =>
      (currencies.includes(currencyCode) &&
        banks.some((bank) => bank.channelId === id && bank.currencyCode === currencyCode)) ||
      attempts.some(({ channelId }) => channelId === id),
  );

async function askForOne(
  deps: Deps,
  channels: readonly OpenableChannel[],
  order: db.AskedWithdrawal,
  references: readonly PossibleReference[],
): Promise<Said> {
  const said: Said = { adopted: [], unexplained: [], unanswered: [], atChannel: [] };
  const answers = await Promise.all(
    references.map(async (one) => ({ one, answer: await ask(deps, channels, order, one) })),
  );
  const absent = order.attempts.flatMap(({ id, reference, channelId }) =>
    answers.some(
      ({ one, answer }) => answer?.kind === 'NOT_FOUND' && one.reference === reference && one.channelId === channelId,
    )
      ? [id]
      : [],
  );
  // One by one, in the order of the attempts.
  for (const { one, answer } of answers) {
    if (answer === null || answer.kind === 'NOT_FOUND') continue;
    const line = `${order.orderNo} ${order.status} ${one.reference} ${answer.kind}`;
    if (answer.kind === 'UNKNOWN') said.unanswered.push(`${line}: ${answer.reason}`);
    else await take(deps, { order, absent }, one, answer, line, said);
  }
  return said;
}

async function ask(
  { openChannel }: Deps,
  channels: readonly OpenableChannel[],
  { amount, currencyCode }: db.AskedWithdrawal,
  { reference, channelId }: PossibleReference,
): Promise<BookAnswer | null> {
  const channel = channels.find(({ id }) => id === channelId);
  return channel ? await openChannel(channel).findPayout({ reference, amount, currencyCode }) : null;
}

type ClearAnswer = Exclude<BookAnswer, { kind: 'NOT_FOUND' | 'UNKNOWN' }>;

/** Applies an answer of a channel that knows the reference. */
async function take(
  { database, clock }: Deps,
  { order, absent }: { readonly order: db.AskedWithdrawal; readonly absent: readonly string[] },
  { reference, channelId, number }: PossibleReference,
  answer: ClearAnswer,
  line: string,
  said: Said,
): Promise<void> {
  // A manual payout has a reference of the old form, too.
  const known = order.attempts.find((attempt) => attempt.reference === reference && attempt.channelId === channelId);
  if (known && known.status !== 'PREPARED') {
    await compareKnown({ database, clock }, known, answer, line, said);
    return;
  }
  const refused = answer.kind === 'REFUSED' ? answer.reason : null;
  const adopted = await db.adoptPayout(
    database,
    { attemptId: uuidv7(), withdrawalId: order.id, number, channelId, reference, refused, absent },
    clock(),
  );
  if (adopted) said.adopted.push(line);
  if (!HAS_IT.has(answer.kind)) return;
  if (adopted) said.atChannel.push(line);
  else said.unexplained.push(line);
}

/** Compares what a channel reports with an attempt that was not lost. */
async function compareKnown(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  { id, status }: db.AskedAttempt,
  answer: ClearAnswer,
  line: string,
  said: Said,
): Promise<void> {
  const paid = answer.kind === 'COMPLETED' || answer.kind === 'RETURNED';
  const open = status === 'SENT' || status === 'UNKNOWN';
  if (paid || (open && HAS_IT.has(answer.kind))) said.atChannel.push(line);
  // Refused in the lost time: another attempt may have followed, and may be adopted next.
  if (open && answer.kind === 'REFUSED') await refusePayout(database, id, answer.reason, clock());
  const isContradicted =
    (paid && (status === 'REFUSED' || status === 'FAILED')) || (answer.kind === 'RETURNED' && status === 'SUCCEEDED');
  if (isContradicted) await db.doubtPayout(database, id, clock());
}

/** What channels cannot say of a manual payout. */
const UNPROVEN =
  'no channel knows it, but a person may have paid it in the lost time: compare with the statement of the bank';

/** Records what channels answered about a withdrawal. One that is final and correct gets no finding. */
async function keepFinding(
  { database, clock }: Deps,
  recovery: RecoveryRow,
  { id, orderNo, status, attempts }: db.AskedWithdrawal,
  { unanswered, unexplained, atChannel }: Said,
): Promise<void> {
  const [kind, lines]: [FindingKind, readonly string[]] =
    unanswered.length > 0
      ? ['UNANSWERED', unanswered]
      : unexplained.length > 0
        ? ['UNEXPLAINED', unexplained]
        : atChannel.length > 0
          ? ['AT_CHANNEL', atChannel]
          : ['NOT_PAID', []];
  // Also what channels that answered have: an order without an answer may be paid by another one.
  const detail = kind === 'UNANSWERED' ? [...lines, ...unexplained, ...atChannel] : lines;
  const byHand = attempts.some(({ channelId, status: of }) => channelId === null && of !== 'CANCELLED');
  const asItShouldBe = kind === 'NOT_PAID' || kind === 'AT_CHANNEL';
  await noteFinding(
    database,
    {
      id: uuidv7(),
      recoveryId: recovery.id,
      kind,
      subject: `withdrawal:${orderNo}`,

      withdrawalId: id,
      detail: detail.join('\n') || (byHand ? UNPROVEN : 'no channel knows it'),
    },
    clock(),
    isFinalWithdrawal(status) && asItShouldBe,
  );
}

/** Lists what no order's own queries find: payouts of channels that are unknown here, and returns to payers. */
export async function listPayouts(deps: Deps, recovery: RecoveryRow): Promise<void> {
  const { database, openChannel, clock } = deps;
  await noteOpenReturns(database, recovery.id, clock());
  const keep = async (finding: Omit<NewFinding, 'id' | 'recoveryId'>): Promise<void> => {
    await noteFinding(database, { id: uuidv7(), recoveryId: recovery.id, ...finding }, clock());
  };
  for (const channel of await db.findBookChannels(database)) {
    const { id: channelId, channelCode } = channel;
    const subject = `channel:${channelCode}`;
    const list = await openChannel(channel).listPayouts(recovery.lostSince);
    if (list?.kind === 'NO_LIST')
      await keep({ kind: 'NO_LIST', subject, channelId, detail: 'the channel has no list' });
    else if (list?.kind === 'UNKNOWN') await keep({ kind: 'NO_LIST', subject, channelId, detail: list.reason });
    if (list?.kind !== 'LISTED') continue;
    await forgetFinding(database, recovery.id, subject);
    // Nothing was paid, and nothing will be.
    const listed = list.payouts.filter(({ status }) => status !== 'refused');
    for (let from = 0; from < listed.length; from += REFERENCES_AT_ONCE) {
      const some = listed.slice(from, from + REFERENCES_AT_ONCE);
      const names = some.map(({ reference }) => reference);
      const unknown = await findUnknownReferences(database, channelId, names);
      for (const { reference, amount, currencyCode, status } of some)
        if (unknown.has(reference))
          await keep({
            kind: 'UNKNOWN_HERE',
            subject: `payout:${channelCode}:${reference}`,
            channelId,
            detail: `${formatMoney(amount)} ${currencyCode}, ${status}`,
          });
    }
  }
}

/** Queries payouts, and prints the results. @returns whether nothing is left open */
export async function askPayoutsOnce(config: Config, sinceMs: number): Promise<boolean> {
  const database = openDatabase({ ...config.database, applicationName: 'causeway-ask' });
  const sender = openSender(config);
  try {
    const log = createLogger('ask', config.logLevel);
    const clock = new RoleClock(async () => await readClock(database), log);
    await clock.measure();
    const openChannel = openChannels({ config, clock, secrets: openSecrets(config) }, sender);
    const since = new Date(clock.now().getTime() - sinceMs);
    const recovery = await findRecovery(database);
    const open = recovery?.endedAt === null ? recovery : null;
    const found = await askPayouts({ database, clock: clock.now, openChannel }, since, open);
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

/** @returns how far back `payouts:ask` looks, milliseconds. @throws if it is not a number of days */
export function periodOf(args: readonly string[]): number {
  const [days = String(DEFAULT_DAYS)] = args;
  if (!/^[1-9]\d{0,3}$/.test(days))
    throw new Error('payouts:ask takes no arguments, or the number of days to look back');
  return Number(days) * DAY_MS;
}
