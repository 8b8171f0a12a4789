import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'react-router';

/** The URL's query holds all state of a page, so that a link shows the same. */
export interface UrlState {
  readonly get: (name: string) => string | null;
  /** Sets parameters; null removes one. The list returns to its first page unless `keepPage`. */
  readonly set: (changes: Readonly<Record<string, string | null>>, keepPage?: boolean) => void;
  /** A link to this page with some parameters changed. */
  readonly link: (changes: Readonly<Record<string, string | null>>) => string;
}

const PAGE = ['after', 'before'];

function changedParams(params: URLSearchParams, changes: Readonly<Record<string, string | null>>): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes))
    if (value === null || value === '') next.delete(name);
    else next.set(name, value);
  return next;
}

/** The state of this page in its URL. */
export function useUrlState(): UrlState {
  const [params, setParams] = useSearchParams();
  const { pathname } = useLocation();
  const set = useCallback<UrlState['set']>(
    (changes, keepPage = false) => {
      setParams(
        (now) => {
          const next = changedParams(now, changes);
          if (!keepPage) for (const name of PAGE) next.delete(name);
          return next;
        },
        { replace: true },
      );
    },
    [setParams],
  );
  return {
    get: (name) => params.get(name),
    set,
    link: (changes) => {
      const query = changedParams(params, changes).toString();
      return query === '' ? pathname : `${pathname}?${query}`;
    },
  };
}
