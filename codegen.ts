import type { CodegenConfig } from '@graphql-codegen/cli';

const plugins = ['typescript-operations', 'typed-document-node'];

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

/** Types of operations, from docs/schema.graphql, which `npm run generate` prints first: the facade's, the console's. */
const codegen: CodegenConfig = {
  schema: 'docs/schema.graphql',
  generates: {
    'gateway/generated/operations.ts': {
      documents: 'gateway/operations.graphql',
      plugins,
      config,
    },
    'console/generated/operations.ts': {
      documents: 'console/**/*.graphql',
      plugins,
      config: {
        ...config,
        scalars: { ...config.scalars, JSONObject: 'Readonly<Record<string, unknown>>' },
      },
    },
  },
};

export default codegen;
