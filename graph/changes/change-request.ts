import { GraphQLJSONObject } from 'graphql-scalars';
import {
  Arg,
  Authorized,
  Ctx,
  Extensions,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import {
  ALONE_REASONS,
  type AloneReason,
  CHANGE_KINDS,
  CHANGE_STATUSES,
  type ChangeKind,
  type ChangeStatus,
  type Settings,
  statusAt,
  SUBJECT_KINDS,
  type SubjectKind,
} from '../../domain/change-request';
import type { Money } from '../../domain/money';
import * as list from '../../db/changes/change-request-list';
import type * as db from '../../db/changes/change-requests';
import type { OperatorRow } from '../../db/operators/operators';
import { BY_ID, connectionOf, sortEnum, TimeRange } from '../connection';
import { warrantOf } from '../authority/warrant';
import { type GraphContext } from '../context';
import { IDEMPOTENCY_KEY, idempotent } from '../../steps/idempotent';
import { NAMED_ID } from '../ids';
import {
  approveChange,
  findDecided,
  refusalOfApproval,
  rejectChange,
  withdrawChange,
} from '../../steps/changes/propose';
import { DecimalScalar, enumOf } from '../scalars';
import { Operator } from '../operators/operator';
import { listResolver, toOwnMerchants } from '../list-resolver';
import { REASON } from '../descriptions';
import { operatorOf } from '../../steps/access/caller';

export const ChangeKindEnum = enumOf(CHANGE_KINDS);
registerEnumType(ChangeKindEnum, {
  name: 'ChangeKind',
  description: 'What a change request does once it is approved.',
  valuesConfig: {
    CREATE_MERCHANT: { description: 'Adds a merchant with its currencies.' },
    UPDATE_MERCHANT: {
      description: 'Changes settings, limits, fee rules, callback hosts, permissions.',
    },
    ISSUE_API_KEY: { description: 'An additional key of a merchant.' },
    ROTATE_API_KEY: { description: 'A key that replaces those of the merchant.' },
    REVOKE_API_KEY: { description: "Ends a merchant's key." },
    CREATE_BANK_ACCOUNT: { description: 'Registers a managed bank account.' },
    UPDATE_BANK_ACCOUNT: { description: "Changes an account's name, limits and float." },
    SET_BANK_ACCOUNT_STATUS: { description: 'Activates, pauses or disables an account.' },
    CREATE_AGENT_KEY: { description: 'Lets an agent report on accounts.' },
    REVOKE_AGENT_KEY: { description: "Ends an agent's key." },
    TOP_UP_BALANCE: { description: 'Adds money that a merchant prepaid.' },
    ADJUST_BALANCE: { description: "Corrects a merchant's balance, up or down." },
    MATCH_TRANSFER: {
      description: 'Matches a bank credit to a deposit beyond the automatic rule.',
    },
    COMBINE_TRANSFERS: { description: 'Matches several bank credits to one deposit.' },
    SPLIT_TRANSFER: { description: 'Splits one bank credit over several deposits.' },
    COMPLETE_TRANSFER: {
      description: 'Completes a manual payout that no bank debit shows yet.',
    },
    RECALL_DEPOSIT: { description: 'Recalls a completed deposit from its merchant.' },
    CREATE_SETTLEMENT_ACCOUNT: { description: "Registers a merchant's account for settlements." },
    DISABLE_SETTLEMENT_ACCOUNT: { description: 'Disables a settlement account.' },
    PUT_SETTLEMENT_PLAN: { description: 'Sets the plan by which a merchant is settled.' },
    END_SETTLEMENT_PLAN: { description: 'Ends the settlement plan of a merchant in a currency.' },
    PUT_CALENDAR: { description: 'Sets a calendar of days on which banks do not work.' },
    INVITE_OPERATOR: { description: 'Mails an invitation to become an operator.' },
    SET_OPERATOR_ACCESS: { description: 'Gives an operator other roles or merchants.' },
    SET_OPERATOR_DISABLED: { description: 'Disables or enables the login of an operator.' },
    CREATE_ROLE: { description: 'Adds a role.' },
    UPDATE_ROLE: { description: 'Changes what a role allows.' },
    DELETE_ROLE: { description: 'Removes an unused role.' },
    PUT_CHANNEL_MAPPING: {
      description: 'Puts another version of a channel’s mapping in force.',
    },
    PUT_TEXT_PATTERN: { description: 'Sets a pattern that reads a bank’s messages.' },
    PUT_STATEMENT_RULE: { description: 'Sets a rule that explains lines of statements.' },
    PUT_COMMISSION_RATE: {
      description: "Says who earns which share of a merchant's fees from a day on.",
    },
    PUT_FEE_SCHEDULE: { description: 'Sets a fee schedule of a merchant from a day on.' },
    PUT_ROUTING_RULES: { description: 'Sets the routing rules of a currency.' },
    PUT_POOL: { description: 'Adds a pool of accounts and channels, or changes what is in one.' },
    PUT_BANKS: { description: 'Adds banks to the directory of a currency, or changes them.' },
    PUT_REVIEW_RULES: { description: 'Sets the review rules of withdrawals.' },
    LIST_BENEFICIARY: { description: 'Puts a beneficiary on the allowlist or the denylist.' },
    UNLIST_BENEFICIARY: { description: 'Takes a beneficiary off its list.' },
    PUT_PAYER_RULES: { description: 'Sets the payer rules.' },
    LIST_PAYER: { description: 'Puts a payer on a list.' },
    UNLIST_PAYER: { description: 'Takes a payer off its list.' },
    PUT_EVENT_ADDRESSES: { description: 'Sets the addresses of a platform event.' },
    DROP_OUTBOX_ROW: { description: 'Drops an outbox row that Temporal refuses.' },
    ERASE_PERSON: { description: 'Erases a payer or a beneficiary from its orders.' },
    CREDIT_LATE_MONEY: { description: 'Credits money that came late, or for no order.' },
    CREDIT_TOP_UP: { description: "Credits a merchant's top-up that came to an account." },
    DISMISS_DUPLICATE: { description: 'Reverses a bank credit that was reported twice.' },
    RETURN_LATE_MONEY: { description: 'A channel gave back what it had received too late.' },
    WRITE_OFF_MONEY: { description: 'Writes off money that nobody claims.' },
    POST_INTEREST: { description: "Posts a credit as the bank's interest." },
    RETURN_PAYOUT: {
      description: 'Credits a merchant with a manual payout that its bank returned.',
    },
    RETURN_MONEY: { description: 'Sends money that waits back to its payer.' },
    REFUND_DEPOSIT: { description: 'Refunds a completed deposit to its payer, or a part.' },
    COMPLETE_RETURN: {
      description: 'Completes a return to a payer that no bank debit shows yet.',
    },
    POST_BANK_CHARGE: { description: "Posts a debit as the bank's charge." },
    PAY_COMMISSION: { description: 'Posts a debit as commissions paid out to a reseller.' },
    TAKE_PROFIT: { description: 'Posts a debit as profit taken out.' },
    MOVE_OWN_MONEY: { description: 'Posts a transfer between own accounts and channels.' },
    OPEN_BOOK: { description: 'Opens the book of an account or channel with a balance.' },
    CORRECT_BOOK: { description: 'Corrects the book of an account or channel.' },
    POST_CHANNEL_CHARGE: { description: 'Posts what a channel charged beside its orders.' },
    SETTLE_CHANNEL_CLAIM: { description: 'A channel gave back what it had paid too much.' },
    WRITE_OFF_CHANNEL_CLAIM: { description: 'Gives up what a channel owes.' },
    REVERSE_POSTING: { description: 'Reverses a posting by operators.' },
    END_RECOVERY: { description: 'Ends a recovery: payouts are sent again.' },
    EXPLAIN_STATEMENT: {
      description: 'Lets a statement that does not add up be imported.',
    },
    EXPLAIN_FINDINGS: { description: 'Explains what a recovery holds, so that it goes on.' },
    CREATE_CHANNEL: { description: 'Adds a payment channel.' },
    RESOLVE_PAYOUT: { description: 'Resolves a payout with an unknown outcome.' },
    SET_CHANNEL_ENABLED: { description: 'Enables or disables a channel.' },
    UPDATE_CHANNEL: { description: "Changes a channel's settings." },
  },
});

export const ChangeStatusEnum = enumOf(CHANGE_STATUSES);
registerEnumType(ChangeStatusEnum, {
  name: 'ChangeStatus',
  description: 'The status of a change request.',
  valuesConfig: {
    PROPOSED: { description: 'Waits for another person; has no effect yet.' },
    APPLIED: { description: 'Approved and applied, in one transaction.' },
    REJECTED: { description: 'Another person refused it.' },
    WITHDRAWN: { description: 'Its proposer took it back.' },
    EXPIRED: { description: 'Nobody decided in time.' },
  },
});

export const ChangeSubjectKindEnum = Object.fromEntries(
  SUBJECT_KINDS.map((kind) => [kind.toUpperCase(), kind]),
) as Record<Uppercase<SubjectKind>, SubjectKind>;
registerEnumType(ChangeSubjectKindEnum, {
  name: 'ChangeSubjectKind',
  description: 'What a change request is about.',
  valuesConfig: {
    MERCHANT: { description: 'A merchant.' },
    POOL: { description: 'Accounts and channels that some merchants use.' },
    TEXT_PATTERN: { description: 'A pattern that reads a bank’s messages.' },
    STATEMENT: { description: 'A statement of a managed account.' },
    STATEMENT_RULE: { description: 'A rule that explains lines of statements.' },
    API_KEY: { description: 'A credential of a merchant.' },
    BANK_ACCOUNT: { description: 'A managed bank account.' },
    BANK_TRANSFER: { description: 'A credit that a bank reported.' },
    BANK_DEBIT: { description: 'A debit that a bank reported.' },
    POSTING: { description: 'A posting by operators.' },
    PAYER_RETURN: { description: 'A return of money to its payer.' },
    CHANNEL: { description: 'A channel.' },
    DEPOSIT: { description: 'A deposit order.' },
    CALENDAR: { description: 'A list of the days on which banks do not work.' },
    SETTLEMENT_ACCOUNT: { description: 'An account that settlements go to.' },
    WITHDRAWAL: { description: 'A withdrawal order.' },
    AGENT_KEY: { description: 'A key of an agent that watches bank accounts.' },
    OPERATOR: { description: 'An operator, or an invitation to become one.' },
    ROLE: { description: 'A role; its id is its name.' },
    BANK_DIRECTORY: { description: 'The banks of a currency; its id is the currency.' },
    ROUTING_RULES: { description: 'The routing rules of a currency.' },
    REVIEW_RULES: { description: 'The rules by which withdrawals are reviewed.' },
    BENEFICIARY: { description: 'A beneficiary on a list.' },
    PAYER_RULES: { description: 'The rules about payers, by merchant and currency.' },
    LISTED_PAYER: { description: 'A payer on a list.' },
    EVENT_ADDRESSES: { description: 'The addresses of a platform event.' },
    PLATFORM: { description: 'The platform itself, as the end of a recovery is.' },
    OUTBOX_ROW: { description: 'A row of the outbox that Temporal refuses.' },
  },
});

export const AloneReasonEnum = enumOf(ALONE_REASONS);
registerEnumType(AloneReasonEnum, {
  name: 'AloneReason',
  description: 'Why one person was enough for a change.',
  valuesConfig: {
    CLOSING: { description: 'It only removed permissions or lowered limits, which never waits.' },
    SANDBOX: { description: 'The setting ONE_PERSON_CHANGES, which production refuses.' },
  },
});

@ObjectType({ simpleResolvers: true, description: 'What a change request changes or makes.' })
export class ChangeSubject {
  @Field(() => ChangeSubjectKindEnum, {
    description: 'The kind of the subject. Expect new kinds.',
  })
  kind!: SubjectKind;

  @Field(() => ID, {
    description: 'Its id; of a role its name. What is to be made has its id already.',
  })
  id!: string;

  @Field({ description: 'Its name when the change was proposed.' })
  name!: string;
}

@ObjectType({ simpleResolvers: true, description: 'The evidence for a change.' })
export class Evidence {
  @Field(() => String, {
    nullable: true,
    description: 'What was written for the approver; null if nothing was.',
  })
  text!: string | null;

  @Field(() => [String], { description: 'https addresses: tickets, documents.' })
  links!: readonly string[];
}

@InputType({ description: 'The evidence for a change, for the operators who decide.' })
export class EvidenceInput {
  @Field(() => String, { nullable: true, description: 'At most 4000 characters.' })
  text?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: 'https addresses: tickets, documents; at most 10.',
  })
  links?: string[] | null;
}

