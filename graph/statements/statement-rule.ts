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
import { businessError, invalidField, notFound } from '../../domain/errors';
import type { Money } from '../../domain/money';
import { checkRule, RULE_ACTIONS, type RuleAction, type StatementRule as Rule } from '../../domain/statement-rule';
import type { BankAccountRow } from '../../db/accounts/bank-accounts';
import type { ChangeRow } from '../../db/changes/change-requests';
import type { OperatorPostingRow } from '../../db/ledger/operator-postings';
import * as db from '../../db/statements/rules';
import { checkMemoPattern } from '../../statements';
import { ActorInfo, actorInfoOf } from '../actor-info';
import { BankAccount } from '../accounts/bank-account';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { propose } from '../../steps/changes/propose';
import type { GraphContext } from '../context';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { checkedAmount } from '../../steps/postings/checked-amount';
import { OperatorPosting } from '../postings/operator-posting';
import { DecimalScalar, enumOf } from '../scalars';
import { type RulePayload, ruleFields } from '../../steps/statements/rule-effects';
import { BankStatement, StatementLine } from './statement';
import { actorName } from '../../steps/access/caller';

export const RuleActionEnum = enumOf(RULE_ACTIONS);
registerEnumType(RuleActionEnum, {
  name: 'StatementRuleAction',
  description: 'What a rule says that a line of a statement is.',
  valuesConfig: {
    BANK_CHARGE: { description: 'The bank charged the account: posted as BANK_CHARGED.' },
    INTEREST: { description: 'The bank paid interest: posted as INTEREST_RECEIVED.' },
    OWN_TRANSFER: {
      description: 'Our own money moved to or from the other account: posted as both legs, once both are there.',
    },
  },
});

@ObjectType({
  simpleResolvers: true,
  description:
    'Which lines of statements an import explains, and as what. A version never changes: a change is the next one.',
})
export class StatementRule {
  @Field(() => ID, { description: 'A UUID, of this version.' })
  id!: string;

  @Field({ description: 'What people call it.' })
  name!: string;

  @Field(() => Int, { description: 'From 1.' })
  version!: number;

  @Field(() => RuleActionEnum, { description: 'What its lines are.' })
  action!: RuleAction;

  @Field({ description: 'CREDIT or DEBIT, seen from the account.' })
  direction!: string;

  @Field({ description: 'A regular expression of RE2 that the text of a line has to fit.' })
  memoPattern!: string;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => DecimalScalar, { description: 'The most that it explains of one line.' })
  maxAmount!: Money;

  @Field(() => DecimalScalar, { description: 'The most that it explains on one UTC day.' })
  maxDayAmount!: Money;

  @Field(() => ID, {
    nullable: true,
    description: 'Whose lines it explains; null: those of all accounts in its currency.',
  })
  accountId!: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'Of an own transfer: the account at the other end.',
  })
  otherAccountId!: string | null;

  @Field({ description: 'Whether it is in force.' })
  active!: boolean;

  @Field({ description: 'When it came into force.' })
  createdAt!: Date;
}

@InputType({ description: 'A rule for lines of statements, as it is to be.' })
export class StatementRuleInput {
  @Field({ description: '1-64 characters; that of an existing one makes its next version.' })
  name!: string;

  @Field(() => RuleActionEnum, { description: 'What its lines are.' })
  action!: RuleAction;

  @Field({ description: 'CREDIT or DEBIT, seen from the account.' })
  direction!: string;

  @Field({
    description:
      'A regular expression of RE2 that the text of a line has to fit somewhere; case does not matter. None that fits an empty text.',
  })
  memoPattern!: string;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => DecimalScalar, { description: 'The most that it explains of one line.' })
  maxAmount!: Money;

  @Field(() => DecimalScalar, { description: 'The most that it explains on one UTC day.' })
  maxDayAmount!: Money;

  @Field(() => ID, {
    nullable: true,
    description: 'Whose lines it explains; null: those of all accounts in its currency.',
  })
  accountId?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'Of an own transfer: the account at the other end.',
  })
  otherAccountId?: string | null;

  @Field({ defaultValue: true, description: 'False: it explains nothing any more.' })
  active!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'A proposed rule.' })
export class StatementRuleChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => StatementRule, {
    nullable: true,
    description: 'Null until the change is applied.',
  })
  rule!: db.RuleRow | null;
}

@ObjectType({ simpleResolvers: true, description: 'What a rule explains of a statement.' })
export class StatementRuleTotal {
  @Field(() => Int, { description: 'How many lines.' })
  lines!: number;

  @Field(() => DecimalScalar, { description: 'What these lines add up to.' })
  amount!: Money;
}

/**
 * @throws INVALID_FIELD, NOT_FOUND or BUSINESS_ERROR for an invalid rule
 */
async function ruleOf(context: GraphContext, input: StatementRuleInput): Promise<Rule> {
  const { action, direction, memoPattern, currencyCode } = input;
  if (direction !== 'CREDIT' && direction !== 'DEBIT')
    throw invalidField('direction', 'must be CREDIT or DEBIT', 'UNKNOWN_VALUE');
  checkMemoPattern(memoPattern);
  const rule: Rule = {
    action,
    direction,
    memoPattern,
    currencyCode,
    accountId: input.accountId ?? null,
    otherAccountId: input.otherAccountId ?? null,
    maxAmount: checkedAmount(input.maxAmount, currencyCode),
    maxDayAmount: checkedAmount(input.maxDayAmount, currencyCode),
  };
  checkRule(rule);
  for (const id of [rule.accountId, rule.otherAccountId]) {
    if (id === null) continue;
    const account = await context.loaders.bankAccounts.load(id);
    if (!account) throw notFound('bank account');
    if (account.currencyCode !== currencyCode)
      throw businessError('MISMATCH', `${account.name} is in ${account.currencyCode}`);
  }
  return rule;
}

