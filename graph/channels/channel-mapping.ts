import { GraphQLJSONObject } from 'graphql-scalars';
import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { tryMapping } from '../../channels';
import type { Plain } from '../../domain/change-request';
import { businessError, invalidField } from '../../domain/errors';
import { readMapping, readStoredMapping } from '../../domain/mapping/check';
import { differencesOf, flatten } from '../../domain/mapping/flatten';
import { type ChannelMappingRow, insertMapping, insertTrial } from '../../db/channels/mappings';
import { EvidenceInput } from '../changes/change-request';
import { propose } from '../../steps/changes/propose';
import type { GraphContext } from '../context';
import { EVIDENCE, REASON } from '../descriptions';
import { operatorAction } from '../../steps/operators/operator-action';
import { Channel, ChannelChange } from './channel';
import type { PutMappingPayload } from '../../steps/channels/channel-mapping-effects';
import { operatorOf } from '../../steps/access/caller';
import { mappedChannel, trialOf, versionOf } from '../../steps/channels/channel-mapping';

/** The longest mapping and the longest note, characters. */
const MOST_MAPPING = 64 * 1024;
const MOST_NOTE = 256;

@ObjectType({
  simpleResolvers: true,
  description: 'A value in which two versions of a mapping differ.',
})
export class ChannelMappingDifference {
  @Field({ description: 'Where it is, such as /operations/sendPayout/path.' })
  path!: string;

  @Field(() => String, {
    nullable: true,
    description: 'In the version in force; null: it has none.',
  })
  before!: string | null;

  @Field(() => String, { nullable: true, description: 'In this version; null: it has none.' })
  after!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'One check of the conformance kit.' })
export class ChannelMappingCheck {
  @Field({ description: 'What was tried, such as a recorded answer with a wrong amount.' })
  name!: string;

  @Field({ description: 'Whether it passed.' })
  passed!: boolean;

  @Field({ description: 'The actual result; empty if it passed.' })
  detail!: string;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A trial of a version of a mapping by the conformance kit.',
})
export class ChannelMappingTrial {
  @Field({ description: 'Whether all checks passed: then the version may be put in force.' })
  passed!: boolean;

  @Field({ description: 'When it was tried.' })
  triedAt!: Date;

  @Field(() => [ChannelMappingCheck], { description: 'All checks.' })
  checks!: readonly ChannelMappingCheck[];
}

@ObjectType({
  simpleResolvers: true,
  description: 'A version of a mapping, which declares how a channel talks to its provider. It never changes.',
})
export class ChannelMapping {
  @Field(() => Int, { description: '1, 2, 3 … of its channel.' })
  version!: number;

  @Field(() => GraphQLJSONObject, { description: 'As docs/channels.md describes it.' })
  mapping!: Plain;

  @Field({ description: 'What is new in it.' })
  note!: string;

  @Field({ description: 'When it was saved.' })
  createdAt!: Date;
}

@Resolver(() => ChannelMapping)
export class ChannelMappingResolver {
  @Authorized('VIEW')
  @FieldResolver(() => Boolean, { description: 'Whether it is in force.' })
  async inForce(@Root() row: ChannelMappingRow, @Ctx() { loaders }: GraphContext): Promise<boolean> {
    return (await loaders.channels.load(row.channelId))?.mappingVersion === row.version;
  }

  @Authorized('VIEW')
  @FieldResolver(() => ChannelMappingTrial, {
    nullable: true,
    description: 'Its last trial by the conformance kit; null: it was not tried.',
  })
  async trial(@Root() row: ChannelMappingRow, @Ctx() context: GraphContext): Promise<ChannelMappingTrial | undefined> {
    return await trialOf(context, row);
  }

