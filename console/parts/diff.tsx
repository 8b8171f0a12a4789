import type { ReactNode } from 'react';
import { differences, type Side } from '../format/differences';

type Fields = Readonly<Record<string, unknown>>;

function Shown({
  side,
  sign,
  of,
}: {
  side: Side;
  sign: string;
  of: 'before' | 'after';
}): ReactNode {
  return (
    <td className={`side-${of}`}>
      <span className="visually-hidden">{of}: </span>
      {side === null || side.unset ? (
        <span className="dim">{side?.text ?? '–'}</span>
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
export function Diff({
  before,
  after,
}: {
  before: Fields | null;
  after: Fields | null;
}): ReactNode {
  const rows = differences(before, after);
  if (rows.length === 0) return <p className="dim">No fields changed.</p>;
  return (
    <div className="table-frame plain" tabIndex={0} role="region" aria-label="Fields">
      <table className="diff">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, n) => (
            <tr key={`${String(n)} ${row.name}`}>
              <th scope="row">{row.name}</th>
              <Shown side={row.before} sign="−" of="before" />
              <Shown side={row.after} sign="+" of="after" />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
