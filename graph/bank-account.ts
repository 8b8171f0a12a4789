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
import {
  ACCOUNT_MODES,
  ACCOUNT_STATUSES,
  type AccountLimits,
  type AccountMode,
  type AccountStatus,
} from '../domain/bank-account';
import { invalidField, notFound } from '../domain/errors';
import { LIMITS } from '../domain/limits';
import { currencyDecimals, type Money } from '../domain/money';
import * as db from '../db/bank-accounts';
import {
  AccountLimitsInput,
  AmountFloat,
  AmountFloatInput,
  floatOf,
  limitsOf,
} from './account-limits';
import { type GraphContext } from './context';
import { operatorAction } from './operator-action';
import { DecimalScalar, enumOf } from './scalars';

/** The mode as GraphQL knows it. */
export const BankAccountMode = enumOf(ACCOUNT_MODES);
/** The status as GraphQL knows it. */
export const BankAccountStatus = enumOf(ACCOUNT_STATUSES);

registerEnumType(BankAccountMode, {
  name: 'BankAccountMode',
  description: 'How transfers on an account find their order.',
  valuesConfig: {
    REMARK: { description: 'The payer writes a remark into the memo.' },
    FLOAT: { description: 'Each deposit has an amount of its own, near what was asked for.' },
  },
});
registerEnumType(BankAccountStatus, {
  name: 'BankAccountStatus',
  description: 'Whether an account takes new deposits.',
  valuesConfig: {
    ACTIVE: { description: 'Takes new deposits.' },
    PAUSED: { description: 'Takes no new deposit; what arrives is matched by people alone.' },
    DISABLED: { description: 'Out of use.' },
  },
});

@ObjectType({ simpleResolvers: true, description: 'What an account has on its hands.' })
export class AccountUse {
  @Field(() => Int, {
    description: "Deposits that count against this UTC day's quota; 0 where the account has none.",
  })
  todayDeposits!: number;

  @Field(() => DecimalScalar, { description: 'What they add up to.' })
  todayAmount!: Money;

  @Field(() => Int, { description: 'Live PENDING deposits.' })
  openDeposits!: number;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A bank account that the platform manages and payers transfer to.',
})
export class BankAccount {
  @Field(() => ID)
  id!: string;

  @Field({ description: 'What operators call it.' })
  name!: string;

  @Field()
  bankCode!: string;

  @Field()
  bankName!: string;

  @Field(() => String, { nullable: true })
  bankBranch!: string | null;

  @Field({ description: 'Shown to payers.' })
  accountNo!: string;

  @Field({ description: 'Shown to payers.' })
  accountHolder!: string;

  @Field({ description: 'ISO 4217; an account has one currency.' })
  currencyCode!: string;

  @Field(() => BankAccountMode)
  mode!: AccountMode;

  @Field(() => BankAccountStatus)
  status!: AccountStatus;

  @Field(() => String, { nullable: true, description: 'Why it is paused or disabled.' })
  statusReason!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The least that one deposit may be; null is no limit, as below.',
  })
  minAmount!: Money | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'The most that one deposit may be.' })
  maxAmount!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What the deposits of one UTC day may add up to.',
  })
  maxDailyAmount!: Money | null;

  @Field(() => Int, { description: 'Live PENDING deposits at once; more go elsewhere.' })
  maxOpenDeposits!: number;

  @Field(() => AmountFloat, { nullable: true, description: 'Of mode FLOAT alone.' })
  float!: AmountFloat | null;

  @Field()
  createdAt!: Date;

  @Field()
  updatedAt!: Date;
}

@InputType({ description: 'A bank account to register.' })
export class CreateBankAccountInput {
  @Field({ description: 'What operators call it.' })
  name!: string;

  @Field({ description: '1-32 characters. Unique together with accountNo.' })
  bankCode!: string;

  @Field()
  bankName!: string;

  @Field(() => String, { nullable: true })
  bankBranch?: string | null;

  @Field({ description: '1-64 characters.' })
  accountNo!: string;

  @Field({ description: '1-128 characters.' })
  accountHolder!: string;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => BankAccountMode, { defaultValue: 'REMARK' })
  mode!: AccountMode;

  @Field(() => AccountLimitsInput, { nullable: true })
  limits?: AccountLimitsInput | null;

  @Field(() => AmountFloatInput, {
    nullable: true,
    description: 'For mode FLOAT, which needs it; for no other.',
  })
  float?: AmountFloatInput | null;
}

@InputType({ description: 'Changes of an account. What is left out or null stays as it is.' })
export class UpdateBankAccountInput {
  @Field(() => String, { nullable: true, description: 'What operators call it.' })
  name?: string | null;

  @Field(() => AccountLimitsInput, { nullable: true, description: 'Replaces all limits.' })
  limits?: AccountLimitsInput | null;

  @Field(() => AmountFloatInput, {
    nullable: true,
    description: 'Replaces the float. Deposits that are open keep their amounts.',
  })
  float?: AmountFloatInput | null;
}

/** The float of an account in its mode. @throws INVALID_FIELD */
function floatInMode(
  mode: AccountMode,
  input: AmountFloatInput | null | undefined,
  currencyCode: string,
): AmountFloat | null {
  if ((mode === 'FLOAT') !== Boolean(input))
    throw invalidField('float', mode === 'FLOAT' ? 'is required' : 'is for mode FLOAT alone');
  return input ? floatOf(input, currencyCode) : null;
}

