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
  Query,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { businessError, invalidField, notFound } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { FINDING_KINDS, type FindingKind } from '../../domain/recovery';
import type { ChangeRow } from '../../db/changes/change-requests';
import * as findings from '../../db/platform/findings';
import {
  countOpenDepositsOf,
  findRecoveryProblem,
  type RecoveryRow,
} from '../../db/platform/recoveries';
import { operatorOf } from '../access/authorization';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { propose } from '../changes/propose';
import type { GraphContext } from '../context';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { operatorAction } from '../operators/operator-action';
import { enumOf } from '../scalars';
import { type EndRecoveryPayload, RECOVERY_PROBLEMS } from './recovery-effects';

export const RecoveryFindingKindEnum = enumOf(FINDING_KINDS);
registerEnumType(RecoveryFindingKindEnum, {
  name: 'RecoveryFindingKind',
  description: 'What a recovery found out about a subject.',
  valuesConfig: {
    NOT_PAID: { description: 'Of a withdrawal: no channel has paid it, or is about to.' },
    AT_CHANNEL: { description: 'A channel has it, or has paid it: the order follows the channel.' },
    UNEXPLAINED: {
      description:
        'A channel has it, or has paid it, but the order cannot follow: it is final, a person’s task, or has another attempt.',
    },
    UNANSWERED: {
      description:
        'A channel did not answer clearly. It is held and asked for again, also after the end.',
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
      'What it is about: `withdrawal:W…`, `payout:{channel}:{reference}`, `channel:{code}` or `number:{merchant}:{number}`.',
  })
  subject!: string;

  @Field({ description: 'In words, such as what channels answered.' })
  detail!: string;

  @Field({ description: 'When it was found out, or entered.' })
  foundAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'A proposed end of a recovery.' })
export class RecoveryChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => Recovery, { description: 'Its present state.' })
  recovery!: RecoveryRow;
}

async function found({ database }: GraphContext): Promise<RecoveryRow> {
  const recovery = await findings.findRecovery(database);
  if (!recovery) throw notFound('recovery');
  return recovery;
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
  async problem(
    @Root() { id }: RecoveryRow,
    @Ctx() { database }: GraphContext,
  ): Promise<string | null> {
    const problem = await findRecoveryProblem(database.sql, id);
    return problem && RECOVERY_PROBLEMS[problem];
  }

  @FieldResolver(() => [RecoveryCount], { description: 'How many findings there are, by kind.' })
  async counts(
    @Root() { id }: RecoveryRow,
    @Ctx() { database }: GraphContext,
  ): Promise<RecoveryCount[]> {
    const counts = await findings.countFindings(database, id);
    return [...counts].map(([kind, count]) => ({ kind, count }));
  }

  @FieldResolver(() => Int, {
    description:
      'Deposits from before that are PENDING: agents may have reported their payments in the lost time, and must repeat that.',
  })
  async openDeposits(
    @Root() { begunAt }: RecoveryRow,
    @Ctx() { database }: GraphContext,
  ): Promise<number> {
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
    const recovery = await found(context);
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
      ...{ payload, reason, evidence },
    });
    return { change, recovery: await found(context) };
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
    const recovery = await found(context);
    const merchant = await context.loaders.merchants.load(merchantId);
    if (!merchant) throw notFound('merchant');
    if (merchantOrderNo === '' || Array.from(merchantOrderNo).length > LIMITS.merchantOrderNo)
      throw invalidField(
        'merchantOrderNo',
        `must be 1-${LIMITS.merchantOrderNo} characters`,
        'OUT_OF_RANGE',
      );
    const subject = `number:${merchant.merchantCode}:${merchantOrderNo}`;
    const action = { action: 'recordLostNumber', subject: `merchant:${merchantId}`, reason };
    return await operatorAction(context, { ...action, detail: { merchantOrderNo } }, async (tx) => {
      if (await findings.isNumberKnown(tx, merchantId, merchantOrderNo))
        throw businessError('WRONG_STATE', 'the number is known here: it was not lost');
      const finding: findings.NewFinding = {
        ...{ id: uuidv7(), recoveryId: recovery.id, kind: 'LOST_NUMBER', subject, merchantId },
        ...{ detail: reason, enteredBy: operatorOf(context.actor).id },
      };
      await findings.noteFinding({ sql: tx }, finding, context.now);
      const kept = await findings.findFinding(tx, recovery.id, subject);
      if (!kept) throw notFound('finding');
      return kept;
    });
  }
}
