import { readFileSync } from 'node:fs';
import { getNamedType, type GraphQLField, isObjectType } from 'graphql';
import { accessOfField } from '../../graph/access/guard';
import { buildGraphSchema } from '../../graph/schema';
import { operatorSchemaOf } from '../../graph/schemas';

const page = readFileSync('docs/graph.md', 'utf8');
const schema = operatorSchemaOf(buildGraphSchema());

/** The part of the page under a heading. */
function section(heading: string): string {
  const [, text] = page.split(`\n## ${heading}\n`);
  if (text === undefined) throw new Error(`docs/graph.md has no section ${heading}`);
  return text.split('\n## ')[0] ?? '';
}

/** The first two columns of the rows of a section's table, without backticks. */
const rowsOf = (heading: string): [string, string][] =>
  section(heading)
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
    .map(([, first = '', second = '']) => [first, second]);

const fieldsOf = (type: string): GraphQLField<unknown, unknown>[] => {
  const found = schema.getType(type);
  if (!isObjectType(found)) throw new Error(`the schema has no ${type}`);
  return Object.values(found.getFields());
};

describe('docs/graph.md', () => {
  it('lists every connection with its default sort', () => {
    const connections = fieldsOf('Query').filter((field) => getNamedType(field.type).name.endsWith('Connection'));
    const expected = connections.map((field): [string, string] => [
      field.name,
      String(field.args.find(({ name }) => name === 'sort')?.defaultValue),
    ]);
    expect(rowsOf('Lists').sort()).toEqual(expected.sort());
  });

  it('lists every mutation that takes an idempotencyKey', () => {
    const expected = fieldsOf('Mutation')
      .filter(({ args }) => args.some(({ name }) => name === 'idempotencyKey'))
      .map(({ name }) => name);
    const named = [...(section('Idempotency').trim().split('\n\n')[0] ?? '').matchAll(/`(\w+)`/g)]
      .map(([, name]) => name ?? '')
      .filter((name) => name !== 'idempotencyKey');
    expect(named.sort()).toEqual(expected.sort());
  });

  it('lists every root with the permissions that allow it', () => {
    const expected = ['Query', 'Mutation', 'Subscription'].flatMap((type) =>
      fieldsOf(type).map((field) => [field.name, [...accessOfField(field).roles].sort()]),
    );
    const documented = rowsOf('Who may use which root').flatMap(([roles, names]) =>
      names.split(', ').map((name) => [name, roles.split(', ')]),
    );
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(expected));
  });
});
