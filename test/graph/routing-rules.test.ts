import { createTestChannel } from '../support/channel-tenant';
import { Tenant, type TestMerchant } from '../support/tenant';

interface Change {
  change: { id: string; status: string; summary: string; after: Record<string, unknown> };
  rules: { id: string; version: number; rules: { name: string; words: string }[] } | null;
}
interface Routed {
  account: { id: string } | null;
  route: {
    rulesVersion: number | null;
    rule: number | null;
    ruleName: string | null;
    group: number | null;
    sticky: boolean;
    payerTier: string | null;
    refusals: { reason: string; account: { id: string } | null }[];
    words: string[];
  };
}
type Rule = Record<string, unknown>;

const to = (...targets: (string | null)[]): { targets: Record<string, unknown>[] } => ({
  targets: targets.map((id) => (id === null ? { kind: 'POOL' } : { kind: 'ACCOUNT', id })),
});

describe('routing rules for deposits', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let other: TestMerchant;
  let a: string;
  let b: string;
  let free: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    merchant = await tenant.merchant();
    other = await tenant.merchant();
    [a, b, free] = [
      await tenant.account('THB', { name: 'a' }),
      await tenant.account('THB', { name: 'b' }),
      await tenant.account('THB', { name: 'free' }),
    ];
    // No order uses a and b without a rule.
    await tenant.operate('PutPool', {
      input: { name: 'kept', currencyCode: 'THB', accountIds: [a, b], channelIds: [] },
      reason: 'test',
    });
  });
  afterEach(() => {
    tenant.now = () => new Date();
  });
  afterAll(async () => {
    await tenant.close();
  });

  const put = async (rules: Rule[], currencyCode = 'THB'): Promise<Change> =>
    await tenant.operate<Change>('PutRoutingRules', {
      input: { currencyCode, orderKind: 'DEPOSIT', rules },
      reason: 'agreed',
    });
  const deposit = async (
    fields: Record<string, unknown> = {},
    { apiKey, ...who }: TestMerchant = merchant,
  ): Promise<string> => (await tenant.deposit({ ...who, apiKey, actor: await tenant.actorOf(apiKey) }, fields)).orderNo;
  const routed = async (orderNo: string): Promise<Routed> => await tenant.operate<Routed>('Deposit', { orderNo });
  const routeOf = async (...order: Parameters<typeof deposit>): Promise<Routed> =>
    await routed(await deposit(...order));
  /** Changes an account, and refreshes this process's copy. */
  async function setStatus(id: string, status: string): Promise<void> {
    await tenant.operate('SetBankAccountStatus', { id, status, reason: 'test' });
    await tenant.graph.core.routableAccounts.of('THB', true);
  }
  const pay = async (orderNo: string, accountId: string): Promise<void> => {
    const order = await tenant.operate<{ amount: string }>('Deposit', { orderNo });
    const [row] = await tenant.database.sql<{ remark: string }[]>`
      select expected_remark as remark from deposit_orders where order_no = ${orderNo}`;
    await tenant.notify({ accountId, amount: order.amount, memo: row?.remark ?? '' });
    await tenant.database.sql`
      update deposit_orders set status = 'COMPLETED', completed_at = now(), actual_amount = amount
      where order_no = ${orderNo}`;
  };
  const nothing = { kind: 'BUSINESS_ERROR' };

  it('use the first rule that an order fits, and its groups in order', async () => {
    const before = await routeOf();
    expect([before.account?.id, before.route.rulesVersion, before.route.words[0]]).toEqual([
      ...[free, null, 'there were no routing rules'],
    ]);
    const { change, rules } = await put([
      { name: 'large', minAmount: '1000', groups: [to(a), to(b)] },
      { name: 'never', maxAmount: '1', refuses: true },
      { name: 'other', merchantIds: [other.id], groups: [to(b)] },
    ]);
    expect(change).toMatchObject({ status: 'APPLIED', summary: 'Route THB deposits by 3 rules' });
    expect(rules).toMatchObject({ version: 1 });
    expect(rules?.rules[0]?.words).toBe('large: from 1000.00 → the account a, else the account b');
    const large = await routeOf({ amount: '1000' });
    expect(large).toMatchObject({
      account: { id: a },
      route: { rulesVersion: 1, rule: 1, ruleName: 'large', group: 1, sticky: false, refusals: [] },
    });
    expect(large.route.words).toEqual([
      'rule 1 of version 1, large',
      'group 1 of the rule took it',
      'it went to the account a',
    ]);
    // A named account may be outside the merchant's pool.
    expect((await routeOf({}, other)).account).toEqual(expect.objectContaining({ id: b }));
    // An order that fits no rule is routed as without rules.
    const plain = await routeOf();
    expect([plain.account?.id, plain.route.rulesVersion, plain.route.rule]).toEqual([free, 1, null]);
    await expect(deposit({ amount: '1' })).rejects.toMatchObject(nothing);

    await setStatus(a, 'PAUSED');
    const second = await routeOf({ amount: '1000' });
    expect(second).toMatchObject({ account: { id: b }, route: { group: 2 } });
    expect(second.route.refusals).toMatchObject([{ reason: 'NOT_ACTIVE', account: { id: a } }]);
    expect(second.route.words).toContain('the account a is paused or disabled');
    await setStatus(a, 'ACTIVE');

    // Their end restores the default, and the orders keep the rules that routed them.
    expect((await put([])).change.summary).toBe('End the routing rules for THB deposits');
    expect((await routeOf({ amount: '1000' })).route.rulesVersion).toBeNull();
    await expect(put([])).rejects.toThrow('no rules');
    const versions = await tenant.operate<{ version: number }[]>('RoutingRules', {
      currencyCode: 'THB',
    });
    expect(versions.map(({ version }) => version)).toEqual([2, 1]);
    const first = await tenant.operate<{ rules: { minAmount: string | null }[] }>('RoutingVersion', {
      id: rules?.id,
    });
    expect(first.rules[0]?.minAmount).toBe('1000.0000');
  });

  it('explain in a dry run what a create does', async () => {
    const channel = await createTestChannel(tenant, { kind: 'MOCK' }, { deposits: { currencies: ['THB'] } });
    await put([{ name: 'large', minAmount: '1000', groups: [to(a)] }]);
    const asked = async (amount: string): Promise<Record<string, string | null>> => {
      const variables = { currencyCode: 'THB', amount, merchantId: merchant.id };
      const accounts = await tenant.operate<{ refusal: string | null; account: { name: string } }[]>(
        'DepositRoute',
        variables,
      );
      const channels = await tenant.operate<{ refusal: string | null; channel: { channelCode: string } }[]>(
        'DepositChannelRoute',
        variables,
      );
      return Object.fromEntries([
        ...accounts.map(({ account, refusal }) => [account.name, refusal]),
        ...channels.map(({ channel: one, refusal }) => [one.channelCode, refusal]),
      ]) as Record<string, string | null>;
    };
    expect(await asked('1000')).toEqual({
      a: null,
      b: 'NOT_IN_RULE',
      free: 'NOT_IN_RULE',
      [channel.channelCode]: 'NOT_IN_RULE',
    });
    const quote = await tenant.operate<{ rule: number; words: string[] }>('RouteQuote', {
      input: {
        merchantId: merchant.id,
        currencyCode: 'THB',
        orderKind: 'DEPOSIT',
        amount: '1000',
        draft: [
          { name: 'b', groups: [to(b), to(a)] },
          { name: 'rest', groups: [to(null)] },
        ],
      },
    });
    expect(quote).toMatchObject({
      rule: 1,
      words: [
        'it fits rule 1 of the draft, b',
        'it would go to the account b, group 1',
        'then to the account a, group 2',
      ],
    });
    expect(await asked('999')).toEqual({
      a: 'NOT_IN_POOL',
      b: 'NOT_IN_POOL',
      free: null,
      [channel.channelCode]: null,
    });
    await tenant.operate('SetChannelEnabled', { id: channel.id, enabled: false, reason: 'test' });
    await put([]);
  });

  it('know a payer by its completed orders at the merchant, and may return it to its account', async () => {
    const fresh = await tenant.merchant();
    await put([
      { name: 'known', payerTiers: ['KNOWN', 'TRUSTED'], stickyPayer: true, groups: [to(a, b)] },
      { name: 'new', payerTiers: ['NEW'], groups: [to(b)] },
    ]);
    const first = await deposit({ userId: 'ann' }, fresh);
    expect(await routed(first)).toMatchObject({
      account: { id: b },
      route: { rule: 2, payerTier: 'NEW' },
    });
    // An order that was not completed does not count for its payer.
    expect((await routeOf({ userId: 'ann' }, fresh)).route.rule).toBe(2);
    await pay(first, b);
    for (let n = 0; n < 6; n++)
      expect(await routeOf({ userId: 'ann' }, fresh)).toMatchObject({
        account: { id: b },
        route: { rule: 1, sticky: true, payerTier: 'KNOWN' },
      });
    // Another merchant's payer is new, and so is an order without a payer.
    expect((await routeOf({ userId: 'ann' }, other)).route).toMatchObject({ payerTier: 'NEW' });
    expect((await routeOf({}, fresh)).route).toMatchObject({ rule: 2, payerTier: 'NEW' });
    // While the payer's account accepts none, its orders follow the rule.
    await setStatus(b, 'PAUSED');
    expect(await routeOf({ userId: 'ann' }, fresh)).toMatchObject({
      account: { id: a },
      route: { sticky: false, refusals: [{ reason: 'NOT_ACTIVE' }] },
    });
    await setStatus(b, 'ACTIVE');
    await put([]);
  });

  it('change at the time of day of their zone', async () => {
    const day = { from: '09:00', to: '17:00', timeZone: 'Asia/Bangkok' };
    await put([{ name: 'day', hours: day, groups: [to(a)] }]);
    const at = async (time: string): Promise<number | null> => {
      tenant.now = () => new Date(`2026-03-04T${time}Z`);
      return (await routeOf()).route.rule;
    };
    expect([
      await at('01:59:59.999'),
      await at('02:00:00.000'),
      await at('09:59:59.999'),
      await at('10:00:00.000'),
    ]).toEqual([null, 1, 1, null]);
    await put([]);
  });

  it('share a group by weight, repeatably for the same order', async () => {
    await put([
      {
        name: 'shared',
        groups: [
          {
            targets: [
              { kind: 'ACCOUNT', id: a, weight: 9 },
              { kind: 'ACCOUNT', id: b, weight: 1 },
            ],
          },
        ],
      },
    ]);
    const taken: (string | undefined)[] = [];
    for (let n = 0; n < 40; n++) taken.push((await routeOf()).account?.id);
    // Of forty draws at nine to one, fewer than 24 have a chance of one in a million.
    expect(taken.filter((id) => id === a).length).toBeGreaterThan(23);
    expect(taken.every((id) => id === a || id === b)).toBe(true);
    await put([]);
  });

  it('are refused if they name unknown targets, or those of another currency', async () => {
    const dollars = await tenant.account('USD');
    const unknown = '00000000-0000-7000-8000-00000000abcd';
    const bad: [Rule, string][] = [
      [{ groups: [to(dollars)] }, 'must take deposits in THB'],
      [{ groups: [to(unknown)] }, 'must take deposits in THB'],
      [{ groups: [to(a)], merchantIds: [unknown] }, 'must be merchants'],
      [{ groups: [to(a)], hours: { from: '09:00', to: '10:00', timeZone: '+07:00' } }, 'must be a time zone'],
      [{ groups: [] }, 'must be 1-10'],
    ];
    for (const [rule, problem] of bad) await expect(put([{ name: 'bad', ...rule }])).rejects.toThrow(problem);
    await expect(put([{ name: 'bad', groups: [to(a)] }], 'XXX')).rejects.toMatchObject({
      kind: 'INVALID_FIELD',
    });
  });

  it('never change after they exist', async () => {
    await put([{ name: 'fixed', groups: [to(a)] }]);
    const { sql } = tenant.database;
    await expect(sql`update routing_rules set rules = '[]'`).rejects.toThrow('append-only');
    await expect(sql`delete from routing_rules`).rejects.toThrow('append-only');
    await put([]);
  });
});
