import { Arg, ArgsType, type ClassType, Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { invalidField } from '../domain/errors';
import type { Money } from '../domain/money';
import type * as db from '../db/pages';
import { DecimalScalar } from './scalars';

/** Rows of a page by default, and at most. */
const PAGE = { default: 50, most: 200 } as const;
/** The most that is counted: a badge shows "1000+" at most. */
const COUNT_AT_MOST = 1_000;

@ObjectType({ simpleResolvers: true, description: 'The position of a page in its list.' })
export class PageInfo {
  @Field({
    description: 'With `first`: whether more rows follow. With `last`: whether the page ended at `before`.',
  })
  hasNextPage!: boolean;

  @Field({
    description: 'With `last`: whether more rows precede. With `first`: whether the page began at `after`.',
  })
  hasPreviousPage!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'The cursor of the first row; null on an empty page.',
  })
  startCursor!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The cursor of the last row; null on an empty page.',
  })
  endCursor!: string | null;
}

/** The requested part of a list. */
@ArgsType()
export class PageArgs {
  @Field(() => Int, {
    nullable: true,
    description: `So many rows from the beginning, or from \`after\`. 1-${PAGE.most}; ${PAGE.default} by default.`,
  })
  first?: number | null;

  @Field(() => String, { nullable: true, description: 'A cursor: only rows after it.' })
  after?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: `So many rows from the end, or up to \`before\`, in the order of the list. 1-${PAGE.most}.`,
  })
  last?: number | null;

  @Field(() => String, { nullable: true, description: 'A cursor: only rows before it.' })
  before?: string | null;
}

@InputType({ description: 'A range of amounts in the currency of the row; both ends included.' })
export class AmountRange implements db.AmountRange {
  @Field(() => DecimalScalar, { nullable: true, description: 'Open unless given.' })
  min?: Money | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Open unless given.' })
  max?: Money | null;
}

@InputType({ description: 'A time range.' })
export class TimeRange implements db.TimeRange {
  @Field(() => Date, { nullable: true, description: 'The beginning, included; open by default.' })
  from?: Date | null;

  @Field(() => Date, { nullable: true, description: 'The end, excluded; open by default.' })
  to?: Date | null;
}

/** How a list is sorted: by one of its columns, in one direction. */
export type SortName<By extends string> = `${By}_${'ASC' | 'DESC'}`;

/** Registers the ways in which a list may be sorted, named for its columns. @param columns what each means */
export function sortEnum<By extends string>(
  name: string,
  columns: Readonly<Record<By, string>>,
): Record<SortName<By>, SortName<By>> {
  const ways = (Object.keys(columns) as By[]).flatMap((by) => [
    [`${by}_DESC`, `${columns[by]}, the greatest or latest first.`] as const,
    [`${by}_ASC`, `${columns[by]}, the least or earliest first.`] as const,
  ]);
  const names = Object.fromEntries(ways.map(([way]) => [way, way])) as Record<SortName<By>, SortName<By>>;
  registerEnumType(names, {
    name,
    description: 'How the list is sorted; rows with the same value are sorted by id.',
    valuesConfig: Object.fromEntries(ways.map(([way, description]) => [way, { description }])) as Record<
      SortName<By>,
      { description: string }
    >,
  });
  return names;
}

/** A list as its noun declares it: its sorts, and how its pages are read. */
export interface List<Row, By extends string, Filter> {
  readonly sorts: Readonly<Record<By, db.SortColumn<Row>>>;
  /** The unique tie-breaker of rows with the same value: an id, or a number. */
  readonly id: { readonly of: (row: Row) => string; readonly type: keyof typeof IDS };
  readonly read: (filter: Filter, page: db.PageRequest<By>) => Promise<db.Page<Row>>;
  /** Counts rows, up to a maximum. */
  readonly count: (filter: Filter, most: number) => Promise<number>;
}

/** A cursor's content: plain text, because it protects nothing. Permissions are checked when rows are read. */
type Cursor = readonly [way: string, value: string, id: string];

const encode = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url');

/** The place of a row in a list that is sorted in a way. */
export const cursorOf = (way: string, { value, id }: db.Place): string => encode([way, value, id]);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const IDS = { uuid: UUID, smallint: /^\d{1,4}$/, text: /^[^\0]{1,100}$/u } as const;
/** Of most lists. */
export const BY_ID = { of: ({ id }: { readonly id: string }) => id, type: 'uuid' } as const;
const VALUES: Record<db.SortColumn<never>['type'], RegExp> = {
  timestamptz: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  numeric: /^-?\d{1,16}(\.\d{1,4})?$/,
  // PostgreSQL accepts no NUL in a text.
  text: /^[^\0]{0,500}$/u,
  uuid: UUID,
  date: /^\d{4}-\d\d-\d\d$/,
};

