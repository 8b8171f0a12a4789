import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { expireDeposit } from '../../db/deposits/deposits';
import { type Money, ZERO } from '../../domain/money';
import { dayOf } from '../../domain/zone';
import { Tenant, type TestDeposit, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';

const MINUTE = 60_000;
const ZONES = ['UTC', 'Asia/Bangkok', 'America/New_York'] as const;

interface Limits {
  readonly maxDailyAmount?: string;
  readonly maxMonthlyAmount?: string;
  readonly maxDailyCount?: number;
  readonly maxMonthlyCount?: number;
  readonly maxBalance?: string;
}

describe('limits of what an account receives', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let now = new Date('2026-03-30T12:00:00.000Z');
  let accountId: string;
  beforeAll(async () => {
    tenant = await Tenant.create();
    tenant.now = () => now;
    merchant = await tenant.merchant({ depositExpireMinutes: 1_440 });
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

  /** The only account that takes deposits. */
  const account = async (limits: Limits, timeZone = 'UTC'): Promise<string> => {
    await tenant.database.sql`update bank_accounts set status = 'DISABLED'`;
    accountId = await tenant.account('THB', { limits, timeZone });
    return accountId;
  };
  const update = async (input: Record<string, unknown>): Promise<unknown> =>
    await tenant.operate('UpdateBankAccount', { id: accountId, input, reason: 'test' });
  const deposit = async (amount: string): Promise<TestDeposit> => await tenant.deposit(merchant, { amount });
  const cancel = async ({ orderNo }: TestDeposit): Promise<unknown> =>
    await tenant.operate('CancelDeposit', { orderNo, reason: 'test' });
  const received = async (amount: string, memo = ''): Promise<unknown> =>
    await tenant.notify({ accountId, amount, memo, bankReference: uuidv7() });
  const pay = async ({ amount, expectedRemark }: TestDeposit): Promise<unknown> =>
    await received(amount, expectedRemark);
  const expire = async ({ orderNo, expireAt }: TestDeposit): Promise<void> => {
    const { id } = await tenant.operate<{ id: string }>('Deposit', { orderNo });
    await expireDeposit(tenant.database, id, null, new Date(expireAt));
  };
  const refused = { kind: 'BUSINESS_ERROR' };
  const use = async (): Promise<unknown> => {
    const accounts = await tenant.list<{ id: string; use: Record<string, unknown> }>('BankAccounts');
    const { todayAmount, todayDeposits, monthAmount, monthDeposits } =
      accounts.find(({ id }) => id === accountId)?.use ?? {};
    return [todayAmount, todayDeposits, monthAmount, monthDeposits];
  };

  it('let an account limited to 100 accept no 200, even after a late payment of a cancelled order', async () => {
    await account({ maxDailyAmount: '100' });
    const first = await deposit('100');
    await cancel(first);
    await pay(first);
    await expect(deposit('100')).rejects.toMatchObject(refused);
    await expect(deposit('0.01')).rejects.toMatchObject(refused);
    expect(await use()).toEqual(['100.0000', 1, '100.0000', 1]);
  });

  it('count unmatched credits and overpayments', async () => {
    await account({ maxDailyAmount: '1000' });
    await received('400');
    const { expectedRemark } = await deposit('100');
    await received('300', expectedRemark);
    await deposit('200');
    await expect(deposit('0.01')).rejects.toMatchObject(refused);
  });

  it('release the shares of deposits that are cancelled or expire', async () => {
    await account({ maxDailyAmount: '300', maxDailyCount: 2 });
    const [cancelled, expired] = [await deposit('100'), await deposit('200')];
    await expect(deposit('0.01')).rejects.toMatchObject(refused);
    await cancel(cancelled);
    await expire(expired);
    expect(await use()).toEqual(['0.0000', 0, '0.0000', 0]);
    await deposit('300');
  });

  it('on the number of credits count each credit and each open deposit as one', async () => {
    await account({ maxDailyCount: 3, maxMonthlyCount: 4 });
    await pay(await deposit('1'));
    await received('1');
    await deposit('1');
    await expect(deposit('1')).rejects.toMatchObject(refused);
    now = new Date('2026-03-31T12:00:00.000Z');
    // Yesterday's open order may be paid today: it counts for both days, and once for the month.
    expect(await use()).toEqual(['1.0000', 1, '3.0000', 3]);
    await deposit('1');
    await expect(deposit('1')).rejects.toMatchObject(refused);
    now = new Date('2026-04-01T00:00:00.000Z');
    expect(await use()).toEqual(['2.0000', 2, '2.0000', 2]);
    await deposit('1');
    await expect(deposit('1')).rejects.toMatchObject(refused);
  });

  it('per month use the month of the account’s zone', async () => {
    await account({ maxMonthlyAmount: '100' }, 'Asia/Bangkok');
    now = new Date('2026-03-31T16:59:59.999Z');
    await pay(await deposit('100'));
    await expect(deposit('1')).rejects.toMatchObject(refused);
    now = new Date('2026-03-31T17:00:00.000Z');
    await deposit('100');
    await expect(deposit('1')).rejects.toMatchObject(refused);
  });

  it('on the balance count the book and the amounts of open deposits', async () => {
    await account({ maxBalance: '1000' });
    await pay(await deposit('400'));
    await received('100');
    const open = await deposit('500');
    await expect(deposit('0.01')).rejects.toMatchObject(refused);
    // A new month changes nothing: the money is still there.
    now = new Date('2026-05-01T12:00:00.000Z');
    await expire(open);
    await deposit('500');
    await expect(deposit('0.01')).rejects.toMatchObject(refused);
    const held = async (): Promise<unknown> =>
      (await tenant.list<{ id: string; use: { held: string } }>('BankAccounts')).find(({ id }) => id === accountId)?.use
        .held;
    expect(await held()).toBe('1000.0000');
    // Money that leaves the account makes room.
    const { debit } = await tenant.operate<{ debit: { id: string } }>('RecordBankDebit', {
      input: {
        accountId,
        amount: '30',
        currencyCode: 'THB',
        bankReference: uuidv7(),
        memo: '',
        bankTime: now.toISOString(),
      },
    });
    await tenant.operate('PostBankCharge', { debitId: debit.id, reason: 'test' });
    expect(await held()).toBe('970.0000');
    await deposit('30');
    await expect(deposit('0.01')).rejects.toMatchObject(refused);
  });

  it('count the balance since the last closed day', async () => {
    await account({ maxBalance: '1000' });
    const book = async (): Promise<string | undefined> =>
      (
        await tenant.database.sql<{ balance: string }[]>`
          select book_balance(${`bank:${accountId}`}, 'THB')::text as balance`
      )[0]?.balance;
    expect(await book()).toBe('0');
    await pay(await deposit('400'));
    await received('100');
    expect(await book()).toBe('500.0000');
    now = new Date('2026-03-31T12:00:00.000Z');
    await tenant.database.sql`select propose_closes(${now}, 1000)`;
    const [close] = await tenant.database.sql<{ id: string }[]>`
      select id from day_closes where account_id = ${accountId} and day = '2026-03-30'`;
    await tenant.operate('CloseDay', { id: close?.id, reason: 'test' });
    expect(await book()).toBe('500.0000');
    await received('70');
    expect(await book()).toBe('570.0000');
    await deposit('430');
    await expect(deposit('0.01')).rejects.toMatchObject(refused);
  });

  it('name the limit that an account would exceed', async () => {
    const refusal = async (amount: string): Promise<unknown> => {
      const options = await tenant.operate<{ refusal: unknown; account: { id: string } }[]>('DepositRoute', {
        currencyCode: 'THB',
        amount,
      });
      return options.find((option) => option.account.id === accountId)?.refusal;
    };
    await account({ maxDailyAmount: '100', maxMonthlyAmount: '150' });
    expect([await refusal('100'), await refusal('100.01')]).toEqual([null, 'DAILY_LIMIT']);
    await pay(await deposit('100'));
    now = new Date('2026-03-31T12:00:00.000Z');
    expect([await refusal('50'), await refusal('50.01')]).toEqual([null, 'MONTHLY_LIMIT']);
    await update({ limits: { maxDailyCount: 1, maxMonthlyCount: 1 } });
    expect(await refusal('1')).toBe('MONTHLY_COUNT');
    await received('1');
    expect(await refusal('1')).toBe('DAILY_COUNT');
    await update({ limits: { maxBalance: '120' } });
    expect([await refusal('19'), await refusal('19.01')]).toEqual([null, 'BALANCE_LIMIT']);
  });

  it('count receipts from before the limit was set, and open deposits', async () => {
    await account({});
    await pay(await deposit('100'));
    await received('10');
    await deposit('20');
    expect(await use()).toEqual(['0.0000', 0, '0.0000', 0]);
    await update({ limits: { maxMonthlyAmount: '200' } });
    expect(await use()).toEqual(['130.0000', 3, '130.0000', 3]);
    await deposit('70');
    await expect(deposit('0.01')).rejects.toMatchObject(refused);
  });

  it('are lowered by one person; raising, removing or setting a zone takes two', async () => {
    await account({ maxMonthlyAmount: '200', maxDailyCount: 5 });
    tenant.changes.onePerson = false;
    const status = async (input: Record<string, unknown>): Promise<string> =>
      ((await update(input)) as { change: { status: string } }).change.status;
    const lower = {
      maxMonthlyAmount: '100',
      maxDailyCount: 4,
      maxMonthlyCount: 9,
      maxBalance: '500',
    };
    expect(await status({ limits: lower })).toBe('APPLIED');
    expect(await status({ limits: { ...lower, maxDailyCount: 5 } })).toBe('PROPOSED');
    expect(await status({ limits: { ...lower, maxMonthlyAmount: null } })).toBe('PROPOSED');
    expect(await status({ limits: { ...lower, maxBalance: '501' } })).toBe('PROPOSED');
    expect(await status({ timeZone: 'Asia/Bangkok' })).toBe('PROPOSED');
    tenant.changes.onePerson = true;
  });

  describe('under random events', () => {
    type Step =
      | { readonly do: 'create' | 'stray'; readonly amount: number }
      | { readonly do: 'pay' | 'cancel' | 'expire'; readonly which: number }
      | { readonly do: 'wait'; readonly minutes: number }
      | { readonly do: 'move'; readonly zone: string };
    const amount = fc.integer({ min: 1, max: 120 });
    const which = fc.nat(40);
    const step: fc.Arbitrary<Step> = fc.oneof(
      { weight: 6, arbitrary: fc.record({ do: fc.constant('create' as const), amount }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('pay' as const), which }) },
      {
        weight: 3,
        arbitrary: fc.record({ do: fc.constantFrom('cancel' as const, 'expire' as const), which }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('stray' as const), amount }) },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant('wait' as const),
          minutes: fc.integer({ min: 1, max: 1_440 }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          do: fc.constant('move' as const),
          zone: fc.constantFrom(...ZONES),
        }),
      },
    );
    const limits = fc.record({
      day: fc.integer({ min: 100, max: 400 }),
      days: fc.integer({ min: 2, max: 8 }),
      month: fc.integer({ min: 200, max: 900 }),
      months: fc.integer({ min: 4, max: 16 }),
    });

    /** The amounts that count against the limits, from the rows themselves instead of the counters. */
    async function standing(zone: string) {
      const credits = await tenant.database.sql<{ amount: string; bankTime: Date }[]>`
        select amount::text, bank_time from bank_transfers where account_id = ${accountId}`;
      const open = await tenant.database.sql<{ amount: string }[]>`
        select amount::text from deposit_orders where account_id = ${accountId} and status = 'PENDING'`;
      const today = dayOf(zone, now);
      const within = (length: number) =>
        credits.filter(({ bankTime }) => dayOf(zone, bankTime).startsWith(today.slice(0, length)));
      const sum = (rows: readonly { amount: string }[]): Money => rows.reduce((all, row) => all.plus(row.amount), ZERO);
      const [day, month] = [within(10), within(7)];
      return {
        day: sum([...day, ...open]),
        days: day.length + open.length,
        month: sum([...month, ...open]),
        months: month.length + open.length,
      };
    }

    it('accept a deposit if and only if it exceeds no limit', async () => {
      let [accepted, refusals] = [0, 0];
      await fc.assert(
        fc.asyncProperty(
          ...([limits, fc.constantFrom(...ZONES)] as const),
          fc.array(step, { minLength: 20, maxLength: 28 }),
          async (most, first, steps) => {
            now = new Date('2026-03-30T12:00:00.000Z');
            let zone: string = first;
            await account(
              {
                maxDailyAmount: String(most.day),
                maxDailyCount: most.days,
                maxMonthlyAmount: String(most.month),
                maxMonthlyCount: most.months,
              },
              zone,
            );
            const made: TestDeposit[] = [];
            const paid = new Set<TestDeposit>();
            for (const one of steps) {
              now = new Date(now.getTime() + MINUTE);
              if (one.do === 'create') {
                const used = await standing(zone);
                const fits =
                  used.day.plus(one.amount).lte(most.day) &&
                  used.month.plus(one.amount).lte(most.month) &&
                  used.days < most.days &&
                  used.months < most.months;
                const order = await deposit(String(one.amount)).catch((error: unknown) => {
                  expect(error).toMatchObject(refused);
                });
                expect(order !== undefined).toBe(fits);
                if (order) made.push(order);
                if (fits) accepted++;
                else refusals++;
              } else if (one.do === 'stray') await received(String(one.amount));
              else if (one.do === 'wait') now = new Date(now.getTime() + one.minutes * MINUTE);
              else if (one.do === 'move') {
                if (one.zone !== zone) await update({ timeZone: one.zone });
                zone = one.zone;
              } else if ('which' in one) {
                const order = made[one.which % made.length];
                if (!order) continue;
                if (one.do === 'pay' && !paid.has(order)) {
                  paid.add(order);
                  await pay(order);
                } else if (one.do === 'expire') await expire(order);
                else if (one.do === 'cancel') await cancel(order).catch(() => undefined);
              }
            }
          },
        ),
        { numRuns: 8, seed: 20_260_330 },
      );
      // Both outcomes occurred, so the property was tested.
      expect(accepted).toBeGreaterThan(20);
      expect(refusals).toBeGreaterThan(10);
    });
  });
});
