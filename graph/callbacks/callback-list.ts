import { Arg, Args, Authorized, Ctx, Field, ID, InputType, Query, Resolver } from 'type-graphql';
import type { NotificationStatus } from '../../domain/callback';
import { shownMerchants } from '../../domain/permissions';
import * as db from '../../db/callbacks/callback-list';
import { operatorOf } from '../access/authorization';
import { NotificationLog, NotificationStatusEnum } from './callback';
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

/** A page of callbacks. */
export const NotificationLogConnection = connectionOf(NotificationLog, 'NotificationLog');

/** How callbacks are sorted. */
export const NotificationLogSort = sortEnum<db.NotificationSortBy>('NotificationLogSort', {
  CREATED_AT: 'By when their order changed',
});

@InputType({ description: 'Which callbacks to show: all that is given must hold.' })
export class NotificationLogFilter implements db.NotificationFilter {
  @Field(() => [NotificationStatusEnum], { nullable: true, description: 'One of these.' })
  status?: NotificationStatus[] | null;

  @Field(() => [ID], { nullable: true, description: 'To one of these merchants.' })
  merchantId?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Such as deposit_completed.' })
  notificationType?: string[] | null;

  @Field(() => TimeRange, { nullable: true, description: 'When its order changed.' })
  createdAt?: TimeRange | null;
}

@Resolver()
export class CallbackListResolver {
  @Authorized('VIEW')
  @Query(() => NotificationLogConnection, {
    description: 'Callbacks to merchants, the newest first unless told otherwise.',
  })
  async callbacks(
    @Ctx() { actor, database }: GraphContext,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('sort', () => NotificationLogSort, { defaultValue: 'CREATED_AT_DESC' })
    sort: SortName<db.NotificationSortBy>,
    @Arg('filter', () => NotificationLogFilter, { nullable: true })
    filter?: NotificationLogFilter | null,
  ): Promise<Connected<NotificationLog>> {
    const asked: db.NotificationFilter = filter ?? {};
    const merchantId = shownMerchants(operatorOf(actor), asked.merchantId);
    return await connect(
      {
        sorts: db.NOTIFICATION_SORTS,
        id: BY_ID,
        read: async (shown, request) => await db.listNotifications(database, shown, request),
        count: async (shown, most) => await db.countNotifications(database, shown, most),
      },
      page,
      { ...asked, merchantId },
      sort,
    );
  }
}
