import type { ReactNode } from 'react';
import { differences, type Side } from '../format/differences';
import { NO_LIMIT } from '../format/words';

type Fields = Readonly<Record<string, unknown>>;

function Shown({ side, sign, of }: { side: Side; sign: string; of: 'before' | 'after' }): ReactNode {
  return (
    <td className={`side-${of}`}>
      <span className="visually-hidden">{of}: </span>
      {side === null || side.unset ? (
        <span className={of === 'after' && side?.text === NO_LIMIT ? 'no-limit' : 'dim'}>{side?.text ?? '–'}</span>
      ) : (
        <>
          <span aria-hidden className="sign">
            {sign}
          </span>
          <span className="wrap diff-value">{side.text}</span>
        </>
      )}
    </td>
  );
}

/** Each changed field, before and after, side by side and in words; an empty value is described. */
export function Diff({ before, after }: { before: Fields | null; after: Fields | null }): ReactNode {
  const rows = differences(before, after);
  if (rows.length === 0) return <p className="dim">No fields changed.</p>;
  // What is made has no state before.
  const compares = rows.some((row) => row.before !== null);
  return (
    <div className="table-frame plain" tabIndex={0} role="region" aria-label="Fields">
      <table className="diff">
        <thead>
          <tr>
            <th scope="col">Field</th>
            {compares && <th scope="col">Before</th>}
            <th scope="col">{compares ? 'After' : 'Value'}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, n) => (
            <tr key={`${String(n)} ${row.name}`}>
              <th scope="row">{row.name}</th>
              {compares && <Shown side={row.before} sign="−" of="before" />}
              <Shown side={row.after} sign="+" of="after" />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
