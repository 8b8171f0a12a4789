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
import { businessError, invalidField, notFound } from '../../domain/errors';
import { FINDING_KINDS, type FindingKind } from '../../domain/recovery';
import type { ChangeRow } from '../../db/changes/change-requests';
import * as findings from '../../db/platform/findings';
import { countOpenDepositsOf, findRecoveryProblem, type RecoveryRow } from '../../db/platform/recoveries';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { propose } from '../../steps/changes/propose';
import type { GraphContext } from '../context';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { enumOf } from '../scalars';
import { requireEvidence } from '../../steps/postings/post';
import {
  type EndRecoveryPayload,
  type ExplainFindingsPayload,
  RECOVERY_PROBLEMS,
} from '../../steps/recovery/recovery-effects';
import { recordLostNumber, recoveryOrRefuse } from '../../steps/recovery/recovery';

/** The most findings that one change explains, and the longest reference at a channel. */
const MOST_EXPLAINED = 100;
const MOST_REFERENCE = 63;

export const RecoveryFindingKindEnum = enumOf(FINDING_KINDS);
registerEnumType(RecoveryFindingKindEnum, {
  name: 'RecoveryFindingKind',
  description: 'What a recovery found out about a subject.',
  valuesConfig: {
    NOT_PAID: {
      description:
        'Of a withdrawal: no channel has paid it, or is about to. A person may have paid it: no manual payout of it begins until two people explain it.',
    },
    AT_CHANNEL: { description: 'A channel has it, or has paid it: the order follows the channel.' },
    UNEXPLAINED: {
      description:
        'A channel has it, or has paid it, but the order cannot follow: it is final, a person’s task, or has another attempt. Held until two people explain it.',
    },
    UNANSWERED: {
      description:
        'A channel did not answer clearly. It is held and asked for again, also after the end, or until two people explain it.',
    },
    OPEN_RETURN: {
      description:
        'A return to a payer, open from before: a person may have sent it. It is held until two people explain it.',
    },
    UNKNOWN_HERE: {
      description: 'A channel lists a payout of which nothing is left here: its order was lost.',
    },
    NO_LIST: {
      description: 'A channel cannot list its payouts: what was lost there, nobody knows.',
    },
    LOST_NUMBER: {
      description:
        'A number of a merchant that was answered with 201 and lost, as an operator knows. It may be created again.',
    },
  },
});

@ObjectType({ simpleResolvers: true, description: 'How many findings of a kind a recovery has.' })
export class RecoveryCount {
  @Field(() => RecoveryFindingKindEnum, { description: 'What was found out.' })
  kind!: FindingKind;

  @Field(() => Int, { description: 'How many.' })
  count!: number;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'The database was restored to an earlier state. Until two people end the recovery no payout is sent, and nothing expires.',
})
export class Recovery {
  @Field(() => ID, { description: 'A UUID.' })
  id!: string;

  @Field(() => Int, { description: 'The epoch that it began: part of the references of payouts.' })
  epoch!: number;

  @Field({ description: 'What happened later than this may be lost.' })
  lostSince!: Date;

  @Field({ description: 'When it was noticed.' })
  begunAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'When the last round of questions that reached every withdrawal began.',
  })
  askedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When people ended it; null: it goes on.' })
  endedAt!: Date | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'Something that a recovery found out, or that an operator entered.',
})
export class RecoveryFinding {
  @Field(() => ID, { description: 'A UUID.' })
  id!: string;

  @Field(() => RecoveryFindingKindEnum, { description: 'What was found out.' })
  kind!: FindingKind;

  @Field({
    description:
      'What it is about: `withdrawal:W…`, `payout:{channel}:{reference}`, `return:{id}`, `channel:{code}` or `number:{merchant}:{number}`.',
  })
  subject!: string;

  @Field({ description: 'In words, such as what channels answered.' })
  detail!: string;

  @Field({ description: 'When it was found out, or entered.' })
  foundAt!: Date;

  @Field(() => ID, {
    nullable: true,
    description: 'The change request by which two people explained it; null: none yet.',
  })
  explainedBy!: string | null;
}

@InputType({ description: 'A payout that people found at a channel.' })
export class FoundPayoutInput {
  @Field(() => ID, { description: 'The channel that has it, or has paid it.' })
  channelId!: string;

  @Field({
    description: 'Our reference there, as in the finding or in the statement of the channel.',
  })
  reference!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A proposed change of a recovery.' })
export class RecoveryChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => Recovery, { description: 'Its present state.' })
  recovery!: RecoveryRow;
}

