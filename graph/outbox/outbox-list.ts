import { Arg, Args, Authorized, Ctx, Field, InputType, Query, Resolver } from 'type-graphql';
import * as db from '../../db/events/outbox-list';
import {
  BY_ID,
  type Connected,
  connect,
  connectionOf,
  PageArgs,
  sortEnum,
  type SortName,
} from '../connection';
import { type GraphContext } from '../context';
import { OutboxRow } from './outbox';

/** A page of outbox rows. */
export const OutboxRowConnection = connectionOf(OutboxRow, 'OutboxRow');

/** How outbox rows are sorted. */
export const OutboxRowSort = sortEnum<db.ParkedOutboxSortBy>('OutboxRowSort', {
  CREATED_AT: 'By when the order changed',
});

@InputType({ description: 'Which outbox rows to show: all that is given must hold.' })
export class OutboxRowFilter implements db.ParkedOutboxFilter {
  @Field(() => [String], { nullable: true, description: 'About one of these: deposit, callback.' })
  noun?: string[] | null;
}

@Resolver()
export class OutboxListResolver {
  @Authorized('VIEW')
  @Query(() => OutboxRowConnection, {
    description: 'Outbox rows that wait for a person, the oldest first unless told otherwise.',
  })
  async parkedOutboxRows(
    @Ctx() { database }: GraphContext,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('sort', () => OutboxRowSort, { defaultValue: 'CREATED_AT_ASC' })
    sort: SortName<db.ParkedOutboxSortBy>,
    @Arg('filter', () => OutboxRowFilter, { nullable: true }) filter?: OutboxRowFilter | null,
  ): Promise<Connected<OutboxRow>> {
    return await connect(
      {
        sorts: db.PARKED_OUTBOX_SORTS,
        id: BY_ID,
        read: async (shown, request) => await db.listParkedOutbox(database, shown, request),
        count: async (shown, most) => await db.countParkedOutbox(database, shown, most),
      },
      page,
      filter ?? {},
      sort,
    );
  }
}
