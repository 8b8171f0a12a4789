import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { businessError, invalidField, notFound } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { findBanks } from '../../db/accounts/banks';
import type { ChangeRow } from '../../db/changes/change-requests';
import type { MerchantRow } from '../../db/merchants/merchants';
import type { SettlementAccountRow } from '../../db/settlements/settlement-accounts';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { propose } from '../../steps/changes/propose';
import { type GraphContext } from '../context';
import { Merchant } from '../merchants/merchant';
import {
  type CreateSettlementAccountPayload,
  type DisableSettlementAccountPayload,
  fieldsOf,
  type SettlementAccountFields,
} from '../../steps/settlements/settlement-account-effects';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { requireReach } from '../../steps/access/caller';

@ObjectType({
  simpleResolvers: true,
  description: "A merchant's own account at a bank, which settlements go to.",
})
export class SettlementAccount {
  @Field(() => ID, { description: 'A UUID.' })
  id!: string;

  @Field(() => ID, { description: 'The id of the merchant whose account it is, a UUID.' })
  merchantId!: string;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field({ description: 'Of the bank directory.' })
  bankCode!: string;

  @Field(() => String, { nullable: true, description: 'Null if there is none.' })
  bankBranch!: string | null;

  @Field({ description: 'The account number at the bank.' })
  accountNo!: string;

  @Field({ description: 'The name of the account, as its bank has it.' })
  accountHolder!: string;

  @Field({ description: 'When it was registered.' })
  createdAt!: Date;

  @Field({ description: 'Settlements may go there from then on: the cooling period is over.' })
  usableAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'When it was permanently disabled; null while it may be paid to.',
  })
  disabledAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why it was disabled; null while it may be paid to.',
  })
  disabledReason!: string | null;
}

@InputType({ description: "A merchant's account to register." })
export class CreateSettlementAccountInput {
  @Field(() => ID, { description: 'The id of the merchant whose account it is, a UUID.' })
  merchantId!: string;

  @Field({ description: 'ISO 4217; one that the merchant has.' })
  currencyCode!: string;

  @Field({ description: 'Of the bank directory.' })
  bankCode!: string;

  @Field(() => String, { nullable: true, description: 'Null if there is none.' })
  bankBranch?: string | null;

  @Field({ description: 'The account number at the bank.' })
  accountNo!: string;

  @Field({ description: 'The name of the account, as its bank has it.' })
  accountHolder!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A proposed change of a settlement account.' })
export class SettlementAccountChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => SettlementAccount, {
    nullable: true,
    description: 'Null until the change is applied.',
  })
  account!: SettlementAccountRow | null;
}

/** @throws INVALID_FIELD */
function length(field: string, text: string, most: number): void {
  if (text.trim() === '' || Array.from(text).length > most)
    throw invalidField(field, `must be 1-${most} characters`, 'OUT_OF_RANGE');
}

async function changed({ loaders }: GraphContext, change: ChangeRow): Promise<SettlementAccountChange> {
  const { status, subjectId: id } = change;
  const account = status === 'APPLIED' ? await loaders.settlementAccounts.clear(id).load(id) : undefined;
  return { change, account: account ?? null };
}

@Resolver(() => SettlementAccount)
export class SettlementAccountResolver {
  @Authorized('CONFIGURE')
  @Mutation(() => SettlementAccountChange, {
    description:
      "Proposes a merchant's account for settlements; usable when the cooling period after its approval is over.",
  })
  async createSettlementAccount(
    @Arg('input', { description: 'The account to register.' }) input: CreateSettlementAccountInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<SettlementAccountChange> {
    const { actor, changes, database, loaders } = context;
    const { merchantId, currencyCode, bankCode, accountNo, accountHolder } = input;
    length('accountNo', accountNo, LIMITS.beneficiaryAccount);
    length('accountHolder', accountHolder, LIMITS.beneficiaryName);
    if (input.bankBranch != null) length('bankBranch', input.bankBranch, LIMITS.beneficiaryBankBranch);
    const merchant = await loaders.merchants.load(merchantId);
    if (!merchant) throw notFound('merchant');
    requireReach(actor, merchantId, 'merchant');
    const currencies = await loaders.currencies.load(merchantId);
    if (!currencies.some((one) => one.currencyCode === currencyCode))
      throw businessError('UNKNOWN_VALUE', `the merchant has no balance in ${currencyCode}`);
    const banks = await findBanks(database, currencyCode);
    if (!banks.some((bank) => bank.bankCode === bankCode && bank.enabled))
      throw businessError('UNKNOWN_VALUE', 'bankCode is not in the directory');
    const id = uuidv7();
    const fields: SettlementAccountFields = {
      merchantId,
      currencyCode,
      bankCode,
      bankBranch: input.bankBranch ?? null,
      accountNo: accountNo.trim(),
      accountHolder: accountHolder.trim(),
    };
    const payload: CreateSettlementAccountPayload = {
      id,
      ...fields,
      coolingMs: changes.coolingMs,
    };
    const change = await propose(context, {
      kind: 'CREATE_SETTLEMENT_ACCOUNT',
      subject: { kind: 'settlement_account', id, name: `${bankCode} ${fields.accountNo}` },
      merchantId,
      summary: `Settle ${merchant.merchantCode} in ${currencyCode} to ${bankCode} ${fields.accountNo} of ${fields.accountHolder}`,
      before: {},
      after: fieldsOf(fields),
      payload,
      reason,
      evidence,
    });
    return await changed(context, change);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => SettlementAccountChange, {
    description:
      'Ends the use of a settlement account, at once and for ever: one person is enough. What is approved already is paid.',
  })
  async disableSettlementAccount(
    @Arg('id', () => ID, { description: 'The id of the settlement account.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<SettlementAccountChange> {
    const account = await context.loaders.settlementAccounts.load(id);
    if (!account) throw notFound('settlement account');
    requireReach(context.actor, account.merchantId, 'settlement account');
    if (account.disabledAt !== null) throw businessError('WRONG_STATE', 'the settlement account is already disabled');
    const { bankCode, accountNo, merchantId } = account;
    const payload: DisableSettlementAccountPayload = { id };
    const change = await propose(context, {
      kind: 'DISABLE_SETTLEMENT_ACCOUNT',
      subject: { kind: 'settlement_account', id, name: `${bankCode} ${accountNo}` },
      merchantId,
      summary: `Settle nothing to ${bankCode} ${accountNo} any more`,
      before: { disabled: false },
      after: { disabled: true },
      payload,
      reason,
      alone: 'CLOSING',
    });
    return await changed(context, change);
  }

  @FieldResolver(() => Merchant, { description: 'The merchant whose account it is.' })
  async merchant(
    @Root() { merchantId }: SettlementAccount,
    @Ctx() { loaders }: GraphContext,
  ): Promise<MerchantRow | undefined> {
    return await loaders.merchants.load(merchantId);
  }
}
