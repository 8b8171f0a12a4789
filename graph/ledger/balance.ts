import { Authorized, Ctx, Field, ID, Int, ObjectType, Query, registerEnumType, Resolver } from 'type-graphql';
import type { Money } from '../../domain/money';
import { ACCOUNT_KINDS, type AccountKind } from '../../domain/ledger';
import * as db from '../../db/ledger/ledger';
import { type GraphContext } from '../context';
import { DecimalScalar, enumOf } from '../scalars';
import { merchantOf } from '../../steps/access/caller';

@ObjectType({ simpleResolvers: true, description: "A merchant's money in one currency." })
export class Balance {
  @Field(() => ID, { description: 'A UUID.' })
  id!: string;

  @Field(() => ID, { description: 'The id of the merchant, a UUID.' })
  merchantId!: string;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => DecimalScalar, { description: 'Free to be paid out.' })
  available!: Money;

  @Field(() => DecimalScalar, { description: 'Held for orders under way.' })
  frozen!: Money;

  @Field(() => DecimalScalar, { description: 'available + frozen.' })
  total!: Money;

  @Field(() => DecimalScalar, {
    description:
      'What the merchant owes of recalled deposits. What comes in covers it first; until then nothing is available.',
  })
  receivable!: Money;

  @Field(() => Int, { description: 'Rises with each posting.' })
  version!: number;

  @Field({ description: 'When the first amount was posted in this currency.' })
  createdAt!: Date;

  @Field({ description: 'When it last changed.' })
  updatedAt!: Date;
}

@ObjectType({
  simpleResolvers: true,
  description: 'The balance of one account of the chart. Credits are positive, debits negative.',
})
export class AccountBalance {
  @Field({ description: 'Such as `suspense` or `merchant:{id}:available`; see docs/ledger.md.' })
  account!: string;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => DecimalScalar, {
    description:
      'The sum of its entries, four decimal places. A credit is positive, a debit negative: what the platform owes reads positive.',
  })
  balance!: Money;
}

export const AccountKindEnum = enumOf(ACCOUNT_KINDS);
registerEnumType(AccountKindEnum, {
  name: 'AccountKind',
  description: 'A kind of account of the ledger; see docs/ledger.md.',
  valuesConfig: {
    BANK_COST: { description: 'What banks charged, less what interest they paid; negative.' },
    RESELLER: {
      description: 'What resellers have earned and have not been paid; positive, as a rule.',
    },
    CHANNEL_CLAIM: {
      description: 'What channels owe us, having paid twice or too late; negative.',
    },
    EQUITY: { description: 'What books were opened with and corrected by; usually positive.' },
    IN_TRANSIT: { description: 'Our own money between accounts and channels; negative.' },
    UNCLAIMED: { description: 'Money written off because nobody claims it; positive.' },
    ADJUSTMENT: { description: 'What corrections of balances have cost or brought.' },
    BANK: { description: 'Money on a managed bank account; normally negative.' },
    CHANNEL: { description: 'Money at a payment channel; normally negative.' },
    CHANNEL_COST: { description: 'What channels charged us; negative.' },
    FEE_INCOME: { description: 'Fees that merchants paid; positive.' },
    LOSS: { description: 'Losses: what nobody will pay; negative.' },
    MERCHANT_AVAILABLE: { description: 'The available balances of merchants; positive.' },
    MERCHANT_FROZEN: {
      description: 'What is held for withdrawals under way, and credits on hold; positive.',
    },
    MERCHANT_RECEIVABLE: { description: 'What merchants owe us; negative.' },
    SUSPENSE: { description: 'Money that arrived and is not assigned yet; positive.' },
    TREASURY: {
      description: 'What merchants paid in elsewhere than on a managed account; negative.',
    },
  },
});

@ObjectType({
  simpleResolvers: true,
  description: 'The sums of credits and debits of all accounts of one kind.',
})
export class KindBalance {
  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => AccountKindEnum, { description: 'The kind of ledger accounts that are added up.' })
  kind!: AccountKind;

  @Field(() => DecimalScalar, { description: 'Zero or above.' })
  credits!: Money;

  @Field(() => DecimalScalar, { description: 'Zero or below.' })
  debits!: Money;

  @Field(() => DecimalScalar, { description: 'credits + debits.' })
  balance!: Money;
}

@Resolver()
export class BalanceResolver {
  @Authorized('MERCHANT')
  @Query(() => [Balance], { description: "The merchant's own balances, by currency." })
  async merchantBalances(@Ctx() { actor, loaders }: GraphContext): Promise<readonly Balance[]> {
    return await loaders.balances.load(merchantOf(actor).id);
  }

  @Authorized('VIEW')
  @Query(() => [KindBalance], {
    description:
      'The trial balance by kind of account: per currency credits and debits are equal, so the balances sum to zero.',
  })
  async trialBalanceByKind(@Ctx() { database }: GraphContext): Promise<KindBalance[]> {
    return await db.trialBalanceByKind(database);
  }
}
