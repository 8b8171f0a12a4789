import type { CodegenConfig } from '@graphql-codegen/cli';
import { concatAST, type DocumentNode } from 'graphql';
import { persistedOperations } from './persisted';

const typed = ['typescript-operations', 'typed-document-node'];

const config = {
  enumsAsTypes: true,
  useTypeImports: true,
  strictScalars: true,
  immutableTypes: true,
  scalars: {
    ID: 'string',
    DateTimeISO: 'string',
    Decimal: 'string',
    Sequence: 'string',
    JSON: 'unknown',
    JSONObject: 'Record<string, string>',
  },
};

type Plugin = Awaited<ReturnType<NonNullable<CodegenConfig['pluginLoader']>>>;

/** Prints as JSON what is made of all operations of an output. */
const json = (make: (operations: DocumentNode) => unknown): Plugin => ({
  plugin: (_schema, sources) => {
    const operations = concatAST(sources.flatMap(({ document }) => document ?? []));
    return `${JSON.stringify(make(operations), null, 2)}\n`;
  },
});

const ownPlugins: Readonly<Record<string, Plugin>> = {
  manifest: json((operations) => persistedOperations(operations).manifest),
  hashes: json((operations) => persistedOperations(operations).hashes),
};

const console = { documents: 'console/**/*.graphql' };

/**
 * What is made of GraphQL operations and docs/schema.graphql (`npm run typegen`). For the facade and the console their
 * types; for the console also its persisted operations: all that a browser's session may run in production, by the hash
 * of the text, and the hash by the operation's name for the console itself.
 */
const codegen: CodegenConfig = {
  schema: 'docs/schema.graphql',
  pluginLoader: async (name) => ownPlugins[name] ?? ((await import(name)) as Plugin),
  generates: {
    'gateway/generated/operations.ts': {
      documents: 'gateway/operations.graphql',
      plugins: typed,
      config,
    },
    'console/generated/operations.ts': {
      ...console,
      plugins: typed,
      config: {
        ...config,
        scalars: { ...config.scalars, JSONObject: 'Readonly<Record<string, unknown>>' },
      },
    },
    'console/generated/persisted.json': { ...console, plugins: ['manifest'] },
    'console/generated/hashes.json': { ...console, plugins: ['hashes'] },
  },
};

export default codegen;
