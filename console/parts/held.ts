import { useCallback, useState } from 'react';

/** A list whose rows stay in place while they are read. */
interface Held<Row> {
  /** The list's filters, sort and page. */
  readonly list: string;
  /** The last answer that was applied. */
  readonly answer: readonly Row[];
  /** Whether it came from the platform, not the cache. */
  readonly settled: boolean;
  readonly ids: readonly string[];
  readonly byId: ReadonlyMap<string, Row>;
  readonly changed: ReadonlySet<string>;
  readonly news: ReadonlySet<string>;
  /** Rows missing from the newest answer, if that is the whole list. */
  readonly gone: ReadonlySet<string>;
  /** The next answer is shown as it is. */
  readonly adopting: boolean;
}

/** The state of a held list. */
export interface HeldRows<Row> {
  readonly rows: readonly Row[];
  /** Ids of rows that changed while shown. */
  readonly changed: ReadonlySet<string>;
  /** Ids of rows known to have left the list. */
  readonly gone: ReadonlySet<string>;
  /** Number of new rows not shown yet. */
  readonly news: number;
  /** Reports a changed or new row. @param fits whether it matches the filters */
  readonly note: (row: Row, fits: boolean) => void;
  /** Shows everything from the next answer on. */
  readonly adopt: () => void;
}

type Identified = { readonly id: string };

const begin = <Row extends Identified>(list: string, answer: readonly Row[], settled: boolean): Held<Row> => ({
  list,
  answer,
  settled,
  ids: answer.map(({ id }) => id),
  byId: new Map(answer.map((row) => [row.id, row])),
  changed: new Set(),
  news: new Set(),
  gone: new Set(),
  adopting: false,
});

/** A row's new state: replaces the shown row, or counts as new. */
function take<Row extends Identified>(held: Held<Row>, row: Row, fits: boolean): Held<Row> {
  const shown = held.byId.get(row.id);
  if (!shown) return fits ? { ...held, news: new Set([...held.news, row.id]) } : held;
  if (JSON.stringify(shown) === JSON.stringify(row)) return held;
  return {
    ...held,
    byId: new Map([...held.byId, [row.id, row]]),
    changed: new Set([...held.changed, row.id]),
  };
}

/** Applies a later answer for the same list. */
function absorb<Row extends Identified>(held: Held<Row>, answer: readonly Row[], whole: boolean): Held<Row> {
  const there = new Set(answer.map(({ id }) => id));
  const gone = whole ? held.ids.filter((id) => !there.has(id)) : held.gone;
  const taken = answer.reduce((now, row) => take(now, row, true), held);
  return { ...taken, answer, gone: new Set(gone) };
}

/**
 * Keeps rows in place while the operator reads: changed rows are updated in place, new ones are counted and shown on
 * request.
 * @param list names the list; another name starts over
 * @param answer the answer, undefined while there is none
 * @param settled false while the answer comes from the cache
 * @param whole the answer is the whole list: rows not in it are gone
 */
export function useHeldRows<Row extends Identified>(
  list: string,
  answer: readonly Row[] | undefined,
  settled: boolean,
  whole = false,
): HeldRows<Row> {
  const [held, setHeld] = useState<Held<Row>>();
  let current = held?.list === list ? held : undefined;
  if (answer && current?.answer !== answer) {
    current =
      !current || current.adopting || !current.settled ? begin(list, answer, settled) : absorb(current, answer, whole);
    setHeld(current);
  } else if (current && settled && !current.settled) {
    current = { ...current, settled };
    setHeld(current);
  }
  const note = useCallback((row: Row, fits: boolean) => {
    setHeld((now) => now && take(now, row, fits));
  }, []);
  const adopt = useCallback(() => {
    setHeld((now) => now && { ...now, adopting: true });
  }, []);
  return {
    rows: current ? current.ids.flatMap((id) => current.byId.get(id) ?? []) : [],
    changed: current?.changed ?? new Set(),
    gone: current?.gone ?? new Set(),
    news: current?.news.size ?? 0,
    note,
    adopt,
  };
}
