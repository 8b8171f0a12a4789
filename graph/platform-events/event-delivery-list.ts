import { Field, ID, InputType } from 'type-graphql';
import type { DeliveryKind, DeliveryStatus, PlatformEvent } from '../../domain/platform-event';
import * as db from '../../db/platform-events/delivery-list';
import { BY_ID, connectionOf, sortEnum, TimeRange } from '../connection';
import { listResolver, toOwnMerchants } from '../list-resolver';
import { EventDelivery } from './event-delivery';
import { EventDeliveryKindEnum, EventDeliveryStatusEnum, PlatformEventEnum } from './event-enums';

@InputType({ description: 'Filter of deliveries of events. All given conditions must hold.' })
export class EventDeliveryFilter implements db.EventDeliveryFilter {
  @Field(() => [EventDeliveryStatusEnum], { nullable: true, description: 'One of these.' })
  status?: DeliveryStatus[] | null;

  @Field(() => [PlatformEventEnum], { nullable: true, description: 'Of one of these.' })
  event?: PlatformEvent[] | null;

  @Field(() => [EventDeliveryKindEnum], { nullable: true, description: 'One of these.' })
  kind?: DeliveryKind[] | null;

  @Field(() => [ID], { nullable: true, description: 'Of events of one of these merchants.' })
  merchantId?: string[] | null;

  @Field(() => TimeRange, { nullable: true, description: 'When the event happened.' })
  createdAt?: TimeRange | null;
}

export const EventDeliveryListResolver = listResolver('eventDeliveries', {
  description: 'Deliveries of events, each to one address, the newest first by default.',
  connection: connectionOf(EventDelivery, 'EventDelivery'),
  sort: sortEnum('EventDeliverySort', { CREATED_AT: 'By when the event happened' }),
  defaultSort: 'CREATED_AT_DESC',
  filter: EventDeliveryFilter,
  sorts: db.EVENT_DELIVERY_SORTS,
  id: BY_ID,
  read: db.listEventDeliveries,
  count: db.countEventDeliveries,
  narrow: toOwnMerchants,
});
