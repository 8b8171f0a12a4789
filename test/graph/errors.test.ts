import { buildSchema, graphql, GraphQLError } from 'graphql';
import pino from 'pino';
import { CatalogueError } from '../../domain/errors';
import { catalogueErrorOf } from '../../graph/errors';
import { createLogger } from '../../runtime/log';
import { Tenant } from '../support/tenant';
import { refuse } from '../../steps/refuse';

function recording(): { log: pino.Logger; lines: string[] } {
  const lines: string[] = [];
  return { log: pino({ level: 'debug' }, { write: (line: string) => lines.push(line) }), lines };
}

const schema = buildSchema('type Query { must: String!, take(n: Int!): Int }');

describe('an error of the graph', () => {
  it('outside resolvers is INTERNAL_ERROR, logged but not revealed', async () => {
    const { log, lines } = recording();
    const { errors } = await graphql({ schema, source: '{ must }', rootValue: { must: null } });
    const [error] = errors ?? [];
    if (!error) throw new Error('no error');
    expect(catalogueErrorOf(error, log)).toMatchObject({
      kind: 'INTERNAL_ERROR',
      message: 'internal error',
    });
    expect(lines.join()).toContain('Cannot return null for non-nullable field');
  });

  it('of an invalid variable is a VALIDATION_ERROR', async () => {
    const { log, lines } = recording();
    const { errors } = await graphql({
      schema,
      source: 'query($n: Int!) { take(n: $n) }',
      variableValues: { n: 'x' },
    });
    const [error] = errors ?? [];
    if (!error) throw new Error('no error');
    expect(catalogueErrorOf(error, log).kind).toBe('INVALID_FIELD');
    expect(lines).toEqual([]);
  });

  it('of the catalogue is unchanged', () => {
    const { log } = recording();
    const conflict = new CatalogueError('CONFLICT', 'taken');
    const wrapped = new GraphQLError('taken', { originalError: conflict, path: ['createDeposit'] });
    expect(catalogueErrorOf(wrapped, log)).toBe(conflict);
  });
});

describe('the log of a failed step', () => {
  it('contains no values of rows', () => {
    const lines: string[] = [];
    const log = createLogger('test', 'info', { write: (line: string) => lines.push(line) });
    const error = Object.assign(new Error('new row violates a check'), {
      code: '23514',
      detail: 'Failing row contains (1234567890, v1.sealed)',
      where: 'SQL statement "insert …1234567890"',
      parameters: ['1234567890'],
      query: 'insert into t values (1234567890)',
    });
    expect(refuse(error, log, 'Mutation.test').kind).toBe('INTERNAL_ERROR');
    expect(lines.join()).toContain('new row violates a check');
    expect(lines.join()).not.toContain('1234567890');
  });

  it('contains no value that PostgreSQL failed to parse', () => {
    const lines: string[] = [];
    const log = createLogger('test', 'debug', { write: (line: string) => lines.push(line) });
    const error = Object.assign(new Error('invalid input syntax for type uuid: "1234567890"'), {
      code: '22P02',
    });
    expect(refuse(error, log, 'Query.test').kind).toBe('NOT_FOUND');
    expect(lines.join()).toContain('invalid input syntax for type uuid');
    expect(lines.join()).toContain('errors.test.ts');
    expect(lines.join()).not.toContain('1234567890');
  });
});

describe('a malformed id', () => {
  it('is refused in every field and does not reach PostgreSQL', async () => {
    const tenant = await Tenant.create();
    const asked = jest.spyOn(tenant.database, 'sql');
    const input = { label: 'test', accountIds: ['1234567890'] };
    for (const [name, variables, field] of [
      ['BankTransfer', { id: '1234567890' }, 'id'],
      ['Deposits', { filter: { merchantId: '01a1fe29-2b6c-748b-933b-47745b676f8' } }, 'filter.merchantId'],
      ['CreateAgentKey', { reason: 'test', input }, 'input.accountIds'],
    ] as const)
      await expect(tenant.operate(name, variables)).rejects.toMatchObject({
        kind: 'INVALID_FIELD',
        detail: { field, reason: 'MALFORMED' },
      });
    expect(asked).not.toHaveBeenCalled();
    await tenant.close();
  });
});