@ObjectType({ simpleResolvers: true, description: 'The money that a change moves.' })
export class ChangeMoney {
  @Field(() => DecimalScalar, { description: 'Negative where it is taken away.' })
  amount!: Money;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'A proposal of one operator on which another decides. It is applied once, in the transaction that approves it.',
})
export class ChangeRequest {
  @Field(() => ID, {
    description: 'A UUID, as `approveChange`, `rejectChange` and `withdrawChange` take it.',
  })
  id!: string;

  @Field(() => ChangeKindEnum, { description: 'What it does. Expect new kinds.' })
  kind!: ChangeKind;

  @Field({ description: 'What it does, in one sentence.' })
  summary!: string;

  @Field(() => GraphQLJSONObject, {
    description: 'The fields that change, as they were when it was proposed; secrets are masked.',
  })
  before!: Settings;

  @Field(() => GraphQLJSONObject, { description: 'The same fields as it makes them.' })
  after!: Settings;

  @Field(() => [String], { description: 'The names of the fields that change.' })
  touches!: readonly string[];

  @Field(() => ChangeMoney, { nullable: true, description: 'Null where no money moves.' })
  money!: ChangeMoney | null;

  @Field({ description: 'Why it was proposed.' })
  reason!: string;

  @Field(() => AloneReasonEnum, {
    nullable: true,
    description: 'Why one person was enough; null if two were needed, or while it is undecided.',
  })
  alone!: AloneReason | null;

