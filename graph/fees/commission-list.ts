import { Field, ID, InputType } from 'type-graphql';
import type { CommissionSource } from '../../domain/commission';
import * as db from '../../db/fees/commissions';
import { BY_ID, connectionOf, sortEnum, TimeRange } from '../connection';
import { listResolver, toOwnMerchants } from '../list-resolver';
import { Commission, CommissionSourceEnum } from './commission';

@InputType({ description: 'Filter of commissions. All given conditions must hold.' })
export class CommissionFilter implements db.CommissionFilter {
  @Field(() => [ID], { nullable: true, description: 'Earned by one of these resellers.' })
  resellerId?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'Of the fees of one of these merchants.' })
  merchantId?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'In one of these, ISO 4217.' })
  currencyCode?: string[] | null;

  @Field(() => [CommissionSourceEnum], { nullable: true, description: 'Brought by one of these.' })
  source?: CommissionSource[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: only those that were taken back. False: only those that hold. Null: both.',
  })
  reversed?: boolean | null;

  @Field(() => TimeRange, { nullable: true, description: 'When it was earned.' })
  at?: TimeRange | null;
}

export const CommissionListResolver = listResolver('commissions', {
  description: 'What resellers earned, a row for each fee, the newest first.',
  connection: connectionOf(Commission, 'Commission'),
  sort: sortEnum('CommissionSort', { AT: 'By when it was earned' }),
  defaultSort: 'AT_DESC',
  filter: CommissionFilter,
  sorts: db.COMMISSION_SORTS,
  id: BY_ID,
  read: db.listCommissions,
  count: db.countCommissions,
  narrow: toOwnMerchants,
});
