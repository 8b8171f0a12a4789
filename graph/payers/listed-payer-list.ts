import { Field, ID, InputType } from 'type-graphql';
import type { PayerList, PayerTrait } from '../../domain/payer-lists';
import * as db from '../../db/payers/listed-payer-list';
import { BY_ID, connectionOf, sortEnum } from '../connection';
import { listResolver, toOwnMerchants } from '../list-resolver';
import { ListedPayer } from './listed-payer';
import { PayerListEnum, PayerTraitEnum } from './payer-enums';

@InputType({ description: 'Filter of listed payers. All given conditions must hold.' })
export class ListedPayerFilter implements db.ListedPayerFilter {
  @Field(() => [PayerListEnum], { nullable: true, description: 'On one of these.' })
  list?: PayerList[] | null;

  @Field(() => [PayerTraitEnum], { nullable: true, description: 'Known by one of these.' })
  trait?: PayerTrait[] | null;

  @Field(() => [ID], {
    nullable: true,
    description: 'Entries that apply to one of these merchants: its own, and those for all merchants.',
  })
  merchantId?: string[] | null;
}

export const ListedPayerListResolver = listResolver('listedPayers', {
  description: 'Payers on a list, the newest first; those that have expired, too.',
  connection: connectionOf(ListedPayer, 'ListedPayer'),
  sort: sortEnum('ListedPayerSort', { CREATED_AT: 'By when they were listed' }),
  defaultSort: 'CREATED_AT_DESC',
  filter: ListedPayerFilter,
  sorts: db.LISTED_PAYER_SORTS,
  id: BY_ID,
  read: db.listListedPayers,
  count: db.countListedPayers,
  narrow: toOwnMerchants,
});
