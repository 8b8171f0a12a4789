import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { openBankText } from '../../crypto/personal';
import { businessError, invalidField, notFound } from '../../domain/errors';
import type { Money } from '../../domain/money';
import { TEXT_STATES, type TextState } from '../../domain/text-pattern';
import { isZone } from '../../domain/zone';
import type { BankAccountRow } from '../../db/accounts/bank-accounts';
import type { ChangeRow } from '../../db/changes/change-requests';
import * as db from '../../db/texts/texts';
import { findBankDebit } from '../../db/transfers/bank-debits';
import { findBankTransfer } from '../../db/transfers/bank-transfers';
import {
  checkPattern,
  MOST_TEXT,
  PUBLISHED_PATTERNS,
  type PublishedPattern,
  readText,
  type TextPattern as Pattern,
  tryPattern,
  TwoWays,
  Unreadable,
} from '../../statements';
import { ActorInfo, actorInfoOf } from '../actor-info';
import { BankAccount } from '../accounts/bank-account';
import { warrantOf } from '../authority/warrant';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { propose } from '../../steps/changes/propose';
import type { GraphContext } from '../context';
import { BankDebit } from '../debits/bank-debit';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { operatorAction } from '../../steps/operators/operator-action';
import { DecimalScalar, enumOf } from '../scalars';
import { BankTransfer } from '../transfers/bank-transfer';
import { type PatternPayload, patternFields } from '../../steps/texts/pattern-effects';
import { pairDevice, unpairDevice } from '../../steps/texts/pair-device';
import { type ForwardedText, seeDevice, takeText } from '../../steps/texts/read-text';
import { actorName } from '../../steps/access/caller';

export const AgentTextState = enumOf(TEXT_STATES);
registerEnumType(AgentTextState, {
  name: 'AgentTextState',
  description: 'What became of a message.',
  valuesConfig: {
    UNREAD: { description: 'No pattern reads it so far; a newer one reads it again.' },
    RECORDED: { description: 'It is recorded as a credit or a debit.' },
    NO_MONEY: { description: 'A person says that it reports none.' },
  },
});

@ObjectType({ simpleResolvers: true, description: 'A device that forwards messages of banks.' })
export class AgentDevice {
  @Field(() => ID, { description: 'A UUID, as `pairDevice` takes it.' })
  id!: string;

  @Field(() => ID, { description: 'The agent key under which it forwards.' })
  agentKeyId!: string;

  @Field({ description: 'As it calls itself.' })
  deviceId!: string;

  @Field({ description: 'A name for people.' })
  label!: string;

  @Field(() => String, { nullable: true, description: 'Of its program.' })
  version!: string | null;

  @Field(() => Int, { nullable: true, description: 'Percent; null where it does not say.' })
  battery!: number | null;

  @Field(() => Int, { nullable: true, description: 'Messages that it has not sent so far.' })
  waiting!: number | null;

  @Field({ description: 'When it came first.' })
  firstSeenAt!: Date;

  @Field({ description: 'Its last heartbeat.' })
  lastSeenAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'Since when what it forwards is read; null: it is kept unread.',
  })
  pairedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A message of a bank as it was forwarded.' })
export class AgentText {
  @Field(() => ID, { description: 'A UUID.' })
  id!: string;

  @Field(() => ID, { description: 'The managed account that it is about.' })
  accountId!: string;

  @Field({ description: 'Who sent it.' })
  sender!: string;

  @Field({ description: 'When the device got it, by its own clock.' })
  sentAt!: Date;

  @Field({ description: 'When it came here.' })
  receivedAt!: Date;

  @Field(() => AgentTextState, { description: 'What became of it.' })
  state!: TextState;

  @Field(() => String, { nullable: true, description: 'Why it was not read or recorded.' })
  problem!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'What became of a forwarded message.' })
export class AgentTextResult {
  @Field(() => AgentText, { description: 'The message as it is kept.' })
  text!: AgentText;

  @Field({ description: 'It had come before.' })
  duplicate!: boolean;
}

