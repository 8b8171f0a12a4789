import { Arg, Args, Authorized, type ClassType, Ctx, Query, Resolver } from 'type-graphql';
import { shownMerchants } from '../domain/permissions';
import type { Database } from '../db/client';
import type { Page, PageRequest, SortColumn } from '../db/pages';
import type { Role } from './access/authorization';
import { type Connected, connect, type List, PageArgs, type SortName } from './connection';
import type { GraphContext } from './context';
import { operatorOf } from '../steps/access/caller';

/** A root field that answers a list: its types, its default order, and how its rows are read. */
export interface ListField<Row, By extends string, Filter, Asked extends Filter> {
  readonly description: string;
  /** The permission to read it; by default VIEW. */
  readonly role?: Role;
  readonly connection: ClassType<Connected<object>>;
  readonly sort: Readonly<Record<SortName<By>, SortName<By>>>;
  readonly defaultSort: NoInfer<SortName<By>>;
  readonly filter: ClassType<Asked & object>;
  readonly sorts: Readonly<Record<By, SortColumn<Row>>>;
  /** The unique tie-breaker of rows with the same value. */
  readonly id: List<Row, By, Filter>['id'];
  readonly read: (database: Database, filter: Filter, page: PageRequest<By>, now: Date) => Promise<Page<Row>>;
  /** Counts rows, up to a maximum. */
  readonly count: (database: Database, filter: Filter, most: number, now: Date) => Promise<number>;
  /** Narrows the filter to the rows that the caller may see, or refuses; by default the filter stays as given. */
  readonly narrow?: (filter: Asked, context: GraphContext) => Filter;
}

/** Narrows a filter to the merchants that the calling operator may see. */
export const toOwnMerchants = <Filter extends { merchantId?: readonly string[] | null }>(
  filter: Filter,
  { actor }: GraphContext,
): Filter => ({
  ...filter,
  merchantId: shownMerchants(operatorOf(actor), filter.merchantId),
});

/** Makes the resolver of a list. @param name of the root field */
export function listResolver<Row, By extends string, Filter, Asked extends Filter>(
  name: string,
  field: ListField<Row, By, Filter, Asked>,
): ClassType {
  const { description, role = 'VIEW', connection, sort: sorts, defaultSort, filter } = field;
  const { narrow = (asked: Asked): Filter => asked } = field;

  @Resolver()
  class ListResolver {
    @Authorized(role)
    @Query(() => connection, { name, description })
    async list(
      @Ctx() context: GraphContext,
      @Args(() => PageArgs) page: PageArgs,
      @Arg('sort', () => sorts, {
        defaultValue: defaultSort,
        description: 'The order of the rows.',
      })
      sort: SortName<By>,
      @Arg('filter', () => filter, {
        nullable: true,
        description: 'Which rows to show; null: all that the caller may see.',
      })
      asked?: Asked | null,
    ): Promise<Connected<Row>> {
      const { database, now } = context;
      const rows: List<Row, By, Filter> = {
        sorts: field.sorts,
        id: field.id,
        read: async (shown, request) => await field.read(database, shown, request, now),
        count: async (shown, most) => await field.count(database, shown, most, now),
      };
      return await connect(rows, page, narrow(asked ?? ({} as Asked), context), sort);
    }
  }
  return ListResolver;
}
