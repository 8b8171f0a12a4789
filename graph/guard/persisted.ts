import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, type DocumentNode, type GraphQLSchema, validate } from 'graphql';
import { sha256 } from './documents';

/** Made by `npm run generate` from console/**\/*.graphql: SHA-256 in hexadecimal → document. */
const MANIFEST = 'console/generated/persisted.json';

/** The console's own operations, by the hash of their text. */
export type PersistedOperations = ReadonlyMap<
  string,
  { readonly text: string; readonly document: DocumentNode }
>;

/**
 * @throws if a document does not fit its hash or the schema: then the build is broken
 */
export function readPersisted(
  schema: GraphQLSchema,
  manifest: Readonly<Record<string, string>>,
): PersistedOperations {
  return new Map(
    Object.entries(manifest).map(([hash, text]) => {
      if (sha256(text) !== hash) throw new Error(`${MANIFEST}: ${hash} is not the document's hash`);
      const document = parse(text, { noLocation: true });
      const [error] = validate(schema, document);
      if (error) throw new Error(`${MANIFEST}: ${hash}: ${error.message}`);
      return [hash, { text, document }];
    }),
  );
}

/** The manifest of this build; empty where there is no console. */
export function loadManifest(): Readonly<Record<string, string>> {
  const file = path.resolve(process.cwd(), MANIFEST);
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>)
    : {};
}
