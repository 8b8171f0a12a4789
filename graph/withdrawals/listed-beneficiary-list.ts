import { Field, ID, InputType } from 'type-graphql';
import { blindIndexes } from '../../crypto/blind-index';
import { LISTED_BENEFICIARY } from '../../domain/search-forms';
import * as db from '../../db/merchants/listed-beneficiary-list';
import { BY_ID, connectionOf, sortEnum } from '../connection';
import { listResolver, toOwnMerchants } from '../list-resolver';
import { BeneficiaryListEnum, ListedBeneficiary } from './review-rules';

@InputType({ description: 'Filter of listed beneficiaries. All given conditions must hold.' })
export class ListedBeneficiaryFilter implements db.ListedBeneficiaryFilter {
  @Field(() => [BeneficiaryListEnum], { nullable: true, description: 'On one of these.' })
  list?: ('ALLOW' | 'DENY')[] | null;

  @Field(() => [ID], {
    nullable: true,
    description: 'Entries that apply to one of these merchants: its own, and those for all merchants.',
  })
  merchantId?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'At one of these banks.' })
  bankCode?: string[] | null;

  @Field(() => String, { nullable: true, description: 'This number, in any spelling.' })
  accountNo?: string | null;
}

export const ListedBeneficiaryListResolver = listResolver('listedBeneficiaries', {
  description: 'Beneficiaries on the allowlist or the denylist, the newest first.',
  connection: connectionOf(ListedBeneficiary, 'ListedBeneficiary'),
  sort: sortEnum('ListedBeneficiarySort', { CREATED_AT: 'By when they were listed' }),
  defaultSort: 'CREATED_AT_DESC',
  filter: ListedBeneficiaryFilter,
  sorts: db.LISTED_BENEFICIARY_SORTS,
  id: BY_ID,
  read: db.listListedBeneficiaries,
  count: db.countListedBeneficiaries,
  narrow: ({ accountNo, ...asked }, context) => ({
    ...toOwnMerchants(asked, context),
    ...(accountNo != null && {
      accountKeys: blindIndexes(context.lookup, LISTED_BENEFICIARY, accountNo),
    }),
  }),
});