  @Field({ description: 'When it was proposed.' })
  proposedAt!: Date;

  @Field({ description: 'When it can no longer be approved.' })
  expiresAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'When it was approved, rejected or withdrawn; null while it waits.',
  })
  decidedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'Why it was approved, rejected, withdrawn.' })
  decisionReason!: string | null;
}

@InputType({ description: 'Filter of change requests. All given conditions must hold.' })
export class ChangeRequestFilter implements list.ChangeFilter {
  @Field(() => [ChangeStatusEnum], { nullable: true, description: 'One of these.' })
  status?: ChangeStatus[] | null;

  @Field(() => [ChangeKindEnum], { nullable: true, description: 'One of these.' })
  kind?: ChangeKind[] | null;

  @Field(() => ChangeSubjectKindEnum, {
    nullable: true,
    description: 'The kind of its subject; null: no condition.',
  })
  subjectKind?: SubjectKind | null;

  @Extensions(NAMED_ID)
  @Field(() => ID, { nullable: true, description: 'Exactly this subject.' })
  subjectId?: string | null;

  @Field(() => [ID], { nullable: true, description: 'That concern one of these merchants.' })
  merchantId?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'Proposed by one of these operators.' })
  proposedBy?: string[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: leaves out what you proposed yourself.',
  })
  notMine?: boolean | null;

  @Field(() => [String], { nullable: true, description: 'That change one of these fields.' })
  touches?: string[] | null;

  @Field(() => TimeRange, { nullable: true, description: 'When it was proposed.' })
  proposedAt?: TimeRange | null;
}

