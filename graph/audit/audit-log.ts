import { GraphQLJSONObject } from 'graphql-scalars';
import {
  Arg,
  Args,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { Plain } from '../../domain/change-request';
import * as list from '../../db/audit/audit-list';
import type { AuditRow } from '../../db/audit/audit-log';
import type { OperatorRow } from '../../db/operators/operators';
import {
  BY_ID,
  type Connected,
  connect,
  connectionOf,
  PageArgs,
  sortEnum,
  type SortName,
  TimeRange,
} from '../connection';
import { type GraphContext } from '../context';
import { SequenceScalar } from '../scalars';
import { Operator } from '../operators/operator';

@ObjectType({
  simpleResolvers: true,
  description: 'A row of the audit log: what an operator or a tool of one did, or tried.',
})
export class AuditEntry {
  @Field(() => ID)
  id!: string;

  @Field(() => SequenceScalar, { description: 'Its place in the chain: 1, 2, 3 without a gap.' })
  seq!: bigint;

  @Field()
  at!: Date;

  @Field(() => String, { nullable: true, description: 'The login at the time.' })
  login!: string | null;

  @Field(() => String, { nullable: true, description: '`session` or `token`.' })
  via!: string | null;

  @Field(() => String, { nullable: true, description: 'Tells sessions and tokens apart.' })
  credential!: string | null;

  @Field(() => String, { nullable: true, description: 'The address it came from.' })
  address!: string | null;

  @Field(() => String, { nullable: true })
  userAgent!: string | null;

  @Field({ description: 'The mutation.' })
  action!: string;

  @Field(() => String, { nullable: true, description: 'Such as `merchant:{id}`.' })
  subject!: string | null;

  @Field(() => String, { nullable: true })
  reason!: string | null;

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Secrets are masked.' })
  before!: Plain;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'What was done; of a refused one the ids that it named.',
  })
  after!: Plain;

  @Field({ description: '`OK`, or the kind of the refusal.' })
  outcome!: string;

  @Field({ description: 'Of the request; its log lines carry it too.' })
  traceId!: string;

  @Field({ description: 'Over this row and the hash of the row before.' })
  hash!: string;
}

@InputType({ description: 'Which rows of the audit log to show: all that is given must hold.' })
export class AuditLogFilter implements list.AuditFilter {
  @Field(() => [ID], { nullable: true, description: 'Of one of these operators.' })
  operatorId?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'One of these, such as `approveChange`.' })
  action?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Exactly this, such as `merchant:{id}`.' })
  subject?: string | null;

  @Field(() => [String], { nullable: true, description: '`OK`, or kinds of refusal.' })
  outcome?: string[] | null;

  @Field(() => TimeRange, { nullable: true })
  at?: TimeRange | null;
}

/** A page of the audit log. */
export const AuditLogConnection = connectionOf(AuditEntry, 'AuditLog');

/** How the audit log is sorted. */
export const AuditLogSort = sortEnum<'AT'>('AuditLogSort', { AT: 'By time' });

@Resolver(() => AuditEntry)
export class AuditLogResolver {
  @Authorized('ADMIN')
  @Query(() => AuditLogConnection, {
    description: 'What operators and their tools did or tried, newest first.',
  })
  async auditLog(
    @Args() page: PageArgs,
    @Ctx() { database }: GraphContext,
    @Arg('sort', () => AuditLogSort, { defaultValue: 'AT_DESC' }) sort: SortName<'AT'>,
    @Arg('filter', () => AuditLogFilter, { nullable: true }) filter?: AuditLogFilter | null,
  ): Promise<Connected<AuditRow>> {
    return await connect(
      {
        sorts: list.AUDIT_SORTS,
        id: BY_ID,
        read: async (wanted, part) => await list.listAudit(database, wanted, part),
        count: async (wanted, most) => await list.countAudit(database, wanted, most),
      },
      page,
      filter ?? {},
      sort,
    );
  }

  @FieldResolver(() => Operator, { nullable: true, description: 'Null where nobody is known.' })
  async operator(
    @Root() { operatorId }: AuditRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<OperatorRow | undefined> {
    return operatorId === null ? undefined : await loaders.operators.load(operatorId);
  }
}
