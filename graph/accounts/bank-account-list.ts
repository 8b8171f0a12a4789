import { Field, InputType } from 'type-graphql';
import type { AccountMode, AccountStatus } from '../../domain/bank-account';
import * as db from '../../db/accounts/bank-account-list';
import { BankAccount, BankAccountMode, BankAccountStatus } from './bank-account';
import { BY_ID, connectionOf, sortEnum } from '../connection';
import { listResolver } from '../list-resolver';

@InputType({ description: 'Filter of accounts. All given conditions must hold.' })
export class BankAccountFilter implements db.BankAccountFilter {
  @Field(() => [BankAccountStatus], { nullable: true, description: 'One of these.' })
  status?: AccountStatus[] | null;

  @Field(() => [BankAccountMode], { nullable: true, description: 'One of these.' })
  mode?: AccountMode[] | null;

  @Field(() => [String], { nullable: true, description: 'One of these, ISO 4217.' })
  currencyCode?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'At one of these banks.' })
  bankCode?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Exactly this number.' })
  accountNo?: string | null;

  @Field(() => String, { nullable: true, description: 'How the number begins.' })
  accountNoPrefix?: string | null;
}

export const BankAccountListResolver = listResolver('bankAccounts', {
  description: 'The managed bank accounts, by name by default.',
  connection: connectionOf(BankAccount, 'BankAccount'),
  sort: sortEnum('BankAccountSort', {
    NAME: 'By what operators call them',
  }),
  defaultSort: 'NAME_ASC',
  filter: BankAccountFilter,
  sorts: db.BANK_ACCOUNT_SORTS,
  id: BY_ID,
  read: db.listBankAccounts,
  count: db.countBankAccounts,
});