@InputType({ description: 'A message of a bank, as a device forwards it.' })
export class AgentTextInput implements ForwardedText {
  @Field({ description: 'As the device calls itself; 1-64 characters.' })
  deviceId!: string;

  @Field(() => ID, { description: 'The managed account that it is about, a UUID.' })
  accountId!: string;

  @Field({ description: 'Who sent it, such as bKash.' })
  sender!: string;

  @Field({ description: 'As it came; at most 2000 characters.' })
  text!: string;

  @Field({ description: 'When the device got it.' })
  sentAt!: Date;

  @Field(() => String, { nullable: true, description: 'The device’s own number of it.' })
  messageId?: string | null;
}

@InputType({ description: 'A heartbeat of a device.' })
export class HeartbeatInput {
  @Field({ description: 'As the device calls itself; 1-64 characters.' })
  deviceId!: string;

  @Field(() => String, { nullable: true, description: 'A name for people.' })
  label?: string | null;

  @Field(() => String, { nullable: true, description: 'Of its program.' })
  version?: string | null;

  @Field(() => Int, { nullable: true, description: 'Percent.' })
  battery?: number | null;

  @Field(() => Int, { nullable: true, description: 'Messages that it has not sent so far.' })
  waiting?: number | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'How messages of a bank are read. A version never changes: a change is the next one.',
})
export class TextPattern {
  @Field(() => ID, { description: 'A UUID, of this version.' })
  id!: string;

  @Field({ description: 'What people call it.' })
  name!: string;

  @Field(() => Int, { description: 'From 1.' })
  version!: number;

  @Field({ description: 'It reads messages about accounts at this bank.' })
  bankCode!: string;

  @Field(() => String, { nullable: true, description: 'Who sends them; null: anybody.' })
  sender!: string | null;

  @Field({ description: 'CREDIT or DEBIT.' })
  direction!: string;

  @Field({ description: 'A regular expression of RE2 with named groups.' })
  pattern!: string;

  @Field(() => String, { nullable: true, description: 'How the group `time` is written.' })
  timeFormat!: string | null;

  @Field({ description: 'Before the decimals: a point or a comma.' })
  decimalSign!: string;

  @Field(() => Int, { description: 'What its years are ahead of ours: 543 in Thailand.' })
  yearsAhead!: number;

  @Field({ description: 'Whether it is in force.' })
  active!: boolean;

  @Field({ description: 'When it came into force.' })
  createdAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'A pattern that somebody has published.' })
export class PublishedTextPattern {
  @Field({ description: 'What it is called.' })
  name!: string;

  @Field({ description: 'The bank or the wallet.' })
  bankCode!: string;

  @Field(() => String, { nullable: true, description: 'Who sends the messages.' })
  sender!: string | null;

  @Field({ description: 'CREDIT or DEBIT.' })
  direction!: string;

  @Field({ description: 'A regular expression of RE2 with named groups.' })
  pattern!: string;

  @Field(() => String, { nullable: true, description: 'How the group `time` is written.' })
  timeFormat!: string | null;

  @Field({ description: 'Before the decimals.' })
  decimalSign!: string;

  @Field(() => Int, { description: 'What its years are ahead of ours.' })
  yearsAhead!: number;
}

@InputType({ description: 'How messages of a bank are to be read.' })
export class TextPatternInput {
  @Field({ description: '1-64 characters; that of an existing one makes its next version.' })
  name!: string;

  @Field({ description: 'It reads messages about accounts at this bank.' })
  bankCode!: string;

  @Field(() => String, { nullable: true, description: 'Who sends them; null: anybody.' })
  sender?: string | null;

  @Field({ defaultValue: 'CREDIT', description: 'CREDIT or DEBIT.' })
  direction!: string;

  @Field({
    description: 'A regular expression of RE2 with the groups amount, balance, reference, payer, account, memo, time.',
  })
  pattern!: string;

  @Field(() => String, {
    nullable: true,
    description: 'How the group `time` is written, such as DD/MM/YYYY HH:mm.',
  })
  timeFormat?: string | null;

