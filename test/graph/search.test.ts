import pino from 'pino';
import type { Actor } from '../../steps/access/actor';
import { operatorDocument, Tenant, type TestDeposit, type TestMerchant } from '../support/tenant';

interface Hit {
  field: string;
  exact: boolean;
  found: {
    orderNo?: string;
    merchantOrderNo?: string;
    bankReference?: string;
    merchantCode?: string;
    amount?: string;
  };
}

describe('the search box', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let other: TestMerchant;
  let paid: TestDeposit;
  let longer: TestDeposit;

  beforeAll(async () => {
    tenant = await Tenant.create();
    merchant = await tenant.merchant();
    other = await tenant.merchant();
    const accountId = await tenant.account();
    paid = await tenant.deposit(merchant, {
      merchantOrderNo: 'shop_100%',
      userId: 'Ann-7',
      amount: '4321.00',
      accountNo: '1111-2222-9876',
    });
    longer = await tenant.deposit(other, { merchantOrderNo: 'shop_100%-b', userId: 'Ann-77' });
    await tenant.deposit(other, { merchantOrderNo: 'shopX100%' });
    await tenant.notify({ accountId, memo: 'x', bankReference: 'ft 26-Ab', amount: '4321.00' });
    await tenant.notify({ accountId, memo: 'y', bankReference: 'FT26-ABC', amount: '7.00' });
  });
  afterAll(async () => {
    await tenant.close();
  });

  const search = async (text: string, actor = tenant.operator, first = 20): Promise<Hit[]> => {
    const variables = { text, first };
    const data = await tenant.graph.execute<{ search: Hit[] }, typeof variables>(
      operatorDocument('Search'),
      variables,
      actor,
      pino({ level: 'silent' }),
    );
    return data.search;
  };
  const found = (hits: readonly Hit[]): unknown[] =>
    hits.map(({ field, exact, found }) => [
      field,
      exact,
      found.bankReference ?? found.merchantCode ?? found.merchantOrderNo,
    ]);

  it.each<[string, () => string, unknown[]]>([
    ['a gateway number, in lower case', () => ` ${paid.orderNo.toLowerCase()} `, [['ORDER_NO', true, 'shop_100%']]],
    ['the beginning of a gateway number', () => paid.orderNo.slice(0, -1), [['ORDER_NO', false, 'shop_100%']]],
    [
      'a merchant number, before those that begin with it',
      () => 'shop_100%',
      [
        ['MERCHANT_ORDER_NO', true, 'shop_100%'],
        ['MERCHANT_ORDER_NO', false, 'shop_100%-b'],
      ],
    ],
    ['nothing in another case', () => 'SHOP_100%', []],
    [
      'a remark as it is read aloud',
      () => paid.expectedRemark.toLowerCase().replace(/^(...)/, '$1-'),
      [['REMARK', true, 'shop_100%']],
    ],
    [
      'a bank reference as it is printed elsewhere',
      () => 'FT26-AB',
      [
        ['BANK_REFERENCE', true, 'ft 26-Ab'],
        ['BANK_REFERENCE', false, 'FT26-ABC'],
      ],
    ],
    [
      'a user before those whose names are longer',
      () => 'Ann-7',
      [
        ['USER_ID', true, 'shop_100%'],
        ['USER_ID', false, 'shop_100%-b'],
      ],
    ],
    [
      'an amount, of deposits and of transfers',
      () => '4,321',
      [
        ['AMOUNT', true, 'ft 26-Ab'],
        ['AMOUNT', true, 'shop_100%'],
      ],
    ],
    ['the end of an account number', () => '9876', [['PAYER_LAST4', true, 'shop_100%']]],
    ['a merchant by its code', () => merchant.merchantCode, [['MERCHANT_CODE', true, 'code']]],
    ['nothing', () => 'nothing at all', []],
  ])('finds %s', async (_what, text, expected) => {
    const hits = found(await search(text()));
    const wanted = expected.map((one) =>
      (one as unknown[])[2] === 'code' ? ['MERCHANT_CODE', true, merchant.merchantCode] : one,
    );
    expect(new Set(hits)).toEqual(new Set(wanted));
    expect(hits.map((hit) => (hit as unknown[])[1])).toEqual(
      hits.map((hit) => (hit as unknown[])[1]).sort((a, b) => Number(b) - Number(a)),
    );
  });

  it('finds merchants by the prefix of their name, in any case', async () => {
    const hits = await search('TEST mer');
    expect(hits.map(({ field, exact }) => [field, exact])).toEqual([
      ['MERCHANT_NAME', false],
      ['MERCHANT_NAME', false],
    ]);
  });

  it('finds at most the given number, exact hits first', async () => {
    expect(found(await search('shop_100%', tenant.operator, 1))).toEqual([['MERCHANT_ORDER_NO', true, 'shop_100%']]);
  });

  it('shows a restricted operator only its merchants, and no bank credits', async () => {
    const actor = tenant.operator;
    if (actor.kind !== 'operator') throw new Error('no operator');
    const restricted: Actor = {
      ...actor,
      operator: { ...actor.operator, merchantIds: [other.id] },
    };
    expect(await search(paid.orderNo, restricted)).toEqual([]);
    expect(await search('4321', restricted)).toEqual([]);
    expect(await search('FT26-AB', restricted)).toEqual([]);
    expect(await search(merchant.merchantCode, restricted)).toEqual([]);
    expect(found(await search('shop_100%', restricted))).toEqual([['MERCHANT_ORDER_NO', false, 'shop_100%-b']]);
    expect(await search(longer.orderNo, restricted)).toHaveLength(1);
  });

  it.each(['', '   ', 'x'.repeat(129), 'a\0b'])('refuses %j', async (text) => {
    await expect(search(text)).rejects.toMatchObject({ kind: 'INVALID_FIELD' });
  });
});

