import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { publishEvents } from '../../db/events/events';
import { OperatorClient } from '../../local/operator-client';
import { buildGraphServer } from '../../graph/server';
import { Subscriber } from '../support/subscriber';
import { Tenant, type TestMerchant } from '../support/tenant';

describe('ordersChanged', () => {
  let tenant: Tenant;
  let app: FastifyInstance;
  let url: string;
  let token: string;
  let merchants: TestMerchant[];
  const open: Subscriber[] = [];

  beforeAll(async () => {
    tenant = await Tenant.create();
    await tenant.account();
    merchants = [await tenant.merchant(), await tenant.merchant()];
    await tenant.graph.core.events.start();
    app = await buildGraphServer(tenant.graph, pino({ level: 'silent' }));
    url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/graphql`;
    const operator = new OperatorClient(url);
    ({ token } = await operator.run<{ token: string }>('Login', {
      login: 'admin',
      password: 'a password of the tests',
    }));
  });
  afterEach(async () => {
    for (const subscriber of open.splice(0)) await subscriber.close();
  });
  afterAll(async () => {
    await app.close();
    await tenant.close();
  });

  const ask = async (query: string): Promise<Record<string, unknown>> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query }),
    });
    const { data } = (await response.json()) as { data: Record<string, unknown> };
    return data;
  };

  function subscribe(options: { afterSeq?: string; filter?: Record<string, unknown> }): Subscriber {
    const subscriber = new Subscriber(() => url, token, options);
    open.push(subscriber);
    return subscriber;
  }

  const lastEventSeq = async (): Promise<string> => (await ask('{ lastEventSeq }'))['lastEventSeq'] as string;

  async function change(merchant = merchants[0]): Promise<string> {
    if (!merchant) throw new Error('no merchant');
    const { orderNo } = await tenant.deposit(merchant);
    await tenant.operate('CancelDeposit', { orderNo, reason: 'test' });
    return orderNo;
  }

  it('streams every order, in its state after the event', async () => {
    const subscriber = subscribe({ afterSeq: await lastEventSeq() });
    const orderNo = await change();
    await publishEvents(tenant.database, 100);
    await subscriber.until(() => subscriber.heard.length === 2);
    expect(subscriber.heard).toMatchObject([
      { event: { type: 'created' }, deposit: { orderNo } },
      { event: { type: 'cancelled' }, deposit: { orderNo, status: 'CANCELLED' } },
    ]);
  });

  it('keeps a list current without a gap, from the number read with it', async () => {
    const before = await change();
    const page = await ask('{ lastEventSeq deposits(first: 1) { nodes { orderNo status } } }');
    expect(page).toMatchObject({ deposits: { nodes: [{ orderNo: before }] } });
    await publishEvents(tenant.database, 100);
    const after = await change();
    await publishEvents(tenant.database, 100);
    const subscriber = subscribe({ afterSeq: page['lastEventSeq'] as string });
    await subscriber.until(() => subscriber.heard.length === 4);
    expect(subscriber.heard.map(({ deposit }) => deposit?.orderNo)).toEqual([...[before, before], ...[after, after]]);
  });

  it('streams only orders that fit the filter', async () => {
    const [first, second] = merchants as [TestMerchant, TestMerchant];
    const afterSeq = await lastEventSeq();
    const one = await change(first);
    const other = await change(second);
    const another = await change(second);
    await publishEvents(tenant.database, 100);
    const ofSecond = subscribe({ afterSeq, filter: { merchantId: [second.id] } });
    const ofTwo = subscribe({ afterSeq, filter: { orderNo: [one, another] } });
    const ofNone = subscribe({ afterSeq, filter: { accountId: [], orderNo: [one] } });
    await ofSecond.until(() => ofSecond.heard.length === 4);
    await ofTwo.until(() => ofTwo.heard.length === 4);
    const numbers = (subscriber: Subscriber): Set<string | undefined> =>
      new Set(subscriber.heard.map(({ deposit }) => deposit?.orderNo));
    expect(numbers(ofSecond)).toEqual(new Set([other, another]));
    expect(numbers(ofTwo)).toEqual(new Set([one, another]));
    expect(ofNone.heard).toEqual([]);
  });

  it('delivers events that were published without a notification', async () => {
    const subscriber = subscribe({ afterSeq: await lastEventSeq() });
    await change();
    await tenant.database.sql`select number_events(100)`;
    await subscriber.until(() => subscriber.heard.length === 2);
    expect(subscriber.heard).toHaveLength(2);
  });

  it('runs an operation once per event for all its subscribers', async () => {
    let runs = 0;
    const field = tenant.graph.schema.getSubscriptionType()?.getFields()['ordersChanged'];
    if (!field?.resolve) throw new Error('no such field');
    const { resolve } = field;
    field.resolve = (...args) => {
      runs++;
      return resolve(...args);
    };
    const afterSeq = await lastEventSeq();
    await change();
    await publishEvents(tenant.database, 100);
    const first = subscribe({ afterSeq });
    await first.until(() => first.heard.length === 2);
    const from = first.heard[0]?.seq ?? '';
    const many = Array.from({ length: 20 }, (_, n) => subscribe({ afterSeq: n % 2 ? afterSeq : from }));
    for (const [n, subscriber] of many.entries())
      await subscriber.until(() => subscriber.heard.length === (n % 2 ? 2 : 1));
    expect(runs).toBe(2);
    field.resolve = resolve;
  });
});
