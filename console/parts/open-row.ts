import { useNavigate } from 'react-router';
import { useKeys } from './keys';
import { useUrlState } from './url';

/**
 * The order open beside its list: the URL's `open`, else the first. `j` and `k` move, `o` opens its page.
 * @param pageOf the order's own page
 * @param busy a dialog is open: ignore shortcuts
 */
export function useOpenRow<Row extends { readonly orderNo: string }>(
  rows: readonly Row[],
  pageOf: (row: Row) => string,
  busy: boolean,
): Row | undefined {
  const url = useUrlState();
  const navigate = useNavigate();
  const index = rows.findIndex(({ orderNo }) => orderNo === url.get('open'));
  const open = rows[index] ?? rows[0];
  const move = (by: number): void => {
    const next = rows[Math.max(index, 0) + by];
    if (next && !busy) url.set({ open: next.orderNo }, true);
  };
  useKeys({
    j: () => {
      move(1);
    },
    k: () => {
      move(-1);
    },
    o: () => {
      if (open && !busy) void navigate(pageOf(open));
    },
  });
  return open;
}
