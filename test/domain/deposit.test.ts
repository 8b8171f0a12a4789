import { depositCallbackBody } from '../../domain/callback';
import { feeOn } from '../../domain/fees';
import { orderNo } from '../../domain/ids';
import { depositCredit } from '../../domain/ledger';
import { formatMoney, type Money, money, ZERO } from '../../domain/money';

describe('the fee', () => {
  it.each([
    ['100', '1.5', '0', 2, '1.5000'],
    ['100.50', '1.5', '0', 2, '1.5100'],
    ['0.33', '1.5', '0', 2, '0.0000'],
    ['1000', '0', '12.5', 2, '12.5000'],
    ['1000', '2.25', '3', 2, '25.5000'],
    // A half rounds up, not to the even neighbour.
    ['1', '0.5', '0', 2, '0.0100'],
    ['100', '2.5', '0', 0, '3.0000'],
    ['100', '0.5', '0', 0, '1.0000'],
    ['10033', '1.5', '0', 0, '150.0000'],
    ['10034', '1.5', '0', 0, '151.0000'],
  ])('on %s at %s %% + %s with %i decimals is %s', (amount, percent, fixed, decimals, fee) => {
    const rule = { percent: money(percent), fixed: money(fixed) };
    expect(formatMoney(feeOn(money(amount), rule, decimals))).toBe(fee);
  });
});

const sumOf = (postings: readonly { readonly amount: Money }[]): Money => {
  let sum = ZERO;
  for (const { amount } of postings) sum = sum.plus(amount);
  return sum;
};

describe('crediting a deposit', () => {
  it('posts lines that sum to zero, and none of amount zero', () => {
    const withFee = depositCredit('m', money('100'), money('1.5'));
    expect(withFee.map(({ account, amount }) => `${account} ${formatMoney(amount)}`)).toEqual([
      'suspense -100.0000',
      'merchant:m:available 98.5000',
      'fee_income 1.5000',
    ]);
    const free = depositCredit('m', money('100'), ZERO);
    expect(sumOf(withFee).isZero()).toBe(true);
    expect(free.map(({ account }) => account)).toEqual(['suspense', 'merchant:m:available']);
    expect(sumOf(free).isZero()).toBe(true);
  });
});

describe('a gateway order number', () => {
  it('is kind, UTC day and twelve characters of base 32', () => {
    const lastMoment = new Date('2026-12-31T23:59:59.999Z');
    expect(orderNo('D', lastMoment, new Uint8Array(12))).toBe('D20261231000000000000');
    expect(orderNo('W', lastMoment, new Uint8Array(12).fill(255))).toBe('W20261231ZZZZZZZZZZZZ');
  });
});

describe('the body of a callback', () => {
  const at = new Date('2026-01-02T03:04:05.678Z');
  const news = {
    orderNo: 'D1',
    merchantOrderNo: 'm-1',
    requestedAmount: money('100'),
    actualAmount: money('99.5'),
    currencyCode: 'THB',
    matchedAt: new Date('2026-01-02T03:04:05Z'),
    extraData: null,
  };

  it('of deposit.completed is exactly the contract’s', () => {
    expect(depositCallbackBody('COMPLETED', news, at)).toBe(
      '{"event":"deposit.completed","order_no":"D1","merchant_order_no":"m-1","amount":"100.0000",' +
        '"actual_amount":"99.5000","currency":"THB","status":"completed",' +
        '"matched_at":"2026-01-02T03:04:05.000Z","completed_at":"2026-01-02T03:04:05.678Z"}',
    );
  });

  it('of deposit.expired is exactly the contract’s', () => {
    expect(depositCallbackBody('EXPIRED', news, at)).toBe(
      '{"event":"deposit.expired","order_no":"D1","merchant_order_no":"m-1","amount":"100.0000",' +
        '"actual_amount":"0.0000","currency":"THB","status":"expired",' +
        '"expired_at":"2026-01-02T03:04:05.678Z"}',
    );
  });

  it('of deposit.cancelled is exactly the contract’s', () => {
    expect(depositCallbackBody('CANCELLED', news, at)).toBe(
      '{"event":"deposit.cancelled","order_no":"D1","merchant_order_no":"m-1","status":"cancelled",' +
        '"amount":"100.0000","actual_amount":"0.0000","currency":"THB","currency_code":"THB",' +
        '"cancelled_at":"2026-01-02T03:04:05.678Z"}',
    );
  });

  it('contains extra_data, unchanged, only if the merchant sent it', () => {
    const echoed = depositCallbackBody('COMPLETED', { ...news, extraData: '{"a": "é\\n"}' }, at);
    expect(JSON.parse(echoed)).toHaveProperty('extra_data', '{"a": "é\\n"}');
    expect(JSON.parse(depositCallbackBody('COMPLETED', { ...news, extraData: '' }, at))).toHaveProperty(
      'extra_data',
      '',
    );
  });
});
