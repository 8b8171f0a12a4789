import { type DocumentNode, Kind, separateOperations } from 'graphql';

/**
 * Each operation of a document with the fragments that it needs, by the operation's name, in the names' order.
 * @throws if an operation has no name, or two have the same
 */
export function operationsByName(document: DocumentNode): ReadonlyMap<string, DocumentNode> {
  const names = document.definitions.flatMap((one) =>
    one.kind === Kind.OPERATION_DEFINITION ? [one.name?.value ?? ''] : [],
  );
  if (names.includes('')) throw new Error('an operation has no name');
  const twice = names.find((name, n) => names.indexOf(name) !== n);
  if (twice !== undefined) throw new Error(`there are two operations ${twice}`);
  return new Map(Object.entries(separateOperations(document)).sort(([a], [b]) => (a < b ? -1 : 1)));
}
