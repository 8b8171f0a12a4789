import { hash } from 'node:crypto';
import { type DocumentNode, Kind, print, type SelectionSetNode, visit } from 'graphql';
import { operationsByName } from './documents';

/** The console's operations, as the graph role knows them. */
export interface Persisted {
  /** SHA-256 of the text, in hexadecimal → text. */
  readonly manifest: Readonly<Record<string, string>>;
  /** The operation's name → SHA-256. */
  readonly hashes: Readonly<Record<string, string>>;
}

const TYPENAME = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } } as const;

const withTypename = ({ selections, ...rest }: SelectionSetNode): SelectionSetNode => ({
  ...rest,
  selections: selections.some((one) => one.kind === Kind.FIELD && one.name.value === '__typename')
    ? selections
    : [...selections, TYPENAME],
});

/** The text as clients with a cache send it: each selection includes `__typename`. */
const asAsked = (document: DocumentNode): DocumentNode =>
  visit(document, {
    Field: (field) => field.selectionSet && { ...field, selectionSet: withTypename(field.selectionSet) },
    InlineFragment: (fragment) => ({
      ...fragment,
      selectionSet: withTypename(fragment.selectionSet),
    }),
    FragmentDefinition: (fragment) => ({
      ...fragment,
      selectionSet: withTypename(fragment.selectionSet),
    }),
  });

/** Every operation of a document, each with the fragments that it needs. */
export function persistedOperations(document: DocumentNode): Persisted {
  const manifest: Record<string, string> = {};
  const hashes: Record<string, string> = {};
  for (const [name, operation] of operationsByName(document)) {
    const text = print(asAsked(operation));
    const textHash = hash('sha256', text);
    manifest[textHash] = text;
    hashes[name] = textHash;
  }
  return { manifest, hashes };
}
