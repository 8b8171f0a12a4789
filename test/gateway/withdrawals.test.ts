import { uuidv7 } from 'uuidv7';
import { openBody } from '../../crypto/callback-body';
import { type Answer, type MerchantClient, Platform } from '../support/platform';
import { expectWholeLedger } from '../support/whole-ledger';

const NOW = new Date('2026-01-02T03:04:05.006Z');
const NOW_TEXT = '2026-01-02T03:04:05.006Z';

const body = (fields: Record<string, unknown> = {}) => ({
  merchant_order_no: uuidv7(),
  amount: '100.00',
  currency_code: 'USD',
  beneficiary_name: 'Ann Example',
  beneficiary_account: '001-555-9',
  beneficiary_bank_code: 'GOODBANK',
  callback_url: 'https://merchant.example/callback',
  ...fields,
});

const refusal = (status: number, code: string) => ({
  status,
  body: { success: false, code, data: null },
});

describe('withdrawals of the merchant API', () => {
  let platform: Platform;
  let merchant: MerchantClient;

  const operate = async <Result>(name: string, variables: Record<string, unknown>): Promise<Result> =>
    await platform.tenant.operate<Result>(name, { reason: 'test', ...variables });

  async function withdrawer(
    available: string,
    settings: Record<string, unknown> = {},
    currency: Record<string, unknown> = { withdrawalFee: { fixed: '2' } },
  ): Promise<MerchantClient> {
    const made = await platform.merchant({ canWithdraw: true, ...settings }, currency);
    if (available !== '0')
      await operate('TopUpBalance', {
        merchantId: made.id,
        currencyCode: 'USD',
        amount: available,
        evidence: { text: 'wire' },
      });
    return made;
  }

  beforeAll(async () => {
    platform = await Platform.open();
    platform.tenant.now = () => NOW;
    await operate('PutBanks', {
      currencyCode: 'USD',
      banks: [
        { bankCode: 'GOODBANK', name: 'The Good Bank' },
        { bankCode: 'SHUTBANK', name: 'The Shut Bank', enabled: false },
      ],
    });
    merchant = await withdrawer('100000');
  });
  afterAll(async () => {
    await platform.close();
  });

  const create = async (fields: Record<string, unknown> = {}, sender = merchant): Promise<Answer> =>
    await sender.signed('POST', '/orders/withdrawal', body(fields));
  const balance = async (sender: MerchantClient): Promise<unknown> => {
    const answer = await sender.signed('GET', '/balance');
    const items = answer.body.data?.['items'] as Record<string, unknown>[];
    return items.map((item) => [item['available_balance'], item['frozen_balance']]);
  };

  it.each(['\u0001', '\t', '\u007f', '\u009f'])(
    'refuses control character %j in fields that banks see',
    async (control) => {
      for (const field of ['name', 'account', 'bank_code', 'bank_branch'])
        expect(await create({ [`beneficiary_${field}`]: `a${control}b` })).toMatchObject(
          refusal(422, 'VALIDATION_ERROR'),
        );
    },
  );

  it('answers a create and both queries with exactly the keys of the contract', async () => {
    const own = await withdrawer('500');
    const sent = body({ beneficiary_bank_branch: 'Old Town', extra_data: 'mine' });
    const created = await own.signed('POST', '/orders/withdrawal', sent);
    expect(created.status).toBe(201);
    const expected = {
      id: expect.any(String) as unknown,
      order_no: expect.stringMatching(/^W20260102[0-9A-HJKMNP-TV-Z]{12}$/) as unknown,
      merchant_order_no: sent.merchant_order_no,
      merchant_id: own.id,
      account_id: null,
      amount: '100.0000',
      fee: '2.0000',
      actual_amount: '0.0000',
      currency_code: 'USD',
      beneficiary_name: 'Ann Example',
      beneficiary_account: '001-555-9',
      beneficiary_bank_code: 'GOODBANK',
      beneficiary_bank_name: 'The Good Bank',
      beneficiary_bank_branch: 'Old Town',
      payout_method: null,
      status: 'pending',
      is_auto_approved: false,
      approved_at: null,
      approved_by: null,
      approval_remarks: null,
      processed_at: null,
      completed_at: null,
      bank_reference: null,
      callback_url: 'https://merchant.example/callback',
      callback_status: null,
      callback_count: 0,
      created_at: NOW_TEXT,
      updated_at: NOW_TEXT,
      needs_manual_intervention: false,
      manual_reason: null,
      channel_id: null,
      channel_name: null,
      channel_order_no: null,
      estimated_channel_cost: null,
      estimated_profit: null,
      actual_channel_cost: null,
      actual_profit: null,
      merchant: { id: own.id, merchant_code: own.merchantCode, name: 'Test merchant' },
      approver: null,
    };
    expect(created.body).toEqual({ success: true, code: 'SUCCESS', message: 'OK', data: expected });
    const orderNo = String(created.body.data?.['order_no']);
    for (const path of [
      `/query/withdrawal/${orderNo}`,
      `/query/withdrawal?merchant_order_no=${sent.merchant_order_no}`,
    ]) {
      const answer = await own.signed('GET', path);
      expect([answer.status, answer.body.data]).toEqual([200, created.body.data]);
    }
    expect(await balance(own)).toEqual([['398.0000', '102.0000']]);
    // Another merchant's number, and the other kind of order.
    expect(await merchant.signed('GET', `/query/withdrawal/${orderNo}`)).toMatchObject(refusal(404, 'NOT_FOUND'));
    for (const path of [orderNo, `?merchant_order_no=${sent.merchant_order_no}`])
      expect(await own.signed('GET', `/query/deposit${path.startsWith('?') ? '' : '/'}${path}`)).toMatchObject(
        refusal(404, 'NOT_FOUND'),
      );
  });

  it.each([
    ['no number', { merchant_order_no: undefined }],
    ['an empty number', { merchant_order_no: '' }],
    ['a long number', { merchant_order_no: 'x'.repeat(65) }],
    ['no amount', { amount: undefined }],
    ['nothing', { amount: '0' }],
    ['a negative amount', { amount: '-1' }],
    ['three decimals', { amount: '1.001' }],
    ['no currency', { currency_code: undefined }],
    ['a currency in lower case', { currency_code: 'usd' }],
    ['no name', { beneficiary_name: undefined }],
    ['an empty name', { beneficiary_name: '' }],
    ['a long name', { beneficiary_name: 'x'.repeat(129) }],
    ['a name that is a number', { beneficiary_name: 5 }],
    ['no account', { beneficiary_account: undefined }],
    ['a long account', { beneficiary_account: '1'.repeat(65) }],
    ['no bank', { beneficiary_bank_code: undefined }],
    ['a long bank code', { beneficiary_bank_code: 'B'.repeat(33) }],
    ['a long branch', { beneficiary_bank_branch: 'x'.repeat(129) }],
    ['a plain callback', { callback_url: 'http://merchant.example/' }],
    ['no callback address', { callback_url: 'somewhere' }],
  ])('refuses %s with 422', async (_what, wrong) => {
    const fields = JSON.parse(JSON.stringify(body(wrong))) as Record<string, unknown>;
    const before = await balance(merchant);
    expect(await merchant.signed('POST', '/orders/withdrawal', fields)).toMatchObject(refusal(422, 'VALIDATION_ERROR'));
    expect(await balance(merchant)).toEqual(before);
  });

  it.each([
    ['a currency that is not enabled', { currency_code: 'EUR' }],
    ['a bank that is not in the directory', { beneficiary_bank_code: 'NOBANK' }],
    ['a bank code in other letters', { beneficiary_bank_code: 'goodbank' }],
    ['a bank that takes nothing now', { beneficiary_bank_code: 'SHUTBANK' }],
    ['more than one may be', { amount: '50000.01' }],
    ['less than one may be', { amount: '0.99' }],
  ])('refuses %s as a business error, and leaves the number free', async (_what, fields) => {
    const limited = await withdrawer('100000', {}, { withdrawalLimits: { min: '1', max: '50000' } });
    const number = uuidv7();
    expect(await create({ ...fields, merchant_order_no: number }, limited)).toMatchObject(
      refusal(400, 'BUSINESS_ERROR'),
    );
    expect(await balance(limited)).toEqual([['100000.0000', '0.0000']]);
    expect((await create({ merchant_order_no: number }, limited)).status).toBe(201);
  });

  it('checks the number, then the bank, then the balance', async () => {
    const poor = await withdrawer('0');
    expect(await create({ beneficiary_bank_code: 'NOBANK' }, poor)).toMatchObject(refusal(400, 'BUSINESS_ERROR'));
    expect(await create({}, poor)).toMatchObject(refusal(400, 'INSUFFICIENT_MERCHANT_BALANCE'));
    const number = uuidv7();
    expect((await create({ merchant_order_no: number })).status).toBe(201);
    for (const wrong of [{}, { beneficiary_bank_code: 'NOBANK' }, { currency_code: 'EUR' }])
      expect(await create({ merchant_order_no: number, ...wrong })).toMatchObject(refusal(409, 'CONFLICT'));
    expect(await create({ merchant_order_no: number, amount: '1e400' })).toMatchObject(
      refusal(422, 'VALIDATION_ERROR'),
    );
    // All kinds of orders share one namespace.
    await platform.account();
    const deposit = {
      merchant_order_no: number,
      amount: '5',
      currency_code: 'USD',
      callback_url: 'https://merchant.example/callback',
    };
    expect(await merchant.signed('POST', '/orders/deposit', deposit)).toMatchObject(refusal(409, 'CONFLICT'));
  });

  it('refuses a balance that covers the amount without the fee', async () => {
    const own = await withdrawer('101.99');
    expect(await create({}, own)).toMatchObject(refusal(400, 'INSUFFICIENT_MERCHANT_BALANCE'));
    expect(await balance(own)).toEqual([['101.9900', '0.0000']]);
    expect((await create({ amount: '99.99' }, own)).status).toBe(201);
    expect(await balance(own)).toEqual([['0.0000', '101.9900']]);
  });

  it('answers 403 without can_withdraw; queries still work', async () => {
    const depositor = await platform.merchant();
    expect(await create({}, depositor)).toMatchObject(refusal(403, 'AUTHORIZATION_ERROR'));
    expect(await depositor.signed('GET', '/query/withdrawal/W1')).toMatchObject(refusal(404, 'NOT_FOUND'));
    expect(await depositor.signed('GET', '/query/withdrawal')).toMatchObject(refusal(422, 'VALIDATION_ERROR'));
  });

  it.each([
    ['absent', {}],
    ['null', { callback_url: null }],
    ['empty', { callback_url: '' }],
  ])('uses the default where the callback address is %s', async (_what, fields) => {
    const own = await withdrawer('500', { defaultCallbackUrl: 'https://default.example/' });
    const { callback_url: _own, ...rest } = body();
    const answer = await own.signed('POST', '/orders/withdrawal', { ...rest, ...fields });
    expect(answer.body.data?.['callback_url']).toBe('https://default.example/');
    const bare = await withdrawer('500');
    const silent = await bare.signed('POST', '/orders/withdrawal', { ...rest, ...fields });
    expect([silent.status, silent.body.data?.['callback_url']]).toEqual([201, null]);
  });

  it('approves automatically within the rules, and notifies the merchant', async () => {
    const own = await withdrawer('5000');
    await operate('PutReviewRules', {
      merchantId: own.id,
      currencyCode: 'USD',
      rules: {
        autoApproveUpTo: '1000',
        newBeneficiary: false,
        twoPeopleAbove: '2000',
        merchantDayOrders: 2,
      },
    });
    const passed = await create({ amount: '1000', extra_data: 'x' }, own);
    expect(passed.body.data).toMatchObject({
      status: 'approved',
      is_auto_approved: true,
      approved_at: NOW_TEXT,
      approved_by: 'system',
      approver: null,
      approval_remarks: null,
    });
    const orderNo = String(passed.body.data?.['order_no']);
    const { database, sealer } = platform.tenant;
    const [log] = await database.sql<{ type: string; body: string; merchantId: string }[]>`
      select notification_type as type, request_body as body, merchant_id from notification_logs
      where order_no = ${orderNo}`;
    expect(log?.type).toBe('withdrawal_approved');
    expect(log?.body).not.toContain('"x"');
    expect(JSON.parse(openBody(sealer, log?.body ?? '', log?.merchantId ?? ''))).toEqual({
      event: 'withdrawal.approved',
      order_no: orderNo,
      merchant_order_no: passed.body.data?.['merchant_order_no'],
      status: 'approved',
      amount: '1000.0000',
      actual_amount: '0.0000',
      fee: '2.0000',
      currency: 'USD',
      currency_code: 'USD',
      approved_at: NOW_TEXT,
      extra_data: 'x',
    });
    const stands = async (answer: Answer): Promise<unknown> => {
      const shown = await platform.tenant.operate<{
        status: string;
        peopleNeeded: number;
        reviewReasons: string[];
      }>('Withdrawal', { orderNo: answer.body.data?.['order_no'] });
      return [shown.status, shown.peopleNeeded, shown.reviewReasons];
    };
    expect(await stands(await create({ amount: '1000.01' }, own))).toEqual([
      ...['PENDING', 1],
      ['ABOVE_AUTO_APPROVAL'],
    ]);
    // The third on this day.
    expect(await stands(await create({ amount: '1' }, own))).toEqual([...['PENDING', 1], ['MERCHANT_DAY_ORDERS']]);
    expect(await stands(await create({ amount: '2000.01' }, own))).toEqual([
      ...['PENDING', 2],
      ['ABOVE_TWO_PEOPLE', 'ABOVE_AUTO_APPROVAL', 'MERCHANT_DAY_ORDERS'],
    ]);
  });

  it('keeps daily limits under concurrent creates', async () => {
    const own = await withdrawer('5000');
    await operate('PutReviewRules', {
      merchantId: own.id,
      currencyCode: 'USD',
      rules: { autoApproveUpTo: '1000', newBeneficiary: false, merchantDayAmount: '70' },
    });
    const answers = await Promise.all(Array.from({ length: 20 }, async () => await create({ amount: '10' }, own)));
    const statuses = answers.map(({ body: { data } }) => data?.['status']);
    expect(statuses.filter((status) => status === 'approved')).toHaveLength(7);
    expect(statuses.filter((status) => status === 'pending')).toHaveLength(13);
  });

  it('recognises a beneficiary in any spelling of its number', async () => {
    const own = await withdrawer('5000');
    const rules = { autoApproveUpTo: '100', newBeneficiary: false };
    const decided = async (beneficiary_account: string): Promise<unknown> => {
      const { body: made } = await create({ amount: '1', beneficiary_account }, own);
      const orderNo = made.data?.['order_no'];
      const { peopleNeeded, reviewReasons } = await platform.tenant.operate<{
        peopleNeeded: number;
        reviewReasons: string[];
      }>('Withdrawal', { orderNo });
      return [peopleNeeded, ...reviewReasons];
    };
    await operate('PutReviewRules', { merchantId: own.id, currencyCode: 'USD', rules });
    await operate('ListBeneficiary', {
      merchantId: own.id,
      bankCode: 'GOODBANK',
      accountNo: 'ab-666',
      list: 'DENY',
      evidence: { text: 'stolen' },
    });
    for (const spelt of ['ab-666', 'AB666', ' ab 666', 'ab–6.6/6', 'ＡＢ６６６', 'a\u200bb666', 'ab\u0301666'])
      expect([spelt, await decided(spelt)]).toEqual([spelt, [2, 'DENYLISTED']]);
    for (const another of ['ab-6660', '666', '-', '--'])
      expect([another, await decided(another)]).toEqual([another, [0]]);

    // The allow list matches exact spellings only.
    await operate('ListBeneficiary', {
      merchantId: own.id,
      bankCode: 'GOODBANK',
      accountNo: '77-7',
      list: 'ALLOW',
      evidence: { text: 'known' },
    });
    await operate('PutReviewRules', {
      merchantId: own.id,
      currencyCode: 'USD',
      rules: { ...rules, beneficiaryDayOrders: 2 },
    });
    expect(await decided('77-7')).toEqual([0, 'ALLOWLISTED']);
    expect(await decided('777')).toEqual([0]);
    expect(await decided('7 7 7')).toEqual([1, 'BENEFICIARY_DAY_ORDERS']);
    expect(await decided('77-7')).toEqual([0, 'ALLOWLISTED']);
  });

  it('leaves a ledger that verifies', async () => {
    await expectWholeLedger(platform.tenant);
  });
});