  @Authorized('VIEW')
  @FieldResolver(() => [ChannelMappingDifference], {
    description: 'Its differences from the version in force; all values if there is none.',
  })
  async differences(
    @Root() row: ChannelMappingRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly ChannelMappingDifference[]> {
    const inForce = (await loaders.channels.load(row.channelId))?.mappingVersion;
    const versions = await loaders.channelMappings.load(row.channelId);
    const before = versions.find(({ version }) => version === inForce);
    return differencesOf(before?.mapping ?? {}, row.mapping);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => ChannelMapping, {
    description:
      'Saves a version of a channel’s mapping. It has no effect before `putChannelMapping`. All errors are returned with their paths.',
  })
  async saveChannelMapping(
    @Arg('channelId', () => ID, { description: 'A channel that was created as mapped.' })
    channelId: string,
    @Arg('mapping', () => GraphQLJSONObject, {
      description: 'The whole mapping (docs/channels.md).',
    })
    given: Plain,
    @Arg('note', { description: `What is new in it, at most ${MOST_NOTE} characters.` })
    note: string,
    @Ctx() context: GraphContext,
  ): Promise<ChannelMappingRow> {
    await mappedChannel(context, channelId);
    if (note.trim() === '' || Array.from(note).length > MOST_NOTE)
      throw invalidField('note', `must have 1-${MOST_NOTE} characters`, 'OUT_OF_RANGE');
    if (JSON.stringify(given).length > MOST_MAPPING)
      throw invalidField('mapping', `must have at most ${MOST_MAPPING} characters`, 'OUT_OF_RANGE');
    const mapping = readMapping(given);
    if ('problems' in mapping)
      throw invalidField('mapping', mapping.problems.map(({ path, problem }) => `${path} ${problem}`).join('; '));
    const action = { action: 'saveChannelMapping', subject: `channel:${channelId}`, reason: note };
    const createdBy = operatorOf(context.actor).id;
    const version = await operatorAction(
      context,
      action,
      async (tx) => await insertMapping(tx, { channelId, mapping: given, note, createdBy }, context.now),
    );
    context.loaders.channelMappings.clear(channelId);
    return await versionOf(context, channelId, version);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => ChannelMapping, {
    description:
      'Tries a version by the conformance kit: its recorded samples, and faults. Nothing is sent, and no money moves.',
  })
  async tryChannelMapping(
    @Arg('channelId', () => ID, { description: 'A channel that was created as mapped.' })
    channelId: string,
    @Arg('version', () => Int, { description: 'Which version of its mapping.' }) version: number,
    @Ctx() context: GraphContext,
  ): Promise<ChannelMappingRow> {
    const channel = await mappedChannel(context, channelId);
    const row = await versionOf(context, channelId, version);
    const mapping = readStoredMapping(row.mapping);
    if ('problems' in mapping) throw businessError('WRONG_STATE', 'the mapping is no longer valid');
    const secret = context.sealer.open(channel.sealedSecret ?? '', `channel:${channelId}`);
    const checks = await tryMapping(mapping, context.environment, secret);
    const passed = checks.every((check) => check.passed);
    const reason = `version ${version}`;
    const action = {
      action: 'tryChannelMapping',
      subject: `channel:${channelId}`,
      reason,
      detail: { passed },
    };
    const triedBy = operatorOf(context.actor).id;
    await operatorAction(context, action, async (tx) => {
      const trial = {
        id: uuidv7(),
        channelId,
        version,
        passed,
        checks,
        triedBy,
        triedAt: context.now,
      };
      await insertTrial(tx, trial);
    });
    context.loaders.channelMappingTrials.clear(channelId);
    return row;
  }

  @Authorized('CONFIGURE')
  @Mutation(() => ChannelChange, {
    description:
      'Proposes to put a version of a mapping in force, which the conformance kit must have passed; payouts under way continue with it.',
  })
  async putChannelMapping(
    @Arg('channelId', () => ID, { description: 'A channel that was created as mapped.' })
    channelId: string,
    @Arg('version', () => Int, { description: 'Which version of its mapping.' }) version: number,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<ChannelChange> {
    const channel = await mappedChannel(context, channelId);
    const row = await versionOf(context, channelId, version);
    const versions = await context.loaders.channelMappings.load(channelId);
    const current = versions.find((one) => one.version === channel.mappingVersion);
    const payload: PutMappingPayload = { id: channelId, version };
    const change = await propose(context, {
      kind: 'PUT_CHANNEL_MAPPING',
      subject: { kind: 'channel', id: channelId, name: channel.channelCode },
      summary: `Put version ${version} of the mapping of the channel ${channel.name} in force`,
      before: { version: channel.mappingVersion, ...(current && flatten(current.mapping)) },
      after: { version, ...flatten(row.mapping) },
      payload,
      reason,
      evidence,
    });
    if (change.status !== 'APPLIED') return { change, channel: null };
    const changed = await context.loaders.channels.clear(channelId).load(channelId);
    return { change, channel: changed ?? null };
  }
}

@Resolver(() => Channel)
export class ChannelMappingOfChannelResolver {
  @Authorized('VIEW')
  @FieldResolver(() => [ChannelMapping], {
    description: 'The versions of its mapping, the newest first.',
  })
  async mappings(@Root() { id }: Channel, @Ctx() { loaders }: GraphContext): Promise<readonly ChannelMappingRow[]> {
    return await loaders.channelMappings.load(id);
  }
}
