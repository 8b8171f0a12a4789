import { uuidv7 } from 'uuidv7';
import { type Answer, type MerchantClient, Platform } from '../support/platform';
import { expectWholeLedger } from '../support/whole-ledger';

describe('withdrawals racing for a balance', () => {
  let platform: Platform;

  const open = async (options?: Parameters<typeof Platform.open>[0]): Promise<void> => {
    platform = await Platform.open(options);
    await platform.tenant.operate('PutBanks', {
      currencyCode: 'USD',
      reason: 'test',
      banks: [{ bankCode: 'GOODBANK', name: 'The Good Bank' }],
    });
  };
  afterEach(async () => {
    await platform.close();
  });

  async function withdrawer(amount: string): Promise<MerchantClient> {
    const merchant = await platform.merchant({ canWithdraw: true });
    await platform.tenant.operate('TopUpBalance', {
      merchantId: merchant.id,
      currencyCode: 'USD',
      amount,
      reason: 'test',
      evidence: { text: 'wire' },
    });
    return merchant;
  }
  const create = async (merchant: MerchantClient, number = uuidv7()): Promise<Answer> =>
    await merchant.signed('POST', '/orders/withdrawal', {
      merchant_order_no: number,
      amount: '10',
      currency_code: 'USD',
      beneficiary_name: 'Ann',
      beneficiary_account: '1',
      beneficiary_bank_code: 'GOODBANK',
    });
  const count = (answers: readonly Answer[], code: string): number =>
    answers.filter(({ body }) => body.code === code).length;
  const balanceOf = async ({ id }: MerchantClient): Promise<unknown> => {
    const [row] = await platform.tenant.database.sql`
      select available::text, frozen::text from merchant_balances
      where merchant_id = ${id} and currency_code = 'USD'`;
    return row;
  };

  it('accepts 100 of 200 withdrawals of 10 from 1,000, and refuses 100', async () => {
    await open();
    const merchant = await withdrawer('1000');
    const answers = await Promise.all(Array.from({ length: 200 }, async () => await create(merchant)));
    const accepted = count(answers, 'SUCCESS');
    const refused = count(answers, 'INSUFFICIENT_MERCHANT_BALANCE');
    process.stdout.write(`withdrawals: asked=200 accepted=${accepted} refused=${refused}\n`);
    expect([accepted, refused]).toEqual([100, 100]);
    expect(await balanceOf(merchant)).toEqual({ available: '0.0000', frozen: '1000.0000' });
    const [rows] = await platform.tenant.database.sql<{ orders: number; numbers: number }[]>`
      select (select count(*) from withdrawal_orders where merchant_id = ${merchant.id})::int as orders,
        (select count(*) from merchant_order_numbers where merchant_id = ${merchant.id})::int as numbers`;
    expect(rows).toEqual({ orders: 100, numbers: 100 });
    await expectWholeLedger(platform.tenant);
  });

  it('accepts one of 50 creates with one number', async () => {
    await open();
    const merchant = await withdrawer('1000');
    const number = uuidv7();
    const answers = await Promise.all(Array.from({ length: 50 }, async () => await create(merchant, number)));
    expect([count(answers, 'SUCCESS'), count(answers, 'CONFLICT')]).toEqual([1, 49]);
    expect(await balanceOf(merchant)).toEqual({ available: '990.0000', frozen: '10.0000' });
  });

  it('answers OPTIMISTIC_LOCK_ERROR while the balance is locked, writes nothing, and blocks no other merchant', async () => {
    // A timeout while waiting for a lock must be reported as such, not as the request's deadline.
    await open({ patience: 1, deps: { answerWithinMs: 60_000 } });
    const [held, free] = [await withdrawer('1000'), await withdrawer('1000')];
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let hold = (): void => undefined;
    const holding = new Promise<void>((resolve) => {
      hold = resolve;
    });
    const holder = platform.tenant.database.transaction(async (tx) => {
      await tx`set local idle_in_transaction_session_timeout = 0`;
      await tx`select from merchant_balances where merchant_id = ${held.id} for update`;
      hold();
      await released;
    });
    await holding;
    const numbers = Array.from({ length: 40 }, () => uuidv7());
    const blocked = Promise.all(numbers.map(async (number) => await create(held, number)));
    // Other merchants are served meanwhile.
    const others = await Promise.all(Array.from({ length: 40 }, async () => await create(free)));
    const answers = await blocked;
    release();
    await holder;
    expect(count(others, 'SUCCESS')).toBe(40);
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['503 OPTIMISTIC_LOCK_ERROR']),
    );
    expect(answers.map(({ headers }) => headers['retry-after'])).not.toContain(undefined);
    expect(await balanceOf(held)).toEqual({ available: '1000.0000', frozen: '0.0000' });
    const rows = await platform.tenant.database.sql`
      select from merchant_order_numbers where merchant_id = ${held.id}`;
    expect(rows).toHaveLength(0);
    // When the lock is released, the same number is accepted.
    expect((await create(held, numbers[0])).status).toBe(201);
  });
});
