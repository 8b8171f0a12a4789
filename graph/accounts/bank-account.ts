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
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { ACCOUNT_MODES, ACCOUNT_STATUSES, type AccountMode, type AccountStatus } from '../../domain/bank-account';
import { difference } from '../../domain/change-request';
import { closesAccount, closesAccountLimits } from '../../domain/closing';
import { invalidField, notFound } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { words } from '../../domain/words';
import { currencyDecimals, type Money } from '../../domain/money';
import * as db from '../../db/accounts/bank-accounts';
import type { ChangeRow } from '../../db/changes/change-requests';
import { AccountLimitsInput, AmountFloat, AmountFloatInput, limitsOf } from './account-limits';
import {
  accountChange,
  type BankAccountStatusPayload,
  type CreateBankAccountPayload,
  type UpdateBankAccountPayload,
} from '../../steps/accounts/bank-account-effects';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { type GraphContext } from '../context';
import { CHANGES_SHOWN } from '../loaders';
import { propose } from '../../steps/changes/propose';
import { DecimalScalar, enumOf } from '../scalars';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { checkedZone } from '../../steps/zone';
import { floatOf, floatInMode, checkLength, limitsIn, nameOf, silentIn } from '../../steps/accounts/bank-account';

export const BankAccountMode = enumOf(ACCOUNT_MODES);
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
    description:
      'What counts against its daily limits, in its time zone: bank credits of today, and open deposits. Those from before limits were set count once they are.',
  })
  todayDeposits!: number;

  @Field(() => DecimalScalar, { description: 'Their sum.' })
  todayAmount!: Money;

  @Field(() => Int, {
    description: 'The same of this month, which counts against its monthly limits.',
  })
  monthDeposits!: number;

  @Field(() => DecimalScalar, { description: 'Their sum.' })
  monthAmount!: Money;

  @Field(() => DecimalScalar, {
    description:
      'What counts against the balance that it may hold: its book and open deposits; zero where that is not limited.',
  })
  held!: Money;

  @Field(() => Int, { description: 'Live PENDING deposits.' })
  openDeposits!: number;

  @Field(() => DecimalScalar, { description: 'Their sum.' })
  openAmount!: Money;

  @Field(() => DecimalScalar, {
    description: 'What banks say arrived since the day began in its time zone, matched or not.',
  })
  todayReceived!: Money;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A bank account that the platform manages and payers transfer to.',
})
export class BankAccount {
  @Field(() => ID, { description: 'A UUID.' })
  id!: string;

  @Field({ description: 'What operators call it.' })
  name!: string;

  @Field({ description: 'The code of its bank in the directory, such as `banks` lists.' })
  bankCode!: string;

  @Field({ description: 'The name of its bank, as payers see it.' })
  bankName!: string;

  @Field(() => String, { nullable: true, description: 'As entered; null if none was given.' })
  bankBranch!: string | null;

  @Field({ description: 'Shown to payers.' })
  accountNo!: string;

  @Field({ description: 'Shown to payers.' })
  accountHolder!: string;

  @Field({ description: 'ISO 4217; an account has one currency.' })
  currencyCode!: string;

  @Field({
    description:
      'The time zone in which its bank counts days, such as Asia/Bangkok: its daily limit turns at that midnight.',
  })
  timeZone!: string;

  @Field(() => BankAccountMode, {
    description: 'How payments to it are recognised: by a remark or by a unique amount. Fixed for ever.',
  })
  mode!: AccountMode;

  @Field(() => BankAccountStatus, { description: 'Only an ACTIVE account gets new deposits.' })
  status!: AccountStatus;

  @Field(() => String, { nullable: true, description: 'Why it is paused or disabled.' })
  statusReason!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The minimum of one deposit; null is no limit, as below.',
  })
  minAmount!: Money | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'The maximum of one deposit.' })
  maxAmount!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The most that it receives on one day of its time zone.',
  })
  maxDailyAmount!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The most that it receives in one month of its time zone.',
  })
  maxMonthlyAmount!: Money | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The most bank credits on one day of its time zone.',
  })
  maxDailyCount!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The most bank credits in one month of its time zone.',
  })
  maxMonthlyCount!: number | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The most that it holds: what its book says, and what open deposits ask for.',
  })
  maxBalance!: Money | null;

  @Field(() => Int, { description: 'Live PENDING deposits at once; more go elsewhere.' })
  maxOpenDeposits!: number;

  @Field({
    description: 'A report of a credit without the balance after it waits for an operator.',
  })
  balanceRequired!: boolean;

  @Field(() => Int, {
    nullable: true,
    description:
      'It is passed over if its agents, which sent heartbeats before, have sent none for this many minutes. 0: never. Null: 10 in production, never in a sandbox.',
  })
  silentMinutes!: number | null;

  @Field(() => Date, {
    nullable: true,
    description: 'Its agents are silent, and it gets no deposits: when they were heard of last.',
  })
  silentSince!: Date | null;

  @Field(() => AmountFloat, { nullable: true, description: 'Only for mode FLOAT.' })
  float!: AmountFloat | null;

  @Field({ description: 'When it was registered.' })
  createdAt!: Date;

  @Field({ description: 'When it was last changed.' })
  updatedAt!: Date;
}

