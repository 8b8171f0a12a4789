import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import {
  buildSchema,
  getNamedType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
} from 'graphql';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import pino from 'pino';
import { publishEvents } from '../../db/events/events';
import { PUBLIC_FIELDS } from '../../graph/access/authorization';
import { buildGraphServer } from '../../graph/server';
import { temporaryFolder } from '../support/temporary-folder';
import { Tenant } from '../support/tenant';

const schemaOf = (file: string): GraphQLSchema =>
  buildSchema(readFileSync(path.join(__dirname, '..', '..', file), 'utf8'));

const OPERATIONS = { Query: 'query', Mutation: 'mutation', Subscription: 'subscription' } as const;

/** A literal that fits a type: authorization must refuse before values are checked. */
function literal(type: GraphQLInputType): string {
  if (isNonNullType(type)) return literal(type.ofType);
  if (isListType(type)) return `[${literal(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).map((f) => `${f.name}: ${literal(f.type)}`);
    return `{${fields.join(', ')}}`;
  }
  switch (type.name) {
    case 'Int':
      return '1';
    case 'JSONObject':
      return '{ a: "b" }';
    case 'Boolean':
      return 'true';
    case 'Decimal':
    case 'Sequence':
      return '"1"';
    case 'DateTime':
      return '"2026-01-02T03:04:05.678Z"';
    default:
      return '"01a1fe29-2b6c-748b-933b-47745b676f88"';
  }
}

function operation(root: keyof typeof OPERATIONS, field: GraphQLField<unknown, unknown>): string {
  const values = field.args.map((arg: GraphQLArgument) => `${arg.name}: ${literal(arg.type)}`);
  const args = values.length > 0 ? `(${values.join(', ')})` : '';
  const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
  return `${OPERATIONS[root]} { ${field.name}${args} ${selection} }`;
}

interface RootField {
  readonly root: keyof typeof OPERATIONS;
  readonly name: string;
  readonly text: string;
}

const rootFieldsOf = (schema: GraphQLSchema): RootField[] =>
  (Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[]).flatMap((root) => {
    const type = schema.getType(root);
    return isObjectType(type)
      ? Object.values(type.getFields()).map((field) => ({
          root,
          name: `${root}.${field.name}`,
          text: operation(root, field),
        }))
      : [];
  });
const rootFields = rootFieldsOf(schemaOf('docs/schema.graphql'));
const closed = rootFields.filter(({ name }) => !PUBLIC_FIELDS.has(name));
/** Roots that only merchants, payers and channels may use. */
const gatewayFields = rootFieldsOf(schemaOf('gateway/generated/schema.graphql')).filter(
  ({ name }) => !rootFields.some((field) => field.name === name),
);

describe('the internal listener', () => {
  let tenant: Tenant;
  let app: FastifyInstance;
  let url: string;
  let token: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    await tenant.account();
    await tenant.graph.core.events.start();
    app = await buildGraphServer(tenant.graph, pino({ level: 'silent' }));
    url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/graphql`;
    const answer = await ask('mutation { login(login: "admin", password: "a password of the tests") { token } }');
    token = (answer.data?.['login'] as { token: string }).token;
  });
  afterAll(async () => {
    await app.close();
    await tenant.close();
  });

  async function ask(
    query: string,
    authorization?: string,
  ): Promise<{
    data?: Record<string, unknown> | null;
    errors?: { message: string; extensions: { code: string } }[];
  }> {
    return (await (await post(query, authorization)).json()) as never;
  }

  const post = async (query: string, authorization?: string): Promise<Response> =>
    await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
      body: JSON.stringify({ query }),
    });

  const subscribe = async (query: string, connectionParams: Record<string, unknown>): Promise<unknown> => {
    const client = createClient({
      url: url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      connectionParams,
      retryAttempts: 0,
    });
    try {
      const results = client.iterate({ query });
      return (await results.next()).value;
    } finally {
      await client.dispose();
    }
  };

  it('allows nothing without a login', async () => {
    let refused = 0;
    for (const { root, name, text } of closed) {
      if (root === 'Subscription') {
        await expect(subscribe(text, {})).rejects.toMatchObject({ code: 4403 });
      } else {
        const { data, errors } = await ask(text);
        expect([name, errors?.[0]?.extensions.code]).toEqual([name, 'UNAUTHENTICATED']);
        expect(Object.values(data ?? {}).every((value) => value === null)).toBe(true);
      }
      refused++;
    }
    expect(refused).toBe(rootFields.length - PUBLIC_FIELDS.size);
    process.stdout.write(
      `without a login: fields=${rootFields.length} refused=${refused} open=${[...PUBLIC_FIELDS].join()}\n`,
    );
  });

  it.each([
    '{ __schema { types { name } } }',
    '{ __type(name: "Query") { name } }',
    '{ ... { __schema { types { name } } } }',
    '{ ... on Query { ...F } } fragment F on Query { s: __schema { types { name } } }',
  ])('hides its schema without a login: %s', async (query) => {
    const refused = await post(query);
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({
      errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
    });
    expect((await ask(query, `Bearer ${token}`)).errors).toBeUndefined();
  });

  it.each(['authorization', 'Authorization'])('accepts %s in connectionParams', async (name) => {
    await tenant.account();
    const { orderNo } = await tenant.deposit(await tenant.merchant());
    await publishEvents(tenant.database, 100);
    const event = await subscribe(`subscription { depositChanged(orderNo: "${orderNo}") { type } }`, {
      [name]: `Bearer ${token}`,
    });
    expect(event).toEqual({ data: { depositChanged: { type: 'created' } } });
  });

  it('sends each bank credit as it is reported and matched, under a new number each time', async () => {
    const accountId = await tenant.account();
    const deposit = await tenant.deposit(await tenant.merchant());
    while (await publishEvents(tenant.database, 100));
    const client = createClient({
      url: url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${token}` },
      retryAttempts: 0,
    });
    interface Change {
      seq: string;
      transfer: { id: string; unmatchedReason: string | null; orderNo: string | null };
    }
    const follow = (after: string) =>
      client.iterate<{ bankTransfersChanged: Change }>({
        query: `subscription { bankTransfersChanged(afterSeq: "${after}") {
          seq transfer { id unmatchedReason orderNo } } }`,
      });
    const next = async (stream: ReturnType<typeof follow>): Promise<Change | undefined> =>
      ((await stream.next()) as { value?: { data?: { bankTransfersChanged: Change } } }).value?.data
        ?.bankTransfersChanged;
    const stream = follow('0');
    const { transfer } = await tenant.notify({
      accountId,
      amount: deposit.amount,
      memo: 'lunch',
    });
    await publishEvents(tenant.database, 100);
    const reported = await next(stream);
    expect(reported?.transfer).toEqual({
      id: transfer.id,
      unmatchedReason: 'NO_REMARK',
      orderNo: null,
    });
    const { orderNo } = deposit;
    const match = { transferId: transfer.id, orderNo, reason: 'the payer says so' };
    await tenant.operate('MatchTransfer', match);
    await publishEvents(tenant.database, 100);
    const matched = await next(stream);
    expect(matched?.transfer).toEqual({ id: transfer.id, unmatchedReason: null, orderNo });
    expect(BigInt(matched?.seq ?? 0)).toBeGreaterThan(BigInt(reported?.seq ?? 0));
    // A client that resumes gets all changes since its number.
    const again = follow(reported?.seq ?? '');
    expect(await next(again)).toEqual(matched);
    await client.dispose();
    const clerk = await tenant.person('clerk-without-transfers', ['support']);
    const restricted = { ...clerk, operator: { ...clerk.operator, merchantIds: [] } };
    await expect(tenant.operate('LastBankTransferSeq', {}, restricted)).resolves.toBeDefined();
  });

  describe('by GET', () => {
    const get = async (path: string, headers: Record<string, string>, of = url) =>
      await fetch(`${of}${path}`, { headers });

    it('returns the schema as text to every operator who is logged in', async () => {
      expect((await get('/schema.graphql', {})).status).toBe(401);
      expect((await get('/schema.graphql', { authorization: 'Bearer no' })).status).toBe(401);
      const answer = await get('/schema.graphql', { authorization: `Bearer ${token}` });
      expect(answer.status).toBe(200);
      expect(await answer.text()).toBe(readFileSync('docs/schema.graphql', 'utf8'));
    });

    it('shows a browser the explorer in a sandbox only, and runs no operation', async () => {
      const folder = temporaryFolder();
      writeFileSync(path.join(folder, 'index.html'), '<title>the explorer</title>');
      writeFileSync(path.join(folder, 'main.js'), 'go()');
      const html = { accept: 'text/html,application/xhtml+xml' };
      const silent = pino({ level: 'silent' });
      const status = async (environment: 'sandbox' | 'production'): Promise<unknown[]> => {
        const core = { ...tenant.graph.core, environment };
        const served = await buildGraphServer({ ...tenant.graph, core }, ...([silent, undefined, folder] as const));
        try {
          const of = `${await served.listen({ port: 0, host: '127.0.0.1' })}/graphql`;
          const page = await get('', html, of);
          return [
            ...[page.status, (await page.text()).includes('the explorer')],
            page.headers.get('content-security-policy')?.includes("connect-src 'self'") ?? null,
            (await get('/explorer/main.js', {}, of)).status,
            // Requests that are not operations.
            (await get('?query={me{login}}', { accept: 'application/json' }, of)).status,
          ];
        } finally {
          await served.close();
        }
      };
      expect(await status('sandbox')).toEqual([200, true, true, 200, 405]);
      expect(await status('production')).toEqual([405, false, null, 405, 405]);
    });
  });

  it('ends a subscription when its login ends', async () => {
    const login = await ask('mutation { login(login: "admin", password: "a password of the tests") { token } }');
    const other = `Bearer ${(login.data?.['login'] as { token: string }).token}`;
    const { orderNo } = await tenant.deposit(await tenant.merchant());
    const client = createClient({
      url: url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      connectionParams: { authorization: other },
      retryAttempts: 0,
    });
    const stream = client.iterate({
      query: `subscription { depositChanged(orderNo: "${orderNo}") { type } }`,
    });
    await publishEvents(tenant.database, 100);
    await stream.next();
    await ask('mutation { logout { ok } }', other);
    await tenant.operate('CancelDeposit', { orderNo, reason: 'test' });
    await publishEvents(tenant.database, 100);
    await expect(stream.next()).rejects.toMatchObject({ code: 4403 });
    await client.dispose();
  });

  it('allows one login attempt per request', async () => {
    const { errors } = await ask(
      'mutation { a: login(login: "admin", password: "a password of the tests") { token } ...F } fragment F on Mutation { b: login(login: "admin", password: "y") { token } }',
    );
    expect(errors?.[0]?.extensions.code).toBe('RATE_LIMITED');
  });

  it('answers VALIDATION_ERROR for a text with a NUL', async () => {
    const { errors } = await ask('mutation { login(login: "a\\u0000", password: "x") { token } }');
    expect(errors?.[0]?.extensions.code).toBe('VALIDATION_ERROR');
  });

  it.each(['Bearer wrong', 'Bearer ', 'Basic YWRtaW46eA==', 'wrong'])(
    'does not accept %j as a login',
    async (header) => {
      const { errors } = await ask('{ me { login } }', header);
      expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    },
  );

  it('accepts a login’s token until logout', async () => {
    const { data } = await ask('{ me { login } }', `Bearer ${token}`);
    expect(data).toEqual({ me: { login: 'admin' } });
    const second = await ask('mutation { login(login: "admin", password: "a password of the tests") { token } }');
    const other = `Bearer ${(second.data?.['login'] as { token: string }).token}`;
    await ask('mutation { logout { ok } }', other);
    expect((await ask('{ me { login } }', other)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });

  it('ends a session after twelve hours', async () => {
    const real = tenant.now;
    tenant.now = () => new Date(Date.now() + 12 * 3_600_000 + 1_000);
    try {
      const { errors } = await ask('{ me { login } }', `Bearer ${token}`);
      expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    } finally {
      tenant.now = real;
    }
  });

  it.each([
    ['admin', 'wrong'],
    ['nobody', 'a password of the tests'],
  ])('refuses the login %j with %j', async (login, password) => {
    const { errors } = await ask(`mutation { login(login: "${login}", password: "${password}") { token } }`);
    expect(errors?.[0]).toMatchObject({
      message: 'login, password or code is wrong',
      extensions: { code: 'UNAUTHENTICATED' },
    });
  });

  it.each(gatewayFields)('never treats an operator as a merchant, a payer or a channel: $name', async ({ text }) => {
    const { errors } = await ask(text, `Bearer ${token}`);
    expect(errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    const silent = pino({ level: 'silent' });
    await expect(tenant.graph.execute(parse(text), {}, tenant.operator, silent)).rejects.toMatchObject({
      kind: 'AUTHORIZATION_ERROR',
    });
  });

  it('hides the gateway’s roots and types from operators', async () => {
    expect(gatewayFields).toHaveLength(17);
    const answer = await ask(
      '{ view: __type(name: "CashierView") { name } query: __type(name: "Query") { fields { name } } }',
      `Bearer ${token}`,
    );
    expect(answer.data).toMatchObject({ view: null });
    expect(JSON.stringify(answer.data)).not.toContain('"cashierView"');
    expect(JSON.stringify(answer.data)).toContain('"cashierSession"');
  });

  it('hides operators’ data from merchants', async () => {
    const merchant = await tenant.merchant();
    const { orderNo } = await tenant.deposit(merchant);
    for (const field of ['timeline { id }', 'ledgerEntries { line }', 'bankTransfers { id }', 'callbacks { id }']) {
      const document = parse(`{ merchantDeposit(orderNo: "${orderNo}") { ${field} } }`);
      await expect(tenant.graph.execute(document, {}, merchant.actor, pino({ level: 'silent' }))).rejects.toMatchObject(
        { kind: 'AUTHORIZATION_ERROR' },
      );
    }
  });

  it('streams a deposit’s events after a number, without a gap', async () => {
    const merchant = await tenant.merchant();
    const { orderNo } = await tenant.deposit(merchant);
    await publishEvents(tenant.database, 100);
    const client = createClient({
      url: url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${token}` },
    });
    const follow = (afterSeq: string): AsyncIterableIterator<unknown> =>
      client.iterate({
        query: 'subscription($n: String!, $s: Sequence) { depositChanged(orderNo: $n, afterSeq: $s) { type seq } }',
        variables: { n: orderNo, s: afterSeq },
      });
    const next = async (stream: ReturnType<typeof follow>): Promise<{ type: string; seq: string }> => {
      const { value } = (await stream.next()) as { value: { data: Record<string, unknown> } };
      return value.data['depositChanged'] as { type: string; seq: string };
    };
    const stream = follow('0');
    const created = await next(stream);
    expect(created.type).toBe('created');
    const cancelled = next(stream);
    await tenant.operate('CancelDeposit', { orderNo, reason: 'test' });
    await publishEvents(tenant.database, 100);
    expect((await cancelled).type).toBe('cancelled');
    // A client that resumes with its last number misses no event and gets none twice.
    expect((await next(follow(created.seq))).type).toBe('cancelled');
    await client.dispose();
  });
});
