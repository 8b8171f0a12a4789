import type { UrlState } from './url';

/** Rows of a page. */
const SIZE = 50;

/** Where a page lies in its list, as the API tells. */
export interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/** The part of a list that the URL asks for. */
export function pageOf(url: UrlState): {
  first: number | null;
  after: string | null;
  last: number | null;
  before: string | null;
} {
  const before = url.get('before');
  return before === null
    ? { first: SIZE, after: url.get('after'), last: null, before: null }
    : { first: null, after: null, last: SIZE, before };
}

/** Where the pages beside it are; null where there is none. */
export const besides = (
  url: UrlState,
  { hasPreviousPage, hasNextPage, startCursor, endCursor }: PageInfo,
): { previous: string | null; next: string | null } => ({
  previous:
    hasPreviousPage && startCursor !== null ? url.link({ before: startCursor, after: null }) : null,
  next: hasNextPage && endCursor !== null ? url.link({ after: endCursor, before: null }) : null,
});

/** Whether this is the first page: where what is new would come. */
export const isFirstPage = (url: UrlState): boolean =>
  url.get('after') === null && url.get('before') === null;
