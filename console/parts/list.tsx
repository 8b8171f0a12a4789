import type { ReactNode } from 'react';
import { type AnyVariables, type DocumentInput, useQuery } from 'urql';
import { Answer, type Asked } from './answer';
import { type HeldRows, useHeldRows } from './held';
import { News } from './news';
import { besides, isFirstPage, type PageInfo } from './paging';
import { type Column, Pager, Rows, type Sort } from './table';
import { useUrlState } from './url';

/** A page of a list as the API answers it. */
interface Connection<Row> {
  readonly nodes: readonly Row[];
  readonly pageInfo: PageInfo;
}

/** A list on a page whose rows stay in place while they are read. */
export interface ListState<Data, Row> {
  readonly asked: Asked<Data>;
  /** Reloads, for a poll or after a mutation. */
  readonly look: () => void;
  readonly held: HeldRows<Row>;
  readonly page: Connection<Row> | undefined;
}

/**
 * Queries a list and holds its rows in place.
 * @param picks the list from the answer
 */
export function useList<Data, Variables extends AnyVariables, Row extends { readonly id: string }>(
  query: DocumentInput<Data, Variables>,
  variables: Variables,
  of: (data: Data) => Connection<Row>,
): ListState<Data, Row> {
  const url = useUrlState();
  const [asked, ask] = useQuery<Data, Variables>({ query, variables });
  const page = asked.data === undefined ? undefined : of(asked.data);
  const held = useHeldRows(
    JSON.stringify(variables),
    page?.nodes,
    !asked.stale && !asked.fetching,
    isFirstPage(url) && page?.pageInfo.hasNextPage === false,
  );
  return {
    asked,
    held,
    page,
    look: () => {
      ask({ requestPolicy: 'network-only' });
    },
  };
}

/** Reads the sort from the URL: a column, with a minus for descending. */
export const sortOfUrl = (text: string): Sort => ({
  by: text.replace(/^-/, ''),
  descending: text.startsWith('-'),
});

/** Writes it for the URL. */
export const sortForUrl = ({ by, descending }: Sort): string => `${descending ? '-' : ''}${by}`;

/** A list in all its states: loading, failed, empty, answered; with a bar for new rows, and pages. */
export function List<Data, Row extends { readonly id: string }>({
  list,
  label,
  columns,
  empty,
  linkOf,
  sort,
  current,
  actions,
}: {
  list: ListState<Data, Row>;
  label: string;
  columns: readonly Column<Row>[];
  /** Shown when there are no rows. */
  empty: ReactNode;
  linkOf?: (row: Row) => string;
  /** The sort; absent if the list cannot be sorted. */
  sort?: Sort;
  /** The id of the row that is open in the pane. */
  current?: string | undefined;
  actions?: ((row: Row) => ReactNode) | undefined;
}): ReactNode {
  const url = useUrlState();
  const { asked, held, look, page } = list;
  return (
    <Answer asked={asked} retry={look}>
      {() => (
        <>
          <News
            count={held.news}
            onShow={() => {
              held.adopt();
              look();
            }}
          />
          {held.rows.length === 0 ? (
            empty
          ) : (
            <Rows
              label={label}
              columns={columns}
              rows={held.rows}
              keyOf={({ id }) => id}
              changed={held.changed}
              current={current}
              {...(linkOf && { linkOf })}
              {...(actions && { actions })}
              {...(sort && {
                sort,
                onSort: (next: Sort) => {
                  url.set({ sort: sortForUrl(next) });
                },
              })}
            />
          )}
          {page && <Pager {...besides(url, page.pageInfo)} />}
        </>
      )}
    </Answer>
  );
}
