import { failDeposit, findDepositAttempts, refuseChannelDeposit } from '../../db/deposits/channel-deposits';
import { markSent, refusePayout } from '../../db/payouts/payouts';
import { createChannelDepositActivities } from '../../temporal/activities/channel-deposits';
import { createPayoutActivities } from '../../temporal/activities/payouts';
import { createTestChannel } from '../support/channel-tenant';
import { Tenant, type TestMerchant } from '../support/tenant';
import { until } from '../support/until';
import { approvedWithdrawal, fundedMerchant } from '../support/withdrawals';

interface Route {
  rulesVersion: number | null;
  rule: number | null;
  group: number | null;
  sticky: boolean;
  payerTier: string | null;
  refusals: { reason: string; channel: { id: string } }[];
}
interface Quote {
  rule: number | null;
  ruleName: string | null;
  ways: { channel: { id: string } | null }[];
  words: string[];
}
type Rule = Record<string, unknown>;

const to = (...ids: (string | undefined)[]): Rule => ({
  targets: ids.map((id) => ({ kind: 'CHANNEL', id })),
});

describe('routing rules', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  /** Only in the default pool, by priority. */
  let channels: string[];

  beforeAll(async () => {
    tenant = await Tenant.create();
    merchant = await fundedMerchant(tenant);
    channels = [];
    for (const priority of [1, 2, 3])
      channels.push(
        (await createTestChannel(tenant, { kind: 'MOCK' }, { priority, deposits: { currencies: ['THB'] } })).id,
      );
  });
  afterAll(async () => {
    await tenant.close();
  });

  const put = async (orderKind: string, rules: Rule[]): Promise<unknown> =>
    await tenant.operate('PutRoutingRules', {
      input: { currencyCode: 'THB', orderKind, rules },
      reason: 'agreed',
    });
  const unused = {
    openChannel: (): never => {
      throw new Error('no channel is spoken to');
    },
  };
  const clock = async (): Promise<Date> => await Promise.resolve(tenant.now());

  describe('for payouts', () => {
    const activities = () =>
      createPayoutActivities({
        database: tenant.database,
        clock,
        ...tenant.seals,
        ...unused,
      });
    /** The next channel for a payout; null: people. */
    async function next(order: { id: string }): Promise<string | null> {
      const step = await activities().routePayout(order.id);
      if (step.kind !== 'SEND') return null;
      const [row] = await tenant.database.sql<{ channelId: string }[]>`
        select channel_id from payout_attempts where id = ${step.attemptId}`;
      await markSent(tenant.database, step.attemptId, tenant.now());
      await refusePayout(tenant.database, step.attemptId, 'test', tenant.now());
      return row?.channelId ?? null;
    }
    const routes = async ({ orderNo }: { orderNo: string }): Promise<Route[]> =>
      (await tenant.operate<{ routes: Route[] }>('Withdrawal', { orderNo })).routes;

    it('choose channels in order, and people if a rule refuses', async () => {
      const [first, second, third] = channels;
      const plain = await approvedWithdrawal(tenant, merchant);
      expect([await next(plain), await next(plain)]).toEqual([first, second]);
      expect((await routes(plain)).map(({ rulesVersion }) => rulesVersion)).toEqual([null, null]);

      await put('PAYOUT', [{ name: 'here', merchantIds: [merchant.id], groups: [to(third), to(second)] }]);
      const ruled = await approvedWithdrawal(tenant, merchant);
      expect([await next(ruled), await next(ruled), await next(ruled)]).toEqual([...[third, second, null]]);
      const [one, two, none] = await routes(ruled);
      expect(one).toMatchObject({ rulesVersion: 1, rule: 1, group: 1, refusals: [] });
      expect(two).toMatchObject({
        group: 2,
        refusals: [{ reason: 'TRIED_BEFORE', channel: { id: third } }],
      });
      expect(none).toMatchObject({ rule: 1, group: null });
      expect(none?.refusals).toHaveLength(2);

      await put('PAYOUT', [{ name: 'people', refuses: true }]);
      const refused = await approvedWithdrawal(tenant, merchant);
      expect(await next(refused)).toBeNull();
      expect(await routes(refused)).toMatchObject([{ rulesVersion: 2, rule: 1, group: null }]);
      await put('PAYOUT', []);
    });

    it('explain in a quote where a payout would go, and why', async () => {
      const [first, second, third] = channels;
      const quote = async (fields: Rule): Promise<Quote> =>
        await tenant.operate<Quote>('RouteQuote', {
          input: {
            merchantId: merchant.id,
            currencyCode: 'THB',
            orderKind: 'PAYOUT',
            amount: '10',
            ...fields,
          },
        });
      const way = ({ ways }: Quote): (string | undefined)[] => ways.map((one) => one.channel?.id);
      const plain = await quote({});
      expect([way(plain), plain.words[0]]).toEqual([...[[first, second, third], 'there are no routing rules']]);
      const draft = [
        { name: 'new', payerTiers: ['NEW'], refuses: true },
        { name: 'others', groups: [to(second), to(first)] },
      ];
      expect(await quote({ draft })).toMatchObject({
        rule: 1,
        ruleName: 'new',
        ways: [],
        refusals: [],
        words: [
          'it fits rule 1 of the draft, new',
          'the rule refuses it',
          'its payer is NEW',
          'people would transfer it',
        ],
      });
      const known = await quote({ draft, payerTier: 'KNOWN' });
      expect([known.rule, way(known)]).toEqual([2, [second, first]]);
    });

    it('return a beneficiary to the channel that paid it', async () => {
      const [first, , third] = channels;
      await put('PAYOUT', [
        { name: 'known', payerTiers: ['KNOWN'], stickyPayer: true, groups: [to(first), to(third)] },
      ]);
      const before = await approvedWithdrawal(tenant, merchant);
      await tenant.database.sql`
        update withdrawal_orders set status = 'COMPLETED', completed_at = ${tenant.now()}, channel_id = ${third ?? ''},
          payout_method = 'CHANNEL', processed_at = ${tenant.now()}, actual_amount = amount where id = ${before.id}`;
      const after = await approvedWithdrawal(tenant, merchant);
      expect(await next(after)).toBe(third);
      expect(await routes(after)).toMatchObject([{ rule: 1, group: 2, sticky: true, payerTier: 'KNOWN' }]);
      await put('PAYOUT', []);
    });

    it('are replayed by a draft: moved payouts, manual ones, and cost', async () => {
      const present = tenant.now;
      const yesterday = Date.parse('2027-03-03T01:00:00Z');
      const at = (minutes: number): void => {
        const now = new Date(yesterday + minutes * 60_000);
        tenant.now = () => now;
      };
      const [cheap, dear] = [
        await createTestChannel(tenant, { kind: 'MOCK' }, { maxAmount: '150', cost: { percent: '1', fixed: '0' } }),
        await createTestChannel(tenant, { kind: 'MOCK' }, { cost: { percent: '3', fixed: '0' } }),
      ];
      const rule = { name: 'cheap', stickyPayer: true };
      const live = [{ ...rule, groups: [to(cheap.id), to(dear.id)] }];
      at(0);
      await put('PAYOUT', live);
      /** A payout that so many channels refuse before one pays it. */
      async function pay(minutes: number, amount: string, refusals: number): Promise<string> {
        at(minutes);
        const order = await approvedWithdrawal(tenant, merchant, { amount });
        for (let n = 0; n < refusals; n++) await next(order);
        const step = await activities().routePayout(order.id);
        at(minutes + 1);
        if (step.kind === 'SEND')
          await tenant.database.sql`
            update withdrawal_orders set status = 'COMPLETED', completed_at = ${tenant.now()},
              processed_at = ${tenant.now()}, actual_amount = amount where id = ${order.id}`;
        return order.orderNo;
      }
      const plain = await pay(10, '100', 0);
      await pay(20, '100', 1);
      // The beneficiary is known now, and the cheap channel has a lower limit.
      await pay(30, '200', 0);
      await pay(40, '50', 2);
      at(24 * 60 + 300);
      interface Replay {
        words: string;
        examples: { words: string; withdrawal: { orderNo: string } | null; deposit: unknown }[];
      }
      const replay = async (draft?: Rule[]): Promise<Replay> =>
        await tenant.operate<Replay>('RoutingReplay', {
          input: { currencyCode: 'THB', orderKind: 'PAYOUT', draft },
        });
      // 1 % of 100, 3 % of 100 and of 200.
      const nothing = '4 payouts: 0 moved, 0 to people; cost 10.00 THB instead of 10.00 THB, saved 0.00 THB';
      expect((await replay()).words).toBe(nothing);
      expect((await replay(live)).words).toBe(nothing);
      const toDear = await replay([{ name: 'dear', groups: [to(dear.id)] }]);
      expect(toDear).toMatchObject({
        words: '4 payouts: 1 moved, 0 to people; cost 12.00 THB instead of 10.00 THB, saved -2.00 THB',
        examples: [{ withdrawal: { orderNo: plain }, deposit: null }],
      });
      expect(toDear.examples[0]?.words).toMatch(/^from c-\w+ to c-\w+ by dear$/);
      const toPeople = await replay([{ name: 'people', refuses: true }]);
      expect(toPeople.words).toBe(
        '4 payouts: 0 moved, 3 to people; cost 0.00 THB instead of 10.00 THB, saved 10.00 THB',
      );
      expect(toPeople.examples[0]?.words).toMatch(/^from c-\w+ to people by people$/);
      const { change } = (await put('PAYOUT', [])) as {
        change: { after: Record<string, unknown> };
      };
      expect(change.after['replayOfYesterday']).toMatch(/^4 payouts: \d moved, \d to people; cost/);
      tenant.now = present;
    });
  });

  it('choose the channels of deposits in order, by the version in force at their creation', async () => {
    const [first, second, third] = channels;
    await put('DEPOSIT', [{ name: 'large', minAmount: '500', groups: [to(third), to(second)] }]);
    const { database } = tenant;
    (tenant.graph.core as { openWithinMs?: number }).openWithinMs = 60_000;
    const caller = { ...merchant, actor: await tenant.actorOf(merchant.apiKey) };
    const merchantOrderNo = 'to-a-channel';
    const creating = tenant.deposit(caller, { amount: '500', merchantOrderNo });
    const ended = creating.catch((error: unknown) => error);
    const row = await until('the order', async () => {
      const [found] = await database.sql<{ id: string; orderNo: string; channelId: string }[]>`
        select id, order_no, channel_id from deposit_orders where merchant_order_no = ${merchantOrderNo}`;
      return found;
    });
    expect(row.channelId).toBe(third);
    // A later version does not move the order.
    await put('DEPOSIT', [{ name: 'other', groups: [to(first)] }]);
    const activities = createChannelDepositActivities({
      database,
      clock,
      sealer: tenant.sealer,
      ...unused,
    });
    const tried: string[] = [];
    for (let n = 0; n < 2; n++) {
      const step = await activities.routeDeposit(row.id, tenant.now().toISOString());
      if (step.kind !== 'OPEN') break;
      await refuseChannelDeposit(database, step.attemptId, 'test', tenant.now());
      tried.push((await findDepositAttempts(database, [row.id])).at(-1)?.channelId ?? '');
    }
    expect(tried).toEqual([third, second]);
    await failDeposit(database, row.id, null, 'test', tenant.now());
    expect(await ended).toMatchObject({ kind: 'BUSINESS_ERROR' });
    const { route } = await tenant.operate<{ route: Route }>('Deposit', { orderNo: row.orderNo });
    expect(route).toMatchObject({ rulesVersion: 1, rule: 1, group: 1 });
    await put('DEPOSIT', []);
  });
});
