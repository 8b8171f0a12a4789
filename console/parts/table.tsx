import { useMediaQuery } from '@mantine/hooks';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { Icon } from './icons';

/** One column of a list, and one line of its cards. */
export interface Column<Row> {
  /** Also the sort key, if `sortable`. */
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly numeric?: boolean;
  readonly sortable?: boolean;
  /** Hidden on cards. */
  readonly wideOnly?: boolean;
}

/** A list's sort. */
export interface Sort {
  readonly by: string;
  readonly descending: boolean;
}

const NARROW = '(max-width: 47.99em)';

/** Whether the console is on a narrow screen. */
export const useNarrow = (): boolean => useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });

const INTERACTIVE = 'a, button, input, label, select, textarea, [role="button"]';

/** Arrow keys move the focus between rows. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const active = document.activeElement;
  if (step === undefined || active?.tagName === 'INPUT') return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-link]')];
  const own = links.findIndex((link) => link.closest('[data-row]')?.contains(active));
  const next = links[own + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/**
 * A list: a table on a wide screen, cards on a narrow one. The first column is the row's name and, where rows lead
 * somewhere, its link; a click anywhere in the row follows it.
 */
export function Rows<Row>({
  label,
  columns,
  rows,
  keyOf,
  linkOf,
  sort,
  onSort,
  changed,
  current,
  actions,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  linkOf?: (row: Row) => string;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  /** Keys of rows that changed while shown. */
  changed?: ReadonlySet<string>;
  /** The key of the row open in the pane. */
  current?: string | undefined;
  /** The row's actions. */
  actions?: (row: Row) => ReactNode;
}): ReactNode {
  const narrow = useNarrow();
  const navigate = useNavigate();
  const follow = (row: Row) => (event: MouseEvent<HTMLElement>) => {
    if (!linkOf || (event.target as Element).closest(INTERACTIVE)) return;
    if (window.getSelection()?.toString()) return;
    void navigate(linkOf(row));
  };
  const rowClass = (row: Row, base: string): string =>
    [base, linkOf ? 'leads' : '', changed?.has(keyOf(row)) ? 'changed' : '', keyOf(row) === current ? 'current' : '']
      .filter(Boolean)
      .join(' ');
  const [first, ...others] = columns;
  if (!first) return null;
  const name = (row: Row): ReactNode =>
    linkOf ? (
      <Link
        to={linkOf(row)}
        data-row-link
        className="row-link"
        aria-current={keyOf(row) === current ? 'true' : undefined}
      >
        {first.cell(row)}
      </Link>
    ) : (
      first.cell(row)
    );

  if (narrow)
    return (
      <ul className="cards" aria-label={label} onKeyDown={walk}>
        {rows.map((row) => (
          <li key={keyOf(row)} data-row className={rowClass(row, 'card')} onClick={follow(row)}>
            <div className="card-name">{name(row)}</div>
            <dl>
              {others
                .filter(({ wideOnly }) => !wideOnly)
                .map(({ key, title, cell, numeric }) => (
                  <div key={key} className={numeric ? 'numeric' : undefined}>
                    <dt>{title}</dt>
                    <dd>{cell(row)}</dd>
                  </div>
                ))}
            </dl>
            {actions && <div className="card-actions">{actions(row)}</div>}
          </li>
        ))}
      </ul>
    );

  const head = ({ key, title, numeric, sortable }: Column<Row>): ReactNode => {
    const sorted = sort?.by === key ? (sort.descending ? 'descending' : 'ascending') : undefined;
    const words = (
      <>
        {title}
        {sorted && <Icon name={sort?.descending ? 'down' : 'up'} size={12} />}
      </>
    );
    return (
      <th key={key} scope="col" aria-sort={sorted} className={numeric ? 'numeric' : undefined}>
        {sortable && onSort ? (
          <button
            type="button"
            className="sort"
            onClick={() => {
              onSort({ by: key, descending: sorted !== 'descending' });
            }}
          >
            {words}
          </button>
        ) : (
          words
        )}
      </th>
    );
  };
  return (
    <div className="table-frame">
      <table className="rows" aria-label={label}>
        <thead>
          <tr>
            {columns.map(head)}
            {actions && (
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody onKeyDown={walk}>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-row className={rowClass(row, '')} onClick={follow(row)}>
              <th scope="row">{name(row)}</th>
              {others.map(({ key, cell, numeric }) => (
                <td key={key} className={numeric ? 'numeric' : undefined}>
                  {cell(row)}
                </td>
              ))}
              {actions && <td className="row-actions">{actions(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Previous and next page of a list. Null if there is none. */
export function Pager({ previous, next }: { previous: string | null; next: string | null }): ReactNode {
  if (previous === null && next === null) return null;
  const leaf = (to: string | null, words: ReactNode, name: string): ReactNode =>
    to === null ? (
      <span className="leaf off" aria-disabled>
        {words}
      </span>
    ) : (
      <Link to={to} className="leaf" aria-label={name}>
        {words}
      </Link>
    );
  return (
    <nav className="pager" aria-label="Pages">
      {leaf(
        previous,
        <>
          <Icon name="left" size={14} /> Previous
        </>,
        'Previous page',
      )}
      {leaf(
        next,
        <>
          Next <Icon name="right" size={14} />
        </>,
        'Next page',
      )}
    </nav>
  );
}
