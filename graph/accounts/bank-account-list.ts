import { Arg, Args, Authorized, Ctx, Field, InputType, Query, Resolver } from 'type-graphql';
import type { AccountMode, AccountStatus } from '../../domain/bank-account';
import * as db from '../../db/accounts/bank-account-list';
import { BankAccount, BankAccountMode, BankAccountStatus } from './bank-account';
import {
  BY_ID,
  type Connected,
  connect,
  connectionOf,
  PageArgs,
  sortEnum,
  type SortName,
} from '../connection';
import { type GraphContext } from '../context';

/** A page of accounts. */
export const BankAccountConnection = connectionOf(BankAccount, 'BankAccount');

/** How accounts are sorted. */
export const BankAccountSort = sortEnum<db.BankAccountSortBy>('BankAccountSort', {
  NAME: 'By what operators call them',
});

@InputType({ description: 'Which accounts to show: all that is given must hold.' })
export class BankAccountFilter implements db.BankAccountFilter {
  @Field(() => [BankAccountStatus], { nullable: true, description: 'One of these.' })
  status?: AccountStatus[] | null;

  @Field(() => BankAccountMode, { nullable: true })
  mode?: AccountMode | null;

  @Field(() => [String], { nullable: true, description: 'One of these, ISO 4217.' })
  currencyCode?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'At one of these banks.' })
  bankCode?: string[] | null;

  @Field(() => String, { nullable: true, description: 'How the number begins.' })
  accountNo?: string | null;
}

@Resolver()
export class BankAccountListResolver {
  @Authorized('VIEW')
  @Query(() => BankAccountConnection, {
    description: 'The managed bank accounts, by name unless told otherwise.',
  })
  async bankAccounts(
    @Ctx() { database }: GraphContext,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('sort', () => BankAccountSort, { defaultValue: 'NAME_ASC' })
    sort: SortName<db.BankAccountSortBy>,
    @Arg('filter', () => BankAccountFilter, { nullable: true }) filter?: BankAccountFilter | null,
  ): Promise<Connected<BankAccount>> {
    return await connect(
      {
        sorts: db.BANK_ACCOUNT_SORTS,
        id: BY_ID,
        read: async (shown, request) => await db.listBankAccounts(database, shown, request),
        count: async (shown, most) => await db.countBankAccounts(database, shown, most),
      },
      page,
      filter ?? {},
      sort,
    );
  }
}