/** @throws INVALID_FIELD for a text that is not a cursor of this list in this order */
export function placeOf(
  argument: 'after' | 'before',
  text: string | null | undefined,
  way: string,
  type: db.SortColumn<never>['type'],
  idType: keyof typeof IDS,
): db.Place | null {
  if (text === null || text === undefined) return null;
  let cursor: unknown;
  try {
    cursor = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    throw invalidField(argument, 'is not a valid cursor');
  }
  const [of, value, id] = Array.isArray(cursor) ? (cursor as unknown[]) : [];
  if (typeof value !== 'string' || typeof id !== 'string' || !IDS[idType].test(id))
    throw invalidField(argument, 'is not a valid cursor');
  if (of !== way) throw invalidField(argument, 'is a cursor of a list with a different sort');
  if (!VALUES[type].test(value) || (type === 'timestamptz' && Number.isNaN(Date.parse(value))))
    throw invalidField(argument, 'is not a valid cursor');
  return { value, id };
}

function sizeOf({ first, last }: PageArgs): number {
  if (first != null && last != null) throw invalidField('first', 'cannot be combined with last', 'NOT_ALLOWED');
  const size = first ?? last ?? PAGE.default;
  if (size < 1 || size > PAGE.most)
    throw invalidField(last == null ? 'first' : 'last', `must be 1-${PAGE.most}`, 'OUT_OF_RANGE');
  return size;
}

/** A page as a connection shows it. */
export interface Connected<Row> {
  readonly edges: readonly { readonly node: Row; readonly cursor: string }[];
  readonly nodes: readonly Row[];
  readonly pageInfo: PageInfo;
  readonly countUpTo: (max: number) => Promise<number>;
}

/** Makes the types `{noun}Connection` and `{noun}Edge` (Relay's cursor connections). */
export function connectionOf<Node extends object>(node: ClassType<Node>, noun: string): ClassType<Connected<Node>> {
  @ObjectType(`${noun}Edge`, { simpleResolvers: true, description: 'A row with its cursor.' })
  class Edge {
    @Field(() => node, { description: 'The row.' })
    node!: Node;

    @Field({ description: 'The cursor of the row in this sort.' })
    cursor!: string;
  }

  @ObjectType(`${noun}Connection`, { simpleResolvers: true, description: 'A page of a list.' })
  class Connection implements Connected<Node> {
    @Field(() => [Edge], { description: 'The rows with their cursors, in the order of the list.' })
    edges!: readonly Edge[];

    @Field(() => [node], { description: 'The rows without their cursors.' })
    nodes!: readonly Node[];

    @Field(() => PageInfo, { description: 'The position of the page in its list.' })
    pageInfo!: PageInfo;

    @Field(() => Int, {
      description: 'How many rows match the filter, counted up to `max`: 1-1000.',
    })
    async countUpTo(
      @Arg('max', () => Int, {
        defaultValue: COUNT_AT_MOST,
        description: 'The most that is counted: 1-1000.',
      })
      _max: number,
    ): Promise<number> {
      return await Promise.reject(new Error('a connection counts its own rows'));
    }
  }
  return Connection;
}

/** Reads the requested part of a list. @throws INVALID_FIELD */
export async function connect<Row, By extends string, Filter>(
  list: List<Row, By, Filter>,
  args: PageArgs,
  filter: Filter,
  way: SortName<By>,
): Promise<Connected<Row>> {
  const by = way.slice(0, way.lastIndexOf('_')) as By;
  const { type, value } = list.sorts[by];
  const request = {
    by,
    descending: way.endsWith('_DESC'),
    size: sizeOf(args),
    after: placeOf('after', args.after, way, type, list.id.type),
    before: placeOf('before', args.before, way, type, list.id.type),
    fromEnd: args.last != null,
  };
  const { rows, hasNext, hasPrevious } = await list.read(filter, request);
  const edges = rows.map((node) => ({
    node,
    cursor: cursorOf(way, { value: value(node), id: list.id.of(node) }),
  }));
  return {
    edges,
    nodes: rows,
    pageInfo: {
      hasNextPage: hasNext,
      hasPreviousPage: hasPrevious,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    countUpTo: async (max: number) => {
      if (max < 1 || max > COUNT_AT_MOST) throw invalidField('max', `must be 1-${COUNT_AT_MOST}`, 'OUT_OF_RANGE');
      return await list.count(filter, max);
    },
  };
}
