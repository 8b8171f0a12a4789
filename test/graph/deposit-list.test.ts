import pino from 'pino';
import type { Actor } from '../../steps/access/actor';
import { operatorDocument, Tenant, type TestMerchant } from '../support/tenant';

interface Node {
  id: string;
  orderNo: string;
  merchantId: string;
  amount: string;
  status: string;
  createdAt: string;
  expireAt: string;
}
interface Page {
  nodes: Node[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
}

describe('the list of deposits', () => {
  let tenant: Tenant;
  let merchants: TestMerchant[];
  const START = new Date('2026-03-01T12:00:00.000Z').getTime();

  beforeAll(async () => {
    tenant = await Tenant.create();
    merchants = [await tenant.merchant(), await tenant.merchant(), await tenant.merchant()];
    await tenant.account();
    // Three orders share each creation time, so that ids must break the ties; amounts repeat too.
    for (let n = 0; n < 30; n++) {
      tenant.now = () => new Date(START + Math.floor(n / 3) * 60_000);
      const merchant = merchants[n % 3];
      if (!merchant) throw new Error('no merchant');
      await tenant.deposit(merchant, {
        amount: `${100 + (n % 7)}.00`,
        userId: `user-${n % 5}`,
        accountNo: `12345678${n % 2}000`,
      });
    }
  });
  afterAll(async () => {
    await tenant.close();
  });

  const list = async (variables: Record<string, unknown> = {}): Promise<Page> =>
    await tenant.operate<Page>('Deposits', variables);
  const everything = async (variables: Record<string, unknown> = {}): Promise<Node[]> =>
    (await list({ first: 200, ...variables })).nodes;
  const numbers = (nodes: readonly Node[]): string[] => nodes.map(({ orderNo }) => orderNo);

  const SORTS: readonly (readonly [string, (node: Node) => string | number])[] = [
    ['CREATED_AT', ({ createdAt }) => createdAt],
    ['AMOUNT', ({ amount }) => Number(amount)],
    ['EXPIRE_AT', ({ expireAt }) => expireAt],
  ];
  it.each(SORTS)('is sorted by %s, ties by id, in both directions', async (by, value) => {
    const rows = await everything({ sort: `${by}_ASC` });
    const sorted = [...rows].sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      return x === y ? (a.id < b.id ? -1 : 1) : x < y ? -1 : 1;
    });
    expect(rows).toHaveLength(30);
    expect(numbers(rows)).toEqual(numbers(sorted));
    expect(numbers(await everything({ sort: `${by}_DESC` }))).toEqual(numbers(sorted.reverse()));
  });

  it.each(['CREATED_AT_DESC', 'CREATED_AT_ASC', 'AMOUNT_DESC', 'EXPIRE_AT_ASC'])(
    'is read forward and back page by page, each row once: %s',
    async (sort) => {
      const whole = numbers(await everything({ sort }));
      const on: string[] = [];
      let page = await list({ sort, first: 7 });
      expect(page.pageInfo.hasPreviousPage).toBe(false);
      for (;;) {
        on.push(...numbers(page.nodes));
        if (!page.pageInfo.hasNextPage) break;
        page = await list({ sort, first: 7, after: page.pageInfo.endCursor });
        expect(page.pageInfo.hasPreviousPage).toBe(true);
      }
      expect(on).toEqual(whole);

      const back: string[] = [];
      page = await list({ sort, last: 7 });
      expect(page.pageInfo.hasNextPage).toBe(false);
      for (;;) {
        back.unshift(...numbers(page.nodes));
        if (!page.pageInfo.hasPreviousPage) break;
        page = await list({ sort, last: 7, before: page.pageInfo.startCursor });
      }
      expect(back).toEqual(whole);
    },
  );

  it('reads the rows between two cursors', async () => {
    const whole = await everything();
    const between = {
      after: (await list({ first: 3 })).pageInfo.endCursor,
      before: (await list({ last: 4 })).pageInfo.startCursor,
    };
    expect(numbers((await list({ first: 200, ...between })).nodes)).toEqual(numbers(whole.slice(3, -4)));
    expect(numbers((await list({ last: 2, ...between })).nodes)).toEqual(numbers(whole.slice(-6, -4)));
  });

  it('continues while orders arrive, and after its last row has left the list', async () => {
    const [merchant] = merchants;
    if (!merchant) throw new Error('no merchant');
    const filter = { merchantId: merchant.id, status: 'PENDING' };
    const whole = numbers(await everything({ filter }));
    const page = await list({ first: 4, filter });
    tenant.now = () => new Date(START + 3_600_000);
    const late = await tenant.deposit(merchant);
    await tenant.operate('CancelDeposit', { orderNo: page.nodes[3]?.orderNo, reason: 'test' });
    const next = await list({ first: 200, filter, after: page.pageInfo.endCursor });
    expect(numbers(next.nodes)).toEqual(whole.slice(4));
    await tenant.operate('CancelDeposit', { orderNo: late.orderNo, reason: 'test' });
  });

