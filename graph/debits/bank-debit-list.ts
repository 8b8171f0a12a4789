import { Field, ID, InputType } from 'type-graphql';
import * as db from '../../db/transfers/bank-debit-list';
import { AmountRange, BY_ID, connectionOf, sortEnum, TimeRange } from '../connection';
import { unlessRestricted } from '../transfers/bank-transfer-list';
import { BankDebit } from './bank-debit';
import { listResolver } from '../list-resolver';

@InputType({ description: 'Filter of debits. All given conditions must hold.' })
export class BankDebitFilter implements db.BankDebitFilter {
  @Field(() => [ID], { nullable: true, description: 'On one of these bank accounts.' })
  accountId?: string[] | null;

  @Field(() => AmountRange, {
    nullable: true,
    description: 'What left the account; both ends belong to the range.',
  })
  amount?: AmountRange | null;

  @Field(() => TimeRange, { nullable: true, description: 'When it was reported to us.' })
  receivedAt?: TimeRange | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'False: those that wait for an operator. True: those that do not.',
  })
  explained?: boolean | null;
}

export const BankDebitListResolver = listResolver('bankDebits', {
  description: 'Debits of managed accounts, as banks reported them, the newest first.',
  connection: connectionOf(BankDebit, 'BankDebit'),
  sort: sortEnum('BankDebitSort', {
    RECEIVED_AT: 'By when it was reported to us',
  }),
  defaultSort: 'RECEIVED_AT_DESC',
  filter: BankDebitFilter,
  sorts: db.BANK_DEBIT_SORTS,
  id: BY_ID,
  read: db.listBankDebits,
  count: db.countBankDebits,
  narrow: unlessRestricted,
});
