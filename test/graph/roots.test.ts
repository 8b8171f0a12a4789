import { execute, isNonNullType, parse } from 'graphql';
import { contextFor } from '../../graph';
import { Tenant } from '../support/tenant';

describe('the roots of the operators’ schema', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await Tenant.create();
  });
  afterAll(async () => {
    await tenant.close();
  });

  const rootsThatAreNeverNull = (type: 'Query' | 'Mutation'): string[] => {
    const schema = tenant.graph.operatorSchema;
    const root = type === 'Query' ? schema.getQueryType() : schema.getMutationType();
    return Object.values(root?.getFields() ?? {})
      .filter((field) => isNonNullType(field.type))
      .map(({ name }) => name)
      .sort();
  };

  it('are null on failure, except for queries that fail only by a fault of ours', () => {
    expect(rootsThatAreNeverNull('Mutation')).toEqual([]);
    expect(rootsThatAreNeverNull('Query')).toEqual([...['lastAlertSeq', 'lastEventSeq', 'me', 'queues', 'search']]);
  });

  it('fail alone: mutations before a refused one keep their answers, and those after it run', async () => {
    const input = 'scopes: [VIEW], expiresAt: "2099-01-01T00:00:00.000Z"';
    const now = new Date('2098-06-01T00:00:00.000Z');
    const { data, errors } = await execute({
      schema: tenant.graph.operatorSchema,
      document: parse(`mutation {
        first: createApiToken(label: "first", ${input}) { secret }
        refused: cancelDeposit(orderNo: "D0", reason: "test") { status }
        third: createApiToken(label: "third", ${input}) { secret }
      }`),
      contextValue: { ...contextFor(tenant.graph.core, tenant.operator), now },
    });
    expect(errors?.map(({ path }) => path)).toEqual([['refused']]);
    expect(data).toEqual({
      first: { secret: expect.any(String) as string },
      refused: null,
      third: { secret: expect.any(String) as string },
    });
  });
});
