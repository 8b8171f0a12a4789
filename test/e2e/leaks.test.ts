import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import postgres, { type Sql } from 'postgres';
import type { Sandbox } from '../../local/sandbox';
import { temporalFiles } from '../../local/temporal-server';
import { agentSignature, md5, signingString } from '../support/platform';
import { CLEAR, clearColumns } from '../support/personal-columns';
import { drivePayerRules, drivePersonal, type PersonalWorld } from '../support/personal-canaries';
import { Receiver } from '../support/receiver';
import { temporaryFolder } from '../support/temporary-folder';
import { until } from '../support/until';
import { startWholePlatform, type WholePlatform } from '../support/whole-platform';

/** The columns with more than what proves a callback. */
const personalOf = (shown: Readonly<Record<string, readonly string[]>>): string[] =>
  Object.keys(shown)
    .filter((column) => shown[column]?.some((kind) => kind !== 'callback signature'))
    .sort();

/** A value that occurs nowhere by chance. */
const canary = (): string => `Canary${randomBytes(9).toString('hex')}`;

/** The real program: roles, servers and their logs, all at level trace. */
describe('secrets and personal data', () => {
  const dataDir = path.join(temporaryFolder(), 'data');
  let platform: WholePlatform;
  let sandbox: Sandbox;
  let sql: Sql;
  let receiver: Receiver;
  let token: string;
  /** The values to look for, by name. */
  const secrets = new Map<string, string[]>();

  const secret = (kind: string, value: string = canary()): string => {
    secrets.set(kind, [...(secrets.get(kind) ?? []), value]);
    return value;
  };

  beforeAll(async () => {
    // What is decided on a day is counted, by beneficiary too; nothing comes near these amounts.
    const day = { DAY_AMOUNTS: 'THB=9999999:9999999:9999999:9999999' };
    platform = await startWholePlatform(dataDir, { LOG_LEVEL: 'trace', ...day });
    ({ sandbox } = platform);
    sql = postgres(sandbox.databaseUrl, { max: 1, onnotice: () => undefined });
    // A merchant that echoes everything it was sent.
    receiver = await Receiver.listen((response, n) => {
      const { headers, body } = receiver.received[n] ?? { headers: {}, body: '' };
      response.writeHead([500, 400][n] ?? 200).end(`${JSON.stringify(headers)}\n${body}`);
    });
    secret('api key', sandbox.merchant.apiKey);
    secret('agent secret', sandbox.agent.secret);
    secret('operator password', sandbox.operator.password);
  });
  afterAll(async () => {
    await sql.end();
    await receiver.close();
    await platform.stop();
  });

  const post = async (
    url: string,
    headers: Record<string, string>,
    body: string,
  ): Promise<{ status: number; body: { data?: Record<string, never> | null } }> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    return { status: response.status, body: (await response.json()) as never };
  };

  const graph = async (query: string, variables: Record<string, unknown> = {}) =>
    (
      await post(
        sandbox.graphql,
        token ? { authorization: `Bearer ${token}` } : {},
        JSON.stringify({ query, variables }),
      )
    ).body.data;

  const timestamp = (): string => String(Math.floor(Date.now() / 1000));

  /** The answer. @throws on a refusal */
  const dataOf = (answer: Awaited<ReturnType<typeof post>>): Record<string, string> => {
    expect([200, 201]).toContain(answer.status);
    return answer.body.data ?? {};
  };

  /** Fields of a create, each with a value that must not appear elsewhere. */
  const create = (fields: Record<string, unknown> = {}) => ({
    merchant_order_no: randomBytes(12).toString('hex'),
    amount: '100.00',
    currency_code: 'THB',
    callback_url: receiver.url,
    account_holder: secret('payer name'),
    account_no: secret('payer account'),
    mobile: secret('mobile'),
    email: `${secret('email')}@a.example`,
    extra_data: secret('extra data'),
    ...fields,
  });

  async function send(
    fields: Record<string, unknown>,
    apiKey = sandbox.merchant.apiKey,
    signature?: string,
    route = '/orders/deposit',
  ) {
    const now = timestamp();
    const right = md5(signingString(fields, now) + apiKey);
    return await post(
      `${sandbox.merchantApi}${route}?account_no=${secret('query')}`,
      {
        'x-api-key': apiKey,
        'x-timestamp': now,
        'x-signature': secret('signature', signature ?? right),
      },
      JSON.stringify(fields),
    );
  }

  const notice = (fields: Record<string, unknown> = {}) => ({
    account_id: sandbox.accounts[0]?.id,
    amount: '100.00',
    currency_code: 'THB',
    bank_time: new Date().toISOString(),
    payer_name: secret('bank payer name'),
    payer_account: secret('bank payer account'),
    memo: secret('memo'),
    ...fields,
  });

  async function notify(fields: Record<string, unknown>, key = sandbox.agent.secret, route = '/bank-notifications') {
    const body = JSON.stringify(fields);
    const headers = { timestamp: timestamp(), nonce: randomBytes(12).toString('hex') };
    return await post(
      `${new URL(sandbox.merchantApi).origin}${route}`,
      {
        'x-agent-key': sandbox.agent.keyId,
        'x-agent-timestamp': headers.timestamp,
        'x-agent-nonce': headers.nonce,
        'x-agent-signature': secret('agent signature', agentSignature(key, headers, body)),
      },
      body,
    );
  }

  /** An operator's actions, accepted and refused. */
  async function operate(): Promise<void> {
    const login = 'mutation($l: String!, $p: String!) { login(login: $l, password: $p) { token } }';
    const wrong = secret('wrong password');
    await graph(login, { l: 'admin', p: wrong });
    await graph(login, { l: 'admin', p: [wrong] });
    await graph(`mutation { login(login: "admin", password: ${wrong}) { token } }`);
    await post(sandbox.graphql, {}, `{"query":"mutation { login(password: \\"${wrong}`);
    const { login: l, password: p } = sandbox.operator;
    const session = await graph(login, { l, p });
    token = secret('session token', (session?.['login'] as unknown as { token: string }).token);
    const account = `mutation($n: String!, $h: String!) { createBankAccount(reason: "test", input: {
      name: "Canaries", bankCode: "CANARY", bankName: "Bank", accountNo: $n, accountHolder: $h, currencyCode: "THB"
    }) { account { id } } }`;
    const [n, h] = [secret('managed account'), secret('managed holder')];
    const first = await graph(account, { n, h });
    // Taken already: the database's message contains the number.
    await graph(account, { n, h });
    await graph(account, { n, h: 'x'.repeat(200) });
    // All deposits use it.
    for (const { id } of sandbox.accounts)
      await graph(
        'mutation($id: ID!) { setBankAccountStatus(id: $id, status: DISABLED, reason: "test") { account { id } } }',
        { id },
      );
    const made = first?.['createBankAccount'] as unknown as { account: { id: string } };
    const { id } = made.account;
    const issued = await graph(
      'mutation($id: ID!) { createAgentKey(reason: "test", input: { label: "canaries", accountIds: [$id] }) { secret keyId } }',
      { id },
    );
    const agent = issued?.['createAgentKey'] as unknown as { secret: string; keyId: string };
    sandbox = {
      ...sandbox,
      accounts: [{ ...sandbox.accounts[0], id } as Sandbox['accounts'][number]],
      agent: { keyId: agent.keyId, secret: secret('agent secret', agent.secret) },
    };
    const key = await graph('mutation($id: ID!) { issueApiKey(merchantId: $id, reason: "test") { apiKey } }', {
      id: sandbox.merchant.id,
    });
    secret('api key', (key?.['issueApiKey'] as unknown as { apiKey: string }).apiKey);
    // A number instead of an id, and a credit on an unknown account.
    await graph('query($id: ID!) { bankTransfer(id: $id) { id } }', { id: secret('misplaced') });
    const record = `mutation($i: BankNotificationInput!) { recordBankNotification(input: $i) { duplicate } }`;
    const { account_id: accountId, payer_name, payer_account, memo, amount } = notice();
    const recorded = {
      accountId,
      amount,
      memo,
      payerName: payer_name,
      payerAccount: payer_account,
      currencyCode: 'THB',
      bankTime: new Date().toISOString(),
    };
    await graph(record, { i: recorded });
    await graph(record, { i: { ...recorded, accountId: secret('misplaced') } });
    await graph(record, { i: { ...recorded, amount: 1, memo: { secret: memo } } });
  }

  /** A paid deposit. @returns its number */
  async function paid(fields = create()): Promise<string> {
    const { status, body } = await send(fields);
    expect(status).toBe(201);
    const { order_no, remark } = body.data as unknown as Record<string, string>;
    const reported = notice();
    expect((await notify({ ...reported, memo: `${reported.memo} ${remark}` })).status).toBe(201);
    return order_no ?? '';
  }

  const attempted = async (orderNo: string): Promise<boolean> =>
    (
      await sql`select 1 from notification_logs n join callback_attempts a on a.notification_id = n.id
        where n.order_no = ${orderNo} and a.ended_at is not null`
    ).length > 0;

  /** Makes the database fail in mid-work, so that the error passes through our logs and Temporal's. */
  async function whileRefusing(table: string, work: () => Promise<void>): Promise<void> {
    const constraint = sql(`${table}_refuses`);
    await sql`alter table ${sql(table)} add constraint ${constraint} check (false) not valid`;
    try {
      await work();
    } finally {
      await sql`alter table ${sql(table)} drop constraint ${constraint}`;
    }
  }

  /** Access to the same platform for the flows of personal-canaries.ts. */
  const world = (): PersonalWorld => ({
    sandbox,
    canary: secret,
    attempted,
    callbackUrl: receiver.url,
    graph: async (query, variables) => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await post(sandbox.graphql, headers, JSON.stringify({ query, variables }));
      expect(answer.body).toMatchObject({ data: expect.anything() as object });
      expect(answer.body).not.toHaveProperty('errors');
      return answer.body.data;
    },
    merchant: async (route, asked) => dataOf(await send(asked, undefined, undefined, route)),
    agent: async (route, message) => dataOf(await notify(message, undefined, route)),
    payer: async (link, action, asked) => {
      const url = `${new URL(sandbox.merchantApi).origin}/cashier/${link}/${action}`;
      dataOf(await post(url, {}, JSON.stringify(asked)));
    },
  });

  async function drive(): Promise<void> {
    await operate();
    // Three callbacks: answered 500, 400 and 200, each echoing the request.
    for (let n = 0; n < 3; n++) {
      const orderNo = await paid();
      await until('the callback', async () => await attempted(orderNo));
    }
    const fields = create();
    expect((await send(fields)).status).toBe(201);
    expect((await send(fields)).status).toBe(409);
    expect((await send(create(), undefined, randomBytes(16).toString('hex'))).status).toBe(401);
    expect((await send(create(), secret('unknown api key'))).status).toBe(401);
    expect((await send(create({ mobile: secret('mobile').repeat(3) }))).status).toBe(422);
    expect((await send(create({ currency_code: 'XXX' }))).status).toBe(400);
    expect((await send(create({ callback_url: `https://${secret('email')}@a.example/` }))).status).toBe(422);
    expect((await notify(notice({ amount: '-1' }))).status).toBe(422);
    expect((await notify(notice(), secret('wrong agent secret'))).status).toBe(401);
    expect((await notify(notice({ account_id: secret('misplaced') }))).status).toBe(403);
    await whileRefusing('deposit_orders', async () => {
      expect((await send(create())).status).toBe(500);
    });
    await whileRefusing('bank_transfers', async () => {
      expect((await notify(notice())).status).toBe(500);
    });
    await drivePersonal(world());
    let late = '';
    await whileRefusing('notification_logs', async () => {
      late = await paid();
      // The credit keeps failing in its workflow.
      const log = path.join(dataDir, 'logs', 'worker.log');
      await until('a step that fails', () =>
        readFileSync(log, 'utf8')
          .split('\n')
          .some((line) => line.includes('violates check')),
      );
    });
    await until('the callback', async () => await attempted(late));
    secret('callback signature', String(receiver.received.at(-1)?.headers['x-signature']));
    await drivePayerRules(world());
    await until('an empty outbox', async () => (await sql`select 1 from outbox`).length === 0);
  }

  /** As COPY writes a value: as text, as text normalized for comparison, as bytes. */
  const forms = (value: string): string[] => [value.toLowerCase(), Buffer.from(value).toString('hex')];
  const kinds = (text: string): string[] => {
    const folded = text.toLowerCase();
    return [...secrets]
      .filter(([, values]) => values.flatMap(forms).some((form) => folded.includes(form)))
      .map(([k]) => k);
  };

  /** Every column of every table that contains a secret, by COPY. */
  async function shownByDatabase(): Promise<Record<string, string[]>> {
    const columns = await sql<{ schema: string; table: string; column: string }[]>`
      select table_schema as schema, table_name as table, column_name as column
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`;
    expect(columns.length).toBeGreaterThan(150);
    const shown: Record<string, string[]> = {};
    for (const { schema, table, column } of columns) {
      const rows = await sql`copy (select ${sql(column)} from ${sql(schema)}.${sql(table)}) to stdout`.readable();
      let text = '';
      for await (const part of rows as AsyncIterable<Buffer>) text += part.toString();
      const found = kinds(text);
      if (found.length > 0) shown[`${table}.${column}`] = found;
    }
    return shown;
  }

  /** Histories with decoded payloads, memos, search attributes and summaries of every workflow. */
  async function toldByTemporal(): Promise<{ workflows: number; text: string }> {
    const connection = await Connection.connect({ address: sandbox.temporalAddress });
    const { workflow } = new Client({ connection });
    let workflows = 0;
    let text = '';
    for await (const { workflowId, runId } of workflow.list()) {
      workflows++;
      const handle = workflow.getHandle(workflowId, runId);
      text += decoded([await handle.fetchHistory(), (await handle.describe()).raw]);
    }
    await connection.close();
    return { workflows, text };
  }

  /** JSON with the bytes in it as text. */
  const decoded = (value: unknown): string =>
    JSON.stringify(value, (_key, inner: unknown) => {
      if (inner instanceof Uint8Array) return Buffer.from(inner).toString('utf8');
      const { type, data } = (inner ?? {}) as { type?: unknown; data?: unknown };
      return type === 'Buffer' ? Buffer.from(data as number[]).toString('utf8') : inner;
    });

  it('are in clear only in the listed columns of PostgreSQL, never in a log or in Temporal', async () => {
    await drive();
    expect([...secrets.keys()].length).toBeGreaterThan(15);
    const [order] = await sql<{ orderNo: string }[]>`select order_no as "orderNo" from deposit_orders limit 1`;
    const known = order?.orderNo ?? 'no order';

    const shown = await shownByDatabase();
    expect(shown).toEqual(CLEAR);
    // The page names all of them, and no others.
    expect(clearColumns()).toEqual(personalOf(shown));

    const temporal = await toldByTemporal();
    expect(temporal.workflows).toBeGreaterThanOrEqual(9);
    expect(kinds(temporal.text)).toEqual([]);
    expect(temporal.text).toContain(known);

    const metrics = await fetch(new URL('/metrics', sandbox.graphql));
    expect(kinds(await metrics.text())).toEqual([]);

    await platform.stop();
    const logs = path.join(dataDir, 'logs');
    const files = readdirSync(logs);
    expect(files).toEqual(
      expect.arrayContaining(['gateway', 'graph', 'worker', 'migrate', 'postgres', 'temporal'].map((n) => `${n}.log`)),
    );
    const inLogs = files.map((file) => [file, kinds(readFileSync(path.join(logs, file), 'utf8'))]);
    expect(inLogs.filter(([, found]) => found?.length)).toEqual([]);
    // The operator's terminal shows the sandbox's own key and password.
    expect(kinds(platform.printed()).sort()).toEqual(['api key', 'operator password']);
    const all = files.map((file) => readFileSync(path.join(logs, file), 'utf8')).join('');
    for (const line of [known, 'a step failed', 'callback attempted', 'violates check'])
      expect([line, all.includes(line)]).toEqual([line, true]);

    const stored = JSON.parse(
      execFileSync(
        'python3',
        [
          path.join(__dirname, '..', 'support', 'search_sqlite.py'),
          temporalFiles(path.join(dataDir, 'temporal')).dbFile,
        ],
        { input: JSON.stringify([known, ...[...secrets.values()].flat()]), encoding: 'utf8' },
      ),
    ) as [table: string, column: string, text: string][];
    expect(stored.some(([table, , text]) => table === 'history_node' && text === known)).toBe(true);
    expect(stored.filter(([, , text]) => text !== known)).toEqual([]);
  }, 300_000);
});
