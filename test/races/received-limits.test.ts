import { randomBytes } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { Random } from '../../chaos/attack/random';
import { acceptDeposits, depositOf, type DepositRow, expireDeposit } from '../../db/deposits/deposits';
import {
  findChannelUses,
  markDepositSent,
  matchChannelDeposit,
  prepareChannelDeposit,
} from '../../db/deposits/channel-deposits';
import type { Raw } from '../../db/rows';
import { money, ZERO } from '../../domain/money';
import { newRemark } from '../../domain/remark';
import { createTestChannel } from '../support/channel-tenant';
import { Tenant, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';

const SEED = '2026-01-05';
const CREATORS = 8;
/** Orders of each creator; RACES sets another number. */
const EACH = Math.ceil(Number(process.env['RACES'] ?? 160) / CREATORS);
const [MOST, MANY] = [1_000, 24];

describe.each([
  {
    limits: { maxDailyAmount: String(MOST), maxMonthlyCount: MANY },
    refusals: ['DAILY_LIMIT', 'MONTHLY_COUNT'],
  },
  {
    limits: { maxBalance: String(MOST), maxMonthlyCount: MANY * CREATORS * EACH },
    refusals: ['BALANCE_LIMIT'],
  },
])('eight creators on one account with limits %j', ({ limits, refusals }) => {
  const many = limits.maxMonthlyCount;
  const random = new Random(SEED);
  let tenant: Tenant;
  let merchant: TestMerchant;
  let accountId: string;
  const now = new Date('2026-03-04T12:00:00.000Z');

  beforeAll(async () => {
    tenant = await Tenant.create();
    tenant.now = () => now;
    merchant = await tenant.merchant({ depositExpireMinutes: 60 });
    accountId = await tenant.account('THB', { limits });
  });
  afterAll(async () => {
    await tenant.close();
  });

  /** The received amount and that of open orders, from the rows themselves, in one snapshot. */
  const standing = async (): Promise<{ amount: string; count: number }> => {
    const [row] = await tenant.database.sql<{ amount: string; count: number }[]>`
      select coalesce(sum(amount), 0)::text as amount, count(*)::int as count from (
        select amount from bank_transfers where account_id = ${accountId}
        union all
        select amount from deposit_orders where account_id = ${accountId} and status = 'PENDING') rows`;
    return row ?? { amount: '0', count: 0 };
  };
  async function rowOf(orderNo: string): Promise<DepositRow> {
    const [row] = await tenant.database.sql<Raw<DepositRow>[]>`
      select * from deposit_orders where order_no = ${orderNo}`;
    if (!row) throw new Error('no deposit');
    return depositOf(row);
  }

  it('are never exceeded while orders are paid, cancelled and expire', async () => {
    const like = await rowOf((await tenant.deposit(merchant, { amount: '40' })).orderNo);
    const outcomes = new Map<string, number>();
    const count = (what: string): void => {
      outcomes.set(what, (outcomes.get(what) ?? 0) + 1);
    };

    /** One order by its own transaction: no queue in a process serializes the creators. */
    async function createOne(): Promise<void> {
      const amount = money(random.pick(['20', '40', '90']));
      const id = uuidv7();
      const remark = newRemark(randomBytes(32));
      const order = {
        ...like,
        id,
        amount,
        requestedAmount: amount,
        orderNo: `D${id}`,
        quotaDay: null,
        merchantOrderNo: id,
        expectedRemark: remark,
        routing: { account: accountId },
      };
      const [answer] = await acceptDeposits(tenant.database, [order]);
      count(answer?.outcome ?? 'NONE');
      const stands = await standing();
      expect([money(stands.amount).lte(MOST), stands.count <= many]).toEqual([true, true]);
      if (answer?.outcome !== 'ACCEPTED') return;
      const fate = random.pick(['pay', 'cancel', 'expire', 'cancel', 'expire', 'leave']);
      if (fate === 'pay')
        await tenant.notify({
          accountId,
          amount: amount.toFixed(),
          memo: remark,
          bankReference: uuidv7(),
        });
      else if (fate === 'cancel') await tenant.operate('CancelDeposit', { orderNo: order.orderNo, reason: 'test' });
      else if (fate === 'expire') await expireDeposit(tenant.database, id, null, new Date(order.expireAt));
      count(fate);
    }
    await Promise.all(
      Array.from({ length: CREATORS }, async () => {
        for (let n = 0; n < EACH; n++) await createOne();
      }),
    );

    // Every outcome occurred, and limits were reached: the steps raced.
    for (const what of ['ACCEPTED', 'pay', 'cancel', 'expire', 'leave'])
      expect([what, (outcomes.get(what) ?? 0) > 0]).toEqual([what, true]);
    const refused = refusals.map((one) => outcomes.get(one) ?? 0);
    expect(Math.max(...refused)).toBeGreaterThan(0);
    const { amount, count: counted } = await standing();
    const [use] = await tenant.database.sql<{ amount: string; count: number }[]>`
      select u.day_amount::text as amount, u.month_count as count
      from bank_accounts a, account_use(a, ${now}::timestamptz) u where a.id = ${accountId}`;
    expect([money(use?.amount ?? '-1').toFixed(4), use?.count]).toEqual([money(amount).toFixed(4), counted]);
    await expectWholeLedger(tenant);
  });
});

describe('eight creators whose rules send orders to three accounts with limits', () => {
  let tenant: Tenant;
  const MANY_EACH = 6;
  const accounts: string[] = [];

  beforeAll(async () => {
    tenant = await Tenant.create();
    const limits = { maxDailyAmount: '400', maxDailyCount: 9 };
    for (let n = 0; n < 3; n++) accounts.push(await tenant.account('THB', { limits }));
    // Only the rules route to these accounts.
    await tenant.operate('PutPool', {
      input: { name: 'limited', currencyCode: 'THB', accountIds: accounts, channelIds: [] },
      reason: 'test',
    });
    const target = (at: number, weight = 1) => ({ kind: 'ACCOUNT', id: accounts[at], weight });
    const groups = [{ targets: [target(0, 3), target(1)] }, { targets: [target(2)] }];
    await tenant.operate('PutRoutingRules', {
      input: {
        currencyCode: 'THB',
        orderKind: 'DEPOSIT',
        rules: [{ name: 'limited', stickyPayer: true, groups }],
      },
      reason: 'test',
    });
  });
  afterAll(async () => {
    await tenant.close();
  });

  it('never exceed them, and the next group takes what the first one refuses', async () => {
    const random = new Random(SEED);
    const merchants = await Promise.all(Array.from({ length: CREATORS }, async () => await tenant.merchant()));
    let refused = 0;
    const create = async (merchant: TestMerchant): Promise<void> => {
      for (let n = 0; n < MANY_EACH; n++)
        try {
          const amount = random.pick(['20', '40', '90']);
          const { orderNo } = await tenant.deposit(merchant, { amount, userId: 'payer' });
          if (random.pick([true, false])) await tenant.operate('CancelDeposit', { orderNo, reason: 'test' });
        } catch (error) {
          expect(error).toMatchObject({ kind: 'BUSINESS_ERROR' });
          refused++;
        }
    };
    await Promise.all(merchants.map(create));
    const held = await tenant.database.sql<{ id: string; amount: string; count: number }[]>`
      select account_id as id, sum(amount)::text as amount, count(*)::int as count
      from deposit_orders where status = 'PENDING' group by account_id`;
    for (const { id, amount, count } of held)
      expect([accounts.includes(id), money(amount).lte(400), count <= 9]).toEqual([true, true, true]);
    const took = await tenant.database.sql<{ id: string }[]>`
      select distinct account_id as id from deposit_orders`;
    expect(took.map(({ id }) => id).sort()).toEqual([...accounts].sort());
    expect(refused).toBeLessThan(CREATORS * MANY_EACH);
    await expectWholeLedger(tenant);
  });
});

describe('eight creators at one channel with limits', () => {
  const random = new Random(SEED);
  const now = new Date('2026-03-04T12:00:00.000Z');
  let tenant: Tenant;
  let merchant: TestMerchant;
  let channelId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    tenant.now = () => now;
    (tenant.graph.core as { openWithinMs?: number }).openWithinMs = 0;
    merchant = await tenant.merchant({ depositExpireMinutes: 60 });
    const deposits = {
      currencies: ['THB'],
      maxDailyAmount: String(MOST),
      maxMonthlyCount: MANY,
    };
    channelId = (await createTestChannel(tenant, { kind: 'MOCK' }, { currencies: [], deposits })).id;
  });
  afterAll(async () => {
    await tenant.close();
  });

  /** The received amount and that of open orders, from the rows themselves, in one snapshot. */
  const standing = async (): Promise<{ amount: string; count: number }> => {
    const [row] = await tenant.database.sql<{ amount: string; count: number }[]>`
      select coalesce(sum(amount), 0)::text as amount, count(*)::int as count from (
        select coalesce(a.received, l.amount) as amount
        from deposit_attempts a left join late_receipts l on l.attempt_id = a.id
        where coalesce(a.received, l.amount) is not null
        union all
        select amount from deposit_orders where status = 'PENDING') rows`;
    return row ?? { amount: '0', count: 0 };
  };

  it('never exceed them while orders are paid, cancelled and expire', async () => {
    const first = await tenant.deposit(merchant, { amount: '40' }).catch(() => null);
    expect(first).toBeNull();
    const [raw] = await tenant.database.sql<Raw<DepositRow>[]>`select * from deposit_orders`;
    if (!raw) throw new Error('no deposit');
    const like = depositOf(raw);
    const outcomes = new Map<string, number>();
    const count = (what: string): void => {
      outcomes.set(what, (outcomes.get(what) ?? 0) + 1);
    };

    async function createOne(): Promise<void> {
      const amount = money(random.pick(['20', '40', '90']));
      const [id, attemptId] = [uuidv7(), uuidv7()];
      const order = {
        ...like,
        id,
        amount,
        requestedAmount: amount,
        orderNo: `D${id}`,
        quotaDay: null,
        merchantOrderNo: id,
        routing: { channel: channelId },
      };
      const [answer] = await acceptDeposits(tenant.database, [order]);
      count(answer?.outcome ?? 'NONE');
      const stands = await standing();
      expect([money(stands.amount).lte(MOST), stands.count <= MANY]).toEqual([true, true]);
      if (answer?.outcome !== 'ACCEPTED') return;
      const fate = random.pick(['pay', 'cancel', 'expire', 'cancel', 'expire', 'leave']);
      if (fate === 'pay') {
        const asked = [attemptId, id, channelId, ZERO, now] as const;
        expect(await prepareChannelDeposit(tenant.database, ...asked)).toBe(true);
        await markDepositSent(tenant.database, attemptId, now);
        const receipt = { received: amount, charge: ZERO, cost: ZERO };
        await matchChannelDeposit(tenant.database, attemptId, 'C', receipt, null, now);
      } else if (fate === 'cancel') await tenant.operate('CancelDeposit', { orderNo: order.orderNo, reason: 'test' });
      else if (fate === 'expire') await expireDeposit(tenant.database, id, null, new Date(order.expireAt));
      count(fate);
    }
    await Promise.all(
      Array.from({ length: CREATORS }, async () => {
        for (let n = 0; n < EACH; n++) await createOne();
      }),
    );

    for (const what of ['ACCEPTED', 'pay', 'cancel', 'expire', 'leave'])
      expect([what, (outcomes.get(what) ?? 0) > 0]).toEqual([what, true]);
    const refused = ['DAILY_LIMIT', 'MONTHLY_COUNT'].map((one) => outcomes.get(one) ?? 0);
    expect(Math.max(...refused)).toBeGreaterThan(0);
    const { amount, count: counted } = await standing();
    const [use] = await findChannelUses(tenant.database, [channelId], now);
    expect([use?.dayAmount.toFixed(4), use?.monthCount]).toEqual([money(amount).toFixed(4), counted]);
    await expectWholeLedger(tenant);
  });
});
