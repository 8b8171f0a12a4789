import { createHash } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { openBankText, sealBankText } from '../../crypto/personal';
import { CatalogueError, invalidField, notFound } from '../../domain/errors';
import { currencyDecimals } from '../../domain/money';
import type { BankAccountRow } from '../../db/accounts/bank-accounts';
import * as db from '../../db/texts/texts';
import { MOST_TEXT, readAlike, readText, TooCostly, TwoWays, Unreadable } from '../../statements';
import type { Actor } from '../access/actor';
import type { Needs } from '../context';
import { recordDebit } from '../debits/record-debit';
import { type ReportNeeds, recordTransfer } from '../transfers/record-transfer';
import { requireWatched } from '../transfers/reported-movement';

/** A message that a device forwards. */
export interface ForwardedText {
  readonly deviceId: string;
  readonly accountId: string;
  readonly sender: string;
  readonly text: string;
  readonly sentAt: Date;
  readonly messageId?: string | null;
}

type Movement = NonNullable<ReturnType<typeof readText>>;

/** The calling agent. @throws AUTHORIZATION_ERROR for any other actor */
export function agentOf(actor: Actor): Extract<Actor, { kind: 'agent' }>['key'] {
  if (actor.kind === 'agent') return actor.key;
  throw new CatalogueError('AUTHORIZATION_ERROR', 'agents only');
}

/** Records the movement of a message as the agent's report. @throws INVALID_FIELD for impossible data */
async function record(
  context: ReportNeeds,
  { id: lineKey, accountId }: db.TextRow,
  { currencyCode }: BankAccountRow,
  said: Movement,
): Promise<{ transferId: string } | { debitId: string }> {
  const { direction, amount, at, memo, reference, balance, party, partyAccount } = said;
  const movement = {
    accountId,
    amount,
    currencyCode,
    bankTime: at,
    memo,
    bankReference: reference,
    balanceAfter: balance,
    // Two equal messages are two movements, unless a reference or a balance shows that they are one.
    lineKey: reference === null && balance === null ? lineKey : null,
  };
  if (direction === 'CREDIT') {
    const { transfer } = await recordTransfer(context, {
      ...movement,
      payerName: party,
      payerAccount: partyAccount,
    });
    return { transferId: transfer.id };
  }
  const { debit } = await recordDebit(context, {
    ...movement,
    payeeName: party,
    payeeAccount: partyAccount,
  });
  return { debitId: debit.id };
}

/** What the patterns of a bank read in a message, or why none may be believed. */
function readBy(
  patterns: readonly db.PatternRow[],
  text: db.TextRow,
  { currencyCode, timeZone }: BankAccountRow,
): { readonly pattern: db.PatternRow; readonly said: Movement } | { readonly problem: string } {
  let problem = 'no pattern of the bank fits';
  let read: { readonly pattern: db.PatternRow; readonly said: Movement } | undefined;
  for (const pattern of patterns)
    try {
      const said = readText(pattern, text, timeZone, currencyDecimals(currencyCode) ?? 2);
      if (said && read && !readAlike(read.said, said))
        return { problem: `${read.pattern.name} and ${pattern.name} read it differently` };
      if (said) read ??= { pattern, said };
    } catch (error) {
      const why = error instanceof Error ? `${pattern.name}: ${error.message}` : problem;
      if (error instanceof TwoWays) return { problem: why };
      if (!(error instanceof Unreadable) && !(error instanceof TooCostly)) throw error;
      problem = why;
    }
  return read ?? { problem };
}

/**
 * Reads one message by the patterns of its bank, and records its movement. A message that no pattern reads, or that two
 * read differently, waits, and is listed.
 */
export async function readOne(context: ReportNeeds & Needs<'loaders'>, text: db.TextRow): Promise<db.TextRow> {
  const { database, loaders, log, now: triedAt, sealer } = context;
  const account = await loaders.bankAccounts.load(text.accountId);
  if (!account) throw notFound('bank account');
  const wait = async (problem: string): Promise<db.TextRow> =>
    (await db.settleText(database.sql, text.id, { state: 'UNREAD', triedAt, problem })) ?? text;
  const clear = { ...text, text: openBankText(sealer, text) };
  const patterns = await db.findPatterns(database, account.bankCode, false);
  const read = readBy(patterns, clear, account);
  if ('problem' in read) return await wait(read.problem);
  const { pattern, said } = read;
  try {
    const recorded = await record(context, text, account, said);
    log.info({ textId: text.id, pattern: pattern.name, ...recorded }, 'message of a bank read');
    const done = { ...recorded, state: 'RECORDED', triedAt, patternId: pattern.id } as const;
    return (await db.settleText(database.sql, text.id, done)) ?? text;
  } catch (error) {
    if (!(error instanceof CatalogueError) || error.kind !== 'INVALID_FIELD') throw error;
    return await wait(`${pattern.name}: ${error.message}`);
  }
}

/**
 * Stores a message once, and reads it if its device is paired.
 * @throws AUTHORIZATION_ERROR for an account that the key does not watch
 */
export async function takeText(
  context: ReportNeeds & Needs<'loaders'>,
  forwarded: ForwardedText,
): Promise<{ readonly text: db.TextRow; readonly duplicate: boolean }> {
  const { actor, database, now, sealer } = context;
  const { deviceId, accountId, sender, text, sentAt, messageId } = forwarded;
  const { id: agentKeyId } = agentOf(actor);
  requireWatched(actor, accountId);
  if (text.trim() === '') throw invalidField('text', 'must not be empty', 'REQUIRED');
  if (Array.from(text).length > MOST_TEXT)
    throw invalidField('text', `must have at most ${MOST_TEXT} characters`, 'OUT_OF_RANGE');
  const device = await db.seeDevice(
    database,
    {
      id: uuidv7(),
      agentKeyId,
      deviceId,
      label: null,
      version: null,
      battery: null,
      waiting: null,
    },
    now,
  );
  const said = JSON.stringify([accountId, sender, text, sentAt.toISOString()]);
  const id = uuidv7();
  const kept = await db.keepText(database, {
    id,
    deviceId: device.id,
    accountId,
    sender,
    sentAt,
    receivedAt: now,
    text: sealBankText(sealer, id, text),
    dedupeKey: messageId ? `id:${messageId}` : `sha:${createHash('sha256').update(said).digest('hex')}`,
  });
  // An earlier message is read again if its reading was interrupted.
  if (kept.text.state !== 'UNREAD' || device.pairedAt === null) return kept;
  return { ...kept, text: await readOne(context, kept.text) };
}

/** The most messages that one heartbeat reads again. */
const AGAIN = 20;

/** Records a device's heartbeat, and reads its waiting messages that a newer pattern may read. */
export async function seeDevice(
  context: ReportNeeds & Needs<'loaders'>,
  report: Omit<db.DeviceReport, 'id' | 'agentKeyId'>,
): Promise<db.DeviceRow> {
  const { actor, database, now } = context;
  const { id: agentKeyId } = agentOf(actor);
  const device = await db.seeDevice(database, { id: uuidv7(), agentKeyId, ...report }, now);
  for (const text of await db.findReadable(database, device.id, AGAIN)) await readOne(context, text);
  return device;
}
