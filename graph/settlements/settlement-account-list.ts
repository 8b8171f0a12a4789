import { Field, ID, InputType } from 'type-graphql';
import * as db from '../../db/settlements/settlement-accounts';
import { BY_ID, connectionOf, sortEnum } from '../connection';
import { SettlementAccount } from './settlement-account';
import { listResolver, toOwnMerchants } from '../list-resolver';

@InputType({ description: 'Filter of settlement accounts. All given conditions must hold.' })
export class SettlementAccountFilter implements db.SettlementAccountFilter {
  @Field(() => [ID], { nullable: true, description: 'Of one of these merchants.' })
  merchantId?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'In one of these, ISO 4217.' })
  currencyCode?: string[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: only disabled ones. False: only those that may be paid to. Null: both.',
  })
  disabled?: boolean | null;
}

export const SettlementAccountListResolver = listResolver('settlementAccounts', {
  description: "Merchants' accounts for settlements, the newest first by default.",
  connection: connectionOf(SettlementAccount, 'SettlementAccount'),
  sort: sortEnum('SettlementAccountSort', {
    CREATED_AT: 'By their registration',
  }),
  defaultSort: 'CREATED_AT_DESC',
  filter: SettlementAccountFilter,
  sorts: db.SETTLEMENT_ACCOUNT_SORTS,
  id: BY_ID,
  read: db.listSettlementAccounts,
  count: db.countSettlementAccounts,
  narrow: toOwnMerchants,
});
