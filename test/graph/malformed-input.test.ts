import type { FastifyInstance } from 'fastify';
import { createClient } from 'graphql-ws';
import pino from 'pino';
import WebSocket from 'ws';
import { Guard } from '../../graph/guard/guard';
import type { Refusal } from '../../graph/guard/refusal';
import { contextFor } from '../../graph/index';
import { buildGraphServer } from '../../graph/server';
import { OperatorClient } from '../../local/operator-client';
import { Tenant } from '../support/tenant';

interface Answer {
  readonly errors?: readonly { readonly extensions: Readonly<Record<string, unknown>> }[];
}

const DEPOSITS = 'query($filter: DepositFilter) { deposits(filter: $filter) { nodes { id } } }';
const TRANSFER = 'query($id: ID!) { bankTransfer(id: $id) { id } }';
const MALFORMED = { code: 'VALIDATION_ERROR', retryable: false, reason: 'MALFORMED' };

/** A kind of fault, in each place where it can occur. */
const CASES: readonly {
  readonly name: string;
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly field: string;
  readonly reason?: string;
}[] = [
  {
    name: 'a number for a decimal, inline',
    query: '{ deposits(filter: { amount: { min: 12 } }) { nodes { id } } }',
    field: 'filter.amount.min',
  },
  {
    name: 'a number for a decimal, as a variable',
    query: DEPOSITS,
    variables: { filter: { amount: { min: 12 } } },
    field: 'filter.amount.min',
  },
  {
    name: 'a page that is too large, seen by the resolver',
    query: '{ deposits(first: 201) { nodes { id } } }',
    field: 'first',
    reason: 'OUT_OF_RANGE',
  },
  {
    name: 'a cursor that is none, seen by the resolver',
    query: '{ deposits(after: "?") { nodes { id } } }',
    field: 'after',
  },
  {
    name: 'no UUID in a filter, inline',
    query: '{ deposits(filter: { merchantId: ["DEMO"] }) { nodes { id } } }',
    field: 'filter.merchantId',
  },
  {
    name: 'no UUID in a filter, as a variable',
    query: DEPOSITS,
    variables: { filter: { merchantId: ['DEMO'] } },
    field: 'filter.merchantId',
  },
  {
    name: 'no UUID as id, inline',
    query: '{ bankTransfer(id: "DEMO") { id } }',
    field: 'id',
  },
  {
    name: 'no UUID as id, as a variable',
    query: TRANSFER,
    variables: { id: 'DEMO' },
    field: 'id',
  },
  {
    name: 'an unknown value of an enum, inline',
    query: '{ deposits(filter: { status: [LOST] }) { nodes { id } } }',
    field: 'filter.status',
  },
  {
    name: 'an unknown value of an enum, as a variable',
    query: DEPOSITS,
    variables: { filter: { status: ['LOST'] } },
    field: 'filter.status.0',
  },
  {
    name: 'a time without an offset, inline',
    query: '{ deposits(filter: { createdAt: { from: "2026-01-01" } }) { nodes { id } } }',
    field: 'filter.createdAt.from',
  },
  {
    name: 'a field that an input does not have, as a variable',
    query: DEPOSITS,
    variables: { filter: { colour: 'red' } },
    field: 'filter',
  },
  {
    name: 'no value for a required variable',
    query: TRANSFER,
    variables: {},
    field: 'id',
    reason: 'REQUIRED',
  },
  {
    name: 'null for a required variable',
    query: TRANSFER,
    variables: { id: null },
    field: 'id',
    reason: 'REQUIRED',
  },
  {
    name: 'a required field left out of an input object, as a variable',
    query:
      'mutation($rules: ReviewRulesInput!) { putReviewRules(currencyCode: "THB", rules: $rules, reason: "test") { __typename } }',
    variables: { rules: { quietHours: { from: '20:00' } } },
    field: 'rules.quietHours.to',
    reason: 'REQUIRED',
  },
  {
    name: 'a required field left out of an input object, inline',
    query:
      'mutation { putReviewRules(currencyCode: "THB", rules: { quietHours: { from: "20:00" } }, reason: "test") { __typename } }',
    field: 'rules.quietHours.to',
    reason: 'REQUIRED',
  },
  {
    name: 'a lone surrogate in a text, as a variable',
    query: 'mutation($r: String!) { rejectChange(id: "01a1fe29-2b6c-748b-933b-47745b676f88", reason: $r) { id } }',
    variables: { r: 'a\ud800b' },
    field: 'r',
  },
  {
    name: 'a lone surrogate in an id, as a variable',
    query: TRANSFER,
    variables: { id: '\udfff' },
    field: 'id',
  },
  {
    name: 'a lone surrogate in a decimal, as a variable',
    query: DEPOSITS,
    variables: { filter: { amount: { min: '1\ud83d' } } },
    field: 'filter.amount.min',
  },
  {
    name: 'a lone surrogate in a list of an input object, as a variable',
    query: DEPOSITS,
    variables: { filter: { orderNo: ['D1', 'D\ud800'] } },
    field: 'filter.orderNo.1',
  },
  {
    name: 'a lone surrogate in a key, as a variable',
    query: DEPOSITS,
    variables: { filter: { 'a\ud800': 'b' } },
    field: 'filter',
  },
  {
    name: 'a NUL, as a variable that the operation does not name',
    query: '{ me { login } }',
    variables: { other: ['\0'] },
    field: 'other.0',
  },
  {
    name: 'a NUL, inline',
    query: 'mutation { login(login: "a\\u0000", password: "x") { token } }',
    field: 'login',
  },
  {
    name: 'a NUL in an object, inline',
    query: '{ deposits(filter: { orderNo: ["D1", "D\\u0000"] }) { nodes { id } } }',
    field: 'filter.orderNo',
  },
];

