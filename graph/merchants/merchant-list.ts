import { Arg, Args, Authorized, Ctx, Field, ID, InputType, Query, Resolver } from 'type-graphql';
import { shownMerchants } from '../../domain/permissions';
import * as db from '../../db/merchants/merchant-list';
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
import { Merchant } from './merchant';

/** A page of merchants. */
export const MerchantConnection = connectionOf(Merchant, 'Merchant');

/** How merchants are sorted. */
export const MerchantSort = sortEnum<db.MerchantSortBy>('MerchantSort', {
  CODE: 'By their code',
  NAME: 'By their name',
});

@InputType({ description: 'Which merchants to show: all that is given must hold.' })
export class MerchantFilter implements db.MerchantFilter {
  @Field(() => [ID], { nullable: true, description: 'One of these.' })
  id?: string[] | null;

  @Field(() => Boolean, { nullable: true })
  enabled?: boolean | null;

  @Field(() => Boolean, { nullable: true })
  canDeposit?: boolean | null;

  @Field(() => Boolean, { nullable: true })
  canWithdraw?: boolean | null;

  @Field(() => [String], { nullable: true, description: 'Has one of these enabled, ISO 4217.' })
  currencyCode?: string[] | null;

  @Field(() => String, { nullable: true, description: 'How the code begins.' })
  merchantCode?: string | null;

  @Field(() => String, { nullable: true, description: 'How the name begins, in whatever case.' })
  name?: string | null;
}

@Resolver()
export class MerchantListResolver {
  @Authorized('VIEW')
  @Query(() => MerchantConnection, {
    description: 'The merchants, by code unless told otherwise.',
  })
  async merchants(
    @Ctx() { actor, database }: GraphContext,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('sort', () => MerchantSort, { defaultValue: 'CODE_ASC' })
    sort: SortName<db.MerchantSortBy>,
    @Arg('filter', () => MerchantFilter, { nullable: true }) filter?: MerchantFilter | null,
  ): Promise<Connected<Merchant>> {
    const asked: db.MerchantFilter = filter ?? {};
    const id = shownMerchants(operatorOf(actor), asked.id);
    return await connect(
      {
        sorts: db.MERCHANT_SORTS,
        id: BY_ID,
        read: async (shown, request) => await db.listMerchants(database, shown, request),
        count: async (shown, most) => await db.countMerchants(database, shown, most),
      },
      page,
      { ...asked, id },
      sort,
    );
  }
}
