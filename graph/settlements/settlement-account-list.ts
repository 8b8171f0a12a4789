import { Arg, Args, Authorized, Ctx, Field, ID, InputType, Query, Resolver } from 'type-graphql';
import { shownMerchants } from '../../domain/permissions';
import * as db from '../../db/settlements/settlement-accounts';
import { operatorOf } from '../access/authorization';
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
import { SettlementAccount } from './settlement-account';

/** A page of settlement accounts. */
export const SettlementAccountConnection = connectionOf(SettlementAccount, 'SettlementAccount');

/** How settlement accounts are sorted. */
export const SettlementAccountSort = sortEnum<db.SettlementAccountSortBy>('SettlementAccountSort', {
  CREATED_AT: 'By their registration',
});

@InputType({ description: 'Which settlement accounts to show: all that is given must hold.' })
export class SettlementAccountFilter implements db.SettlementAccountFilter {
  @Field(() => [ID], { nullable: true, description: 'Of one of these merchants.' })
  merchantId?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'In one of these, ISO 4217.' })
  currencyCode?: string[] | null;

  @Field(() => Boolean, { nullable: true })
  disabled?: boolean | null;
}

@Resolver()
export class SettlementAccountListResolver {
  @Authorized('VIEW')
  @Query(() => SettlementAccountConnection, {
    description: "Merchants' accounts for settlements, the newest first unless told otherwise.",
  })
  async settlementAccounts(
    @Ctx() { actor, database }: GraphContext,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('sort', () => SettlementAccountSort, { defaultValue: 'CREATED_AT_DESC' })
    sort: SortName<db.SettlementAccountSortBy>,
    @Arg('filter', () => SettlementAccountFilter, { nullable: true })
    filter?: SettlementAccountFilter | null,
  ): Promise<Connected<SettlementAccount>> {
    const asked: db.SettlementAccountFilter = filter ?? {};
    const merchantId = shownMerchants(operatorOf(actor), asked.merchantId);
    return await connect(
      {
        sorts: db.SETTLEMENT_ACCOUNT_SORTS,
        id: BY_ID,
        read: async (shown, request) => await db.listSettlementAccounts(database, shown, request),
        count: async (shown, most) => await db.countSettlementAccounts(database, shown, most),
      },
      page,
      { ...asked, merchantId },
      sort,
    );
  }
}
