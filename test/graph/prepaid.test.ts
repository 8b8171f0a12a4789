import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { failDeposit } from '../../db/deposits/channel-deposits';
import { creditDeposit, creditDeposits } from '../../db/deposits/credits';
import { expireDeposit, findDeposit, matchDeposit } from '../../db/deposits/deposits';
import { issueWarrant } from '../../domain/authority/issue';
import { feeOfCredit } from '../../domain/fees';
import { depositCredit } from '../../domain/ledger';
import { money } from '../../domain/money';
import { Tenant, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';
import { postedFor } from '../support/withdrawals';

const RUNS = Number(process.env['PREPAID_RUNS'] ?? 6);
/** A tenth of each deposit: the amount implies the fee. */
const TENTH = { percent: '10' };

interface Held {
  readonly id: string;
  readonly orderNo: string;
  readonly amount: number;
  readonly fee: number;
}

describe('prepaid fees', () => {
  let tenant: Tenant;
  let accountId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    accountId = await tenant.account();
  });
  afterEach(async () => {
    tenant.changes.onePerson = true;
    await expectWholeLedger(tenant);
  });
  afterAll(async () => {
    await tenant.close();
  });

  const topUp = async ({ id: merchantId }: TestMerchant, amount: string): Promise<void> => {
    await tenant.operate('TopUpBalance', {
      merchantId,
      currencyCode: 'THB',
      amount,
      reason: 'test',
      evidence: { text: 'wire' },
    });
  };
  const prepaying = async (amount: string, settings = {}, currency = {}): Promise<TestMerchant> => {
    const merchant = await tenant.merchant({ canWithdraw: true, ...settings }, [
      { currencyCode: 'THB', depositFee: TENTH, prepaid: true, ...currency },
    ]);
    if (amount !== '0') await topUp(merchant, amount);
    return merchant;
  };
  /** `available frozen receivable` */
  const balance = async ({ id }: TestMerchant): Promise<string> => {
    const [row] = await tenant.database.sql<{ all: string }[]>`
      select concat_ws(' ', trim_scale(available), trim_scale(frozen), trim_scale(receivable)) as all
      from merchant_balances where merchant_id = ${id}`;
    return row?.all ?? '';
  };
  const idOf = async (orderNo: string): Promise<string> => {
    const [row] = await tenant.database.sql<{ id: string }[]>`
      select id from deposit_orders where order_no = ${orderNo}`;
    return row?.id ?? '';
  };
  const create = async (merchant: TestMerchant, amount: number): Promise<Held> => {
    const { orderNo } = await tenant.deposit(merchant, { amount: amount.toFixed(2) });
    return { id: await idOf(orderNo), orderNo, amount, fee: amount / 10 };
  };
  const match = async ({ id: depositId }: Held, amount: number): Promise<void> => {
    const { transfer } = await tenant.notify({
      accountId,
      amount: amount.toFixed(2),
      memo: '',
      bankReference: uuidv7(),
    });
    await tenant.database.transaction(
      async (tx) =>
        await matchDeposit(tx, issueWarrant('matchTransfer'), {
          transferId: transfer.id,
          depositId,
          fee: money(String(amount)).div(10),
          actor: 'operator:test',
          reason: 'test',
          now: tenant.now(),
        }),
    );
  };
  /** The step that its money's workflow runs. @param together credits it in a batch of one */
  const credit = async (merchant: TestMerchant, held: Held, amount: number, together = false) => {
    const deposit = await findDeposit(tenant.database, { id: held.id });
    if (!deposit) throw new Error('no deposit');
    const [actual, fee] = [money(String(amount)), money(String(amount)).div(10)];
    const one = {
      depositId: held.id,
      merchantId: merchant.id,
      actual,
      fee,
      callbackBody: '{}',
      postings: depositCredit(merchant.id, actual, feeOfCredit(fee, deposit)),
      now: tenant.now(),
    };
    return together ? (await creditDeposits(tenant.database, [one]))[0] : await creditDeposit(tenant.database, one);
  };
  const pay = async (
    ...[merchant, held, amount = held.amount, together]: readonly [
      ...(readonly [TestMerchant, Held]),
      ...(readonly [number?, boolean?]),
    ]
  ): Promise<void> => {
    await match(held, amount);
    expect(await credit(merchant, held, amount, together)).toBe(true);
  };
  const cancel = async ({ orderNo }: Held): Promise<void> => {
    await tenant.operate('CancelDeposit', { orderNo, reason: 'test' });
  };
  const expire = async ({ id }: Held): Promise<void> => {
    const at = new Date(Date.now() + 3_600_000);
    expect(await expireDeposit(tenant.database, id, null, at)).toBe(true);
  };
  const feesOf = async ({ id }: Held): Promise<string[]> =>
    (await postedFor(tenant, id)).filter((line) => line.startsWith('FEE_'));

  it.each([false, true])('are held, and captured with a credit in full', async (together) => {
    const merchant = await prepaying('50');
    const held = await create(merchant, 100);
    expect(await balance(merchant)).toBe('40 10 0');
    expect(await tenant.operate('Deposit', { orderNo: held.orderNo })).toMatchObject({
      fee: '10.0000',
      feeHeld: '10.0000',
      feeReleasedAt: null,
    });
    await pay(merchant, held, 100, together);
    expect(await balance(merchant)).toBe('140 0 0');
    expect((await feesOf(held)).sort()).toEqual([
      'FEE_CAPTURED fee_income 10.0000',
      'FEE_CAPTURED merchant:frozen -10.0000',
      'FEE_HELD merchant:available -10.0000',
      'FEE_HELD merchant:frozen 10.0000',
    ]);
  });

  it('refuse a deposit that the available balance does not cover, and leave no rows', async () => {
    const merchant = await prepaying('15');
    await create(merchant, 100);
    const merchantOrderNo = uuidv7();
    const refused = { kind: 'INSUFFICIENT_MERCHANT_BALANCE' };
    await expect(tenant.deposit(merchant, { amount: '60.00', merchantOrderNo })).rejects.toMatchObject(refused);
    expect(await balance(merchant)).toBe('5 10 0');
    expect(
      await tenant.database.sql`
        select from merchant_order_numbers where merchant_order_no = ${merchantOrderNo}`,
    ).toHaveLength(0);
    await topUp(merchant, '1');
    await tenant.deposit(merchant, { amount: '60.00', merchantOrderNo });
    // A used order number is refused first, for any balance.
    await expect(tenant.deposit(merchant, { amount: '60.00', merchantOrderNo })).rejects.toMatchObject({
      kind: 'CONFLICT',
    });
  });

  it.each<[string, (held: Held) => Promise<unknown>]>([
    ['is cancelled', cancel],
    ['expires', expire],
    ['fails', async ({ id }) => await failDeposit(tenant.database, id, null, 'test', tenant.now())],
    [
      'is cancelled when its money is there',
      async (held) => {
        await match(held, 100);
        await cancel(held);
      },
    ],
  ])('are released when the order %s', async (_, end) => {
    const merchant = await prepaying('50');
    const held = await create(merchant, 100);
    await end(held);
    expect(await balance(merchant)).toBe('50 0 0');
    expect((await feesOf(held)).filter((line) => line.startsWith('FEE_RELEASED'))).toHaveLength(2);
  });

  it('are taken from the credit of an order that was opened again', async () => {
    const merchant = await prepaying('50', { latePayment: 'REOPEN' });
    const held = await create(merchant, 100);
    await expire(held);
    await pay(merchant, held);
    expect(await balance(merchant)).toBe('140 0 0');
    expect((await feesOf(held)).filter((line) => line.startsWith('FEE_CAPTURED'))).toEqual([]);
  });

  it('are released in part after a smaller payment, and completed by the credit after a larger one', async () => {
    const merchant = await prepaying('50');
    const [less, more] = [await create(merchant, 100), await create(merchant, 100)];
    await pay(merchant, less, 60);
    expect(await balance(merchant)).toBe('94 10 0');
    await pay(merchant, more, 200);
    // The fee of 200 exceeds the held one; the credit of 200 pays the other 10.
    expect(await balance(merchant)).toBe('284 0 0');
  });

  it('leave the whole credit for its hold days, and a recall takes the received amount', async () => {
    const merchant = await prepaying('10', { holdDays: 2 });
    const held = await create(merchant, 100);
    await pay(merchant, held);
    expect(await balance(merchant)).toBe('0 100 0');
    await tenant.operate('RecallDeposit', {
      orderNo: held.orderNo,
      reason: 'called back',
      evidence: { text: 'a letter' },
    });
    // The fee stays earned.
    expect(await balance(merchant)).toBe('0 0 0');
  });

  it('refuse new orders while the merchant owes us, and cover the debt when they are released', async () => {
    const merchant = await prepaying('20');
    const [first, second] = [await create(merchant, 100), await create(merchant, 100)];
    await pay(merchant, first);
    await tenant.operate('AdjustBalance', {
      merchantId: merchant.id,
      currencyCode: 'THB',
      amount: '-95',
      reason: 'test',
      evidence: { text: 'test' },
    });
    await tenant.operate('RecallDeposit', {
      orderNo: first.orderNo,
      reason: 'called back',
      evidence: { text: 'a letter' },
    });
    expect(await balance(merchant)).toBe('0 10 95');
    await expect(create(merchant, 10)).rejects.toMatchObject({
      kind: 'INSUFFICIENT_MERCHANT_BALANCE',
    });
    await cancel(second);
    expect(await balance(merchant)).toBe('0 0 85');
  });

  it('are held for the order of a cashier session', async () => {
    const merchant = await prepaying('0', {}, { cashierAmounts: { denominations: ['100'] } });
    const { token } = await tenant.cashier(merchant);
    const submit = async (): Promise<unknown> => await tenant.asPayer(token, 'SubmitCashierSession', { amount: '100' });
    await expect(submit()).rejects.toMatchObject({ kind: 'INSUFFICIENT_MERCHANT_BALANCE' });
    await topUp(merchant, '10');
    await submit();
    expect(await balance(merchant)).toBe('0 10 0');
  });

  it('are set by two people, and do not change for existing orders', async () => {
    const merchant = await prepaying('50', {}, { prepaid: false });
    const before = await create(merchant, 100);
    const set = async (prepaid: boolean): Promise<{ change: { status: string; id: string } }> =>
      await tenant.operate('UpdateMerchant', {
        id: merchant.id,
        currencies: [{ currencyCode: 'THB', prepaid }],
        reason: 'agreed',
      });
    tenant.changes.onePerson = false;
    const { change } = await set(true);
    expect(change.status).toBe('PROPOSED');
    const bob = await tenant.person('bob', ['approve']);
    await tenant.operate('ApproveChange', { id: change.id, reason: 'seen' }, bob);
    tenant.changes.onePerson = true;
    const now = { ...merchant, actor: await tenant.actorOf(merchant.apiKey) };
    const after = await create(now, 100);
    await set(false);
    expect(await balance(merchant)).toBe('40 10 0');
    await pay(merchant, before);
    await pay(merchant, after);
    expect(await balance(merchant)).toBe('230 0 0');
  });

  it('equal the frozen sum and leave no balance below zero under random concurrent steps', async () => {
    // Accounts that each creation locks, and one that it does not lock.
    await tenant.account('THB', { limits: { maxDailyAmount: '100000000' } });
    const whole = fc.integer({ min: 1, max: 90 }).map((tens) => tens * 10);
    const picked = fc.nat({ max: 50 });
    const step = fc.oneof(
      fc.record({
        act: fc.constant('create' as const),
        amounts: fc.array(whole, { minLength: 1, maxLength: 6 }),
      }),
      fc.record({ act: fc.constantFrom('cancel', 'expire' as const), at: picked }),
      fc.record({
        act: fc.constant('pay' as const),
        at: picked,
        together: fc.boolean(),
        amount: fc.option(whole, { nil: undefined }),
      }),
      fc.record({ act: fc.constant('topUp' as const), amount: whole }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const merchant = await prepaying('100');
        let available = 100;
        const open: Held[] = [];
        const frozen = (): number => open.reduce((sum, { fee }) => sum + fee, 0);
        for (const one of steps) {
          if (one.act === 'topUp') {
            await topUp(merchant, String(one.amount));
            available += one.amount;
          } else if (one.act === 'create') {
            const made = await Promise.allSettled(one.amounts.map(async (amount) => await create(merchant, amount)));
            const accepted = made.flatMap((m) => (m.status === 'fulfilled' ? [m.value] : []));
            open.push(...accepted);
            available -= accepted.reduce((sum, { fee }) => sum + fee, 0);
            expect(available).toBeGreaterThanOrEqual(0);
            for (const [at, outcome] of made.entries())
              if (outcome.status === 'rejected') {
                expect(outcome.reason).toMatchObject({ kind: 'INSUFFICIENT_MERCHANT_BALANCE' });
                // The balance at the refusal was not higher than the current one.
                expect((one.amounts[at] ?? 0) / 10).toBeGreaterThan(available);
              }
          } else if (open.length > 0) {
            const [held] = open.splice(one.at % open.length, 1);
            if (!held) continue;
            if (one.act === 'pay') {
              const amount = one.amount ?? held.amount;
              await pay(merchant, held, amount, one.together);
              available += held.fee + amount - amount / 10;
            } else {
              await (one.act === 'cancel' ? cancel(held) : expire(held));
              available += held.fee;
            }
          }
          expect(await balance(merchant)).toBe(`${available} ${frozen()} 0`);
        }
      }),
      { numRuns: RUNS, seed: 18 },
    );
  }, 60_000);
});