const limitsIn = ({
  minAmount,
  maxAmount,
  maxDailyAmount,
  maxOpenDeposits,
}: AccountLimits): AccountLimits => ({ minAmount, maxAmount, maxDailyAmount, maxOpenDeposits });

/** As the note of an operator's action keeps it. */
const plain = (
  change: db.BankAccountChange,
): Record<string, string | number | Record<string, string | number> | null> => ({
  name: change.name,
  minAmount: change.minAmount?.toFixed() ?? null,
  maxAmount: change.maxAmount?.toFixed() ?? null,
  maxDailyAmount: change.maxDailyAmount?.toFixed() ?? null,
  maxOpenDeposits: change.maxOpenDeposits,
  float: change.float && {
    step: change.float.step.toFixed(),
    up: change.float.up.toFixed(),
    down: change.float.down.toFixed(),
    quarantineMinutes: change.float.quarantineMinutes,
  },
});

function length(field: string, text: string, max: number): void {
  const points = Array.from(text).length;
  if (text.trim() === '' || points > max) throw invalidField(field, `must be 1-${max} characters`);
}

@Resolver(() => BankAccount)
export class BankAccountResolver {
  @Authorized('VIEW')
  @Query(() => [BankAccount], { description: 'The managed bank accounts, by number; at most 500.' })
  async bankAccounts(@Ctx() { database }: GraphContext): Promise<db.BankAccountRow[]> {
    return await db.listBankAccounts(database);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => BankAccount, {
    description: 'Registers a bank account; deposits may go to it at once.',
  })
  async createBankAccount(
    @Arg('input') input: CreateBankAccountInput,
    @Arg('reason') reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.BankAccountRow> {
    length('name', input.name, 128);
    length('bankCode', input.bankCode, LIMITS.bankCode);
    length('bankName', input.bankName, 128);
    length('accountNo', input.accountNo, LIMITS.accountNo);
    length('accountHolder', input.accountHolder, LIMITS.accountHolder);
    if (currencyDecimals(input.currencyCode) === undefined)
      throw invalidField('currencyCode', `${input.currencyCode} is not in ISO 4217`);
    const account: db.BankAccountRow = {
      id: uuidv7(),
      name: input.name,
      bankCode: input.bankCode,
      bankName: input.bankName,
      bankBranch: input.bankBranch ?? null,
      accountNo: input.accountNo,
      accountHolder: input.accountHolder,
      currencyCode: input.currencyCode,
      mode: input.mode,
      status: 'ACTIVE',
      statusReason: null,
      ...limitsOf(input.limits, input.currencyCode),
      float: floatInMode(input.mode, input.float, input.currencyCode),
      createdAt: context.now,
      updatedAt: context.now,
    };
    const { bankCode, currencyCode, mode } = account;
    const action = {
      action: 'createBankAccount',
      subject: `bank_account:${account.id}`,
      reason,
      detail: { bankCode, currencyCode, mode, ...plain(account) },
    };
    await operatorAction(context, action, async (tx) => {
      await db.insertBankAccount(tx, account);
    });
    return account;
  }

  @Authorized('CONFIGURE')
  @Mutation(() => BankAccount, {
    description: "Changes an account's name, limits and float, for deposits to come.",
  })
  async updateBankAccount(
    @Arg('id', () => ID) id: string,
    @Arg('input') input: UpdateBankAccountInput,
    @Arg('reason') reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.BankAccountRow> {
    const current = await context.loaders.bankAccounts.load(id);
    if (!current) throw notFound('bank account');
    if (input.name) length('name', input.name, 128);
    if (input.float && current.mode !== 'FLOAT')
      throw invalidField('float', 'is for mode FLOAT alone');
    const change: db.BankAccountChange = {
      name: input.name ?? current.name,
      ...(input.limits ? limitsOf(input.limits, current.currencyCode) : limitsIn(current)),
      float: input.float ? floatOf(input.float, current.currencyCode) : current.float,
    };
    const subject = `bank_account:${id}`;
    const action = { action: 'updateBankAccount', subject, reason, detail: plain(change) };
    return await operatorAction(context, action, async (tx) => {
      const account = await db.updateBankAccount(tx, id, change, context.now);
      if (!account) throw notFound('bank account');
      return account;
    });
  }

  @Authorized('VIEW')
  @FieldResolver(() => AccountUse, { description: 'What it has on its hands today.' })
  async use(@Root() { id }: BankAccount, @Ctx() { loaders }: GraphContext): Promise<AccountUse> {
    const use = await loaders.accountUse.load(id);
    if (!use) throw notFound('bank account');
    return use;
  }

  @Authorized('CONFIGURE')
  @Mutation(() => BankAccount, { description: 'Activates, pauses or disables an account.' })
  async setBankAccountStatus(
    @Arg('id', () => ID) id: string,
    @Arg('status', () => BankAccountStatus) status: AccountStatus,
    @Arg('reason') reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.BankAccountRow> {
    const subject = `bank_account:${id}`;
    const action = { action: 'setBankAccountStatus', subject, reason, detail: { status } };
    return await operatorAction(context, action, async (tx) => {
      const account = await db.setBankAccountStatus(tx, id, status, reason, context.now);
      if (!account) throw notFound('bank account');
      return account;
    });
  }
}
