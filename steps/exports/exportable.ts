import type { CsvColumn } from '../../domain/csv';
import type { Database } from '../../db/client';
import type { Page, PageRequest, SortColumn } from '../../db/pages';
import type { Needs } from '../context';

/** A list that can be exported. */
export interface Exportable<Row, By extends string, Filter> {
  /** Its name in the file's name and in the audit log. */
  readonly noun: string;
  readonly sorts: Readonly<Record<By, SortColumn<Row>>>;
  readonly id: {
    readonly of: (row: Row) => string;
    readonly type: 'uuid' | 'smallint' | 'text';
  };
  readonly read: (database: Database, filter: Filter, page: PageRequest<By>, now: Date) => Promise<Page<Row>>;
  /** Rows that one SQL statement reads; by default a thousand. */
  readonly batch?: number;
  /** The columns of a batch of rows, with the data that they need besides. */
  readonly columns: readonly CsvColumn<Row & { readonly shown: Readonly<Record<string, string>> }>[];
  readonly shownOf: (
    row: Row,
    context: Needs<'loaders' | 'sealer'>,
  ) => Promise<Readonly<Record<string, string | undefined>>>;
}

/** Most rows of one call; the next call continues after them. */
export const MOST_ROWS = 10_000;
