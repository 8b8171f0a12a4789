import type { UrlState } from './url';

/** Rows per page. */
const SIZE = 50;

/** The API's pageInfo. */
export interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/** The page of a list that the URL asks for. */
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

/** The neighbouring pages; null if there is none. */
export const besides = (
  url: UrlState,
  { hasPreviousPage, hasNextPage, startCursor, endCursor }: PageInfo,
): { previous: string | null; next: string | null } => ({
  previous: hasPreviousPage && startCursor !== null ? url.link({ before: startCursor, after: null }) : null,
  next: hasNextPage && endCursor !== null ? url.link({ after: endCursor, before: null }) : null,
});

/** Whether this is the first page, where new rows appear. */
export const isFirstPage = (url: UrlState): boolean => url.get('after') === null && url.get('before') === null;
