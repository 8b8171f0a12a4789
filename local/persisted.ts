import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
  visit,
} from 'graphql';

/** A console's operations as the graph is to know them. */
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

/** As clients with a cache ask: each object says its type. */
const asAsked = (document: DocumentNode): DocumentNode =>
  visit(document, {
    Field: (field) =>
      field.selectionSet && { ...field, selectionSet: withTypename(field.selectionSet) },
    InlineFragment: (fragment) => ({
      ...fragment,
      selectionSet: withTypename(fragment.selectionSet),
    }),
    FragmentDefinition: (fragment) => ({
      ...fragment,
      selectionSet: withTypename(fragment.selectionSet),
    }),
  });

/** The names of the fragments that a definition needs, those of its fragments too. */
function needed(
  definition: DefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  found = new Set<string>(),
): ReadonlySet<string> {
  visit(definition, {
    FragmentSpread: ({ name: { value } }) => {
      const fragment = fragments.get(value);
      if (!fragment) throw new Error(`there is no fragment ${value}`);
      if (found.has(value)) return;
      found.add(value);
      needed(fragment, fragments, found);
    },
  });
  return found;
}

/**
 * Every operation of a folder's .graphql files, each with the fragments that it needs.
 * @throws where an operation has no name, or a name is there twice
 */
export function persistedOperations(folder: string): Persisted {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.graphql') && !file.includes('node_modules'))
    .sort();
  const definitions = files.flatMap(
    (file) =>
      parse(readFileSync(path.join(folder, file), 'utf8'), { noLocation: true }).definitions,
  );
  const fragments = new Map(
    definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [],
    ),
  );
  const named = new Map<string, OperationDefinitionNode>();
  for (const one of definitions) {
    if (one.kind !== Kind.OPERATION_DEFINITION) continue;
    const name = one.name?.value;
    if (name === undefined) throw new Error('an operation of the console has no name');
    if (named.has(name)) throw new Error(`the console has two operations ${name}`);
    named.set(name, one);
  }
  const manifest: Record<string, string> = {};
  const hashes: Record<string, string> = {};
  for (const [name, operation] of [...named].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const names = [...needed(operation, fragments)].sort();
    const parts = names.flatMap((fragment) => fragments.get(fragment) ?? []);
    const text = print(asAsked({ kind: Kind.DOCUMENT, definitions: [operation, ...parts] }));
    const textHash = hash('sha256', text);
    manifest[textHash] = text;
    hashes[name] = textHash;
  }
  return { manifest, hashes };
}
