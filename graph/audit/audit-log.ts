import { GraphQLJSONObject } from 'graphql-scalars';
import { Ctx, Field, FieldResolver, ID, InputType, ObjectType, registerEnumType, Resolver, Root } from 'type-graphql';
import type { Plain } from '../../domain/change-request';
import * as list from '../../db/audit/audit-list';
import type { AuditRow } from '../../db/audit/audit-log';
import type { OperatorRow } from '../../db/operators/operators';
import { BY_ID, connectionOf, sortEnum, TimeRange } from '../connection';
import { type GraphContext } from '../context';
import { type AuditOutcome, AuditOutcomeEnum } from '../error-codes';
import { SequenceScalar } from '../scalars';
import { Operator } from '../operators/operator';
import { listResolver } from '../list-resolver';

export const AuditViaEnum = { SESSION: 'session', TOKEN: 'token' } as const;
registerEnumType(AuditViaEnum, {
  name: 'AuditVia',
  description: 'How an operator came in.',
  valuesConfig: {
    SESSION: { description: 'With a password.' },
    TOKEN: { description: 'With a personal token.' },
  },
});

@ObjectType({
  simpleResolvers: true,
  description: 'A row of the audit log: what an operator or a tool of one did, or tried.',
})
export class AuditEntry {
  @Field(() => ID, { description: 'A UUID; `seq` tells the order.' })
  id!: string;

  @Field(() => SequenceScalar, { description: 'Its place in the chain: 1, 2, 3 without a gap.' })
  seq!: bigint;

  @Field({ description: 'When it was done or tried.' })
  at!: Date;

  @Field(() => String, { nullable: true, description: 'The login at the time.' })
  login!: string | null;

  @Field(() => AuditViaEnum, { nullable: true, description: 'Null without a login.' })
  via!: 'session' | 'token' | null;

  @Field(() => String, { nullable: true, description: 'Tells sessions and tokens apart.' })
  credential!: string | null;

  @Field(() => String, { nullable: true, description: 'The address it came from.' })
  address!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The client's User-Agent header, its first 256 characters; null if it sent none.",
  })
  userAgent!: string | null;

  @Field({ description: 'The mutation.' })
  action!: string;

  @Field(() => String, { nullable: true, description: 'Such as `merchant:{id}`.' })
  subject!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The reason that the operator gave; null where the mutation takes none.',
  })
  reason!: string | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Secrets are masked.' })
  before!: Plain;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'What was done; of a refused one the ids that it named.',
  })
  after!: Plain;

  @Field(() => AuditOutcomeEnum, {
    description: '`OK`, or the kind of the refusal. Expect new kinds.',
  })
  outcome!: AuditOutcome;

  @Field({ description: 'Of the request; its log lines carry it too.' })
  traceId!: string;

  @Field({ description: 'Over this row and the hash of the row before.' })
  hash!: string;
}

@InputType({ description: 'Filter of rows of the audit log. All given conditions must hold.' })
export class AuditLogFilter implements list.AuditFilter {
  @Field(() => [ID], { nullable: true, description: 'Of one of these operators.' })
  operatorId?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'One of these, such as `approveChange`.' })
  action?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Exactly this, such as `merchant:{id}`.' })
  subject?: string | null;

  @Field(() => [AuditOutcomeEnum], { nullable: true, description: 'One of these.' })
  outcome?: AuditOutcome[] | null;

  @Field(() => TimeRange, { nullable: true, description: 'When it was done or tried.' })
  at?: TimeRange | null;
}

export const AuditLogListResolver = listResolver('auditLog', {
  description: 'What operators and their tools did or tried, newest first.',
  role: 'ADMIN',
  connection: connectionOf(AuditEntry, 'AuditLog'),
  sort: sortEnum('AuditLogSort', { AT: 'By time' }),
  defaultSort: 'AT_DESC',
  filter: AuditLogFilter,
  sorts: list.AUDIT_SORTS,
  id: BY_ID,
  read: list.listAudit,
  count: list.countAudit,
});

@Resolver(() => AuditEntry)
export class AuditLogResolver {
  @FieldResolver(() => Operator, {
    nullable: true,
    description: 'Null where the actor is unknown.',
  })
  async operator(@Root() { operatorId }: AuditRow, @Ctx() { loaders }: GraphContext): Promise<OperatorRow | undefined> {
    return operatorId === null ? undefined : await loaders.operators.load(operatorId);
  }
}
