import { Field, ID, InputType } from 'type-graphql';
import type { NotificationStatus, NotificationType } from '../../domain/callback';
import * as db from '../../db/callbacks/callback-list';
import { Callback, CallbackStatusEnum, CallbackTypeEnum } from './callback';
import { BY_ID, connectionOf, sortEnum, TimeRange } from '../connection';
import { listResolver, toOwnMerchants } from '../list-resolver';

@InputType({ description: 'Filter of callbacks. All given conditions must hold.' })
export class CallbackFilter implements db.NotificationFilter {
  @Field(() => [CallbackStatusEnum], { nullable: true, description: 'One of these.' })
  status?: NotificationStatus[] | null;

  @Field(() => [ID], { nullable: true, description: 'To one of these merchants.' })
  merchantId?: string[] | null;

  @Field(() => [CallbackTypeEnum], { nullable: true, description: 'One of these.' })
  notificationType?: NotificationType[] | null;

  @Field(() => TimeRange, { nullable: true, description: 'When its order changed.' })
  createdAt?: TimeRange | null;

  @Field(() => TimeRange, { nullable: true, description: 'When its delivery last changed.' })
  updatedAt?: TimeRange | null;

  @Field(() => [String], {
    nullable: true,
    description: 'About one of these orders: gateway numbers, exactly.',
  })
  orderNo?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'Sent to one of these hosts, such as `pay.example.com`, on whatever port. No index finds a host: give a merchant, a status or a time beside it.',
  })
  host?: string[] | null;
}

export const CallbackListResolver = listResolver('callbacks', {
  description: 'Callbacks to merchants, the newest first by default.',
  connection: connectionOf(Callback, 'Callback'),
  sort: sortEnum('CallbackSort', {
    CREATED_AT: 'By when their order changed',
  }),
  defaultSort: 'CREATED_AT_DESC',
  filter: CallbackFilter,
  sorts: db.NOTIFICATION_SORTS,
  id: BY_ID,
  read: db.listNotifications,
  count: db.countNotifications,
  narrow: toOwnMerchants,
});
