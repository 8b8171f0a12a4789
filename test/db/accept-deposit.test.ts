import { type Column, getTableColumns, getTableName, is, Table } from 'drizzle-orm';
import postgres from 'postgres';
import { uuidv7 } from 'uuidv7';
import { money, ZERO } from '../../domain/money';
import { acceptDeposits, depositOf, type DepositRow, type NewDeposit } from '../../db/deposits/deposits';
import { columnsOf, type Raw } from '../../db/rows';
import * as schema from '../../db/schema';
import { depositOrders } from '../../db/schema/deposits';
import { createTestChannel } from '../support/channel-tenant';
import { Tenant, type TestMerchant } from '../support/tenant';

const tables: readonly Table[] = Object.values<unknown>(schema).filter((value) => is(value, Table));

describe('rows as jsonb_populate_record reads them', () => {
  it.each(tables.map((table) => ({ name: getTableName(table), table })))(
    'have a column for each field of $name',
    ({ table }) => {
      for (const [field, { name }] of Object.entries(getTableColumns(table))) {
        expect(Object.keys(columnsOf({ [field]: '' }))).toEqual([name]);
        expect(postgres.toCamel(name)).toBe(field);
      }
    },
  );
});

describe('accepting a deposit', () => {
  const now = new Date('2026-03-04T05:06:07.891Z');
  const snapshot = { bank_name: 'a bank', amount: '100.0000' };
  let tenant: Tenant;
  let merchant: TestMerchant;
  let channelId: string;
  let feeScheduleId: string;
  let routingRulesId: string;
  let commissionRateId: string;
  beforeAll(async () => {
    tenant = await Tenant.create();
    merchant = await tenant.merchant();
    ({ id: channelId } = await createTestChannel(tenant, { kind: 'MOCK' }));
    const put = await tenant.operate<{ schedule: { id: string } }>('PutFeeSchedule', {
      input: { merchantId: merchant.id, currencyCode: 'THB', orderKind: 'DEPOSIT', percent: '1' },
      reason: 'test',
    });
    feeScheduleId = put.schedule.id;
    await tenant.operate('TopUpBalance', {
      merchantId: merchant.id,
      currencyCode: 'THB',
      amount: '1000',
      reason: 'test',
      evidence: { text: 'wire' },
    });
    const { rules } = await tenant.operate<{ rules: { id: string } }>('PutRoutingRules', {
      input: {
        currencyCode: 'THB',
        orderKind: 'DEPOSIT',
        rules: [{ name: 'all', groups: [{ targets: [{ kind: 'POOL' }] }] }],
      },
      reason: 'test',
    });
    routingRulesId = rules.id;
    const { id: resellerId } = await tenant.operate<{ id: string }>('CreateReseller', {
      name: 'a reseller',
      reason: 'test',
    });
    const { rate } = await tenant.operate<{ rate: { id: string } }>('PutCommissionRate', {
      input: {
        merchantId: merchant.id,
        currencyCode: 'THB',
        orderKind: 'DEPOSIT',
        resellerId,
        percent: '20',
      },
      reason: 'test',
    });
    commissionRateId = rate.id;
  });
  afterAll(async () => {
    await tenant.close();
  });

  /** Null at first: set once the order is matched, completed, charged, or counted to a day. */
  const LATER = [
    ...(['matchedAt', 'completedAt', 'quotaDay', 'actualChannelCost'] as const),
    ...(['feeCaptured', 'feeReleasedAt', 'volumeMonth'] as const),
  ] as const;
  const valueFor = (field: string, { columnType }: Column): unknown => {
    if (columnType === 'PgUUID') return uuidv7();
    if (columnType === 'PgTimestamp') return now;
    if (columnType === 'PgText' || columnType === 'PgCustomColumn') return `the ${field}`;
    if (columnType === 'PgNumeric') return money('1.25');
    if (columnType === 'PgSmallInt') return 1;
    if (columnType === 'PgJsonb') return { the: field };
    throw new Error(`say here what ${field} could be`);
  };

  const claim = async (merchantOrderNo: string, sessionId: string | null): Promise<void> => {
    await tenant.database.sql`
      insert into merchant_order_numbers (merchant_id, merchant_order_no, noun, order_id)
      values (${merchant.id}, ${merchantOrderNo}, 'cashier', ${sessionId})`;
  };

  /** A deposit with a different value in every nullable column. */
  function filled(accountId: string): NewDeposit {
    const optional = Object.entries(getTableColumns(depositOrders))
      .filter(([field, { notNull }]) => !notNull && !(LATER as readonly string[]).includes(field))
      .map(([field, column]) => [field, valueFor(field, column)]);
    return {
      ...(Object.fromEntries(optional) as Omit<DepositRow, (typeof LATER)[number]>),
      matchedAt: null,
      completedAt: null,
      quotaDay: null,
      actualChannelCost: null,
      feeCaptured: null,
      feeReleasedAt: null,
      volumeMonth: null,
      feeHeld: money('1.5'),
      channelId,
      feeScheduleId,
      routingRulesId,
      commissionRateId,
      payerOutcome: 'WATCH',
      payerFindings: ['seen'],
      id: uuidv7(),
      orderNo: uuidv7(),
      merchantId: merchant.id,
      merchantOrderNo: uuidv7(),
      orderType: 'CASHIER',
      accountId,
      currencyCode: 'THB',
      status: 'PENDING',
      requestedAmount: money('100'),
      amount: money('100'),
      fee: money('1.5'),
      actualAmount: ZERO,
      expireAt: new Date(now.getTime() + 60_000),
      paymentSnapshot: snapshot,
      createdAt: now,
      updatedAt: now,
      routing: { account: 'x' },
    };
  }

  async function stored(id: string): Promise<DepositRow | undefined> {
    const [row] = await tenant.database.sql<Raw<DepositRow>[]>`
      select * from deposit_orders where id = ${id}`;
    return row && depositOf(row);
  }

  it('keeps the value of every column', async () => {
    const { routing, ...deposit } = filled(await tenant.account());
    await claim(deposit.merchantOrderNo, deposit.cashierSessionId);
    expect(await acceptDeposits(tenant.database, [{ ...deposit, routing }])).toEqual([
      { outcome: 'ACCEPTED', amount: money('100') },
    ]);
    expect(await stored(deposit.id)).toEqual(deposit);
    const events = await tenant.database.sql`
      select detail from order_events where order_id = ${deposit.id} and type = 'created'`;
    expect(events).toEqual([{ detail: { routing } }]);
  });

  it('names only the routing rules of its own currency, and keeps them', async () => {
    const accountId = await tenant.account();
    const accept = async (routingRulesId: string): Promise<unknown> => {
      const { routing, ...deposit } = { ...filled(accountId), routingRulesId };
      await claim(deposit.merchantOrderNo, deposit.cashierSessionId);
      return await acceptDeposits(tenant.database, [{ ...deposit, routing }]);
    };
    const { rules } = await tenant.operate<{ rules: { id: string } }>('PutRoutingRules', {
      input: {
        currencyCode: 'VND',
        orderKind: 'DEPOSIT',
        rules: [{ name: 'all', groups: [{ targets: [{ kind: 'POOL' }] }] }],
      },
      reason: 'test',
    });
    for (const other of [uuidv7(), rules.id])
      await expect(accept(other)).rejects.toMatchObject({
        code: '23503',
        constraint_name: 'deposit_orders_routing_rules',
      });
    await accept(routingRulesId);
    await expect(
      tenant.database.sql`update deposit_orders set routing_rules_id = ${rules.id}
        where merchant_id = ${merchant.id}`,
    ).rejects.toMatchObject({ code: 'CW001' });
  });

  it('keeps a deposit on an account that reserves amounts and quota, except for the columns that these set', async () => {
    const accountId = await tenant.account('THB', {
      mode: 'FLOAT',
      float: { step: '0.01', up: '5', down: '5' },
      limits: { maxDailyAmount: '1000' },
    });
    for (const amount of ['100.0000', '100.0100']) {
      const { routing, ...deposit } = { ...filled(accountId), expectedRemark: null };
      await claim(deposit.merchantOrderNo, deposit.cashierSessionId);
      const [accepted] = await acceptDeposits(tenant.database, [{ ...deposit, routing }]);
      expect(accepted).toEqual({ outcome: 'ACCEPTED', amount: money(amount) });
      expect(await stored(deposit.id)).toEqual({
        ...deposit,
        amount: money(amount),
        paymentSnapshot: { ...snapshot, amount },
        quotaDay: '2026-03-04',
      });
    }
  });
  it('takes over the number of its own cashier session, and of no other', async () => {
    const deposit = filled(await tenant.account());
    const { merchantOrderNo, cashierSessionId } = deposit;
    await claim(merchantOrderNo, cashierSessionId);
    const holder = async () =>
      await tenant.database.sql`
      select noun, order_id from merchant_order_numbers where merchant_order_no = ${merchantOrderNo}`;
    const strange = { ...deposit, id: uuidv7(), cashierSessionId: uuidv7() };
    expect(await acceptDeposits(tenant.database, [strange])).toEqual([{ outcome: 'NUMBER_TAKEN' }]);
    expect(await holder()).toEqual([{ noun: 'cashier', orderId: cashierSessionId }]);
    expect(await acceptDeposits(tenant.database, [deposit])).toMatchObject([{ outcome: 'ACCEPTED' }]);
    expect(await holder()).toEqual([{ noun: 'deposit', orderId: deposit.id }]);
  });
});
