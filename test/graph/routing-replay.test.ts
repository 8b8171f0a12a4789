import { createTestChannel } from '../support/channel-tenant';
import { Tenant, type TestMerchant } from '../support/tenant';

interface Replay {
  orders: number;
  ofOrders: number;
  moved: number;
  refused: number;
  costBefore: string;
  costAfter: string;
  saved: string;
  shares: { before: number; after: number; account: { id: string } | null }[];
  examples: { words: string; deposit: { orderNo: string } | null }[];
  words: string;
}
type Rule = Record<string, unknown>;

const to = (kind: string, ...ids: string[]): Rule => ({
  targets: ids.map((id) => ({ kind, id })),
});

describe('a replay of yesterday', () => {
  const YESTERDAY = Date.parse('2026-03-03T01:00:00Z');
  let tenant: Tenant;
  let merchant: TestMerchant;
  let small: string;
  let large: string;
  let channelId: string;
  /** The created orders and their routes. */
  const went: (string | undefined)[] = [];
  let minute = 0;

  const at = (later: number): void => {
    const now = new Date(YESTERDAY + later * 60_000);
    tenant.now = () => now;
  };
  const today = (): void => {
    const now = new Date('2026-03-04T08:00:00Z');
    tenant.now = () => now;
  };
  const put = async (rules: Rule[]) =>
    await tenant.operate<{ change: { after: Record<string, unknown> } }>('PutRoutingRules', {
      input: { currencyCode: 'THB', orderKind: 'DEPOSIT', rules },
      reason: 'agreed',
    });
  const replay = async (input: Rule = {}): Promise<Replay> =>
    await tenant.operate<Replay>('RoutingReplay', { input: { currencyCode: 'THB', ...input } });
  /** Creates each order a minute after the previous one, and ends it. */
  async function create(amount: string, ending: 'pay' | 'cancel' | 'leave'): Promise<void> {
    at((minute += 1));
    const caller = { ...merchant, actor: await tenant.actorOf(merchant.apiKey) };
    const userId = minute % 2 === 0 ? 'ann' : null;
    const { orderNo } = await tenant.deposit(caller, { amount, userId });
    const [row] = await tenant.database.sql<{ accountId: string; remark: string }[]>`
      select account_id, expected_remark as remark from deposit_orders where order_no = ${orderNo}`;
    went.push(row?.accountId);
    at((minute += 1));
    if (ending === 'cancel') await tenant.operate('CancelDeposit', { orderNo, reason: 'test' });
    if (ending === 'pay' && row) await tenant.notify({ accountId: row.accountId, amount, memo: row.remark });
  }

  beforeAll(async () => {
    tenant = await Tenant.create();
    at(0);
    merchant = await tenant.merchant({ depositExpireMinutes: 600 });
    small = await tenant.account('THB', {
      name: 'small',
      limits: { maxDailyAmount: '150', maxMonthlyCount: 6 },
    });
    large = await tenant.account('THB', { name: 'large' });
    // Only a draft uses it: no order has an amount within its limits.
    ({ id: channelId } = await createTestChannel(
      tenant,
      { kind: 'MOCK' },
      {
        priority: 9,
        deposits: { currencies: ['THB'], cost: { percent: '1', fixed: '0.5' } },
      },
    ));
    const rules = [
      {
        name: 'small first',
        stickyPayer: true,
        groups: [to('ACCOUNT', small), to('ACCOUNT', large)],
      },
    ];
    await put(rules);
    for (const amount of ['40', '60', '90', '30', '120'])
      for (const ending of ['pay', 'cancel', 'leave'] as const) await create(amount, ending);
    today();
  });
  afterAll(async () => {
    await tenant.close();
  });

  it('moves nothing by the live rules, although limits sent orders on', async () => {
    expect(new Set(went)).toEqual(new Set([small, large]));
    const live = await replay();
    expect(live).toMatchObject({ orders: 15, ofOrders: 15, moved: 0, refused: 0, examples: [] });
    const shares = new Map(live.shares.map((share) => [share.account?.id, share]));
    for (const id of [small, large])
      expect(shares.get(id)).toMatchObject({
        before: went.filter((one) => one === id).length,
        after: went.filter((one) => one === id).length,
      });
    // A draft of the same rules moves nothing either, also after other rules came into force.
    await put([]);
    const draft = [
      {
        name: 'small first',
        stickyPayer: true,
        groups: [to('ACCOUNT', small), to('ACCOUNT', large)],
      },
    ];
    for (const input of [{ draft }, {}, { draft, day: '2026-03-03', timeZone: 'Asia/Bangkok' }])
      expect(await replay(input)).toMatchObject({ orders: 15, moved: 0, refused: 0 });
  });

  it('shows what a draft would move, refuse and save', async () => {
    const toChannel = await replay({
      draft: [{ name: 'channel', groups: [to('CHANNEL', channelId)] }],
    });
    // 340 three times: 1 % of 1,020 and fifteen times 0.50.
    expect(toChannel).toMatchObject({
      orders: 15,
      moved: 15,
      refused: 0,
      costBefore: '0.0000',
      costAfter: '17.7000',
      saved: '-17.7000',
    });
    expect(toChannel.words).toBe(
      '15 deposits: 15 moved, 0 refused; cost 17.70 THB instead of 0.00 THB, saved -17.70 THB',
    );
    expect(toChannel.examples).toHaveLength(15);
    expect(toChannel.examples[0]?.deposit?.orderNo).toMatch(/^D/);

    const onlySmall = await replay({ draft: [{ name: 'small', groups: [to('ACCOUNT', small)] }] });
    expect(onlySmall.refused).toBe(went.filter((id) => id === large).length);
    expect(onlySmall.examples[0]?.words).toBe('from large to nothing by small');
    const none = await replay({ draft: [{ name: 'none', refuses: true }] });
    expect(none).toMatchObject({ moved: 0, refused: 15 });
    const onlyLarge = await replay({ draft: [{ name: 'large', groups: [to('ACCOUNT', large)] }] });
    expect(onlyLarge.moved).toBe(went.filter((id) => id === small).length);
  });

  it('is shown to operators who decide on rules, for one day', async () => {
    const { change } = await put([{ name: 'none', refuses: true }]);
    expect(change.after['replayOfYesterday']).toBe(
      '15 deposits: 0 moved, 15 refused; cost 0.00 THB instead of 0.00 THB, saved 0.00 THB',
    );
    await put([]);
    expect(await replay({ day: '2026-03-02' })).toMatchObject({ orders: 0 });
    for (const day of ['2026-03-05', '2026-02-30', 'today'])
      await expect(replay({ day })).rejects.toMatchObject({ kind: 'INVALID_FIELD' });
    await expect(replay({ timeZone: '+07:00' })).rejects.toMatchObject({ kind: 'INVALID_FIELD' });
  });
});
