import { Field, ID, InputType } from 'type-graphql';
import type { AlertKind } from '../../domain/alert';
import * as db from '../../db/alerts/alert-list';
import { BY_ID, connectionOf, sortEnum, TimeRange } from '../connection';
import { Alert, AlertKindEnum } from './alert';
import { listResolver, toOwnMerchants } from '../list-resolver';

@InputType({ description: 'Filter of alerts. All given conditions must hold.' })
export class AlertFilter implements db.AlertFilter {
  @Field(() => Boolean, {
    nullable: true,
    description: 'True: not acknowledged yet; false: acknowledged.',
  })
  open?: boolean | null;

  @Field(() => [AlertKindEnum], { nullable: true, description: 'One of these.' })
  kind?: AlertKind[] | null;

  @Field(() => [ID], { nullable: true, description: 'Of one of these merchants.' })
  merchantId?: string[] | null;

  @Field(() => TimeRange, { nullable: true, description: 'When it arose.' })
  raisedAt?: TimeRange | null;
}

export const AlertListResolver = listResolver('alerts', {
  description: 'Alerts, the newest first by default.',
  connection: connectionOf(Alert, 'Alert'),
  sort: sortEnum('AlertSort', { RAISED_AT: 'By when it arose' }),
  defaultSort: 'RAISED_AT_DESC',
  filter: AlertFilter,
  sorts: db.ALERT_SORTS,
  id: BY_ID,
  read: db.listAlerts,
  count: db.countAlerts,
  narrow: toOwnMerchants,
});
