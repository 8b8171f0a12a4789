import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type GraphQLField, type GraphQLObjectType, type GraphQLSchema, isObjectType } from 'graphql';
import { factorAskedFor } from '../../domain/authority/fresh-factor';
import { HARMLESS } from '../../domain/authority/harmless';
import { type AuthorityTable, MONEY_STEPS } from '../../domain/authority/table';
import { accessOf } from '../../graph/access/access';
import { accessOfField } from '../../graph/access/guard';
import { maskOf } from '../../graph/access/personal';
import { ROOT_TYPES } from '../../graph/operation-metrics';
import { buildGraphSchema } from '../../graph/schema';
import { gatewaySchemaOf, operatorSchemaOf } from '../../graph/schemas';

/**
 * The guards of every field, which an equal SDL does not show. Record a change with
 * `RECORD_GUARDS=1 npx jest test/graph/guards` and give its reason in the commit.
 */
const EXPECTED = path.join(__dirname, 'guards.txt');

const TABLE: AuthorityTable = MONEY_STEPS;

type Field = GraphQLField<unknown, unknown>;

/** Who may use a field, and whether it is closed to operators restricted to merchants. */
function accessLine(field: Field): string {
  const { roles, platform } = accessOfField(field);
  return [...roles, ...(platform ? ['platform'] : [])].join(' ');
}

/** A mutation's row in the authority table: how many people, and who decides; else that it is harmless. */
function stepLine(mutation: string): string {
  const row = TABLE[mutation];
  if (!row) return mutation in HARMLESS ? 'harmless' : 'no step';
  return ['step', row.people, ...(row.decides ? [row.decides] : [])].join(' ');
}

/** What a field carries besides its access. */
function marksOf(type: string, field: Field): string[] {
  const mask = maskOf(`${type}.${field.name}`);
  const cost = field.extensions['cost'];
  const factor = type === 'Mutation' ? factorAskedFor(TABLE, field.name) : null;
  return [
    ...(mask ? [`mask ${mask}`] : []),
    ...(typeof cost === 'number' ? [`cost ${cost}`] : []),
    ...(type === 'Mutation' ? [stepLine(field.name)] : []),
    ...(factor ? [`factor ${factor}`] : []),
  ];
}

/** The access of most fields of a type. */
function commonAccess(fields: readonly Field[]): string {
  const counts = new Map<string, number>();
  for (const line of fields.map(accessLine)) counts.set(line, (counts.get(line) ?? 0) + 1);
  const [first] = [...counts].sort(([one, times], [other, often]) => often - times || (one < other ? -1 : 1));
  return first?.[0] ?? '';
}

/** A type with the access of most of its fields, and a line for each field that carries anything else. */
function linesOf(type: GraphQLObjectType): string[] {
  const fields = Object.values(type.getFields()) as Field[];
  const common = ROOT_TYPES.has(type.name) ? '' : commonAccess(fields);
  const owned = accessOf(type.name)?.merchantOf ? ' owned' : '';
  const lines = fields.flatMap((field) => {
    const access = accessLine(field);
    const parts = [...(access === common ? [] : [access]), ...marksOf(type.name, field)];
    return parts.length > 0 ? [`  ${field.name}: ${parts.join(', ')}`] : [];
  });
  return [`${type.name}: ${common}${owned}`.replace(/: $/, ''), ...lines.sort()];
}

const sectionOf = (listener: string, schema: GraphQLSchema): string =>
  [
    `-- ${listener}`,
    ...Object.values(schema.getTypeMap())
      .filter(isObjectType)
      .filter(({ name }) => !name.startsWith('__'))
      .sort(({ name }, other) => (name < other.name ? -1 : 1))
      .flatMap(linesOf),
    '',
  ].join('\n');

const whole = buildGraphSchema();
const operators = operatorSchemaOf(whole);
const printed = (): string =>
  [sectionOf('operators', operators), sectionOf('gateway', gatewaySchemaOf(whole))].join('\n');

const fieldOf = (type: string, name: string): Field => {
  const field = (operators.getType(type) as GraphQLObjectType).getFields()[name];
  if (!field) throw new Error(`${type} has no ${name}`);
  return field;
};

describe('the guards', () => {
  it('equal the recorded ones', () => {
    if (process.env['RECORD_GUARDS']) writeFileSync(EXPECTED, printed());
    expect(printed()).toBe(readFileSync(EXPECTED, 'utf8'));
  });

  it.each([
    ['a permission', { access: { roles: ['VIEW'], platform: false } }, '  expectedRemark: VIEW'],
    [
      'a platform mark',
      { access: { roles: ['VIEW', 'MERCHANT'], platform: true } },
      '  expectedRemark: VIEW MERCHANT platform',
    ],
    ['a cost', { cost: 7 }, '  expectedRemark: cost 7'],
  ])('show %s of one field', (_what, extensions, line) => {
    const field = fieldOf('DepositOrder', 'expectedRemark');
    const { extensions: before } = field;
    field.extensions = { ...before, ...extensions };
    const lines = printed().split('\n');
    field.extensions = before;
    expect(lines).toContain(line);
  });
});
