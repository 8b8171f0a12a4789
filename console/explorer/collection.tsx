import type { GraphiQLPlugin } from '@graphiql/react';
import { useEditorContext } from '@graphiql/react';
import { Kind, parse, print, separateOperations } from 'graphql';
import { type ReactNode, useState } from 'react';
import text from '../../docs/operations.graphql?raw';

interface Ready {
  readonly name: string;
  readonly kind: string;
  readonly text: string;
}

/** The ready documents by name, each with only the fragments that it needs, because documents have a size limit. */
function readyDocuments(): readonly Ready[] {
  const whole = parse(text, { noLocation: true });
  return Object.values(separateOperations(whole))
    .flatMap((document) => {
      const operation = document.definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION);
      const name = operation?.name?.value;
      return operation && name !== undefined ? [{ name, kind: operation.operation, text: print(document) }] : [];
    })
    .sort((one, other) => one.name.localeCompare(other.name));
}
const READY = readyDocuments();

function Collection(): ReactNode {
  const { queryEditor } = useEditorContext({ nonNull: true });
  const [sought, setSought] = useState('');
  const shown = READY.filter(({ name }) => name.toLowerCase().includes(sought.toLowerCase()));
  return (
    <div className="collection">
      <input
        aria-label="Find an operation"
        placeholder="Find an operation"
        value={sought}
        onChange={({ target }) => {
          setSought(target.value);
        }}
      />
      <ul>
        {shown.map(({ name, kind, text: document }) => (
          <li key={`${kind} ${name}`}>
            <button
              type="button"
              onClick={() => {
                queryEditor?.setValue(document);
              }}
            >
              {name} <small>{kind}</small>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The ready operations (docs/operations.graphql) beside the editor. */
export const collection: GraphiQLPlugin = {
  title: 'Operations',
  icon: () => (
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
      <path d="M4 6h16M4 12h16M4 18h10" />
    </svg>
  ),
  content: Collection,
};
