import { readFileSync } from 'node:fs';
import { buildSchema, findBreakingChanges, type GraphQLSchema, parse, printSchema, validate } from 'graphql';
import { buildGraphSchema } from '../../graph/schema';
import { operatorSchemaOf } from '../../graph/schemas';

/**
 * The frozen schema of operators without descriptions (docs/schema-changes.md). When the schema grows,
 * `npm run generate -- --freeze` records it here, but never to make this test pass.
 */
const FROZEN = readFileSync('test/graph/frozen-schema.graphql', 'utf8');
const frozen = buildSchema(FROZEN);
const today = buildSchema(printSchema(operatorSchemaOf(buildGraphSchema())));

const broken = (schema: GraphQLSchema): string[] =>
  findBreakingChanges(frozen, schema).map(({ description }) => description);

/** The frozen schema with one text replaced by another. */
function changed(from: string | RegExp, to: string): GraphQLSchema {
  const sdl = FROZEN.replace(from, to);
  if (sdl === FROZEN) throw new Error(`the frozen schema has no ${String(from)}`);
  return buildSchema(sdl);
}

describe('the frozen schema', () => {
  it('is kept: nothing is removed, changes its type, or becomes stricter', () => {
    expect(broken(today)).toEqual([]);
  });

  it("has every element that the console's documents use", () => {
    const documents = parse(readFileSync('docs/operations.graphql', 'utf8'));
    expect(validate(frozen, documents).map(({ message }) => message)).toEqual([]);
  });

  it.each([
    ['a removed field', /\n {2}orderNo: String!\n/, '\n', /orderNo was removed/],
    ['a changed type', /\n {2}login: String!\n/, '\n  login: Int!\n', /changed type/],
    ['a field that may be null', /\n {2}login: String!\n/, '\n  login: String\n', /changed type/],
    ['a new required argument', /deposit\(/, 'deposit(kind: String!, ', /required arg kind/i],
    [
      'a new required input field',
      /input EvidenceInput \{/,
      'input EvidenceInput {\n  kind: String!',
      /required field kind/i,
    ],
    ['a removed value of an enum', /\n {2}MATCHED\n/, '\n', /MATCHED was removed/],
  ])('does not allow %s', (_name, from, to, message) => {
    expect(broken(changed(from, to)).join('\n')).toMatch(message);
  });

  it('allows additions', () => {
    const grown = changed(/type Operator \{/, 'type Operator {\n  colour: String!');
    expect(broken(grown)).toEqual([]);
  });
});
