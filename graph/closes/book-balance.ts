import { Authorized, Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { ledgerAccount } from '../../domain/ledger';
import { type Money, ZERO } from '../../domain/money';
import type { BookBalance as BookBalanceRow } from '../../db/closes/closes';
import { BankAccount } from '../accounts/bank-account';
import { Channel } from '../channels/channel';
import type { GraphContext } from '../context';
import { DecimalScalar } from '../scalars';

@ObjectType({ simpleResolvers: true, description: 'A balance by our books in a currency.' })
export class BookBalance {
  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => DecimalScalar, { description: 'What we have there is positive.' })
  balance!: Money;
}

@Resolver(() => BankAccount)
export class BookOfAccountResolver {
  @Authorized('VIEW')
  @FieldResolver(() => DecimalScalar, {
    description: 'Its balance by our books, in its currency.',
  })
  async bookBalance(@Root() { id, currencyCode }: BankAccount, @Ctx() { loaders }: GraphContext): Promise<Money> {
    const balances = await loaders.bookBalances.load(ledgerAccount.bank(id));
    return balances.find((one) => one.currencyCode === currencyCode)?.balance ?? ZERO;
  }

  @Authorized('VIEW')
  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: 'The balance that its bank last reported; null if it never has.',
  })
  async bankBalance(@Root() { id }: BankAccount, @Ctx() { loaders }: GraphContext): Promise<Money | null> {
    return (await loaders.bankBalances.load(id))?.balance ?? null;
  }

  @Authorized('VIEW')
  @FieldResolver(() => Date, { nullable: true, description: 'When that was so.' })
  async bankBalanceAt(@Root() { id }: BankAccount, @Ctx() { loaders }: GraphContext): Promise<Date | null> {
    return (await loaders.bankBalances.load(id))?.at ?? null;
  }
}

@Resolver(() => Channel)
export class BookOfChannelResolver {
  @Authorized('VIEW')
  @FieldResolver(() => [BookBalance], {
    description: 'Our balances there by our books, by currency; compare `balances`.',
  })
  async bookBalances(@Root() { id }: Channel, @Ctx() { loaders }: GraphContext): Promise<readonly BookBalanceRow[]> {
    return await loaders.bookBalances.load(ledgerAccount.channel(id));
  }

  @Authorized('VIEW')
  @FieldResolver(() => [BookBalance], {
    description: 'What it owes us, having paid twice or too late, by currency.',
  })
  async claims(@Root() { id }: Channel, @Ctx() { loaders }: GraphContext): Promise<readonly BookBalanceRow[]> {
    return await loaders.bookBalances.load(ledgerAccount.channelClaim(id));
  }
}
