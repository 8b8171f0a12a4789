import { Checkbox } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useClient } from 'urql';
import { failureOf, type Failure } from '../../client/failure';
import { sumOf } from '../../format/money';
import { count } from '../../format/words';
import {
  type WithdrawalFilter,
  type WithdrawalRowFragment,
  type WithdrawalSort,
  WithdrawalsDocument,
} from '../../generated/operations';
import { Money } from '../../parts/money';
import { FailureLine } from '../../parts/states';

/** How many are decided at once, at most; the platform refuses more. */
const MOST = 100;

/** The withdrawals that were chosen to be decided alike. */
interface Chosen {
  /** Of which list: another filter or sort starts with none. */
  readonly list: string;
  readonly rows: ReadonlyMap<string, WithdrawalRowFragment>;
  /** Whether all that the list shows were chosen, and whether more than can be decided at once match. */
  readonly all: 'no' | 'yes' | 'more match';
}

/** What a list of withdrawals shows. */
interface Shown {
  readonly filter: WithdrawalFilter;
  readonly sort: WithdrawalSort;
}

/** The chosen withdrawals of a list. */
export interface Choice {
  readonly rows: readonly WithdrawalRowFragment[];
  readonly has: (orderNo: string) => boolean;
  readonly toggle: (row: WithdrawalRowFragment) => void;
  readonly clear: () => void;
  /** Chooses what the filter shows and waits for a decision, as many as are decided at once. */
  readonly takeAll: () => Promise<void>;
  readonly all: Chosen['all'];
  readonly busy: boolean;
  readonly failure: Failure | null;
}

const NONE: ReadonlyMap<string, WithdrawalRowFragment> = new Map();

/** Keeps what was chosen. @param live the rows on the page, which may have changed since */
export function useChoice({ filter, sort }: Shown, live: readonly WithdrawalRowFragment[]): Choice {
  const client = useClient();
  const list = JSON.stringify({ filter, sort });
  const nothing: Chosen = { list, rows: NONE, all: 'no' };
  const [kept, setKept] = useState<Chosen>(nothing);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const chosen = kept.list === list ? kept : nothing;
  const now = new Map(live.map((row) => [row.orderNo, row]));
  return {
    rows: [...chosen.rows.values()]
      .map((row) => now.get(row.orderNo) ?? row)
      .filter(({ status }) => status === 'PENDING'),
    has: (orderNo) => chosen.rows.has(orderNo),
    toggle: (row) => {
      const rows = new Map(chosen.rows);
      if (!rows.delete(row.orderNo)) rows.set(row.orderNo, row);
      setKept({ list, rows, all: 'no' });
    },
    clear: () => {
      setKept(nothing);
    },
    takeAll: async () => {
      setBusy(true);
      const { data, error } = await client.query(
        WithdrawalsDocument,
        {
          first: MOST,
          after: null,
          last: null,
          before: null,
          sort,
          filter: { ...filter, status: ['PENDING'] },
        },
        { requestPolicy: 'network-only' },
      );
      setBusy(false);
      setFailure(error ? failureOf(error) : null);
      if (!data) return;
      const { nodes, pageInfo } = data.withdrawals;
      const rows = new Map(nodes.map((row) => [row.orderNo, row]));
      setKept({ list, rows, all: pageInfo.hasNextPage ? 'more match' : 'yes' });
    },
    all: chosen.all,
    busy,
    failure,
  };
}

/** Chooses all that the list shows, and tells the sums of what is chosen. */
export function ChooseAll({ of }: { of: Choice }): ReactNode {
  const currencies = [...new Set(of.rows.map(({ currencyCode }) => currencyCode))].sort();
  return (
    <div className="choose-all">
      <Checkbox
        label="Select all that match and wait"
        checked={of.all !== 'no'}
        indeterminate={of.all === 'no' && of.rows.length > 0}
        disabled={of.busy}
        onChange={() => {
          if (of.all === 'no') void of.takeAll();
          else of.clear();
        }}
      />
      {of.rows.length > 0 && (
        <p role="status">
          {count(of.rows.length, 'withdrawal')} selected
          {of.all === 'more match' && `, the first of more: ${String(MOST)} are decided at once`}
          {currencies.map((currency) => (
            <span key={currency}>
              {' · '}
              <Money
                amount={sumOf(
                  of.rows.filter(({ currencyCode }) => currencyCode === currency).map(({ amount }) => amount),
                )}
                currency={currency}
              />
            </span>
          ))}
        </p>
      )}
      <FailureLine failure={of.failure} />
    </div>
  );
}
