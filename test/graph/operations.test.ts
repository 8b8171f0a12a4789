import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema, isObjectType, Kind, parse, validate } from 'graphql';

const read = (file: string): string => readFileSync(path.join(__dirname, '..', '..', file), 'utf8');
const schema = buildSchema(read('docs/schema.graphql'));

const ROOTS = ['Query', 'Mutation', 'Subscription'];

describe('docs/operations.graphql', () => {
  const documents = parse(read('docs/operations.graphql'));

  it('holds documents that are valid', () => {
    expect(validate(schema, documents)).toEqual([]);
  });

  it('has one for everything that an operator does', () => {
    const used = new Set(
      documents.definitions.flatMap((definition) =>
        definition.kind === Kind.OPERATION_DEFINITION
          ? definition.selectionSet.selections.map((s) =>
              s.kind === Kind.FIELD ? s.name.value : '',
            )
          : [],
      ),
    );
    const offered = ROOTS.flatMap((root) => {
      const type = schema.getType(root);
      return isObjectType(type) ? Object.keys(type.getFields()) : [];
    });
    expect(offered.filter((field) => !used.has(field))).toEqual([]);
  });
});

describe('the schema', () => {
  it('describes every type, input, enum and operation that operators read', () => {
    const types = Object.values(schema.getTypeMap()).filter(
      ({ name }) => !name.startsWith('__') && !ROOTS.includes(name),
    );
    const operations = ROOTS.flatMap((root) => {
      const type = schema.getType(root);
      return isObjectType(type) ? Object.values(type.getFields()) : [];
    });
    const bare = [...types, ...operations].filter(({ description }) => !description);
    expect(bare.map(({ name }) => name)).toEqual([]);
  });
});
