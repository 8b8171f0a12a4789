import { Field, ID, InputType } from 'type-graphql';
import { shownMerchants } from '../../domain/permissions';
import * as db from '../../db/merchants/merchant-list';
import { BY_ID, connectionOf, sortEnum } from '../connection';
import { Merchant } from './merchant';
import { listResolver } from '../list-resolver';
import { operatorOf } from '../../steps/access/caller';

@InputType({ description: 'Filter of merchants. All given conditions must hold.' })
export class MerchantFilter implements db.MerchantFilter {
  @Field(() => [ID], { nullable: true, description: 'One of these.' })
  id?: string[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether its requests are accepted at all; null: no condition.',
  })
  enabled?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether it may create deposits; null: no condition.',
  })
  canDeposit?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether it may create withdrawals; null: no condition.',
  })
  canWithdraw?: boolean | null;

  @Field(() => [String], { nullable: true, description: 'Has one of these enabled, ISO 4217.' })
  currencyCode?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Exactly this code.' })
  merchantCode?: string | null;

  @Field(() => String, { nullable: true, description: 'How the code begins.' })
  merchantCodePrefix?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'How the name begins, in upper or lower case.',
  })
  namePrefix?: string | null;
}

export const MerchantListResolver = listResolver('merchants', {
  description: 'The merchants, by code by default.',
  connection: connectionOf(Merchant, 'Merchant'),
  sort: sortEnum('MerchantSort', {
    CODE: 'By their code',
    NAME: 'By their name',
  }),
  defaultSort: 'CODE_ASC',
  filter: MerchantFilter,
  sorts: db.MERCHANT_SORTS,
  id: BY_ID,
  read: db.listMerchants,
  count: db.countMerchants,
  narrow: (asked: db.MerchantFilter, { actor }) => ({
    ...asked,
    id: shownMerchants(operatorOf(actor), asked.id),
  }),
});