describe('candidates of unmatched money', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let accountId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    merchant = await tenant.merchant();
    accountId = await tenant.account();
  });
  afterAll(async () => {
    await tenant.close();
  });

  interface Row {
    id: string;
    candidates: {
      reasons: string[];
      score: number;
      deposit: { orderNo: string; status: string };
    }[];
  }
  const candidatesOf = async (id: string): Promise<Row['candidates']> =>
    (await tenant.operate<Row>('BankTransfer', { id })).candidates;

  it('are the deposits that it may pay, the likeliest first, including closed ones', async () => {
    const meant = await tenant.deposit(merchant, { amount: '512.00', accountNo: '000012344321' });
    const same = await tenant.deposit(merchant, { amount: '512.00' });
    await tenant.deposit(merchant, { amount: '700.00' });
    await tenant.operate('CancelDeposit', { orderNo: same.orderNo, reason: 'test' });
    const mistyped = `${meant.expectedRemark.slice(0, 3)}${meant.expectedRemark.slice(4)}`;
    const { transfer } = await tenant.notify({
      accountId,
      amount: '512.00',
      memo: `for ${mistyped}`,
      payerAccount: 'xx4321',
    });
    expect(transfer.unmatchedReason).toBe('NO_REMARK');
    const candidates = await candidatesOf(transfer.id);
    expect(candidates.map(({ reasons, deposit }) => [deposit.orderNo, deposit.status, reasons])).toEqual([
      [meant.orderNo, 'PENDING', ['REMARK_ALIKE', 'AMOUNT', 'PAYER_ACCOUNT', 'IN_TIME']],
      [same.orderNo, 'CANCELLED', ['AMOUNT', 'IN_TIME']],
    ]);
  });

  it('are empty after it pays a deposit', async () => {
    const deposit = await tenant.deposit(merchant, { amount: '51.00' });
    const { transfer } = await tenant.notify({ accountId, amount: '51.00', memo: 'no remark' });
    expect(await candidatesOf(transfer.id)).toHaveLength(1);
    const match = { transferId: transfer.id, orderNo: deposit.orderNo, reason: 'test' };
    await tenant.operate('MatchTransfer', match);
    expect(await candidatesOf(transfer.id)).toEqual([]);
  });

  it('include an order of another account by its remark', async () => {
    const elsewhere = await tenant.account();
    const deposit = await tenant.deposit(merchant, { amount: '333.00' });
    const at = await tenant.operate<{ accountId: string }>('Deposit', { orderNo: deposit.orderNo });
    const { transfer } = await tenant.notify({
      accountId: at.accountId === elsewhere ? accountId : elsewhere,
      amount: '333.00',
      memo: deposit.expectedRemark,
    });
    expect(transfer.unmatchedReason).toBe('OTHER_ACCOUNT');
    expect((await candidatesOf(transfer.id)).map((one) => one.deposit.orderNo)).toEqual([deposit.orderNo]);
  });
});
