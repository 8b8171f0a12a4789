import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CodegenConfig } from '@graphql-codegen/cli';
import { concatAST, type DocumentNode, type FieldDefinitionNode, Kind, parse, print, visit } from 'graphql';
import { operationsByName } from './local/documents';
import { persistedOperations } from './local/persisted';

const typed = ['typescript-operations', 'typed-document-node'];

const config = {
  enumsAsTypes: true,
  useTypeImports: true,
  strictScalars: true,
  immutableTypes: true,
  scalars: {
    ID: 'string',
    DateTime: 'string',
    Decimal: 'string',
    Sequence: 'string',
    JSONObject: 'Record<string, string>',
  },
};

type Plugin = Awaited<ReturnType<NonNullable<CodegenConfig['pluginLoader']>>>;

/** Prints the output for all operations. */
const printed = (make: (operations: DocumentNode) => string): Plugin => ({
  plugin: (_schema, sources) => make(concatAST(sources.flatMap(({ document }) => document ?? []))),
});

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Each operation's text with the fragments that it needs, by name. */
const textsOf = (operations: DocumentNode): string => {
  const texts = [...operationsByName(operations)].map(([name, one]) => [name, print(one)]);
  return `export const OPERATIONS: Readonly<Record<string, string>> = ${json(Object.fromEntries(texts))}`;
};

const ownPlugins: Readonly<Record<string, Plugin>> = {
  manifest: printed((operations) => json(persistedOperations(operations).manifest)),
  hashes: printed((operations) => json(persistedOperations(operations).hashes)),
  texts: printed(textsOf),
};

const SCHEMA = path.join(__dirname, 'docs', 'schema.graphql');

const nonNull = (field: FieldDefinitionNode): FieldDefinitionNode =>
  field.type.kind === Kind.NON_NULL_TYPE ? field : { ...field, type: { kind: Kind.NON_NULL_TYPE, type: field.type } };

const isList = ({ type }: FieldDefinitionNode): boolean =>
  type.kind === Kind.LIST_TYPE || (type.kind === Kind.NAMED_TYPE && type.name.value.endsWith('Connection'));

/**
 * The operators' schema as the console sees it. A mutation or a list is null only if it failed, and the console's
 * client passes no such answer on (console/client/client.ts).
 */
const consoleSchema = (): string =>
  print(
    visit(parse(readFileSync(SCHEMA, 'utf8')), {
      ObjectTypeDefinition: ({ name, fields = [], ...type }) => {
        if (name.value !== 'Query' && name.value !== 'Mutation') return undefined;
        const failsOnly = name.value === 'Mutation' ? () => true : isList;
        const seen = fields.map((field) => (failsOnly(field) ? nonNull(field) : field));
        return { ...type, name, fields: seen };
      },
    }),
  );

const console = { schema: consoleSchema(), documents: 'console/**/*.graphql' };
const operators = {
  schema: 'docs/schema.graphql',
  documents: [console.documents, 'local/operations.graphql'],
};

/**
 * Generates files from GraphQL operations and the SDL of each room (`npm run typegen`). For the facade and the console:
 * types. For the console also its persisted operations: all that a browser's session may run in production, by the hash
 * of the text, and the hash by the operation's name for the console itself. For clients that act as an operator: the
 * text of each operation.
 */
const codegen: CodegenConfig = {
  pluginLoader: async (name) => ownPlugins[name] ?? ((await import(name)) as Plugin),
  generates: {
    'gateway/generated/operations.ts': {
      schema: 'gateway/generated/schema.graphql',
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
    'local/generated/operations.ts': { ...operators, plugins: ['texts'] },
  },
};

export default codegen;
