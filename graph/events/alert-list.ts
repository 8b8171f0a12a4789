import { Arg, Args, Authorized, Ctx, Field, ID, InputType, Query, Resolver } from 'type-graphql';
import type { AlertKind } from '../../domain/alert';
import { shownMerchants } from '../../domain/permissions';
import * as db from '../../db/alerts/alert-list';
import type { AlertRow } from '../../db/alerts/alerts';
import { operatorOf } from '../access/authorization';
import {
  BY_ID,
  type Connected,
  connect,
  connectionOf,
  PageArgs,
  sortEnum,
  type SortName,
  TimeRange,
} from '../connection';
import { type GraphContext } from '../context';
import { Alert, AlertKindEnum } from './alert';

/** A page of alerts. */
export const AlertConnection = connectionOf(Alert, 'Alert');

/** How alerts are sorted. */
export const AlertSort = sortEnum<db.AlertSortBy>('AlertSort', { RAISED_AT: 'By when it arose' });

@InputType({ description: 'Which alerts to show: all that is given must hold.' })
export class AlertFilter implements db.AlertFilter {
  @Field(() => Boolean, {
    nullable: true,
    description: 'True: nobody has acknowledged it yet; false: somebody has.',
  })
  open?: boolean | null;

  @Field(() => [AlertKindEnum], { nullable: true, description: 'One of these.' })
  kind?: AlertKind[] | null;

  @Field(() => [ID], { nullable: true, description: 'Of one of these merchants.' })
  merchantId?: string[] | null;

  @Field(() => TimeRange, { nullable: true, description: 'When it arose.' })
  raisedAt?: TimeRange | null;
}

@Resolver()
export class AlertListResolver {
  @Authorized('VIEW')
  @Query(() => AlertConnection, { description: 'Alerts, the newest first unless told otherwise.' })
  async alerts(
    @Ctx() { actor, database }: GraphContext,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('sort', () => AlertSort, { defaultValue: 'RAISED_AT_DESC' })
    sort: SortName<db.AlertSortBy>,
    @Arg('filter', () => AlertFilter, { nullable: true }) filter?: AlertFilter | null,
  ): Promise<Connected<AlertRow>> {
    const asked: db.AlertFilter = filter ?? {};
    // Who is restricted to merchants sees theirs, and nothing that is nobody's.
    const merchantId = shownMerchants(operatorOf(actor), asked.merchantId);
    return await connect(
      {
        sorts: db.ALERT_SORTS,
        id: BY_ID,
        read: async (shown, request) => await db.listAlerts(database, shown, request),
        count: async (shown, most) => await db.countAlerts(database, shown, most),
      },
      page,
      { ...asked, merchantId },
      sort,
    );
  }
}
