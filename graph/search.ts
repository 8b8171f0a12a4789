import {
  Arg,
  Authorized,
  createUnionType,
  Ctx,
  Field,
  Int,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
} from 'type-graphql';
import { soughtAccount } from '../crypto/beneficiary';
import { invalidField } from '../domain/errors';
import * as db from '../db/search';
import { BankTransfer } from './transfers/bank-transfer';
import { type GraphContext } from './context';
import { DepositOrder } from './deposits/deposit';
import { Merchant } from './merchants/merchant';
import { enumOf } from './scalars';
import { WithdrawalOrder } from './withdrawals/withdrawal';
import { operatorOf } from '../steps/access/caller';

export const SearchedField = enumOf(db.SEARCHED);
registerEnumType(SearchedField, {
  name: 'SearchedField',
  description: 'What of a row the search looks at.',
  valuesConfig: {
    ORDER_NO: { description: "The gateway's number." },
    MERCHANT_ORDER_NO: { description: "The merchant's number." },
    REMARK: { description: 'What the payer was to write into the memo.' },
    BANK_REFERENCE: { description: "The bank's own reference of a transfer, or of a payout." },
    BENEFICIARY_ACCOUNT: { description: "The number of a beneficiary's account." },
    MERCHANT_CODE: { description: "A merchant's code." },
    MERCHANT_NAME: { description: "A merchant's name." },
    USER_ID: { description: "The merchant's identifier of the payer." },
    AMOUNT: { description: 'Exactly this amount, in whatever currency.' },
    PAYER_LAST4: { description: "How the payer's account number ends." },
  },
});

/** The kinds of search results. */
export const SearchResult = createUnionType({
  name: 'SearchResult',
  description: 'What a search may find.',
  types: () => [DepositOrder, WithdrawalOrder, BankTransfer, Merchant] as const,
  resolveType: (row: object) =>
    'beneficiaryAccount' in row
      ? WithdrawalOrder
      : 'merchantOrderNo' in row
        ? DepositOrder
        : 'bankTime' in row
          ? BankTransfer
          : Merchant,
});

@ObjectType({ simpleResolvers: true, description: 'Something that the text names.' })
export class SearchHit {
  @Field(() => SearchedField, { description: 'What of it was hit.' })
  field!: db.Searched;

  @Field({ description: 'The whole of it was asked for; else it only begins so.' })
  exact!: boolean;

  @Field(() => SearchResult, { description: 'What was found.' })
  found!: DepositOrder | WithdrawalOrder | BankTransfer | Merchant;
}

/** Longer than any number, reference or name, characters. */
const LONGEST = 128;

@Resolver()
export class SearchResolver {
  @Authorized('VIEW')
  @Query(() => [SearchHit], {
    description:
      'What a text names, exact hits first: numbers, remarks, references, beneficiaries, user ids, amounts, last four digits, merchants. From three characters on also what begins so, except sealed numbers of beneficiaries.',
  })
  async search(
    @Arg('text', { description: 'What a person holds in the hand: a number, an amount, a name.' })
    text: string,
    @Arg('first', () => Int, { defaultValue: 20, description: '1-50.' }) first: number,
    @Ctx() { actor, database, loaders, lookup }: GraphContext,
  ): Promise<SearchHit[]> {
    const sought = text.trim();
    if (sought === '' || sought.length > LONGEST || sought.includes('\0'))
      throw invalidField('text', `must be 1-${LONGEST} characters`, 'OUT_OF_RANGE');
    if (first < 1 || first > 50) throw invalidField('first', 'must be 1-50', 'OUT_OF_RANGE');
    const { indexes } = soughtAccount(lookup, sought);
    const hits = await db.search(database, sought, indexes, first, operatorOf(actor).merchantIds);
    const load = {
      DEPOSIT: loaders.deposits,
      WITHDRAWAL: loaders.withdrawals,
      BANK_TRANSFER: loaders.bankTransfers,
      MERCHANT: loaders.merchants,
    };
    const found = await Promise.all(
      hits.map(async ({ kind, id, field, exact }): Promise<SearchHit[]> => {
        const row = await load[kind].load(id);
        // A result of the search may have been deleted a moment later.
        return row ? [{ field, exact, found: row }] : [];
      }),
    );
    return found.flat();
  }
}