@InputType({ description: 'A bank account to register.' })
export class CreateBankAccountInput {
  @Field({ description: 'What operators call it.' })
  name!: string;

  @Field({ description: '1-32 characters. Unique together with accountNo.' })
  bankCode!: string;

  @Field({ description: 'The name of the bank, as payers see it.' })
  bankName!: string;

  @Field(() => String, { nullable: true, description: 'Shown to payers; null if there is none.' })
  bankBranch?: string | null;

  @Field({ description: '1-64 characters.' })
  accountNo!: string;

  @Field({ description: '1-128 characters.' })
  accountHolder!: string;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => BankAccountMode, {
    defaultValue: 'REMARK',
    description: 'How payments to it are recognised. Cannot be changed later.',
  })
  mode!: AccountMode;

  @Field(() => String, {
    nullable: true,
    description: 'The time zone in which its bank counts days, such as Asia/Bangkok; UTC unless given.',
  })
  timeZone?: string | null;

  @Field(() => AccountLimitsInput, {
    nullable: true,
    description: 'Limits of deposits to it; null: none is set except `maxOpenDeposits`.',
  })
  limits?: AccountLimitsInput | null;

  @Field(() => Int, {
    nullable: true,
    description:
      '0-1440: it is passed over once its agents, which sent heartbeats before, have sent none for this many minutes. 0: never. Unless given: 10 in production, never in a sandbox.',
  })
  silentMinutes?: number | null;

  @Field(() => AmountFloatInput, {
    nullable: true,
    description: 'For mode FLOAT, which needs it; for no other.',
  })
  float?: AmountFloatInput | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: a report of a credit without the balance after it waits for an operator; false by default.',
  })
  balanceRequired?: boolean | null;
}

@InputType({ description: 'Changes of an account. Omitted and null fields stay unchanged.' })
export class UpdateBankAccountInput {
  @Field(() => String, { nullable: true, description: 'What operators call it.' })
  name?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The time zone in which its bank counts days. What was counted before stays with its day.',
  })
  timeZone?: string | null;

  @Field(() => AccountLimitsInput, { nullable: true, description: 'Replaces all limits.' })
  limits?: AccountLimitsInput | null;

  @Field(() => Int, {
    nullable: true,
    description:
      '0-1440: it is passed over once its agents, which sent heartbeats before, have sent none for this many minutes. 0: never. Null: 10 in production, never in a sandbox. Omitted: unchanged.',
  })
  silentMinutes?: number | null;

  @Field(() => AmountFloatInput, {
    nullable: true,
    description: 'Replaces the float. Deposits that are open keep their amounts.',
  })
  float?: AmountFloatInput | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether a report of a credit without the balance after it waits for an operator.',
  })
  balanceRequired?: boolean | null;
}

@ObjectType({ simpleResolvers: true, description: 'A proposed change of a bank account.' })
export class BankAccountChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => BankAccount, { nullable: true, description: 'Null until the change is applied.' })
  account!: db.BankAccountRow | null;
}

/** The account after a change of it is applied. */
async function changed({ loaders }: GraphContext, change: ChangeRow): Promise<BankAccountChange> {
  if (change.status !== 'APPLIED') return { change, account: null };
  const id = change.subjectId;
  return { change, account: (await loaders.bankAccounts.clear(id).load(id)) ?? null };
}

