import {
  Arg,
  Authorized,
  Ctx,
  Field,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
} from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { invalidField, notFound } from '../domain/errors';
import { LIMITS } from '../domain/limits';
import { currencyDecimals } from '../domain/money';
import * as db from '../db/bank-accounts';
import { type GraphContext } from './context';
import { operatorAction } from './operator-action';
import { enumOf } from './scalars';

/** The mode as GraphQL knows it. */
export const BankAccountMode = enumOf(db.ACCOUNT_MODES);
/** The status as GraphQL knows it. */
export const BankAccountStatus = enumOf(db.ACCOUNT_STATUSES);

registerEnumType(BankAccountMode, {
  name: 'BankAccountMode',
  description: 'How transfers on an account find their order.',
  valuesConfig: { REMARK: { description: 'The payer writes a remark into the memo.' } },
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
  mode!: db.AccountMode;

  @Field(() => BankAccountStatus)
  status!: db.AccountStatus;

  @Field(() => String, { nullable: true, description: 'Why it is paused or disabled.' })
  statusReason!: string | null;

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
  mode!: db.AccountMode;
}

function length(field: string, text: string, max: number): void {
  const points = Array.from(text).length;
  if (text.trim() === '' || points > max) throw invalidField(field, `must be 1-${max} characters`);
}

@Resolver(() => BankAccount)
export class BankAccountResolver {
  @Authorized('OPERATOR')
  @Query(() => [BankAccount], { description: 'The managed bank accounts, by number; at most 500.' })
  async bankAccounts(@Ctx() { database }: GraphContext): Promise<db.BankAccountRow[]> {
    return await db.listBankAccounts(database);
  }

  @Authorized('OPERATOR')
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
      createdAt: context.now,
      updatedAt: context.now,
    };
    const { bankCode, currencyCode, mode } = account;
    const action = {
      action: 'createBankAccount',
      subject: `bank_account:${account.id}`,
      reason,
      detail: { bankCode, currencyCode, mode },
    };
    await operatorAction(context, action, async (tx) => {
      await db.insertBankAccount(tx, account);
    });
    return account;
  }

  @Authorized('OPERATOR')
  @Mutation(() => BankAccount, { description: 'Activates, pauses or disables an account.' })
  async setBankAccountStatus(
    @Arg('id', () => ID) id: string,
    @Arg('status', () => BankAccountStatus) status: db.AccountStatus,
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
