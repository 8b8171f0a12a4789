import { uuidv7 } from 'uuidv7';
import { type Agent, depositBody, type MerchantClient, Platform } from '../support/platform';

const refused = {
  status: 400,
  body: { success: false, code: 'BUSINESS_ERROR', data: null },
};

describe('payers at the merchant API', () => {
  let platform: Platform;
  let merchant: MerchantClient;
  let agent: Agent & { readonly id: string };
  let accountId: string;

  beforeAll(async () => {
    platform = await Platform.open();
    accountId = await platform.account();
    merchant = await platform.merchant();
    agent = await platform.agent([accountId]);
    await platform.tenant.operate('ListPayer', {
      input: { list: 'DENY', trait: 'NAME', value: 'Eve Black' },
      reason: 'fraud',
    });
    await platform.tenant.operate('ListPayer', {
      input: { list: 'WATCH', trait: 'NAME', value: 'Wade White' },
      reason: 'a look',
    });
    await rules('RETURN');
  });
  afterAll(async () => {
    await platform.close();
  });

  const rules = async (comparison: string): Promise<void> => {
    const count = { by: 'USER', counts: 'ATTEMPTS', minutes: 60, above: '1' };
    await platform.tenant.operate('PutPayerRules', {
      currencyCode: 'USD',
      merchantId: merchant.id,
      reason: 'agreed',
      rules: {
        comparison,
        velocity: [
          { ...count, outcome: 'WAIT' },
          { ...count, above: '2', outcome: 'REFUSE' },
        ],
      },
    });
  };
  const create = async (fields: Record<string, unknown> = {}) =>
    await merchant.signed('POST', '/orders/deposit', depositBody(fields));
  const pay = async (remark: unknown, fields: Record<string, unknown> = {}) =>
    (
      await platform.notify(agent, {
        account_id: accountId,
        amount: '100.00',
        currency_code: 'USD',
        memo: remark,
        bank_time: new Date().toISOString(),
        bank_reference: uuidv7(),
        ...fields,
      })
    ).body.data;

  it('are refused as a business rule refuses, behind a number that is taken', async () => {
    const taken = depositBody();
    expect((await merchant.signed('POST', '/orders/deposit', taken)).status).toBe(201);
    const said = { account_holder: 'EVE BLACK' };
    expect(await create(said)).toMatchObject(refused);
    expect(await merchant.signed('POST', '/orders/deposit', { ...taken, ...said })).toMatchObject({
      status: 409,
    });
    const free = depositBody();
    const bodies = [{ ...free, ...said }, free];
    const answers = [];
    for (const body of bodies) answers.push(await merchant.signed('POST', '/orders/deposit', body));
    expect(answers.map(({ status }) => status)).toEqual([400, 201]);
  });

  it('are served while they are watched', async () => {
    const order = await create({ account_holder: 'Wade White' });
    expect(order.status).toBe(201);
    expect(await pay(order.body.data?.['remark'])).toMatchObject({ matched: true });
  });

  it('that order too often wait, then are refused', async () => {
    const user = { user_id: uuidv7() };
    await create(user);
    const second = await create(user);
    expect(second.status).toBe(201);
    expect(await create(user)).toMatchObject(refused);
    expect(await pay(second.body.data?.['remark'])).toMatchObject({
      matched: false,
      unmatched_reason: 'payer_waits',
    });
  });

  it.each([
    ['IGNORE', { matched: true, unmatched_reason: null }],
    ['WAIT', { matched: false, unmatched_reason: 'payer_differs' }],
    // The money is returned: nobody has to match it.
    ['RETURN', { matched: false, unmatched_reason: null }],
  ])('whose names differ, with the rule %s', async (comparison, answer) => {
    await rules(comparison);
    const order = await create({ account_holder: 'Ann Lee' });
    const sender = { payer_name: 'Bob Ray', payer_account: '11223344' };
    expect(await pay(order.body.data?.['remark'], sender)).toMatchObject(answer);
  });
});
