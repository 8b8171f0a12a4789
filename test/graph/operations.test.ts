import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema, isObjectType, Kind, type OperationDefinitionNode, parse, print, validate } from 'graphql';
import known from './operations.json';

const read = (file: string): string => readFileSync(path.join(__dirname, '..', '..', file), 'utf8');
const schema = buildSchema(read('docs/schema.graphql'));

const ROOTS = ['Query', 'Mutation', 'Subscription'];

describe('docs/operations.graphql', () => {
  const documents = parse(read('docs/operations.graphql'));

  it('holds documents that are valid', () => {
    expect(validate(schema, documents)).toEqual([]);
  });

  it('keeps every operation and its variables; new variables are optional', () => {
    const broken: string[] = [];
    const operations = new Map<string, OperationDefinitionNode>(
      documents.definitions.flatMap((one) =>
        one.kind === Kind.OPERATION_DEFINITION ? [[`${one.operation} ${one.name?.value ?? ''}`, one] as const] : [],
      ),
    );
    for (const [name, variables] of Object.entries<Readonly<Record<string, string>>>(known)) {
      const now = new Map(
        operations
          .get(name)
          ?.variableDefinitions?.map((one) => [
            one.variable.name.value,
            { type: print(one.type), hasDefault: one.defaultValue !== undefined },
          ]),
      );
      if (!operations.has(name)) broken.push(name);
      for (const [variable, { type, hasDefault }] of now)
        if (!(variable in variables) && type.endsWith('!') && !hasDefault)
          broken.push(`${name}: $${variable} is new and required`);
      for (const [variable, type] of Object.entries(variables)) {
        const [taken = '', byDefault] = type.split(' = ');
        const one = now.get(variable);
        const accepts = one && [taken, taken.replace(/!$/, '')].includes(one.type);
        const mayBeLeftOut = !taken.endsWith('!') || byDefault !== undefined;
        if (!accepts) broken.push(`${name}: $${variable}: ${type}`);
        else if (mayBeLeftOut && one.type.endsWith('!') && !one.hasDefault)
          broken.push(`${name}: $${variable} is required now`);
      }
    }
    expect(broken).toEqual([]);
  });

  it('has an operation for every mutation and query of operators', () => {
    const used = new Set(
      documents.definitions.flatMap((definition) =>
        definition.kind === Kind.OPERATION_DEFINITION
          ? definition.selectionSet.selections.map((s) => (s.kind === Kind.FIELD ? s.name.value : ''))
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