  @Field({ defaultValue: '.', description: 'Before the decimals: a point or a comma.' })
  decimalSign!: string;

  @Field(() => Int, { defaultValue: 0, description: '543 in Thailand.' })
  yearsAhead!: number;

  @Field({ defaultValue: true, description: 'False: it reads nothing any more.' })
  active!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'What a pattern reads of a sample.' })
export class TriedText {
  @Field({ description: 'The sample.' })
  text!: string;

  @Field({ description: 'Whether the pattern fits.' })
  fits!: boolean;

  @Field(() => String, { nullable: true, description: 'What is wrong where it fits.' })
  problem!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'What came or left.' })
  amount!: Money | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'The balance after it.' })
  balance!: Money | null;

  @Field(() => String, { nullable: true, description: "The bank's own reference." })
  reference!: string | null;

  @Field(() => String, { nullable: true, description: 'Who paid or was paid.' })
  party!: string | null;

  @Field(() => String, { nullable: true, description: 'That account.' })
  partyAccount!: string | null;

  @Field(() => String, { nullable: true, description: 'The text of the transfer.' })
  memo!: string | null;

  @Field(() => Date, { nullable: true, description: 'When it was booked.' })
  at!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A proposed pattern.' })
export class TextPatternChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => TextPattern, { nullable: true, description: 'Null until the change is applied.' })
  pattern!: db.PatternRow | null;
}

/** @throws INVALID_FIELD */
function patternOf(input: TextPatternInput): Pattern {
  const { direction, decimalSign, pattern, yearsAhead } = input;
  if (direction !== 'CREDIT' && direction !== 'DEBIT')
    throw invalidField('direction', 'must be CREDIT or DEBIT', 'UNKNOWN_VALUE');
  if (decimalSign !== '.' && decimalSign !== ',')
    throw invalidField('decimalSign', 'must be a point or a comma', 'UNKNOWN_VALUE');
  const sender = input.sender?.trim() ?? '';
  const checked: Pattern = {
    direction,
    decimalSign,
    pattern,
    yearsAhead,
    sender: sender === '' ? null : sender,
    timeFormat: input.timeFormat ?? null,
  };
  checkPattern(checked);
  return checked;
}

const MOST_SAMPLES = 20;
const MOST_TEXTS = 100;

/**
 * @throws INVALID_FIELD for an invalid name
 */
function requireName(field: string, text: string, most = 64): void {
  if (text.trim() === '' || Array.from(text).length > most)
    throw invalidField(field, `must have 1-${most} characters`, 'OUT_OF_RANGE');
}

@Resolver(() => AgentText)
export class AgentTextResolver {
  @FieldResolver(() => String, { description: 'As it came.' })
  text(@Root() text: db.TextRow, @Ctx() { sealer }: GraphContext): string {
    return openBankText(sealer, text);
  }

  @Authorized('AGENT')
  @Mutation(() => AgentTextResult, {
    description:
      'Keeps a message of a bank as it came, and records what the patterns of the bank read in it. Safe to repeat.',
  })
  async recordAgentText(
    @Arg('input', { description: 'The message.' }) input: AgentTextInput,
    @Ctx() context: GraphContext,
  ): Promise<{ text: db.TextRow; duplicate: boolean }> {
    requireName('deviceId', input.deviceId);
    requireName('sender', input.sender);
    return await takeText(context, input);
  }

  @Authorized('AGENT')
  @Mutation(() => AgentDevice, {
    description: 'A heartbeat of a device; its unread messages are read again by newer patterns.',
  })
  async reportHeartbeat(
    @Arg('input', { description: 'What the device says of itself.' }) input: HeartbeatInput,
    @Ctx() context: GraphContext,
  ): Promise<db.DeviceRow> {
    requireName('deviceId', input.deviceId);
    const { battery = null, deviceId, label = null, version = null, waiting = null } = input;
    if (battery !== null && (battery < 0 || battery > 100))
      throw invalidField('battery', 'must be 0-100', 'OUT_OF_RANGE');
    return await seeDevice(context, { deviceId, battery, label, version, waiting });
  }

