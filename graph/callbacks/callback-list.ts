import { Field, ID, InputType } from 'type-graphql';
import type { NotificationStatus } from '../../domain/callback';
import * as db from '../../db/callbacks/callback-list';
import { NotificationLog, NotificationStatusEnum } from './callback';
import { BY_ID, connectionOf, sortEnum, TimeRange } from '../connection';
import { listResolver, toOwnMerchants } from '../list-resolver';

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

export const CallbackListResolver = listResolver('callbacks', {
  description: 'Callbacks to merchants, the newest first unless told otherwise.',
  connection: connectionOf(NotificationLog, 'NotificationLog'),
  sort: sortEnum('NotificationLogSort', {
    CREATED_AT: 'By when their order changed',
  }),
  defaultSort: 'CREATED_AT_DESC',
  filter: NotificationLogFilter,
  sorts: db.NOTIFICATION_SORTS,
  id: BY_ID,
  read: db.listNotifications,
  count: db.countNotifications,
  narrow: toOwnMerchants,
});
