import type { FastifyInstance } from 'fastify';
import { createClient } from 'graphql-ws';
import pino from 'pino';
import WebSocket from 'ws';
import { publishEvents } from '../../db/events/events';
import { sweepCallbacks } from '../../db/overdue';
import { PERMISSIONS } from '../../domain/permissions';
import { buildGraphServer } from '../../graph/server';
import { OperatorClient } from '../../local/operator-client';
import { Subscriber } from '../support/subscriber';
import { Tenant, type TestMerchant } from '../support/tenant';
import { fundedMerchant } from '../support/withdrawals';

interface Node {
  readonly id: string;
  readonly orderNo: string;
  readonly amount: string;
  readonly status: string;
  readonly createdAt: string;
}
interface Page {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}
interface Hit {
  readonly field: string;
  readonly exact: boolean;
  readonly found: { readonly orderNo?: string };
}

const MINUTE = 60_000;

describe('the list of withdrawals', () => {
  let tenant: Tenant;
  let merchants: readonly [TestMerchant, TestMerchant];
  const START = new Date('2026-03-01T12:00:00.000Z').getTime();
  const made: string[] = [];

  const at = (index: number): string => {
    const number = made.at(index);
    if (number === undefined) throw new Error('no such withdrawal');
    return number;
  };

  beforeAll(async () => {
    tenant = await Tenant.create();
    tenant.now = () => new Date(START);
    await tenant.operate('PutBanks', {
      currencyCode: 'THB',
      banks: [
        { bankCode: 'KBANK', name: 'Kasikornbank' },
        { bankCode: 'SCB', name: 'Siam Commercial Bank' },
      ],
      reason: 'test',
    });
    merchants = [await fundedMerchant(tenant, '10000'), await fundedMerchant(tenant, '10000')];
    // Two withdrawals share each creation time, so that ids must break the ties; amounts repeat too.
    for (let n = 0; n < 12; n++) {
      tenant.now = () => new Date(START + Math.floor(n / 2) * MINUTE);
      const { orderNo } = await tenant.withdrawal<{ orderNo: string }>(merchants[n % 2 === 0 ? 0 : 1], {
        merchantOrderNo: `payout-${n}`,
        amount: `${100 + (n % 4)}.00`,
        beneficiaryAccount: `account-${n % 3}`,
        beneficiaryBankCode: n < 6 ? 'KBANK' : 'SCB',
      });
      made.push(orderNo);
    }
  });
  afterAll(async () => {
    await tenant.close();
  });

  const list = async (filter: object = {}, variables: object = {}): Promise<readonly Node[]> =>
    await tenant.list<Node>('Withdrawals', { filter, first: 200, ...variables });
  const numbers = (nodes: readonly Node[]): string[] => nodes.map(({ orderNo }) => orderNo);
  const every = (fits: (n: number) => boolean): string[] => made.filter((_number, n) => fits(n)).sort();

  it.each<[string, (node: Node) => string | number]>([
    ['CREATED_AT', ({ createdAt }) => createdAt],
    ['AMOUNT', ({ amount }) => Number(amount)],
  ])('are sorted by %s, ties by id, and read page by page, each once', async (by, value) => {
    const rows = await list({}, { sort: `${by}_ASC` });
    const sorted = [...rows].sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      return x === y ? (a.id < b.id ? -1 : 1) : x < y ? -1 : 1;
    });
    expect(rows).toHaveLength(12);
    expect(numbers(rows)).toEqual(numbers(sorted));
    const read: string[] = [];
    let after: string | null = null;
    for (let more = true; more;) {
      const page: Page = await tenant.operate<Page>('Withdrawals', {
        sort: `${by}_DESC`,
        first: 5,
        after,
      });
      read.push(...numbers(page.nodes));
      after = page.pageInfo.endCursor;
      more = page.pageInfo.hasNextPage;
    }
    expect(read).toEqual(numbers(sorted.reverse()));
  });

  it.each<[string, () => object, (n: number) => boolean]>([
    ['a merchant', () => ({ merchantId: [merchants[0].id] }), (n) => n % 2 === 0],
    ['both', () => ({ merchantId: merchants.map(({ id }) => id) }), () => true],
    ['a status', () => ({ status: ['APPROVED'] }), () => false],
    ['another currency', () => ({ currencyCode: ['USD'] }), () => false],
    ['an amount', () => ({ amount: { min: '102', max: '102' } }), (n) => n % 4 === 2],
    ['a beneficiary', () => ({ beneficiaryAccount: 'account-1' }), (n) => n % 3 === 1],
    ['a bank', () => ({ beneficiaryBankCode: 'SCB' }), (n) => n >= 6],
    [
      'a time',
      () => ({ createdAt: { from: new Date(START + MINUTE), to: new Date(START + 3 * MINUTE) } }),
      (n) => n >= 2 && n < 6,
    ],
    ['a way of paying', () => ({ payoutMethod: 'MANUAL' }), () => false],
    ['a channel', () => ({ channelId: [merchants[0].id] }), () => false],
    ['a paying account', () => ({ accountId: [merchants[0].id] }), () => false],
    ['nothing to find out', () => ({ needsManualIntervention: false }), () => true],
    ['something to find out', () => ({ needsManualIntervention: true }), () => false],
  ])('are filtered by %s, and counted', async (_what, filter, fits) => {
    expect(numbers(await list(filter())).sort()).toEqual(every(fits));
    expect(await tenant.operate('CountWithdrawals', { filter: filter(), max: 5 })).toEqual({
      countUpTo: Math.min(5, every(fits).length),
    });
  });

  it('are overdue by the injected clock', async () => {
    const now = tenant.now;
    expect(await list({ overdue: true })).toEqual([]);
    tenant.now = () => new Date(START + 30 * 24 * 60 * MINUTE);
    expect(await list({ overdue: true })).toHaveLength(12);
    expect(await list({ overdue: false })).toEqual([]);
    tenant.now = now;
  });

  it('are filtered by the claiming operator', async () => {
    await tenant.operate('ClaimWithdrawal', { orderNo: at(3) });
    const person = await tenant.person('approver', ['approve']);
    await tenant.operate('ClaimWithdrawal', { orderNo: at(4) }, person);
    expect(numbers(await list({ mine: true }))).toEqual([at(3)]);
    expect(numbers(await list({ claimedBy: [person.operator.id] }))).toEqual([at(4)]);
    const theirs = await tenant.operate<Page>('Withdrawals', { filter: { mine: true } }, person);
    expect(numbers(theirs.nodes)).toEqual([at(4)]);
  });

  it('are limited to a restricted operator’s merchants', async () => {
    const actor = tenant.operatorWith(PERMISSIONS, [merchants[0].id]);
    const own = every((n) => n % 2 === 0);
    for (const filter of [{}, { merchantId: merchants.map(({ id }) => id) }]) {
      const page = await tenant.operate<Page>('Withdrawals', { filter }, actor);
      expect(numbers(page.nodes).sort()).toEqual(own);
    }
    const others = { filter: { merchantId: [merchants[1].id] } };
    expect((await tenant.operate<Page>('Withdrawals', others, actor)).nodes).toEqual([]);
  });

  it('show other withdrawals to the same beneficiary, within the operator’s merchants', async () => {
    // 1, 4, 7 and 10 have the same account number, the last two at another bank.
    const found = await tenant.operate<{ similar: Node[] }>('SimilarWithdrawals', {
      orderNo: at(1),
    });
    expect(numbers(found.similar)).toEqual([at(4)]);
    const actor = tenant.operatorWith(PERMISSIONS, [merchants[1].id]);
    expect(await tenant.operate('SimilarWithdrawals', { orderNo: at(1) }, actor)).toEqual({
      similar: [],
    });
  });

  describe('in the search box', () => {
    const search = async (text: string, actor = tenant.operator): Promise<unknown[]> => {
      const hits = await tenant.operate<Hit[]>('Search', { text }, actor);
      return hits.map(({ field, exact, found }) => [field, exact, found.orderNo]);
    };

    it.each<[string, () => string, () => unknown[]]>([
      ['gateway number', () => at(5).toLowerCase(), () => [['ORDER_NO', true, at(5)]]],
      [
        'merchant number, before longer ones',
        () => 'payout-1',
        () => [
          ['MERCHANT_ORDER_NO', true, at(1)],
          ['MERCHANT_ORDER_NO', false, at(11)],
          ['MERCHANT_ORDER_NO', false, at(10)],
        ],
      ],
      ['beneficiary', () => 'account-2', () => [11, 8, 5, 2].map((n) => ['BENEFICIARY_ACCOUNT', true, at(n)])],
      ['amount', () => '103', () => [11, 7, 3].map((n) => ['AMOUNT', true, at(n)])],
    ])('are found by %s', async (_what, text, expected) => {
      expect(await search(text())).toEqual(expected());
    });

    it('are found by the bank’s reference of the payout', async () => {
      await tenant.database.sql`
        update withdrawal_orders set bank_reference = 'FT-7788' where order_no = ${at(6)}`;
      expect(await search('FT-7788')).toEqual([['BANK_REFERENCE', true, at(6)]]);
    });

    it('are not found by operators restricted to other merchants', async () => {
      const actor = tenant.operatorWith(PERMISSIONS, [merchants[1].id]);
      expect(await search(at(4), actor)).toEqual([]);
      expect(await search('payout-4', actor)).toEqual([]);
      expect(await search('account-2', actor)).toEqual([11, 5].map((n) => ['BENEFICIARY_ACCOUNT', true, at(n)]));
    });
  });

  it('are counted while undecided, within the operator’s merchants', async () => {
    const counts = { interventions: 0, manualTasks: 0 };
    expect(await tenant.operate('Queues')).toMatchObject({ pendingWithdrawals: 12, ...counts });
    const actor = tenant.operatorWith(PERMISSIONS, [merchants[1].id]);
    expect(await tenant.operate('Queues', {}, actor)).toMatchObject({
      pendingWithdrawals: 6,
      ...counts,
    });
  });

  describe('when they change', () => {
    let app: FastifyInstance;
    let url: string;
    let token: string;
    beforeAll(async () => {
      await publishEvents(tenant.database, 1000);
      await tenant.graph.core.events.start();
      app = await buildGraphServer(tenant.graph, pino({ level: 'silent' }));
      url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/graphql`;
      ({ token } = await new OperatorClient(url).run<{ token: string }>('Login', {
        login: 'admin',
        password: 'a password of the tests',
      }));
    });
    afterAll(async () => {
      await app.close();
    });

    it('are published with the order’s state after the event, by kind', async () => {
      await tenant.account();
      const afterSeq = String(tenant.graph.core.events.orders.lastSeq);
      const ofOne = new Subscriber(() => url, token, { afterSeq, filter: { orderNo: [at(0)] } });
      const deposits = new Subscriber(() => url, token, {
        afterSeq,
        filter: { kind: ['DEPOSIT'] },
      });
      await tenant.operate('RejectWithdrawal', { orderNo: at(0), remarks: 'unknown to us' });
      const { orderNo } = await tenant.deposit(merchants[0]);
      await publishEvents(tenant.database, 100);
      await ofOne.until(() => ofOne.heard.length > 0);
      await deposits.until(() => deposits.heard.length > 0);
      expect(ofOne.heard[0]).toMatchObject({ deposit: null, withdrawal: { orderNo: at(0) } });
      expect(deposits.heard).toMatchObject([{ deposit: { orderNo }, withdrawal: null }]);
      await Promise.all([ofOne.close(), deposits.close()]);
    });

    it('report an interrupted callback of a withdrawal as its own', async () => {
      const { database } = tenant;
      const [orderNo, now] = [at(1), tenant.now()];
      const claimed = new Date(now.getTime() - 10 * MINUTE);
      // Its worker stopped while the attempt was under way.
      await database.sql`
        insert into notification_logs (id, order_id, order_no, merchant_id, notification_type, target_url, request_body,
          status, attempt_count, total_attempts, generation, lease_until, created_at, updated_at)
        select gen_random_uuid(), id, order_no, merchant_id, 'withdrawal_rejected', 'http://x', '{}',
          'SENDING', 1, 1, 1, ${claimed}, ${claimed}, ${claimed}
        from withdrawal_orders where order_no = ${orderNo}`;
      await publishEvents(database, 100);
      const { lastSeq } = tenant.graph.core.events.orders;
      const heard = new Subscriber(() => url, token, {
        afterSeq: String(lastSeq),
        filter: { kind: ['WITHDRAWAL'], orderNo: [orderNo] },
      });
      await sweepCallbacks(database, claimed, 10, now);
      await publishEvents(database, 100);
      await heard.until(() => heard.heard.some(({ event }) => event.type === 'callback_interrupted'));
      expect(heard.heard.at(-1)).toMatchObject({ deposit: null, withdrawal: { orderNo } });
      await heard.close();
    });

    /** The first item of a subscription. */
    const first = async (query: string): Promise<unknown> => {
      const client = createClient({
        url: url.replace('http', 'ws'),
        webSocketImpl: WebSocket,
        connectionParams: { authorization: `Bearer ${token}` },
      });
      try {
        for await (const event of client.iterate({ query })) return event;
        throw new Error('it ended');
      } finally {
        await client.dispose();
      }
    };

    it('are followed one by one, from their beginning', async () => {
      await publishEvents(tenant.database, 100);
      expect(await first(`subscription { withdrawalChanged(orderNo: "${at(2)}") { type } }`)).toEqual({
        data: { withdrawalChanged: { type: 'created' } },
      });
    });

    it('stream no errors that depend on the operator', async () => {
      const event = await first(
        'subscription { ordersChanged(afterSeq: "0", filter: { kind: [WITHDRAWAL] }) { withdrawal { refusal } } }',
      );
      expect(event).toMatchObject({
        data: { ordersChanged: { withdrawal: { refusal: null } } },
        errors: [{ extensions: { code: 'BUSINESS_ERROR' } }],
      });
    });
  });
});
