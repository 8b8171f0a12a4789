import { Field, InputType } from 'type-graphql';
import type { AccountKind } from '../../domain/ledger';
import * as db from '../../db/ledger/trial-balance-list';
import { connectionOf, sortEnum } from '../connection';
import { listResolver } from '../list-resolver';
import { AccountBalance, AccountKindEnum } from './balance';

@InputType({ description: 'Filter of accounts of the ledger. All given conditions must hold.' })
export class TrialBalanceFilter implements db.TrialBalanceFilter {
  @Field(() => [String], { nullable: true, description: 'One of these, such as `suspense`.' })
  account?: string[] | null;

  @Field(() => String, { nullable: true, description: 'How the account begins, such as `bank:`.' })
  accountPrefix?: string | null;

  @Field(() => [String], { nullable: true, description: 'In one of these, ISO 4217.' })
  currencyCode?: string[] | null;

  @Field(() => [AccountKindEnum], { nullable: true, description: 'Of one of these kinds.' })
  kind?: AccountKind[] | null;
}

export const TrialBalanceListResolver = listResolver('trialBalance', {
  description: 'Every account of the ledger with what it holds, a row for each currency; per currency the sum is zero.',
  connection: connectionOf(AccountBalance, 'TrialBalance'),
  sort: sortEnum('TrialBalanceSort', {
    ACCOUNT: 'By the account, then by the currency',
  }),
  defaultSort: 'ACCOUNT_ASC',
  filter: TrialBalanceFilter,
  sorts: db.TRIAL_BALANCE_SORTS,
  id: { of: ({ currencyCode }) => currencyCode, type: 'text' },
  read: db.listTrialBalance,
  count: db.countTrialBalance,
});