  @Authorized('VIEW')
  @Query(() => [AgentText], {
    description: `Messages of banks as they were forwarded, the newest first, at most ${MOST_TEXTS}.`,
  })
  async agentTexts(
    @Ctx() { database }: GraphContext,
    @Arg('states', () => [AgentTextState], { nullable: true, description: 'All unless given.' })
    states?: TextState[] | null,
    @Arg('accountId', () => ID, { nullable: true, description: 'About this account.' })
    accountId?: string | null,
    @Arg('before', () => Date, { nullable: true, description: 'That came before.' })
    before?: Date | null,
  ): Promise<db.TextRow[]> {
    return await db.listTexts(database, {
      states: states ?? null,
      accountId: accountId ?? null,
      before: before ?? null,
      first: MOST_TEXTS,
    });
  }

  @Authorized('RECONCILE')
  @Mutation(() => AgentText, {
    description: 'Says that a message reports no money, such as an advertisement.',
  })
  async setTextWithoutMoney(
    @Arg('id', () => ID, { description: 'The id of the message.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.TextRow> {
    const { database, now } = context;
    const text = await db.findText(database, id);
    if (!text) throw notFound('message');
    const action = { action: 'setTextWithoutMoney', subject: `agent_text:${id}`, reason };
    return await operatorAction(context, action, async (tx) => {
      const done = { state: 'NO_MONEY', triedAt: now, problem: reason } as const;
      const settled = await db.settleText(tx, id, done);
      if (!settled) throw businessError('WRONG_STATE', 'the message is read already');
      return settled;
    });
  }

  @Authorized('VIEW')
  @FieldResolver(() => BankAccount, { description: 'The account that it is about.' })
  async account(
    @Root() { accountId }: AgentText,
    @Ctx() { loaders }: GraphContext,
  ): Promise<BankAccountRow | undefined> {
    return await loaders.bankAccounts.load(accountId);
  }

  @Authorized('VIEW', 'AGENT')
  @FieldResolver(() => BankTransfer, { nullable: true, description: 'The credit that it reports.' })
  async transfer(@Root() { transferId }: db.TextRow, @Ctx() { database }: GraphContext) {
    return transferId === null ? undefined : await findBankTransfer(database, transferId);
  }

  @Authorized('VIEW', 'AGENT')
  @FieldResolver(() => BankDebit, { nullable: true, description: 'The debit that it reports.' })
  async debit(@Root() { debitId }: db.TextRow, @Ctx() { database }: GraphContext) {
    return debitId === null ? undefined : await findBankDebit(database.sql, debitId);
  }
}

@Resolver(() => AgentDevice)
export class AgentDeviceResolver {
  @Authorized('VIEW')
  @Query(() => [AgentDevice], { description: 'What forwards messages, the newest first.' })
  async agentDevices(@Ctx() { database }: GraphContext): Promise<db.DeviceRow[]> {
    return await db.findDevices(database);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => AgentDevice, {
    description: 'Lets what a device forwards be read, the messages that wait too.',
  })
  async pairDevice(
    @Arg('id', () => ID, { description: 'The id of the device.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.DeviceRow | undefined> {
    return await pairDevice(context, warrantOf(context, 'pairDevice'), { id, reason });
  }

  @Authorized('CONFIGURE')
  @Mutation(() => AgentDevice, { description: 'What a device forwards is kept, and read no more.' })
  async unpairDevice(
    @Arg('id', () => ID, { description: 'The id of the device.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.DeviceRow | undefined> {
    return await unpairDevice(context, { id, reason });
  }

  @Authorized('VIEW')
  @FieldResolver(() => ActorInfo, { nullable: true, description: 'Who paired it.' })
  pairedBy(@Root() { pairedBy }: db.DeviceRow): ActorInfo | null {
    return pairedBy === null ? null : actorInfoOf(pairedBy);
  }
}

@Resolver(() => TextPattern)
export class TextPatternResolver {
  @Authorized('VIEW')
  @Query(() => [TextPattern], { description: 'How messages are read, by name.' })
  async textPatterns(
    @Ctx() { database }: GraphContext,
    @Arg('all', { defaultValue: false, description: 'Versions that are in force no more, too.' })
    all?: boolean,
  ): Promise<db.PatternRow[]> {
    return await db.findPatterns(database, null, all ?? false);
  }

  @Authorized('VIEW')
  @Query(() => [PublishedTextPattern], {
    description: 'Patterns for messages as somebody has published them: a beginning, no promise of a bank.',
  })
  publishedTextPatterns(): readonly PublishedPattern[] {
    return PUBLISHED_PATTERNS;
  }

  @Authorized('CONFIGURE')
  @Query(() => [TriedText], {
    description: `The reading of samples by a pattern: at most ${MOST_SAMPLES}, of ${MOST_TEXT} characters each. It records nothing.`,
  })
  async tryTextPattern(
    @Arg('input', { description: 'The pattern.' }) input: TextPatternInput,
    @Arg('samples', () => [String], { description: 'Messages as they came.' }) samples: string[],
    @Ctx() { now }: GraphContext,
    @Arg('timeZone', { defaultValue: 'UTC', description: 'Of the account.' }) timeZone?: string,
  ): Promise<TriedText[]> {
    const zone = timeZone ?? 'UTC';
    if (!isZone(zone)) throw invalidField('timeZone', 'must be a time zone', 'UNKNOWN_VALUE');
    if (samples.length > MOST_SAMPLES) throw invalidField('samples', `must be at most ${MOST_SAMPLES}`, 'OUT_OF_RANGE');
    if (samples.some((sample) => Array.from(sample).length > MOST_TEXT))
      throw invalidField('samples', `must have at most ${MOST_TEXT} characters each`, 'OUT_OF_RANGE');
    const pattern = patternOf(input);
    const fit = await tryPattern(pattern, samples);
    const nothing = { amount: null, balance: null, reference: null, party: null };
    const none = { ...nothing, partyAccount: null, memo: null, at: null };
    return samples.map((text) => {
      const message = { sender: pattern.sender ?? '', text, sentAt: now };
      try {
        const read = readText(pattern, message, zone, 4, fit);
        return { text, fits: read !== null, problem: null, ...none, ...read };
      } catch (error) {
        if (!(error instanceof Unreadable) && !(error instanceof TwoWays)) throw error;
        return { text, fits: true, problem: error.message, ...none };
      }
    });
  }

  @Authorized('CONFIGURE')
  @Mutation(() => TextPatternChange, {
    description:
      'Proposes a pattern, or the next version of one: what it reads is recorded as money. Messages that wait are read again by it.',
  })
  async putTextPattern(
    @Arg('input', { description: 'The pattern as it is to be.' }) input: TextPatternInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<TextPatternChange> {
    const { actor, database } = context;
    const name = input.name.trim();
    const bankCode = input.bankCode.trim();
    requireName('name', name);
    requireName('bankCode', bankCode, 32);
    const id = uuidv7();
    const payload: PatternPayload = {
      id,
      name,
      bankCode,
      ...patternOf(input),
      active: input.active,
      createdBy: actorName(actor),
    };
    const all = await db.findPatterns(database, null, true);
    const current = all.find((one) => one.name === name);
    const change = await propose(context, {
      kind: 'PUT_TEXT_PATTERN',
      subject: { kind: 'text_pattern', id: current?.id ?? id, name },
      summary: `${current ? 'Change' : 'Add'} the pattern ${name} for messages of ${bankCode}`,
      before: current ? patternFields(current) : {},
      after: patternFields(payload),
      payload,
      reason,
      evidence,
    });
    if (change.status !== 'APPLIED') return { change, pattern: null };
    const now = await db.findPatterns(database, null, true);
    return { change, pattern: now.find((one) => one.name === name) ?? null };
  }

  @Authorized('VIEW')
  @FieldResolver(() => ActorInfo, { description: 'Who proposed it.' })
  createdBy(@Root() { createdBy }: db.PatternRow): ActorInfo {
    return actorInfoOf(createdBy);
  }
}
