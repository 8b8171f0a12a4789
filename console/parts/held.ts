import { useCallback, useState } from 'react';

/** A list that stays put while it is read. */
interface Held<Row> {
  /** What is listed: its filters, sort and page. */
  readonly list: string;
  /** The answer that was taken in last. */
  readonly answer: readonly Row[];
  /** Whether the platform has said it, not the cache. */
  readonly settled: boolean;
  readonly ids: readonly string[];
  readonly byId: ReadonlyMap<string, Row>;
  readonly changed: ReadonlySet<string>;
  readonly news: ReadonlySet<string>;
  /** Rows that the newest answer has no more, where it is the whole list. */
  readonly gone: ReadonlySet<string>;
  /** The next answer is taken as it is. */
  readonly adopting: boolean;
}

/** What a page shows of a list. */
export interface HeldRows<Row> {
  readonly rows: readonly Row[];
  /** Ids of rows that have changed since they are shown. */
  readonly changed: ReadonlySet<string>;
  /** Ids of rows that are no longer in the list, as far as that can be told. */
  readonly gone: ReadonlySet<string>;
  /** How many belong to the list by now and are not shown yet. */
  readonly news: number;
  /** Tells of a row that has changed, or came. @param fits whether it belongs to the list */
  readonly note: (row: Row, fits: boolean) => void;
  /** From the next answer on everything is shown, in its order. */
  readonly adopt: () => void;
}

type Identified = { readonly id: string };

const begin = <Row extends Identified>(
  list: string,
  answer: readonly Row[],
  settled: boolean,
): Held<Row> => ({
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

/** One more state of a row: in its place if it is shown, else announced. */
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

/** A later answer for the same list. */
function absorb<Row extends Identified>(
  held: Held<Row>,
  answer: readonly Row[],
  whole: boolean,
): Held<Row> {
  const there = new Set(answer.map(({ id }) => id));
  const gone = whole ? held.ids.filter((id) => !there.has(id)) : held.gone;
  const taken = answer.reduce((now, row) => take(now, row, true), held);
  return { ...taken, answer, gone: new Set(gone) };
}

/**
 * Keeps the rows of a list where they are while one reads: what changes is changed in its place, what is new is
 * counted and comes when it is asked for.
 * @param list names what is listed; another name begins anew
 * @param answer of the platform, undefined while there is none
 * @param settled false while the answer is an older one from the cache
 * @param whole the answer is all of the list: what is not in it is gone
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
      !current || current.adopting || !current.settled
        ? begin(list, answer, settled)
        : absorb(current, answer, whole);
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
