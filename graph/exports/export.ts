import { Field, Int, ObjectType } from 'type-graphql';
import { type CsvColumn, csvLines, csvOf } from '../../domain/csv';
import type { Place } from '../../db/pages';
import type { Role } from '../access/authorization';
import { cursorOf, placeOf, type SortName } from '../connection';
import type { GraphContext } from '../context';
import { requireReason } from '../../steps/operators/operator-action';
import { type Exportable, MOST_ROWS } from '../../steps/exports/exportable';
/** Rows that one SQL statement reads. */
const BATCH = 1_000;
/** The cost of an export within the limits of an operation: few objects, but many rows are read. */
export const EXPORT_COST = 2_000;
/** Who may export a list. */
export const EXPORTERS: readonly Role[] = ['SUPPORT', 'RECONCILE', 'TREASURER', 'ADMIN'];

/** Fields of every export. */
export const EXPORT_WORDS = {
  after: `Continues where an export was cut: its \`endCursor\`, or the \`cursor\` of its last row. Has no headings then.`,
  cursors: 'Whether a last column `cursor` says of each row how to continue after it.',
} as const;

@ObjectType({ simpleResolvers: true, description: 'A list as a file for spreadsheets.' })
export class Export {
  @Field({ description: 'A name for the file.' })
  fileName!: string;

  @Field({
    description:
      'Comma-separated values (RFC 4180), UTF-8, with a line of headings; amounts with 4 decimals, times in UTC.',
  })
  csv!: string;

  @Field(() => Int, { description: 'Rows in it, without the headings.' })
  rows!: number;

  @Field({
    description: `There are more than ${MOST_ROWS} rows: the others are not in it. Ask again with \`after: endCursor\`.`,
  })
  cut!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'Of its last row: where the next export continues; null where it has none.',
  })
  endCursor!: string | null;

  @Field({ description: 'The zone of every time in it: UTC.' })
  zone!: string;
}

/** The arguments of an export. */
export interface Asked<By extends string, Filter> {
  readonly reason: string;
  readonly sort: SortName<By>;
  /** The filter as requested, for the audit log. */
  readonly asked: object;
  /** The filter narrowed to what the caller may see. */
  readonly filter: Filter;
  readonly after?: string | null | undefined;
  readonly cursors: boolean;
}

/** The time zone of every row's times. */
const ZONE: CsvColumn<object> = ['time_zone', () => 'UTC'];

/**
 * The rows of a list from a place on, at most MOST_ROWS, read page by page. The audit log records each export.
 * @throws INVALID_FIELD without a reason, or for a cursor of another list
 */
export async function exportList<Row extends object, By extends string, Filter>(
  context: GraphContext,
  list: Exportable<Row, By, Filter>,
  { reason, sort, asked, filter, after, cursors }: Asked<By, Filter>,
): Promise<Export> {
  const { audit, database, now } = context;
  audit.note = { subject: list.noun, reason };
  requireReason(reason);
  const by = sort.slice(0, sort.lastIndexOf('_')) as By;
  const column = list.sorts[by];
  const placed = (row: Row): Place => ({ value: column.value(row), id: list.id.of(row) });
  const rows: Row[] = [];
  let from = placeOf('after', after, sort, column.type, list.id.type);
  let more = true;
  while (more && rows.length < MOST_ROWS) {
    const { batch: size = BATCH } = list;
    const page = { by, descending: sort.endsWith('_DESC'), size, after: from };
    const read = await list.read(database, filter, { ...page, before: null, fromEnd: false }, now);
    rows.push(...read.rows);
    more = read.hasNext;
    const last = read.rows.at(-1);
    if (!last) break;
    from = placed(last);
  }
  const shown = await Promise.all(rows.map(async (row) => ({ ...row, shown: await list.shownOf(row, context) })));
  const columns = [
    ...list.columns,
    ZONE,
    ...(cursors ? [['cursor', (row: Row) => cursorOf(sort, placed(row))] as const] : []),
  ] as CsvColumn<object>[];
  const last = rows.at(-1);
  const wanted = JSON.parse(JSON.stringify({ filter: asked, sort })) as object;
  audit.note = {
    ...audit.note,
    after: { ...wanted, rows: rows.length, ...(after != null && { continues: true }) },
  };
  return {
    fileName: `${list.noun}-${now.toISOString().slice(0, 19).replaceAll(':', '')}Z.csv`,
    csv: after == null ? csvOf(columns, shown) : csvLines(columns, shown),
    rows: rows.length,
    cut: more,
    endCursor: last ? cursorOf(sort, placed(last)) : null,
    zone: 'UTC',
  };
}