export const ChangeRequestListResolver = listResolver('changeRequests', {
  description: 'Change requests, newest first.',
  connection: connectionOf(ChangeRequest, 'ChangeRequest'),
  sort: sortEnum('ChangeRequestSort', { PROPOSED_AT: 'By the time of the proposal' }),
  defaultSort: 'PROPOSED_AT_DESC',
  filter: ChangeRequestFilter,
  sorts: list.CHANGE_SORTS,
  id: BY_ID,
  read: list.listChanges,
  count: list.countChanges,
  narrow: ({ notMine, ...asked }, context) => ({
    ...toOwnMerchants(asked, context),
    notProposedBy: notMine ? operatorOf(context.actor).id : null,
  }),
});

@Resolver(() => ChangeRequest)
export class ChangeRequestResolver {
  @Authorized('VIEW')
  @Query(() => ChangeRequest, { nullable: true, description: 'One change request.' })
  async changeRequest(
    @Arg('id', () => ID, { description: 'A UUID.' }) id: string,
    @Ctx() { actor, loaders }: GraphContext,
  ): Promise<db.ChangeRow | undefined> {
    const { merchantIds } = operatorOf(actor);
    const change = await loaders.changes.load(id);
    const hidden = merchantIds !== null && !merchantIds.some((merchant) => merchant === change?.merchantId);
    return hidden ? undefined : change;
  }

