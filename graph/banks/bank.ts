import { Arg, Authorized, Ctx, Field, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { difference } from '../../domain/change-request';
import { invalidField } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { currencyDecimals } from '../../domain/money';
import type { ChangeRow } from '../../db/changes/change-requests';
import * as db from '../../db/accounts/banks';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { propose } from '../../steps/changes/propose';
import { type GraphContext } from '../context';
import { type BanksPayload, directoryOf } from '../../steps/banks/bank-effects';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';

/** The most banks in one change. */
const MOST_BANKS = 500;

@ObjectType({
  simpleResolvers: true,
  description: 'A bank of the directory: where withdrawals in a currency may go.',
})
export class Bank {
  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field({ description: 'As merchants name it in beneficiary_bank_code.' })
  bankCode!: string;

  @Field({ description: 'The name that payers and operators see.' })
  name!: string;

  @Field({ description: 'New withdrawals may go there.' })
  enabled!: boolean;

  @Field({ description: 'When the directory last changed this bank.' })
  updatedAt!: Date;
}

@InputType({ description: 'A bank to add or to change.' })
export class BankInput {
  @Field({ description: '1-32 characters; compared exactly.' })
  bankCode!: string;

  @Field({ description: 'The name that payers and operators see.' })
  name!: string;

  @Field(() => Boolean, { nullable: true, description: 'True unless said otherwise.' })
  enabled?: boolean | null;
}

@ObjectType({ simpleResolvers: true, description: 'A proposed change of the bank directory.' })
export class BanksChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => [Bank], {
    nullable: true,
    description: 'The whole directory of the currency; null until the change is applied.',
  })
  banks!: db.BankRow[] | null;
}

function checked({ bankCode, name, enabled }: BankInput): BanksPayload['banks'][number] {
  if (!/^[\x21-\x7e]{1,32}$/.test(bankCode) || bankCode.length > LIMITS.beneficiaryBankCode)
    throw invalidField('bankCode', 'must be 1-32 characters without spaces', 'OUT_OF_RANGE');
  if (name.trim() === '') throw invalidField('name', 'must not be empty', 'REQUIRED');
  return { bankCode, name: name.trim(), enabled: enabled ?? true };
}

@Resolver()
export class BankResolver {
  @Authorized('VIEW')
  @Query(() => [Bank], { description: 'The bank directory, by currency and code.' })
  async banks(
    @Ctx() { database }: GraphContext,
    @Arg('currencyCode', () => String, { nullable: true, description: 'All unless given.' })
    currencyCode?: string | null,
  ): Promise<db.BankRow[]> {
    return await db.findBanks(database, currencyCode ?? null);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => BanksChange, {
    description:
      'Proposes banks to add to the directory of a currency, or to change there. Those that are not named stay as they are.',
  })
  async putBanks(
    @Arg('currencyCode', { description: 'ISO 4217.' }) currencyCode: string,
    @Arg('banks', () => [BankInput], {
      description: 'Added, or changed where the code is known; others stay.',
    })
    banks: BankInput[],
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<BanksChange> {
    if (currencyDecimals(currencyCode) === undefined)
      throw invalidField('currencyCode', `${currencyCode} is not an ISO 4217 currency`, 'UNKNOWN_VALUE');
    if (banks.length === 0 || banks.length > MOST_BANKS)
      throw invalidField('banks', `must name 1-${MOST_BANKS}`, 'OUT_OF_RANGE');
    const named = banks.map(checked);
    if (new Set(named.map(({ bankCode }) => bankCode)).size < named.length)
      throw invalidField('banks', 'must not contain a code twice', 'DUPLICATE');
    const before = directoryOf(await db.findBanks(context.database, currencyCode));
    const after = { ...before, ...directoryOf(named) };
    const { fields } = difference(before, after);
    const payload: BanksPayload = { currencyCode, banks: named };
    const change = await propose(context, {
      kind: 'PUT_BANKS',
      subject: { kind: 'bank_directory', id: currencyCode, name: currencyCode },
      summary: `Change the ${currencyCode} bank directory: ${fields.slice(0, 10).join(', ')}`,
      before,
      after,
      payload,
      reason,
      evidence,
    });
    const applied = change.status === 'APPLIED';
    return { change, banks: applied ? await db.findBanks(context.database, currencyCode) : null };
  }
}
