import { creditDeposits } from '../../db/deposits/credits';
import { releaseHolds } from '../../db/deposits/holds';
import { verifyLedger } from '../../db/ledger/ledger';
import { depositCredit } from '../../domain/ledger';
import { money } from '../../domain/money';
import { creditedDeposit, matchedDeposit } from '../support/deposits';
import { type OperatorActor, Tenant, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';
import { eventsOf, postedFor } from '../support/withdrawals';

const HOUR = 3_600_000;

describe('held credits', () => {
  let tenant: Tenant;
  let bob: OperatorActor;
  let accountId: string;
  /** An evening; the day ends at midnight UTC. */
  const evening = new Date('2027-03-04T21:00:00.000Z');
  const midnight = new Date('2027-03-05T00:00:00.000Z');

  beforeAll(async () => {
    tenant = await Tenant.create();
    bob = await tenant.person('bob', ['approve']);
    accountId = await tenant.account();
  });
  beforeEach(() => {
    tenant.now = () => evening;
    tenant.changes.onePerson = true;
  });
  afterEach(async () => {
    await expectWholeLedger(tenant);
  });
  afterAll(async () => {
    await tenant.close();
  });

  const holding = async (holdDays: number): Promise<TestMerchant> =>
    await tenant.merchant({ canWithdraw: true, holdDays });
  /** `available frozen receivable` */
  const balance = async ({ id }: TestMerchant): Promise<string> => {
    const [row] = await tenant.database.sql<{ all: string }[]>`
      select concat_ws(' ', trim_scale(available), trim_scale(frozen), trim_scale(receivable)) as all
      from merchant_balances where merchant_id = ${id}`;
    return row?.all ?? '';
  };
  const shown = async ({ id }: TestMerchant): Promise<unknown> => {
    const { balances } = await tenant.operate<{ balances: unknown[] }>('Merchant', { id });
    return balances[0];
  };
  const release = async (now: Date): Promise<number> => await releaseHolds(tenant.database, 100, now);
  const recalled = async (orderNo: string): Promise<void> => {
    await tenant.operate('RecallDeposit', {
      orderNo,
      reason: 'called back',
      evidence: { text: "the bank's letter" },
    });
  };

  it('are frozen until the end of the credit’s day, and then available', async () => {
    const merchant = await holding(1);
    const { id, orderNo } = await creditedDeposit(tenant, merchant, accountId);
    expect(await shown(merchant)).toMatchObject({
      available: '0.0000',
      frozen: '98.5000',
      total: '98.5000',
      held: '98.5000',
      nextReleaseAt: midnight.toISOString(),
    });
    await expect(tenant.withdrawal(merchant, { amount: '1.00' })).rejects.toThrow();

    expect(await release(new Date(midnight.getTime() - 1))).toBe(0);
    expect(await release(midnight)).toBe(1);
    expect(await release(midnight)).toBe(0);
    expect(await shown(merchant)).toMatchObject({
      available: '98.5000',
      frozen: '0.0000',
      held: '0.0000',
      nextReleaseAt: null,
    });
    expect(await tenant.operate('Deposit', { orderNo })).toMatchObject({
      held: { amount: '98.5000', releaseAt: midnight.toISOString(), recalledAt: null },
    });
    expect(await eventsOf(tenant, id)).toEqual([...['created', 'matched', 'completed', 'held', 'hold_released']]);
    expect((await postedFor(tenant, id)).filter((line) => /HELD|HOLD/.test(line))).toEqual([
      'HOLD_RELEASED merchant:frozen -98.5000',
      'HOLD_RELEASED merchant:available 98.5000',
      'CREDIT_HELD merchant:available -98.5000',
      'CREDIT_HELD merchant:frozen 98.5000',
    ]);
  });

  it('are held for the days set by two people; a later change does not affect held credits', async () => {
    const merchant = await holding(0);
    await creditedDeposit(tenant, merchant, accountId, { fee: '0' });
    expect(await balance(merchant)).toBe('100 0 0');
    tenant.changes.onePerson = false;
    const { change } = await tenant.operate<{ change: { id: string; status: string } }>('UpdateMerchant', {
      id: merchant.id,
      settings: { holdDays: 3 },
      reason: 'new',
    });
    expect(change.status).toBe('PROPOSED');
    await creditedDeposit(tenant, merchant, accountId, { fee: '0' });
    expect(await balance(merchant)).toBe('200 0 0');
    await tenant.operate('ApproveChange', { id: change.id, reason: 'seen' }, bob);
    await creditedDeposit(tenant, merchant, accountId, { fee: '0' });
    expect(await balance(merchant)).toBe('200 100 0');
    tenant.changes.onePerson = true;
    await tenant.operate('UpdateMerchant', {
      id: merchant.id,
      settings: { holdDays: 0 },
      reason: 'trusted',
    });
    expect(await release(new Date(midnight.getTime() + 47 * HOUR))).toBe(0);
    expect(await release(new Date(midnight.getTime() + 48 * HOUR))).toBe(1);
    expect(await balance(merchant)).toBe('300 0 0');
    await expect(
      tenant.operate('UpdateMerchant', {
        id: merchant.id,
        settings: { holdDays: 91 },
        reason: 'typo',
      }),
    ).rejects.toThrow('holdDays');
  });

  /** Credits a deposit of each of these merchants in one transaction. */
  const creditedTogether = async (merchants: readonly TestMerchant[]): Promise<void> => {
    const matched = [];
    for (const merchant of merchants)
      matched.push({ merchant, ...(await matchedDeposit(tenant, merchant, accountId)) });
    const done = await creditDeposits(
      tenant.database,
      matched.map(({ id, merchant }) => ({
        depositId: id,
        merchantId: merchant.id,
        actual: money('100'),
        fee: money('1.5'),
        postings: depositCredit(merchant.id, money('100'), money('1.5')),
        callbackBody: '{}',
        now: evening,
      })),
    );
    expect(done).toEqual(merchants.map(() => true));
  };

  it('are the same in batches and one by one', async () => {
    const [held, free] = [await holding(2), await holding(0)];
    await creditedTogether([held, held, free, held]);
    expect(await balance(held)).toBe('0 295.5 0');
    expect(await balance(free)).toBe('98.5 0 0');
  });

  it('in a batch cover debts first, and hold the rest', async () => {
    const owing = await holding(0);
    const { orderNo } = await creditedDeposit(tenant, owing, accountId, {
      amount: '150',
      fee: '120',
    });
    await recalled(orderNo);
    expect(await balance(owing)).toBe('0 0 120');
    await tenant.operate('UpdateMerchant', {
      id: owing.id,
      settings: { holdDays: 1 },
      reason: 'careful',
    });
    await creditedTogether([owing, owing]);
    expect(await balance(owing)).toBe('0 77 0');
    expect(await release(midnight)).toBe(1);
    expect(await balance(owing)).toBe('77 0 0');
  });

  it('cover the merchant’s debt before any hold', async () => {
    const merchant = await holding(0);
    const { orderNo } = await creditedDeposit(tenant, merchant, accountId, { fee: '40' });
    await recalled(orderNo);
    expect(await balance(merchant)).toBe('0 0 40');
    await tenant.operate('UpdateMerchant', {
      id: merchant.id,
      settings: { holdDays: 1 },
      reason: 'careful',
    });
    await creditedDeposit(tenant, merchant, accountId, { amount: '30', fee: '0' });
    expect(await balance(merchant)).toBe('0 0 10');
    await creditedDeposit(tenant, merchant, accountId, { amount: '25', fee: '0' });
    expect(await balance(merchant)).toBe('0 15 0');
    expect(await release(midnight)).toBe(1);
    expect(await balance(merchant)).toBe('15 0 0');
  });

  it('are used first by a recall, and then not released', async () => {
    const merchant = await holding(1);
    const { id, orderNo } = await creditedDeposit(tenant, merchant, accountId);
    await creditedDeposit(tenant, merchant, accountId);
    await recalled(orderNo);
    expect(await balance(merchant)).toBe('0 98.5 1.5');
    expect(await tenant.operate('Deposit', { orderNo })).toMatchObject({
      recall: { fromHeld: '98.5000', fromAvailable: '0.0000', owed: '1.5000' },
      held: { releasedAt: null, recalledAt: evening.toISOString() },
    });
    expect((await postedFor(tenant, id))[0]).toBe('DEPOSIT_RECALLED merchant:frozen -98.5000');
    expect(await release(midnight)).toBe(1);
    expect(await balance(merchant)).toBe('97 0 0');
  });

  it('are either released or recalled under concurrency, and released once', async () => {
    for (let round = 0; round < 10; round++) {
      const merchant = await holding(1);
      const { id, orderNo } = await creditedDeposit(tenant, merchant, accountId, { fee: '0' });
      await creditedDeposit(tenant, merchant, accountId, { fee: '0' });
      await Promise.all([release(midnight), recalled(orderNo), release(midnight), release(midnight)]);
      while ((await release(midnight)) > 0);
      expect(await balance(merchant)).toBe('100 0 0');
      const posted = await postedFor(tenant, id);
      expect(posted.filter((line) => line.startsWith('DEPOSIT_RECALLED bank'))).toHaveLength(1);
    }
  });

  it('are reported by the verification if they are inconsistent', async () => {
    const merchant = await holding(1);
    const { id } = await creditedDeposit(tenant, merchant, accountId);
    const { sql } = tenant.database;
    await sql`update held_credits set released_at = now() where deposit_id = ${id}`;
    expect((await verifyLedger(tenant.database)).map(({ subject }) => subject)).toEqual([
      `held credit of ${id}`,
      expect.stringMatching(/^account merchant:.*:frozen THB$/),
    ]);
    await sql`update held_credits set released_at = null where deposit_id = ${id}`;
  });
});