  @Authorized('APPROVE', 'TREASURER')
  @Mutation(() => ChangeRequest, {
    description:
      'Approves a change request and carries it out, at once and once. Not by its proposer, not with an api token, not beyond your limit, not if what it changes has changed since.',
  })
  async approveChange(
    @Arg('id', () => ID, { description: 'The id of the change request.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    idempotencyKey?: string | null,
  ): Promise<db.ChangeRow> {
    const warrant = warrantOf(context, 'approveChange');
    return await idempotent(
      context,
      { mutation: warrant.step, key: idempotencyKey, args: { id, reason } },
      async (recordKey) => await approveChange(context, warrant, id, reason, recordKey),
      async (done) => await findDecided(context, done),
    );
  }

  @Authorized('APPROVE')
  @Mutation(() => ChangeRequest, {
    description: 'Rejects a change request, which then has no effect. Not by its proposer.',
  })
  async rejectChange(
    @Arg('id', () => ID, { description: 'The id of the change request.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    idempotencyKey?: string | null,
  ): Promise<db.ChangeRow> {
    return await idempotent(
      context,
      { mutation: 'rejectChange', key: idempotencyKey, args: { id, reason } },
      async (recordKey) => await rejectChange(context, id, reason, recordKey),
      async (done) => await findDecided(context, done),
    );
  }

  @Authorized('OPERATOR')
  @Mutation(() => ChangeRequest, { description: 'Takes back a change request of your own.' })
  async withdrawChange(
    @Arg('id', () => ID, { description: 'The id of the change request.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    idempotencyKey?: string | null,
  ): Promise<db.ChangeRow> {
    return await idempotent(
      context,
      { mutation: 'withdrawChange', key: idempotencyKey, args: { id, reason } },
      async (recordKey) => await withdrawChange(context, id, reason, recordKey),
      async (done) => await findDecided(context, done),
    );
  }

  @FieldResolver(() => ChangeStatusEnum, { description: 'Its status.' })
  status(@Root() change: db.ChangeRow, @Ctx() { now }: GraphContext): ChangeStatus {
    return statusAt(change, now);
  }

  @FieldResolver(() => ChangeSubject, { description: 'What it changes or makes.' })
  subject(@Root() change: db.ChangeRow): ChangeSubject {
    return { kind: change.subjectKind, id: change.subjectId, name: change.subjectName };
  }

  @FieldResolver(() => Evidence, { description: 'The evidence for it.' })
  evidence(@Root() { evidence, evidenceLinks }: db.ChangeRow): Evidence {
    return { text: evidence, links: evidenceLinks };
  }

  @FieldResolver(() => Operator, { description: 'The operator who proposed it.' })
  async proposedBy(@Root() change: db.ChangeRow, @Ctx() { loaders }: GraphContext): Promise<OperatorRow | undefined> {
    return await loaders.operators.load(change.proposedBy);
  }

  @FieldResolver(() => Operator, {
    nullable: true,
    description: 'Who approved, rejected, withdrew.',
  })
  async decidedBy(
    @Root() { decidedBy }: db.ChangeRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<OperatorRow | undefined> {
    return decidedBy === null ? undefined : await loaders.operators.load(decidedBy);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Why you may not approve it; null if you may.',
  })
  refusal(@Root() change: db.ChangeRow, @Ctx() context: GraphContext): string | null {
    return refusalOfApproval(context, change);
  }
}
