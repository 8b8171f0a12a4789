import type { ReactNode } from 'react';
import { inWords, unsetInWords } from '../format/words';

type Fields = Readonly<Record<string, unknown>>;

const shown = (value: unknown): string | null => {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object'))
    return value.length === 0 ? null : value.join(', ');
  return JSON.stringify(value, null, 2);
};

function Side({
  fields,
  field,
  sign,
  of,
}: {
  fields: Fields | null;
  field: string;
  sign: string;
  of: 'before' | 'after';
}): ReactNode {
  const text = shown(fields?.[field]);
  const isUnset = text === null && fields !== null && field in fields;
  return (
    <td className={`side-${of}`}>
      <span className="visually-hidden">{of}: </span>
      {text === null ? (
        <span className="dim">{isUnset ? unsetInWords(field) : '–'}</span>
      ) : (
        <>
          <span aria-hidden className="sign">
            {sign}
          </span>
          <span className="wrap diff-value">{text}</span>
        </>
      )}
    </td>
  );
}

/** Each changed field, before and after, side by side; an empty value is described. */
export function Diff({
  before,
  after,
}: {
  before: Fields | null;
  after: Fields | null;
}): ReactNode {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort();
  if (fields.length === 0) return <p className="dim">No fields changed.</p>;
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
          {fields.map((field) => (
            <tr key={field}>
              <th scope="row">{inWords(field)}</th>
              <Side fields={before} field={field} sign="−" of="before" />
              <Side fields={after} field={field} sign="+" of="after" />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
