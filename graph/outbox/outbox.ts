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
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { businessError, notFound } from '../../domain/errors';
import type { WorkflowNoun } from '../../domain/ids';
import type { ChangeRow } from '../../db/changes/change-requests';
import * as db from '../../db/events/outbox';
import { type BulkRefusal, eachOf } from '../../steps/bulk';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { propose } from '../../steps/changes/propose';
import { type GraphContext } from '../context';
import { type ErrorCode, ErrorCodeEnum } from '../error-codes';
import { linkTo, Workflow } from '../workflow';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { outboxFields } from '../../steps/outbox/outbox-effects';
import { release } from '../../steps/outbox/outbox';

/** The most rows released by one call. */
const MOST_AT_ONCE = 100;

export const OutboxNounEnum = {
  DEPOSIT: 'deposit',
  CHANNEL_DEPOSIT: 'channel_deposit',
  CALLBACK: 'callback',
  MAIL: 'mail',
  CASHIER: 'cashier',
  WITHDRAWAL: 'withdrawal',
  PLATFORM_EVENT: 'platform_event',
} as const satisfies Record<Uppercase<WorkflowNoun>, WorkflowNoun>;
registerEnumType(OutboxNounEnum, {
  name: 'OutboxNoun',
  description: 'What a workflow is about.',
  valuesConfig: {
    DEPOSIT: { description: 'A deposit order to an account.' },
    CHANNEL_DEPOSIT: { description: 'A deposit order that a channel takes or reports on.' },
    CALLBACK: { description: 'A callback to a merchant.' },
    MAIL: { description: 'A mail to an operator.' },
    CASHIER: { description: 'A cashier session.' },
    WITHDRAWAL: { description: 'A withdrawal order.' },
    PLATFORM_EVENT: { description: 'An event of the platform, such as an issued statement.' },
  },
});

@ObjectType({
  simpleResolvers: true,
  description:
    'A workflow to start or wake. Parked once Temporal has refused it ten times: then an operator must release it.',
})
export class OutboxRow {
  @Field(() => ID, { description: 'A UUID, as `releaseOutboxRow` takes it.' })
  id!: string;

  @Field(() => OutboxNounEnum, { description: 'What the workflow is about.' })
  noun!: WorkflowNoun;

  @Field(() => String, { nullable: true, description: 'The order that it is about.' })
  orderNo!: string | null;

  @Field(() => Int, {
    description: 'How often Temporal refused it as it is; outages do not count.',
  })
  refusals!: number;

  @Field(() => String, { nullable: true, description: 'The last error from Temporal.' })
  lastError!: string | null;

  @Field(() => Date, { nullable: true, description: 'Since when it waits for an operator.' })
  parkedAt!: Date | null;

  @Field({ description: 'When the order changed.' })
  createdAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'A proposed end of a parked outbox row.' })
export class OutboxRowChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;
}

@ObjectType({ simpleResolvers: true, description: 'The result of one of several rows.' })
export class BulkRelease implements BulkRefusal {
  @Field(() => ID, { description: 'The id of the row, as requested.' })
  id!: string;

  @Field(() => OutboxRow, { nullable: true, description: 'As it is now; null if refused.' })
  row!: db.OutboxView | null;

  @Field(() => ErrorCodeEnum, { nullable: true, description: 'The code of the refusal.' })
  code!: ErrorCode | null;

  @Field(() => String, { nullable: true, description: 'Why it was refused.' })
  message!: string | null;
}

@Resolver(() => OutboxRow)
export class OutboxResolver {
  @Authorized('SUPPORT')
  @Mutation(() => OutboxRow, {
    description: 'Releases a parked outbox row to the relay, due now. It carries no data, so nothing can happen twice.',
  })
  async releaseOutboxRow(
    @Arg('id', () => ID, { description: 'The id of the row.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.OutboxView> {
    return await release(context, id, reason);
  }

  @Authorized('SUPPORT')
  @Mutation(() => [BulkRelease], {
    description: `Releases several parked rows, at most ${MOST_AT_ONCE}: each as \`releaseOutboxRow\` does, with an outcome and an entry in the audit log of its own.`,
  })
  async releaseOutboxRows(
    @Arg('ids', () => [ID], { description: 'The ids of the rows.' }) ids: string[],
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<BulkRelease[]> {
    const named = { field: 'ids', values: ids, most: MOST_AT_ONCE };
    const results = await eachOf(context, named, 'releaseOutboxRows', async (id) => await release(context, id, reason));
    return results.map(({ value, done, ...refusal }) => ({ id: value, row: done, ...refusal }));
  }

  @Authorized('SUPPORT')
  @Mutation(() => OutboxRowChange, {
    description:
      'Proposes to delete a parked outbox row if a release cannot help: it will not wake its workflow. The sweeps still find an order that is overdue.',
  })
  async dropOutboxRow(
    @Arg('id', () => ID, { description: 'The id of the row.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<OutboxRowChange> {
    const row = await db.findOutbox(context.database, id);
    if (!row) throw notFound('outbox row');
    if (row.parkedAt === null) throw businessError('WRONG_STATE', 'the outbox row is not parked');
    const change = await propose(context, {
      kind: 'DROP_OUTBOX_ROW',
      subject: { kind: 'outbox_row', id, name: row.key },
      summary: `Drop the parked row of ${row.key}`,
      before: outboxFields(row),
      after: {},
      payload: { id },
      reason,
      evidence,
    });
    return { change };
  }

  @Authorized('VIEW')
  @FieldResolver(() => Workflow, { description: 'The Temporal workflow that it is meant for.' })
  workflow(@Root() { key }: db.OutboxView, @Ctx() context: GraphContext): Workflow {
    return linkTo(context, key);
  }
}