  it('shows a restricted operator only its merchants, with any filter', async () => {
    const [a, b, c] = merchants;
    const actor = tenant.operator;
    if (actor.kind !== 'operator') throw new Error('no operator');
    const restricted: Actor = {
      ...actor,
      operator: { ...actor.operator, merchantIds: [a?.id ?? '', b?.id ?? ''] },
    };
    const seen = async (filter: unknown): Promise<Set<string>> => {
      const variables = { first: 200, filter };
      const { deposits } = await tenant.graph.execute<{ deposits: Page }, typeof variables>(
        operatorDocument('Deposits'),
        variables,
        restricted,
        pino({ level: 'silent' }),
      );
      return new Set(deposits.nodes.map(({ merchantId }) => merchantId));
    };
    expect(await seen(null)).toEqual(new Set([a?.id, b?.id]));
    expect(await seen({ merchantId: [b?.id, c?.id] })).toEqual(new Set([b?.id]));
    expect(await seen({ merchantId: c?.id })).toEqual(new Set());
  });

  it('keeps the sort for several merchants', async () => {
    const [a, b] = merchants;
    const filter = { merchantId: [a?.id, b?.id] };
    for (const sort of ['CREATED_AT_DESC', 'AMOUNT_ASC']) {
      const both = (await everything({ sort })).filter(({ merchantId }) => filter.merchantId.includes(merchantId));
      expect(numbers(await everything({ sort, filter }))).toEqual(numbers(both));
      const page = await list({ sort, filter, first: 5 });
      const after = page.pageInfo.endCursor;
      expect(numbers((await list({ sort, filter, first: 5, after })).nodes)).toEqual(numbers(both.slice(5, 10)));
    }
    expect(await everything({ filter: { merchantId: [] } })).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, (node: Node, n: number) => boolean]>([
    [
      'amounts, both ends included',
      { amount: { min: '101', max: '103' } },
      ({ amount }) => Number(amount) >= 101 && Number(amount) <= 103,
    ],
    [
      'a time, its end not included',
      { createdAt: { from: new Date(START + 60_000), to: new Date(START + 180_000) } },
      ({ createdAt }) =>
        createdAt >= new Date(START + 60_000).toISOString() && createdAt < new Date(START + 180_000).toISOString(),
    ],
    [
      'an expiry',
      { expireAt: { to: new Date(START + 16 * 60_000) } },
      ({ expireAt }) => expireAt < new Date(START + 16 * 60_000).toISOString(),
    ],
    ['a status', { status: ['CANCELLED', 'FAILED'] }, ({ status }) => status === 'CANCELLED'],
    ['a currency', { currencyCode: 'USD' }, () => false],
    ['an order type', { orderType: 'DIRECT' }, () => true],
    ['a completion', { completedAt: { from: new Date(0) } }, () => false],
    ['a callback', { callbackStatus: ['SUCCESS', 'FAILED'] }, () => false],
    ['no match', { userId: '' }, () => false],
  ])('shows %s', async (_what, filter, holds) => {
    const expected = (await everything()).filter(holds);
    expect(numbers(await everything({ filter }))).toEqual(numbers(expected));
    expect(await tenant.operate<{ countUpTo: number }>('CountDeposits', { filter })).toEqual({
      countUpTo: expected.length,
    });
  });

  it('filters by user and by payer account', async () => {
    expect(await everything({ filter: { userId: 'user-2' } })).toHaveLength(6);
    expect(await everything({ filter: { payerAccountLast4: '0000' } })).toHaveLength(15);
    expect(await everything({ filter: { userId: 'user-2', payerAccountLast4: '1000' } })).toHaveLength(3);
  });

  it('counts up to the given maximum', async () => {
    const count = async (max: number): Promise<unknown> => await tenant.operate('CountDeposits', { max });
    expect(await count(10)).toEqual({ countUpTo: 10 });
    expect(await count(1000)).toEqual({ countUpTo: 31 });
    await expect(count(1001)).rejects.toMatchObject({ kind: 'INVALID_FIELD' });
  });

  it.each<[string, Record<string, unknown>]>([
    ['first and last', { first: 1, last: 1 }],
    ['no rows', { first: 0 }],
    ['too many rows', { last: 201 }],
    ['a text that is not a cursor', { after: 'x' }],
    ['a cursor of nothing', { after: Buffer.from('["CREATED_AT_DESC","2026","x"]').toString('base64url') }],
    [
      'a cursor without a time',
      {
        before: Buffer.from(
          '["CREATED_AT_DESC","2026-13-01T00:00:00.000Z","01a1fe29-2b6c-748b-933b-47745b676f88"]',
        ).toString('base64url'),
      },
    ],
  ])('refuses %s', async (_what, variables) => {
    await expect(list(variables)).rejects.toMatchObject({ kind: 'INVALID_FIELD' });
  });

  it('refuses the cursor of a list with another sort', async () => {
    const { pageInfo } = await list({ first: 1, sort: 'AMOUNT_DESC' });
    await expect(list({ first: 1, sort: 'AMOUNT_ASC', after: pageInfo.endCursor })).rejects.toMatchObject({
      kind: 'INVALID_FIELD',
      message: expect.stringContaining('different sort') as string,
    });
  });
});
