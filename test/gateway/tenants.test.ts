import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'graphql';
import pino from 'pino';
import { createDepositActivities } from '../../temporal/activities/deposits';
import { type Answer, depositBody, type MerchantClient, Platform } from '../support/platform';
import { quietActivities } from '../support/quiet-activities';

const NOW = new Date('2026-01-02T03:04:05.006Z');

const documentOf = (name: string): string => readFileSync(path.join(__dirname, '..', '..', 'docs', name), 'utf8');

const openapi = JSON.parse(documentOf('openapi.json')) as {
  paths: Record<string, Record<string, unknown>>;
};
const MERCHANT_API = '/api/v1/merchant';
/** Every route of the merchant API that is published. */
const ROUTES = Object.entries(openapi.paths)
  .filter(([url]) => url.startsWith(MERCHANT_API))
  .flatMap(([url, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${url.slice(MERCHANT_API.length)}`),
  );

describe('a merchant cannot reach another merchant', () => {
  let platform: Platform;
  /** Has orders, money and a payer. */
  let owner: MerchantClient;
  /** Has a key of its own, and the owner's numbers. */
  let stranger: MerchantClient;
  /** Values of the owner that no answer to the stranger may contain. */
  let secrets: readonly string[];
  let order: { order_no: string; merchant_order_no: string };

  const holder = `Payer ${randomBytes(6).toString('hex')}`;
  const userId = `user-${randomBytes(6).toString('hex')}`;

  beforeAll(async () => {
    platform = await Platform.open();
    platform.tenant.now = () => NOW;
    const accountId = await platform.account();
    owner = await platform.cashierMerchant({ canWithdraw: true });
    stranger = await platform.cashierMerchant({ canWithdraw: true });
    const body = depositBody({ user_id: userId, account_holder: holder, account_no: '998877' });
    const created = await owner.signed('POST', '/orders/deposit', body);
    const { order_no, remark } = created.body.data as { order_no: string; remark: string };
    order = { order_no, merchant_order_no: body.merchant_order_no };
    const agent = await platform.agent([accountId]);
    const transfer = {
      account_id: accountId,
      amount: '100.00',
      currency_code: 'USD',
      memo: remark,
    };
    const reported = { ...transfer, bank_time: NOW.toISOString(), bank_reference: order_no };
    expect((await platform.notify(agent, reported)).status).toBe(201);
    await credit(order_no);
    secrets = [
      ...[order_no, body.merchant_order_no, remark, userId, holder],
      ...[owner.id, owner.merchantCode, owner.apiKey],
    ];
  });
  afterAll(async () => {
    await platform.close();
  });

  /** The step of the order's workflow. */
  async function credit(orderNo: string): Promise<void> {
    const { database } = platform.tenant;
    const [row] = await database.sql<{ id: string }[]>`
      select id from deposit_orders where order_no = ${orderNo}`;
    const steps = createDepositActivities({ database, clock: () => Promise.resolve(NOW) });
    const { status }: { status: string } = await quietActivities().run(
      async () => await steps.settleDeposit(row?.id ?? ''),
    );
    expect(status).toBe('COMPLETED');
  }

  /** The owner's cashier session; its payer has the link. */
  const session = async (): Promise<{ id: string; token: string; number: string }> => {
    const number = randomBytes(8).toString('hex');
    const { body } = await owner.signed('POST', '/orders/deposit/cashier', {
      merchant_order_no: number,
      currency_code: 'USD',
      user_id: userId,
    });
    const { session_id: id, cashier_token: token } = body.data as Record<string, string>;
    return { id: id ?? '', token: token ?? '', number };
  };

  const found = async (who: MerchantClient): Promise<Answer> =>
    await who.signed('GET', `/query/deposit/${order.order_no}`);

  /** For each route: the stranger's attempt with the owner's numbers, and the expected answer. */
  const tries: Record<string, () => Promise<Answer>[]> = {
    'POST /orders/deposit': () => [
      // Order numbers are namespaced by merchant.
      stranger.signed(
        'POST',
        '/orders/deposit',
        depositBody({
          merchant_order_no: order.merchant_order_no,
          merchant_id: owner.id,
          merchant_code: owner.merchantCode,
        }),
      ),
    ],
    'POST /orders/deposit/cashier': () => [
      stranger.signed('POST', '/orders/deposit/cashier', {
        merchant_order_no: `${order.merchant_order_no}-c`,
        currency_code: 'USD',
        user_id: userId.toUpperCase(),
        merchant_id: owner.id,
      }),
    ],
    'POST /orders/withdrawal': () => [
      stranger.signed('POST', '/orders/withdrawal', {
        merchant_order_no: `${order.merchant_order_no}-w`,
        amount: '1',
        currency_code: 'USD',
        beneficiary_name: 'Eve',
        beneficiary_account: '1',
        beneficiary_bank_code: 'NOBANK',
        merchant_id: owner.id,
        merchant_code: owner.merchantCode,
      }),
    ],
    'GET /query/withdrawal/{order_no}': () => [
      stranger.signed('GET', `/query/withdrawal/${order.order_no}?merchant_id=${owner.id}`),
    ],
    'GET /query/withdrawal': () => [
      stranger.signed('GET', `/query/withdrawal?merchant_order_no=${owner.id}&merchant_id=${owner.id}`),
    ],
    'GET /query/deposit/{order_no}': () => [
      found(stranger),
      stranger.signed('GET', `/query/deposit/${order.order_no}?merchant_id=${owner.id}`),
      stranger.signed('GET', `/query/deposit/${order.order_no.toLowerCase()}`),
      stranger.signed('GET', `/query/deposit/${encodeURIComponent(`${order.order_no}' or '1`)}`),
    ],
    'GET /query/deposit': () => [
      stranger.signed('GET', `/query/deposit?merchant_order_no=${owner.id}`),
      stranger.signed('GET', `/query/deposit?merchant_order_no=${order.merchant_order_no}-&merchant_id=${owner.id}`),
    ],
    'GET /balance': () => [
      stranger.signed('GET', '/balance'),
      stranger.signed('GET', `/balance?merchant_id=${owner.id}&merchant_code=${owner.merchantCode}`),
    ],
  };

  it('by any route of the merchant API', async () => {
    expect(Object.keys(tries).sort()).toEqual(ROUTES.toSorted());
    const before = (await found(owner)).text;
    // Without an order of that number, the stranger finds none.
    const byNumber = `/query/deposit?merchant_order_no=${order.merchant_order_no}`;
    expect(await stranger.signed('GET', byNumber)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', data: null },
    });
    let asked = 0;
    for (const [route, tried] of Object.entries(tries))
      for (const answer of await Promise.all(tried())) {
        asked++;
        const seen = secrets.filter((text) => answer.text.includes(text));
        expect({ route, seen }).toEqual({ route, seen: [] });
        if (route.startsWith('GET /query')) expect(answer.status).toBe(404);
      }
    const own = await stranger.signed('GET', byNumber);
    expect(own.body.data).toMatchObject({ merchant_id: stranger.id, status: 'pending' });
    expect(own.body.data?.['order_no']).not.toBe(order.order_no);
    const balances = [await stranger.signed('GET', '/balance'), await owner.signed('GET', '/balance')];
    expect(balances.map(({ text }) => /"available_balance":"([^"]+)"/.exec(text)?.[1])).toEqual(['0.0000', '99.0000']);
    expect((await found(owner)).text).toBe(before);
    process.stdout.write(`tenants: routes=${ROUTES.length} requests=${asked} seen=0\n`);
  });

  it('by the user or the number of a cashier session', async () => {
    const theirs = await session();
    const mine = await stranger.signed('POST', '/orders/deposit/cashier', {
      merchant_order_no: theirs.number,
      currency_code: 'USD',
      user_id: userId,
    });
    expect(mine.status).toBe(201);
    expect(mine.body.data?.['session_id']).not.toBe(theirs.id);
    const state = await platform.send('GET', `/cashier/${theirs.token}/state`);
    expect(state.body.data).toMatchObject({ session_id: theirs.id, status: 'pending' });
    for (const secret of [owner.id, owner.apiKey, stranger.id, stranger.apiKey, userId])
      expect(state.text).not.toContain(secret);
  });

  it('by its own key with the other merchant’s code', async () => {
    const mixed = await Promise.all([
      // Signed with one key and sent under the other, both ways.
      stranger.signed('GET', `/query/deposit/${order.order_no}`, undefined, {
        headers: { 'x-api-key': owner.apiKey },
      }),
      owner.signed('GET', `/query/deposit/${order.order_no}`, undefined, {
        headers: { 'x-api-key': stranger.apiKey },
      }),
    ]);
    for (const answer of mixed) expect(answer).toMatchObject({ status: 401, body: { code: 'INVALID_SIGNATURE' } });
  });

  it('by any field of the graph', async () => {
    const { tenant } = platform;
    const actor = await tenant.actorOf(stranger.apiKey);
    const silent = pino({ level: 'silent' });
    const ask = async (query: string): Promise<unknown> => await tenant.graph.execute(parse(query), {}, actor, silent);
    const fields = '{ id orderNo merchantId userId }';
    expect(await ask(`{ merchantDeposit(orderNo: "${order.order_no}") ${fields} }`)).toEqual({
      merchantDeposit: null,
    });
    expect(
      await ask(`{ merchantDeposit(merchantOrderNo: "${order.merchant_order_no}") { merchantId userId } }`),
    ).toEqual({ merchantDeposit: { merchantId: stranger.id, userId: null } });
    expect(await ask('{ merchantBalances { merchantId available } }')).toEqual({
      merchantBalances: [{ merchantId: stranger.id, available: '0.0000' }],
    });
  });
});
