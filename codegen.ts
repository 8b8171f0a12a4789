import type { CodegenConfig } from '@graphql-codegen/cli';

/** Types of the facade's operations, from docs/schema.graphql, which `npm run generate` prints first. */
const config: CodegenConfig = {
  schema: 'docs/schema.graphql',
  generates: {
    'gateway/generated/operations.ts': {
      documents: 'gateway/operations.graphql',
      plugins: ['typescript-operations', 'typed-document-node'],
      config: {
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
      },
    },
  },
};

export default config;