@Resolver(() => BankAccount)
export class BankAccountResolver {
  @Authorized('CONFIGURE')
  @Mutation(() => BankAccountChange, {
    description: 'Proposes a bank account; deposits may go to it once it is approved.',
  })
  async createBankAccount(
    @Arg('input', { description: 'The account to register.' }) input: CreateBankAccountInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<BankAccountChange> {
    checkLength('name', input.name, 128);
    checkLength('bankCode', input.bankCode, LIMITS.bankCode);
    checkLength('bankName', input.bankName, 128);
    checkLength('accountNo', input.accountNo, LIMITS.accountNo);
    checkLength('accountHolder', input.accountHolder, LIMITS.accountHolder);
    if (currencyDecimals(input.currencyCode) === undefined)
      throw invalidField('currencyCode', `${input.currencyCode} is not an ISO 4217 currency`, 'UNKNOWN_VALUE');
    const { name, bankCode, bankName, accountNo, accountHolder, currencyCode, mode } = input;
    const id = uuidv7();
    const made = {
      ...accountChange({
        name,
        timeZone: await checkedZone(context, input.timeZone ?? 'UTC'),
        ...limitsOf(input.limits, currencyCode),
        float: floatInMode(mode, input.float, currencyCode),
        balanceRequired: input.balanceRequired ?? false,
        silentMinutes: silentIn(input) ?? null,
      }),
      bankCode,
      bankName,
      bankBranch: input.bankBranch ?? null,
      accountNo,
      accountHolder,
      currencyCode,
      mode,
    };
    const payload: CreateBankAccountPayload = { id, ...made };
    const change = await propose(context, {
      kind: 'CREATE_BANK_ACCOUNT',
      subject: { kind: 'bank_account', id, name: `${bankCode} ${accountNo}` },
      summary: `Register the account ${bankCode} ${accountNo} of ${accountHolder}`,
      before: {},
      after: made,
      payload,
      reason,
      evidence,
    });
    return await changed(context, change);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => BankAccountChange, {
    description:
      "Proposes a change of an account's name, limits and float, for deposits to come. One that only tightens limits needs one person and is applied at once.",
  })
  async updateBankAccount(
    @Arg('id', () => ID, { description: 'The id of the account.' }) id: string,
    @Arg('input', { description: 'Omitted fields stay unchanged.' })
    input: UpdateBankAccountInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<BankAccountChange> {
    const current = await context.loaders.bankAccounts.load(id);
    if (!current) throw notFound('bank account');
    if (input.name) checkLength('name', input.name, 128);
    if (input.float && current.mode !== 'FLOAT')
      throw invalidField('float', 'is allowed only in mode FLOAT', 'NOT_ALLOWED');
    const after = accountChange({
      name: input.name ?? current.name,
      timeZone: await checkedZone(context, input.timeZone ?? current.timeZone),
      ...(input.limits ? limitsOf(input.limits, current.currencyCode) : limitsIn(current)),
      float: input.float ? floatOf(input.float, current.currencyCode) : current.float,
      balanceRequired: input.balanceRequired ?? current.balanceRequired,
      silentMinutes: input.silentMinutes === undefined ? current.silentMinutes : (silentIn(input) ?? null),
    });
    const before = accountChange(current);
    const differs = difference(before, after);
    const payload: UpdateBankAccountPayload = { id, change: after };
    const change = await propose(context, {
      kind: 'UPDATE_BANK_ACCOUNT',
      subject: { kind: 'bank_account', id, name: nameOf(current) },
      summary: `Change ${nameOf(current)}: ${differs.fields.map(words).join(', ')}`,
      before,
      after,
      payload,
      reason,
      evidence,
      alone: closesAccountLimits(differs.before, differs.after) ? 'CLOSING' : null,
    });
    return await changed(context, change);
  }

  @Authorized('VIEW')
  @FieldResolver(() => AccountUse, { description: 'What it has on its hands today.' })
  async use(@Root() { id }: BankAccount, @Ctx() { loaders }: GraphContext): Promise<AccountUse> {
    const use = await loaders.accountUse.load(id);
    if (!use) throw notFound('bank account');
    return use;
  }

  @Authorized('VIEW')
  @FieldResolver(() => [ChangeRequest], {
    description: `Changes of it: the newest ${CHANGES_SHOWN}.`,
  })
  async changes(@Root() { id }: BankAccount, @Ctx() { loaders }: GraphContext): Promise<readonly ChangeRow[]> {
    return await loaders.changesOfAccounts.load(id);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => BankAccountChange, {
    description: 'Pauses or disables an account, at once and by one person; to activate one is proposed.',
  })
  async setBankAccountStatus(
    @Arg('id', () => ID, { description: 'The id of the account.' }) id: string,
    @Arg('status', () => BankAccountStatus, { description: 'The status that it shall have.' })
    status: AccountStatus,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<BankAccountChange> {
    const current = await context.loaders.bankAccounts.load(id);
    if (!current) throw notFound('bank account');
    const payload: BankAccountStatusPayload = { id, status };
    const change = await propose(context, {
      kind: 'SET_BANK_ACCOUNT_STATUS',
      subject: { kind: 'bank_account', id, name: nameOf(current) },
      summary: `${nameOf(current)}: ${current.status} → ${status}`,
      before: { status: current.status },
      after: { status },
      payload,
      reason,
      evidence,
      alone: closesAccount(current.status, status) ? 'CLOSING' : null,
    });
    return await changed(context, change);
  }
}
