import { Field, ID, InputType } from 'type-graphql';
import { CatalogueError } from '../../domain/errors';
import type { UnmatchedReason } from '../../domain/matching';
import * as db from '../../db/transfers/bank-transfer-list';
import { BankTransfer, BankTransferDirection, BankTransferDirectionEnum, UnmatchedReasonEnum } from './bank-transfer';
import { AmountRange, BY_ID, connectionOf, sortEnum, TimeRange } from '../connection';
import { type GraphContext } from '../context';
import { listResolver } from '../list-resolver';
import { operatorOf } from '../../steps/access/caller';

/** How bank transfers are sorted. */
export const BankTransferSort = sortEnum<db.BankTransferSortBy>('BankTransferSort', {
  RECEIVED_AT: 'By when it was reported to us',
  BANK_TIME: 'By when the bank booked them',
});

@InputType({ description: 'Filter of transfers. All given conditions must hold.' })
export class BankTransferFilter implements db.BankTransferFilter {
  @Field(() => [ID], { nullable: true, description: 'On one of these bank accounts.' })
  accountId?: string[] | null;

  @Field(() => BankTransferDirectionEnum, {
    nullable: true,
    description: 'CREDIT is the only one; null: no condition.',
  })
  direction?: BankTransferDirection | null;

  @Field(() => [String], { nullable: true, description: 'In one of these, ISO 4217.' })
  currencyCode?: string[] | null;

  @Field(() => AmountRange, {
    nullable: true,
    description: 'What arrived; both ends belong to the range.',
  })
  amount?: AmountRange | null;

  @Field(() => TimeRange, { nullable: true, description: 'When the bank booked it.' })
  bankTime?: TimeRange | null;

  @Field(() => TimeRange, { nullable: true, description: 'When it was reported to us.' })
  receivedAt?: TimeRange | null;

  @Field(() => String, {
    nullable: true,
    description: 'Who reported it: `operator:{id}` or `agent:{id}`.',
  })
  source?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: those that wait for an operator. False: those that pay a deposit.',
  })
  unmatched?: boolean | null;

  @Field(() => [UnmatchedReasonEnum], {
    nullable: true,
    description: 'They wait for one of these.',
  })
  unmatchedReason?: UnmatchedReason[] | null;
}

/**
 * A filter as given. @throws AUTHORIZATION_ERROR for operators of some merchants: bank credits belong to no merchant
 * until matched
 */
export function unlessRestricted<Filter>(filter: Filter, { actor }: GraphContext): Filter {
  if (operatorOf(actor).merchantIds !== null)
    throw new CatalogueError(
      'AUTHORIZATION_ERROR',
      'bank transfers are not visible to operators restricted to merchants',
    );
  return filter;
}

const BANK_TRANSFERS = {
  connection: connectionOf(BankTransfer, 'BankTransfer'),
  sort: BankTransferSort,
  defaultSort: 'RECEIVED_AT_DESC',
  filter: BankTransferFilter,
  sorts: db.BANK_TRANSFER_SORTS,
  id: BY_ID,
  read: db.listBankTransfers,
  count: db.countBankTransfers,
} as const;

export const BankTransferListResolver = listResolver('bankTransfers', {
  ...BANK_TRANSFERS,
  description: 'What banks reported, the newest first by default.',
  narrow: unlessRestricted,
});

export const UnmatchedTransferListResolver = listResolver('unmatchedTransfers', {
  ...BANK_TRANSFERS,
  description: 'Transfers that wait for an operator, the newest first by default.',
  narrow: (asked: db.BankTransferFilter, context) => ({
    ...unlessRestricted(asked, context),
    unmatched: true,
  }),
});
