import { Arg, Args, Authorized, Ctx, Field, ID, InputType, Query, Resolver } from 'type-graphql';
import { CatalogueError } from '../../domain/errors';
import type { UnmatchedReason } from '../../domain/matching';
import * as db from '../../db/transfers/bank-transfer-list';
import type { BankTransferView } from '../../db/transfers/bank-transfers';
import type { Database } from '../../db/client';
import { operatorOf } from '../access/authorization';
import {
  BankTransfer,
  BankTransferDirection,
  BankTransferDirectionEnum,
  UnmatchedReasonEnum,
} from './bank-transfer';
import {
  AmountRange,
  BY_ID,
  type Connected,
  connect,
  connectionOf,
  type List,
  PageArgs,
  sortEnum,
  type SortName,
  TimeRange,
} from '../connection';
import { type Actor, type GraphContext } from '../context';

/** A page of transfers. */
export const BankTransferConnection = connectionOf(BankTransfer, 'BankTransfer');

/** How transfers are sorted. */
export const BankTransferSort = sortEnum<db.BankTransferSortBy>('BankTransferSort', {
  RECEIVED_AT: 'By when we were told',
  BANK_TIME: 'By when the bank booked them',
});

@InputType({ description: 'Which transfers to show: all that is given must hold.' })
export class BankTransferFilter implements db.BankTransferFilter {
  @Field(() => [ID], { nullable: true, description: 'On one of these bank accounts.' })
  accountId?: string[] | null;

  @Field(() => BankTransferDirectionEnum, { nullable: true })
  direction?: BankTransferDirection | null;

  @Field(() => [String], { nullable: true, description: 'In one of these, ISO 4217.' })
  currencyCode?: string[] | null;

  @Field(() => AmountRange, { nullable: true })
  amount?: AmountRange | null;

  @Field(() => TimeRange, { nullable: true, description: 'When the bank booked it.' })
  bankTime?: TimeRange | null;

  @Field(() => TimeRange, { nullable: true, description: 'When we were told.' })
  receivedAt?: TimeRange | null;

  @Field(() => String, {
    nullable: true,
    description: 'Who reported it: `operator:{id}` or `agent:{id}`.',
  })
  source?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: those that wait for a person. False: those that pay a deposit.',
  })
  unmatched?: boolean | null;

  @Field(() => [UnmatchedReasonEnum], {
    nullable: true,
    description: 'They wait for one of these.',
  })
  unmatchedReason?: UnmatchedReason[] | null;
}

/** What banks report is nobody's until it is matched: who is restricted to merchants works elsewhere. */
export function refuseRestricted(actor: Actor): void {
  if (operatorOf(actor).merchantIds !== null)
    throw new CatalogueError('AUTHORIZATION_ERROR', 'bank transfers are not of your merchants');
}

const listOf = (
  database: Database,
): List<BankTransferView, db.BankTransferSortBy, db.BankTransferFilter> => ({
  sorts: db.BANK_TRANSFER_SORTS,
  id: BY_ID,
  read: async (filter, page) => await db.listBankTransfers(database, filter, page),
  count: async (filter, most) => await db.countBankTransfers(database, filter, most),
});

@Resolver()
export class BankTransferListResolver {
  @Authorized('VIEW')
  @Query(() => BankTransferConnection, {
    description: 'What banks reported, the newest first unless told otherwise.',
  })
  async bankTransfers(
    @Ctx() { actor, database }: GraphContext,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('sort', () => BankTransferSort, { defaultValue: 'RECEIVED_AT_DESC' })
    sort: SortName<db.BankTransferSortBy>,
    @Arg('filter', () => BankTransferFilter, { nullable: true }) filter?: BankTransferFilter | null,
  ): Promise<Connected<BankTransfer>> {
    refuseRestricted(actor);
    return await connect(listOf(database), page, filter ?? {}, sort);
  }

  @Authorized('VIEW')
  @Query(() => BankTransferConnection, {
    description: 'Transfers that wait for a person, the newest first unless told otherwise.',
  })
  async unmatchedTransfers(
    @Ctx() { actor, database }: GraphContext,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('sort', () => BankTransferSort, { defaultValue: 'RECEIVED_AT_DESC' })
    sort: SortName<db.BankTransferSortBy>,
    @Arg('filter', () => BankTransferFilter, { nullable: true }) filter?: BankTransferFilter | null,
  ): Promise<Connected<BankTransfer>> {
    refuseRestricted(actor);
    const asked: db.BankTransferFilter = filter ?? {};
    return await connect(listOf(database), page, { ...asked, unmatched: true }, sort);
  }
}
