import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import {
  markDepositSent,
  matchChannelDeposit,
  prepareChannelDeposit,
  receiveLateDeposit,
  refuseChannelDeposit,
} from '../../db/deposits/channel-deposits';
import { expireDeposit } from '../../db/deposits/deposits';
import { money, type Money, ZERO } from '../../domain/money';
import { dayOf } from '../../domain/zone';
import { createTestChannel } from '../support/channel-tenant';
import { Tenant, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';

const MINUTE = 60_000;
const ZONES = ['UTC', 'Asia/Bangkok', 'America/New_York'] as const;

/** An order at a channel, and its attempt there. */
interface Order {
  readonly id: string;
  readonly orderNo: string;
  readonly amount: string;
  attemptId: string;
}

describe('limits of what a channel receives', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let now = new Date('2026-03-30T12:00:00.000Z');
  let channelId: string;
  beforeAll(async () => {
    tenant = await Tenant.create();
    tenant.now = () => now;
    // A create does not wait for the channel's answer.
    (tenant.graph.core as { openWithinMs?: number }).openWithinMs = 0;
    merchant = await tenant.merchant({ depositExpireMinutes: 1_440 }, [
      { currencyCode: 'THB' },
      { currencyCode: 'USD' },
    ]);
  });
  beforeEach(() => {
    now = new Date('2026-03-30T12:00:00.000Z');
  });
  afterEach(async () => {
    await expectWholeLedger(tenant);
  });
  afterAll(async () => {
    await tenant.close();
  });

  const made = async (limits: Record<string, unknown>, timeZone: string): Promise<string> => {
    const settings = {
      currencies: [],
      timeZone,
      deposits: { currencies: ['THB', 'USD'], ...limits },
    };
    return (await createTestChannel(tenant, { kind: 'MOCK' }, settings)).id;
  };
  /** The only channel that takes deposits. */
  const channel = async (limits: Record<string, unknown>, timeZone = 'UTC'): Promise<string> => {
    await tenant.database.sql`update channels set enabled = false`;
    channelId = await made(limits, timeZone);
    return channelId;
  };
  const update = async (settings: Record<string, unknown>): Promise<unknown> =>
    await tenant.operate('UpdateChannel', { id: channelId, settings, reason: 'test' });
  const refused = { kind: 'BUSINESS_ERROR' };
  /** A deposit that is not yet sent to its channel. */
  async function deposit(amount: string, currencyCode = 'THB'): Promise<Order> {
    const merchantOrderNo = uuidv7();
    try {
      await tenant.deposit(merchant, { merchantOrderNo, amount, currencyCode });
    } catch (error) {
      // The merchant does not wait for the channel's payment details.
      if ((error as { kind?: string }).kind !== 'SERVICE_UNAVAILABLE') throw error;
    }
    const [row] = await tenant.database.sql<{ id: string; orderNo: string }[]>`
      select id, order_no from deposit_orders where merchant_order_no = ${merchantOrderNo}`;
    if (!row) throw new Error('no deposit');
    return { ...row, amount, attemptId: '' };
  }
  /** Reserves the attempt of an order at a channel. @returns whether it may be sent */
  async function ask(order: Order, at = channelId): Promise<boolean> {
    const attemptId = uuidv7();
    const { database } = tenant;
    if (!(await prepareChannelDeposit(database, attemptId, order.id, at, ZERO, now))) return false;
    if (!(await markDepositSent(database, attemptId, now))) return false;
    order.attemptId = attemptId;
    return true;
  }
  /** The channel reports an order as paid, in time or late. */
  async function pay(order: Order, amount = order.amount): Promise<void> {
    const { database } = tenant;
    if (order.attemptId === '') return;
    const receipt = { received: money(amount), charge: ZERO, cost: ZERO };
    if (await matchChannelDeposit(database, order.attemptId, 'C', receipt, null, now)) return;
    const late = { attemptId: order.attemptId, doubtedAt: now, cost: ZERO, reason: 'test', now };
    await receiveLateDeposit(database, late);
  }
  const cancel = async ({ orderNo }: Order): Promise<unknown> =>
    await tenant.operate('CancelDeposit', { orderNo, reason: 'test', moneyCame: true });
  const use = async (id = channelId): Promise<unknown> => {
    const { use: found } = await tenant.operate<{ use: Record<string, unknown>[] }>('Channel', {
      id,
    });
    return found.map((one) => [
      ...[one['currencyCode'], one['todayAmount'], one['todayDeposits']],
      ...[one['monthAmount'], one['monthDeposits']],
    ]);
  };
  const ofBaht = (day: string, days: number, month = day, months = days): unknown[] => [
    ['THB', day, days, month, months],
    ['USD', '0.0000', 0, '0.0000', 0],
  ];

  it('let a channel limited to 100 accept no 200, even after a late payment of a cancelled order', async () => {
    await channel({ maxDailyAmount: '100' });
    const first = await deposit('100');
    expect(await ask(first)).toBe(true);
    await expect(deposit('0.01')).rejects.toMatchObject(refused);
    await cancel(first);
    expect(await use()).toEqual(ofBaht('0.0000', 0));
    await pay(first);
    // A repeated report is one payment.
    await pay(first);
    await expect(deposit('0.01')).rejects.toMatchObject(refused);
    expect(await use()).toEqual(ofBaht('100.0000', 1));
    // Each currency has limits of its own.
    await deposit('100', 'USD');
    await expect(deposit('0.01', 'USD')).rejects.toMatchObject(refused);
  });

  it('count receipts with the amount that the channel reports, and once after a cancellation', async () => {
    await channel({ maxDailyAmount: '1000' });
    const order = await deposit('100');
    await ask(order);
    await pay(order, '400');
    expect(await use()).toEqual(ofBaht('400.0000', 1));
    const cancelled = await deposit('100');
    await ask(cancelled);
    await pay(cancelled);
    expect(await use()).toEqual(ofBaht('500.0000', 2));
    await cancel(cancelled);
    expect(await use()).toEqual(ofBaht('500.0000', 2));
    await deposit('500');
    await expect(deposit('0.01')).rejects.toMatchObject(refused);
  });

  it('release the shares of deposits that expire or fail, and count those of open ones on the next day', async () => {
    await channel({ maxDailyCount: 2, maxMonthlyCount: 3 });
    const [expired, paid] = [await deposit('1'), await deposit('1')];
    await expect(deposit('1')).rejects.toMatchObject(refused);
    await expireDeposit(tenant.database, expired.id, null, new Date(now.getTime() + 1_440 * MINUTE));
    await ask(paid);
    await pay(paid);
    const open = await deposit('1');
    now = new Date('2026-03-31T12:00:00.000Z');
    // Yesterday's open order may be paid today: it counts for both days, and once for the month.
    expect(await use()).toEqual(ofBaht('1.0000', 1, '2.0000', 2));
    await deposit('1');
    await expect(deposit('1')).rejects.toMatchObject(refused);
    await tenant.database.sql`select fail_deposit(${open.id}, null, 'test', ${now})`;
    expect(await use()).toEqual(ofBaht('1.0000', 1, '2.0000', 2));
  });

  it('move a share with its order to the next channel that has room', async () => {
    const first = await channel({ maxDailyAmount: '100' });
    const second = await made({ maxDailyAmount: '150', beforeAccounts: false }, 'Asia/Bangkok');
    await tenant.database.sql`update channels set priority = 900 where id = ${second}`;
    const [one, other] = [await deposit('100'), await deposit('100')];
    expect([await use(first), await use(second)]).toEqual([ofBaht('100.0000', 1), ofBaht('100.0000', 1)]);
    expect(await ask(one, first)).toBe(true);
    await refuseChannelDeposit(tenant.database, one.attemptId, 'test', now);
    expect(await ask(one, second)).toBe(false);
    expect(await use(first)).toEqual(ofBaht('100.0000', 1));
    await cancel(other);
    expect(await ask(one, second)).toBe(true);
    expect([await use(first), await use(second)]).toEqual([ofBaht('0.0000', 0), ofBaht('100.0000', 1)]);
    await pay(one);
    expect(await use(second)).toEqual(ofBaht('100.0000', 1));
  });

  it('name the limit that a channel would exceed', async () => {
    const refusal = async (amount: string): Promise<unknown> => {
      const options = await tenant.operate<{ refusal: unknown; channel: { id: string } }[]>('DepositChannelRoute', {
        currencyCode: 'THB',
        amount,
      });
      return options.find((option) => option.channel.id === channelId)?.refusal;
    };
    await channel({ maxDailyAmount: '100', maxMonthlyAmount: '150' });
    expect([await refusal('100'), await refusal('100.01')]).toEqual([null, 'DAILY_LIMIT']);
    const order = await deposit('100');
    await ask(order);
    await pay(order);
    now = new Date('2026-03-31T12:00:00.000Z');
    expect([await refusal('50'), await refusal('50.01')]).toEqual([null, 'MONTHLY_LIMIT']);
    await update({ deposits: { maxDailyAmount: '0', maxMonthlyAmount: '0', maxMonthlyCount: 1 } });
    expect(await refusal('1')).toBe('MONTHLY_COUNT');
    await update({ deposits: { maxMonthlyCount: 0, maxDailyCount: 1 } });
    await deposit('1');
    expect(await refusal('1')).toBe('DAILY_COUNT');
    await update({ deposits: { maxDailyCount: 0 } });
    expect([await refusal('1000'), await use()]).toEqual([null, []]);
  });

  it('count receipts from before the limit was set, and open deposits', async () => {
    await channel({});
    const [paid, late, open] = [await deposit('100'), await deposit('10'), await deposit('20')];
    for (const order of [paid, late, open]) await ask(order);
    await pay(paid);
    await cancel(late);
    await pay(late);
    expect(await use()).toEqual([]);
    await update({ deposits: { maxMonthlyAmount: '200' } });
    expect(await use()).toEqual(ofBaht('130.0000', 3));
    await deposit('70');
    await expect(deposit('0.01')).rejects.toMatchObject(refused);
    await pay(open);
    expect(await use()).toEqual(ofBaht('200.0000', 4));
  });

  it('are carried through the day of a replay', async () => {
    now = new Date('2026-05-10T23:00:00.000Z');
    const small = await channel({ maxDailyAmount: '100' });
    const open = await deposit('10');
    const before = await deposit('10');
    await ask(before);
    await pay(before);
    const large = await made({}, 'UTC');
    await tenant.database.sql`update channels set priority = 900 where id = ${large}`;
    const at = (minute: number): void => {
      now = new Date(Date.parse('2026-05-11T01:00:00.000Z') + minute * MINUTE);
    };
    at(0);
    const [paid, ended] = [await deposit('60'), await deposit('30')];
    at(1);
    await ask(paid);
    await pay(paid, '65');
    await cancel(ended);
    at(2);
    // 10 are open and 65 have arrived: 25 remain, which one of the next two orders uses.
    for (const amount of ['25', '20']) await deposit(amount);
    await expireDeposit(tenant.database, open.id, null, new Date('2026-05-11T23:00:00.000Z'));
    now = new Date('2026-05-12T08:00:00.000Z');
    const replay = async (draft?: unknown): Promise<unknown> => {
      const {
        orders,
        moved,
        refused: none,
      } = await tenant.operate<Record<string, number>>('RoutingReplay', {
        input: { currencyCode: 'THB', ...(draft !== undefined && { draft }) },
      });
      return { orders, moved, refused: none };
    };
    const went = await tenant.database.sql<{ channelId: string; orders: number }[]>`
      select channel_id, count(*)::int as orders from deposit_orders
      where created_at >= '2026-05-11' group by 1 order by 2`;
    expect(went).toEqual([
      { channelId: large, orders: 1 },
      { channelId: small, orders: 3 },
    ]);
    expect(await replay()).toEqual({ orders: 4, moved: 0, refused: 0 });
    const only = (id: string) => [{ name: 'one', groups: [{ targets: [{ kind: 'CHANNEL', id, weight: 1 }] }] }];
    expect(await replay(only(small))).toEqual({ orders: 4, moved: 0, refused: 1 });
    expect(await replay(only(large))).toEqual({ orders: 4, moved: 3, refused: 0 });
  });

  it('are changed by two people', async () => {
    await channel({ maxMonthlyAmount: '200' });
    tenant.changes.onePerson = false;
    const { change } = (await update({ deposits: { maxMonthlyAmount: '900' } })) as {
      change: { status: string };
    };
    expect(change.status).toBe('PROPOSED');
    tenant.changes.onePerson = true;
    await expect(update({ deposits: { maxDailyCount: -1 } })).rejects.toMatchObject({
      kind: 'INVALID_FIELD',
    });
    await expect(update({ deposits: { maxDailyAmount: '0.001' } })).rejects.toMatchObject({
      kind: 'INVALID_FIELD',
    });
    // A channel that reports on an account receives nothing itself: the account has limits.
    const accountId = await tenant.account('THB');
    await expect(update({ deposits: { accountId } })).rejects.toMatchObject({
      kind: 'INVALID_FIELD',
    });
    await tenant.database.sql`update bank_accounts set status = 'DISABLED'`;
  });

  describe('under random events', () => {
    type Step =
      | { readonly do: 'create'; readonly amount: number }
      | { readonly do: 'ask' | 'pay' | 'more' | 'cancel' | 'expire'; readonly which: number }
      | { readonly do: 'wait'; readonly minutes: number };
    const which = fc.nat(40);
    const step: fc.Arbitrary<Step> = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          do: fc.constant('create' as const),
          amount: fc.integer({ min: 1, max: 120 }),
        }),
      },
      {
        weight: 8,
        arbitrary: fc.record({
          do: fc.constantFrom('ask', 'pay', 'more', 'cancel', 'expire'),
          which,
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant('wait' as const),
          minutes: fc.integer({ min: 1, max: 1_440 }),
        }),
      },
    );
    const limits = fc.record({
      day: fc.integer({ min: 100, max: 400 }),
      days: fc.integer({ min: 2, max: 8 }),
      month: fc.integer({ min: 200, max: 900 }),
      months: fc.integer({ min: 4, max: 16 }),
    });

    it('accept a deposit if and only if it exceeds no limit', async () => {
      let [accepted, refusals] = [0, 0];
      await fc.assert(
        fc.asyncProperty(
          ...([limits, fc.constantFrom(...ZONES)] as const),
          fc.array(step, { minLength: 20, maxLength: 28 }),
          async (most, zone, steps) => {
            now = new Date('2026-03-30T12:00:00.000Z');
            await channel(
              {
                maxDailyAmount: String(most.day),
                maxDailyCount: most.days,
                maxMonthlyAmount: String(most.month),
                maxMonthlyCount: most.months,
              },
              zone,
            );
            const orders: Order[] = [];
            /** The receipts of the channel, recorded by the test: time and amount. */
            const came = new Map<Order, { readonly at: Date; readonly amount: string }>();
            const open = new Set<Order>();
            const sum = (amounts: readonly string[]): Money => amounts.reduce((all, one) => all.plus(one), ZERO);
            const within = (length: number): string[] => [
              ...[...came.values()]
                .filter(({ at }) => dayOf(zone, at).startsWith(dayOf(zone, now).slice(0, length)))
                .map(({ amount }) => amount),
              ...[...open].map(({ amount }) => amount),
            ];
            for (const one of steps) {
              now = new Date(now.getTime() + MINUTE);
              if (one.do === 'create') {
                const [day, month] = [within(10), within(7)];
                const fits =
                  sum(day).plus(one.amount).lte(most.day) &&
                  sum(month).plus(one.amount).lte(most.month) &&
                  day.length < most.days &&
                  month.length < most.months;
                const order = await deposit(String(one.amount)).catch((error: unknown) => {
                  expect(error).toMatchObject(refused);
                });
                expect(order !== undefined).toBe(fits);
                if (fits) accepted++;
                else refusals++;
                if (!order) continue;
                orders.push(order);
                open.add(order);
              } else if (one.do === 'wait') now = new Date(now.getTime() + one.minutes * MINUTE);
              else if ('which' in one) {
                const order = orders[one.which % orders.length];
                if (!order) continue;
                const asked = order.attemptId !== '';
                if (one.do === 'ask') {
                  if (open.has(order) && !asked) await ask(order);
                } else if (one.do === 'pay' || one.do === 'more') {
                  const amount = one.do === 'more' && open.has(order) ? `${order.amount}.50` : order.amount;
                  if (!asked || came.has(order)) continue;
                  await pay(order, amount);
                  came.set(order, { at: now, amount });
                  open.delete(order);
                } else if (open.has(order)) {
                  if (one.do === 'cancel') await cancel(order);
                  else
                    await expireDeposit(
                      ...([tenant.database, order.id, null] as const),
                      new Date(now.getTime() + 2 * 1_440 * MINUTE),
                    );
                  open.delete(order);
                }
              }
            }
          },
        ),
        { numRuns: 8, seed: 20_260_330 },
      );
      expect([accepted > 40, refusals > 20]).toEqual([true, true]);
    });
  });
});