@Resolver(() => StatementRule)
export class StatementRuleResolver {
  @Authorized('VIEW')
  @Query(() => [StatementRule], {
    description: 'The rules for lines of statements, by name; each version, the newest first.',
  })
  async statementRules(
    @Ctx() { database }: GraphContext,
    @Arg('all', () => Boolean, {
      defaultValue: false,
      description: 'All versions; else those in force.',
    })
    all?: boolean,
  ): Promise<db.RuleRow[]> {
    return await db.findRules(database, all ?? false);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => StatementRuleChange, {
    description:
      'Proposes a rule, or the next version of one: an import posts what it explains. Where two people are required, it explains nothing of a statement that its proposer imports.',
  })
  async putStatementRule(
    @Arg('input', { description: 'The rule as it is to be.' }) input: StatementRuleInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<StatementRuleChange> {
    const { actor, database } = context;
    const name = input.name.trim();
    if (name === '' || Array.from(name).length > 64)
      throw invalidField('name', 'must have 1-64 characters', 'OUT_OF_RANGE');
    const rule = { ...(await ruleOf(context, input)), active: input.active };
    const payload: RulePayload = {
      ...rule,
      id: uuidv7(),
      name,
      createdBy: actorName(actor),
      maxAmount: rule.maxAmount.toFixed(),
      maxDayAmount: rule.maxDayAmount.toFixed(),
    };
    const all = await db.findRules(database, true);
    const current = all.find((one) => one.name === name);
    const change = await propose(context, {
      kind: 'PUT_STATEMENT_RULE',
      subject: { kind: 'statement_rule', id: current?.id ?? payload.id, name },
      summary: `${current ? 'Change' : 'Add'} the rule ${name} for lines of statements`,
      before: current ? ruleFields(current) : {},
      after: ruleFields(rule),
      payload,
      reason,
      evidence,
    });
    if (change.status !== 'APPLIED') return { change, rule: null };
    const now = await db.findRules(database, true);
    return { change, rule: now.find((one) => one.name === name) ?? null };
  }

  @Authorized('VIEW')
  @FieldResolver(() => BankAccount, { nullable: true, description: 'Whose lines it explains.' })
  async account(
    @Root() { accountId }: StatementRule,
    @Ctx() { loaders }: GraphContext,
  ): Promise<BankAccountRow | undefined> {
    return accountId === null ? undefined : await loaders.bankAccounts.load(accountId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => BankAccount, {
    nullable: true,
    description: 'Of an own transfer: the account at the other end.',
  })
  async otherAccount(
    @Root() { otherAccountId }: StatementRule,
    @Ctx() { loaders }: GraphContext,
  ): Promise<BankAccountRow | undefined> {
    return otherAccountId === null ? undefined : await loaders.bankAccounts.load(otherAccountId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => ActorInfo, { description: 'Who proposed it.' })
  createdBy(@Root() { createdBy }: db.RuleRow): ActorInfo {
    return actorInfoOf(createdBy);
  }
}

@Resolver(() => StatementLine)
export class RuleOfLineResolver {
  @Authorized('VIEW')
  @FieldResolver(() => StatementRule, {
    nullable: true,
    description: 'The rule that explained it; of a dry run: that would.',
  })
  async rule(
    @Root() { ruleId }: { ruleId: string | null },
    @Ctx() { loaders }: GraphContext,
  ): Promise<db.RuleRow | undefined> {
    return ruleId === null ? undefined : await loaders.statementRules.load(ruleId);
  }
}

@Resolver(() => StatementRuleTotal)
export class StatementRuleTotalResolver {
  @Authorized('VIEW')
  @FieldResolver(() => StatementRule, { description: 'What explains these lines.' })
  async rule(@Root() { ruleId }: db.RuleTotal, @Ctx() { loaders }: GraphContext): Promise<db.RuleRow | undefined> {
    return await loaders.statementRules.load(ruleId);
  }
}

@Resolver(() => BankStatement)
export class RulesOfStatementResolver {
  @Authorized('VIEW')
  @FieldResolver(() => [StatementRuleTotal], {
    description: 'What rules explain of it; of a dry run: would explain.',
  })
  async explained(@Root() { id }: BankStatement, @Ctx() { loaders }: GraphContext): Promise<readonly db.RuleTotal[]> {
    return await loaders.ruleTotals.load(id);
  }
}

@Resolver(() => OperatorPosting)
export class RuleOfPostingResolver {
  @Authorized('VIEW')
  @FieldResolver(() => StatementRule, {
    nullable: true,
    description: 'The rule that explained the line of a statement with it.',
  })
  async rule(
    @Root() { ruleId }: OperatorPostingRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<db.RuleRow | undefined> {
    return ruleId === null ? undefined : await loaders.statementRules.load(ruleId);
  }
}
