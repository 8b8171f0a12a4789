import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, type DocumentNode, type GraphQLSchema, validate } from 'graphql';
import { sha256 } from './documents';

/** Made by `npm run generate` from console/**\/*.graphql: SHA-256 in hexadecimal → document. */
const MANIFEST = 'console/generated/persisted.json';

/** One of the console's own operations. It is read when it is first asked for: all of them would delay each start. */
class PersistedOperation {
  private read: DocumentNode | undefined;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly hash: string,
    readonly text: string,
  ) {}

  /** @throws if it does not fit the schema. A build refuses such an operation, so this one is of another build. */
  get document(): DocumentNode {
    this.read ??= this.readAnew();
    return this.read;
  }

  private readAnew(): DocumentNode {
    const document = parse(this.text, { noLocation: true });
    const [error] = validate(this.schema, document);
    if (error) throw new Error(`${MANIFEST}: ${this.hash}: ${error.message}`);
    return document;
  }
}

/** The console's own operations, by the hash of their text. */
export type PersistedOperations = ReadonlyMap<string, Pick<PersistedOperation, 'text' | 'document'>>;

/** @throws if a text does not fit its hash: then the build is broken */
export function readPersisted(schema: GraphQLSchema, manifest: Readonly<Record<string, string>>): PersistedOperations {
  return new Map(
    Object.entries(manifest).map(([hash, text]) => {
      if (sha256(text) !== hash) throw new Error(`${MANIFEST}: ${hash} is not the document's hash`);
      return [hash, new PersistedOperation(schema, hash, text)];
    }),
  );
}

/** The manifest of this build; empty where there is no console. */
export function loadManifest(): Readonly<Record<string, string>> {
  const file = path.resolve(process.cwd(), MANIFEST);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>) : {};
}