describe('malformed input', () => {
  let tenant: Tenant;
  let app: FastifyInstance;
  let url: string;
  let token: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    app = await buildGraphServer(tenant.graph, pino({ level: 'silent' }));
    url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/graphql`;
    const client = new OperatorClient(url);
    const credentials = { login: 'admin', password: 'a password of the tests' };
    ({ token } = await client.run<{ token: string }>('Login', credentials));
  });
  afterAll(async () => {
    await app.close();
    await tenant.close();
  });

  const post = async (body: unknown): Promise<{ status: number; answer: Answer }> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    return { status: response.status, answer: (await response.json()) as Answer };
  };

  it.each(CASES)('has one code, its field and its reason: $name', async (asked) => {
    const { query, variables, field, reason = 'MALFORMED' } = asked;
    const { answer } = await post({ query, variables });
    expect(answer.errors?.[0]?.extensions).toEqual({ ...MALFORMED, field, reason });
  });

  it('has the same over a socket', async () => {
    const client = createClient({
      url: url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${token}` },
      retryAttempts: 0,
    });
    for (const { query, variables, field, reason = 'MALFORMED' } of CASES) {
      const payload = { query, ...(variables && { variables }) };
      const errors: unknown = await client
        .iterate(payload)
        .next()
        .then(
          ({ value }: { value?: unknown }) => (value as Answer).errors,
          (refused: unknown) => refused,
        );
      expect((errors as NonNullable<Answer['errors']>)[0]?.extensions).toEqual({
        ...MALFORMED,
        field,
        reason,
      });
    }
    await client.dispose();
  });

  it.each([
    ['{ me { ', 'GRAPHQL_PARSE_FAILED'],
    ['{ me { colour } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['query($id: Int!) { bankTransfer(id: $id) { id } }', 'GRAPHQL_VALIDATION_FAILED'],
  ])('differs from a document that does not fit the schema: %s', async (query, code) => {
    const { status, answer } = await post({ query });
    expect(status).toBe(400);
    expect(answer.errors?.[0]?.extensions).toEqual({ code, retryable: false });
  });

  it('of an argument that the REST API shares is named by its path in the operation', async () => {
    const accountId = await tenant.account();
    const { answer } = await post({
      query: `mutation { recordBankNotification(input: {
        accountId: "${accountId}", amount: "10", currencyCode: "THB", memo: "test",
        bankTime: "2999-01-01T00:00:00Z" }) { __typename } }`,
    });
    expect(answer.errors?.[0]?.extensions).toEqual({
      code: 'VALIDATION_ERROR',
      retryable: false,
      field: 'input.bankTime',
      reason: 'OUT_OF_RANGE',
    });
  });
});

describe('RATE_LIMITED', () => {
  it('says when to retry', async () => {
    const tenant = await Tenant.create();
    const guard = new Guard(tenant.graph.schema, 'sandbox', new Map());
    const context = contextFor(tenant.graph.core, tenant.operator);
    for (let taken = 0; taken < 32; taken++) guard.enter(context);
    let refusal: unknown;
    try {
      guard.enter(context);
    } catch (error) {
      refusal = error;
    }
    expect((refusal as Refusal).originalError).toMatchObject({
      kind: 'RATE_LIMITED',
      detail: { retryAfterMs: 1_000 },
    });
    await tenant.close();
  });
});
