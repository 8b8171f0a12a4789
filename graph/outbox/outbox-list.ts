import { Field, InputType } from 'type-graphql';
import type { WorkflowNoun } from '../../domain/ids';
import * as db from '../../db/events/outbox-list';
import { BY_ID, connectionOf, sortEnum } from '../connection';
import { OutboxNounEnum, OutboxRow } from './outbox';
import { listResolver } from '../list-resolver';

@InputType({ description: 'Filter of outbox rows. All given conditions must hold.' })
export class OutboxRowFilter implements db.ParkedOutboxFilter {
  @Field(() => [OutboxNounEnum], { nullable: true, description: 'About one of these.' })
  noun?: WorkflowNoun[] | null;
}

export const OutboxListResolver = listResolver('parkedOutboxRows', {
  description: 'Outbox rows that wait for an operator, the oldest first by default.',
  connection: connectionOf(OutboxRow, 'OutboxRow'),
  sort: sortEnum('OutboxRowSort', {
    CREATED_AT: 'By when the order changed',
  }),
  defaultSort: 'CREATED_AT_ASC',
  filter: OutboxRowFilter,
  sorts: db.PARKED_OUTBOX_SORTS,
  id: BY_ID,
  read: db.listParkedOutbox,
  count: db.countParkedOutbox,
});
