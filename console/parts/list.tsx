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

/** A list of the platform's on a page: its rows stay where they are while one reads. */
export interface ListState<Data, Row> {
  readonly asked: Asked<Data>;
  /** Asks again, for a poll or after something was done. */
  readonly look: () => void;
  readonly held: HeldRows<Row>;
  readonly page: Connection<Row> | undefined;
}

/**
 * Asks for a list and holds its rows still.
 * @param of the list within the answer
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

/** How a list is sorted by the URL: a column, with a minus for descending. */
export const sortOfUrl = (text: string): Sort => ({
  by: text.replace(/^-/, ''),
  descending: text.startsWith('-'),
});

/** The same for the URL. */
export const sortForUrl = ({ by, descending }: Sort): string => `${descending ? '-' : ''}${by}`;

/** A list in all its states: on its way, refused, empty, come; with what is new behind a bar, and its pages. */
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
  /** In place of no rows. */
  empty: ReactNode;
  linkOf?: (row: Row) => string;
  /** As it is sorted; absent where it cannot be. */
  sort?: Sort;
  /** The id of the row that is looked at beside the list. */
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