@Resolver(() => Recovery)
export class RecoveryResolver {
  @Authorized('VIEW')
  @Query(() => Recovery, {
    nullable: true,
    description: 'The recovery that goes on, or else the last one; null: there never was one.',
  })
  async recovery(@Ctx() { database }: GraphContext): Promise<RecoveryRow | undefined> {
    return await findings.findRecovery(database);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Why it cannot be ended now, in words; null: it can.',
  })
  async problem(@Root() { id }: RecoveryRow, @Ctx() { database }: GraphContext): Promise<string | null> {
    const problem = await findRecoveryProblem(database.sql, id);
    return problem && RECOVERY_PROBLEMS[problem];
  }

  @FieldResolver(() => [RecoveryCount], { description: 'How many findings there are, by kind.' })
  async counts(@Root() { id }: RecoveryRow, @Ctx() { database }: GraphContext): Promise<RecoveryCount[]> {
    const counts = await findings.countFindings(database, id);
    return [...counts].map(([kind, count]) => ({ kind, count }));
  }

  @FieldResolver(() => Int, {
    description:
      'Deposits from before that are PENDING: agents may have reported their payments in the lost time, and must repeat that.',
  })
  async openDeposits(@Root() { begunAt }: RecoveryRow, @Ctx() { database }: GraphContext): Promise<number> {
    return await countOpenDepositsOf(database, begunAt);
  }

  @Authorized('TREASURER')
  @Mutation(() => RecoveryChange, {
    description:
      'Proposes to end the recovery: payouts leave again, and what is overdue expires. A second person approves. Every withdrawal has to be asked for first.',
  })
  async endRecovery(
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<RecoveryChange> {
    const recovery = await recoveryOrRefuse(context);
    const problem = await findRecoveryProblem(context.database.sql, recovery.id);
    if (problem) throw businessError('WRONG_STATE', RECOVERY_PROBLEMS[problem]);
    const counts = await findings.countFindings(context.database, recovery.id);
    const summed = FINDING_KINDS.map((kind) => `${kind} ${counts.get(kind) ?? 0}`);
    const payload: EndRecoveryPayload = { recoveryId: recovery.id };
    const change = await propose(context, {
      kind: 'END_RECOVERY',
      subject: { kind: 'platform', id: recovery.id, name: `recovery ${recovery.epoch}` },
      summary: `End the recovery of what was lost since ${recovery.lostSince.toISOString()}: ${summed.join(', ')}`,
      before: { inRecovery: true },
      after: { inRecovery: false },
      payload,
      reason,
      evidence,
    });
    return { change, recovery: await recoveryOrRefuse(context) };
  }

  @Authorized('TREASURER')
  @Mutation(() => RecoveryChange, {
    description:
      'Proposes what people found out about what a recovery holds: that nobody paid it in the lost time, so that it goes on; or, of one withdrawal, which channel has it, so that the order follows that channel. Needs evidence, such as the statement of the bank or the channel; a second person approves.',
  })
  async explainFindings(
    @Arg('ids', () => [ID], { description: 'The ids of the findings, UUIDs, 100 at most.' })
    ids: string[],
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('paidAt', () => FoundPayoutInput, {
      nullable: true,
      description: 'Where the one withdrawal is; null: nobody paid.',
    })
    paidAt?: FoundPayoutInput | null,
  ): Promise<RecoveryChange> {
    requireEvidence(evidence);
    const recovery = await recoveryOrRefuse(context);
    const chosen = [...new Set(ids)];
    const most = paidAt ? 1 : MOST_EXPLAINED;
    if (chosen.length === 0 || chosen.length > most)
      throw invalidField('ids', `must be 1-${most} findings`, 'OUT_OF_RANGE');
    const rows = await findings.findFindings(context.database, recovery.id, chosen);
    if (rows.length !== chosen.length) throw notFound('finding');
    const channel = paidAt && (await context.loaders.channels.load(paidAt.channelId));
    if (paidAt && !channel) throw notFound('channel');
    const reference = paidAt?.reference.trim() ?? '';
    if (paidAt && (reference === '' || reference.length > MOST_REFERENCE))
      throw invalidField('paidAt.reference', `must be 1-${MOST_REFERENCE} characters`, 'OUT_OF_RANGE');
    const payload: ExplainFindingsPayload = {
      recoveryId: recovery.id,
      ids: chosen,
      paidAt: channel ? { channelId: channel.id, reference } : null,
    };
    const about = rows.length === 1 ? (rows[0]?.subject ?? '') : `${rows.length} findings`;
    const outcome = channel ? `${channel.channelCode} has it as ${reference}` : 'nobody paid it';
    const change = await propose(context, {
      kind: 'EXPLAIN_FINDINGS',
      subject: { kind: 'platform', id: recovery.id, name: `recovery ${recovery.epoch}` },
      summary: `Explain ${about} of the recovery: ${outcome} in the lost time`,
      before: {},
      after: {
        outcome,
        findings: rows.map(({ subject, kind, detail }) => `${subject} ${kind}: ${detail}`),
      },
      payload,
      reason,
      evidence,
    });
    return { change, recovery: await recoveryOrRefuse(context) };
  }

  @Authorized('SUPPORT')
  @Mutation(() => RecoveryFinding, {
    description:
      'Enters a number that a merchant was answered with 201 and that is lost, as logs of the gateway or the merchant say.',
  })
  async recordLostNumber(
    @Arg('merchantId', () => ID, { description: 'Whose number it is.' }) merchantId: string,
    @Arg('merchantOrderNo', { description: "The merchant's own number of the order." })
    merchantOrderNo: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<findings.FindingRow> {
    return await recordLostNumber(context, { merchantId, merchantOrderNo, reason });
  }
}
