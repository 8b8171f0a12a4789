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
  Resolver,
  Root,
} from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { notFound } from '../../domain/errors';
import { checkFeeRule, type FeeRule } from '../../domain/fees';
import { currencyDecimals, Decimal, ZERO } from '../../domain/money';
import type { BankAccountRow } from '../../db/accounts/bank-accounts';
import * as db from '../../db/fees/account-costs';
import { BankAccount } from '../accounts/bank-account';
import { ActorInfo, actorInfoOf } from '../actor-info';
import type { GraphContext } from '../context';
import { REASON } from '../descriptions';
import { FeeRule as Rule } from '../merchants/merchant';
import { FeeRuleInput } from '../merchants/merchant-settings';
import { operatorAction } from '../../steps/operators/operator-action';
import { actorName } from '../../steps/access/caller';

@ObjectType({
  simpleResolvers: true,
  description:
    'What the bank of an account is expected to charge. A version never changes, and is in force until the next one.',
})
export class AccountCosts {
  @Field(() => ID, { description: 'A UUID, of this version.' })
  id!: string;

  @Field(() => Int, { description: 'From 1, of the account.' })
  version!: number;

  @Field({ description: 'When it began.' })
  createdAt!: Date;
}

@InputType({ description: 'What the bank of an account charges; what is not given is nothing.' })
export class AccountCostsInput {
  @Field(() => FeeRuleInput, { nullable: true, description: 'For each credit that it receives.' })
  credit?: FeeRuleInput | null;

  @Field(() => FeeRuleInput, { nullable: true, description: 'For each payout.' })
  payout?: FeeRuleInput | null;
}

/** @throws INVALID_FIELD */
function checkedRule(input: FeeRuleInput | null | undefined, decimals: number): FeeRule {
  const rule = { percent: input?.percent ?? ZERO, fixed: input?.fixed ?? ZERO };
  checkFeeRule(rule, decimals);
  return rule;
}

@Resolver(() => AccountCosts)
export class AccountCostsResolver {
  @Authorized('CONFIGURE')
  @Mutation(() => AccountCosts, {
    description:
      'Says what the bank of an account charges for credits and payouts from now on: for costs and profit alone, it moves no money.',
  })
  async putAccountCosts(
    @Arg('accountId', () => ID, { description: 'The managed account.' }) accountId: string,
    @Arg('input', { description: 'The costs as they are to be.' }) input: AccountCostsInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.AccountCostsRow> {
    const { actor, loaders, now } = context;
    const account = await loaders.bankAccounts.load(accountId);
    if (!account) throw notFound('bank account');
    const decimals = currencyDecimals(account.currencyCode) ?? 0;
    const credit = checkedRule(input.credit, decimals);
    const payout = checkedRule(input.payout, decimals);
    const costs = {
      id: uuidv7(),
      accountId,
      createdBy: actorName(actor),
      createdAt: now,
      creditPercent: credit.percent,
      creditFixed: credit.fixed,
      payoutPercent: payout.percent,
      payoutFixed: payout.fixed,
    };
    const detail = Object.fromEntries(
      Object.entries(costs).flatMap(([name, value]) => (Decimal.isDecimal(value) ? [[name, value.toFixed()]] : [])),
    );
    const action = { action: 'putAccountCosts', subject: `bank_account:${accountId}`, reason };
    return await operatorAction(context, { ...action, detail }, async (tx) => await db.addAccountCosts(tx, costs));
  }

  @Authorized('VIEW')
  @FieldResolver(() => Rule, { description: 'For each credit that it receives.' })
  credit(@Root() row: db.AccountCostsRow): FeeRule {
    return { percent: row.creditPercent, fixed: row.creditFixed };
  }

  @Authorized('VIEW')
  @FieldResolver(() => Rule, { description: 'For each payout.' })
  payout(@Root() row: db.AccountCostsRow): FeeRule {
    return { percent: row.payoutPercent, fixed: row.payoutFixed };
  }

  @Authorized('VIEW')
  @FieldResolver(() => BankAccount, { description: 'Whose bank it is.' })
  async account(
    @Root() { accountId }: db.AccountCostsRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<BankAccountRow | undefined> {
    return await loaders.bankAccounts.load(accountId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => ActorInfo, { description: 'Who said so.' })
  createdBy(@Root() { createdBy }: db.AccountCostsRow): ActorInfo {
    return actorInfoOf(createdBy);
  }
}

@Resolver(() => BankAccount)
export class CostsOfAccountResolver {
  @Authorized('VIEW')
  @FieldResolver(() => [AccountCosts], {
    description: 'The charges that are expected of its bank, the version in force first; none: not known.',
  })
  async costs(
    @Root() { id }: BankAccountRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly db.AccountCostsRow[]> {
    return await loaders.costsOfAccount.load(id);
  }
}
