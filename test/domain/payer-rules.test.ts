import fc from 'fast-check';
import { money } from '../../domain/money';
import { entryFor, type PayerEntry, traitsOf } from '../../domain/payer-lists';
import {
  judgePaid,
  judgePayer,
  keepPayerRules,
  type PaidCase,
  payeeOf,
  type PayerCase,
  type PayerCount,
  readPayerRules,
  VELOCITY_COUNTS,
  VELOCITY_OUTCOMES,
  VELOCITY_TRAITS,
  type VelocityRule,
  velocityWords,
} from '../../domain/payer-rules';

const NOW = new Date('2026-03-04T05:06:07Z');
const entry = (fields: Partial<PayerEntry> = {}): PayerEntry => ({
  list: 'DENY',
  trait: 'NAME',
  key: 'ANN LEE',
  merchantId: null,
  bankCode: null,
  reason: 'fraud in May',
  expiresAt: null,
  ...fields,
});
const count = (orders: number, amount = '0', failed = 0): PayerCount => ({
  orders,
  amount: money(amount),
  failed,
});
const rule = (fields: Partial<VelocityRule> = {}): VelocityRule => ({
  by: 'USER',
  counts: 'ATTEMPTS',
  minutes: 60,
  above: money('2'),
  outcome: 'WATCH',
  ...fields,
});

describe('the lists of payers', () => {
  const traits = traitsOf({ NAME: 'Lee, Ann', ACCOUNT: '12-34567', EMAIL: ' Ann@Example.COM' });
  const found = (entries: readonly PayerEntry[], fields = {}): string | null =>
    entryFor(entries, { merchantId: 'm', traits, bankCode: 'SCB', now: NOW, ...fields })?.list ?? null;

  it('know a payer by each trait', () => {
    expect(traits.map(({ trait, key }) => `${trait} ${key}`)).toEqual([
      'NAME ANN LEE',
      'ACCOUNT 1234567',
      'EMAIL ann@example.com',
    ]);
    expect(traitsOf({ MOBILE: '+66 (0)81-234', USER: 'u1', NAME: 'A***' })).toEqual([
      { trait: 'USER', key: 'u1' },
      { trait: 'MOBILE', key: '66081234' },
    ]);
  });

  it('apply the strictest of the entries that fit', () => {
    const lists = ['ALLOW', 'WATCH', 'DENY'] as const;
    expect(found(lists.map((list) => entry({ list })))).toBe('DENY');
    expect(found([entry({ list: 'ALLOW' }), entry({ list: 'WATCH' })])).toBe('WATCH');
    expect(found([entry({ list: 'ALLOW' })])).toBe('ALLOW');
    expect(found([entry({ key: 'BOB' })])).toBeNull();
    // The key of another trait does not fit.
    expect(found([entry({ trait: 'USER' })])).toBeNull();
  });

  it('leave out expired entries, and those of other merchants', () => {
    expect(found([entry({ expiresAt: NOW })])).toBeNull();
    expect(found([entry({ expiresAt: new Date(NOW.getTime() + 1) })])).toBe('DENY');
    expect(found([entry({ merchantId: 'other' })])).toBeNull();
    expect(found([entry({ merchantId: 'm' })])).toBe('DENY');
  });

  it('need the bank to match an ALLOW entry, but not a DENY entry', () => {
    const account = { trait: 'ACCOUNT', key: '1234567', bankCode: 'SCB' } as const;
    expect(found([entry(account)])).toBe('DENY');
    expect(found([entry(account)], { bankCode: 'KBANK' })).toBeNull();
    expect(found([entry(account)], { bankCode: null })).toBe('DENY');
    expect(found([entry({ ...account, list: 'ALLOW' })])).toBe('ALLOW');
    expect(found([entry({ ...account, list: 'ALLOW' })], { bankCode: null })).toBeNull();
  });
});

describe('a new order', () => {
  const judge = (fields: Partial<PayerCase>) =>
    judgePayer({
      amount: money('100'),
      currencyCode: 'THB',
      entry: null,
      velocity: [],
      counts: [],
      ...fields,
    });

  it('has no outcome without entries and rules', () => {
    expect(judge({})).toBeNull();
  });

  it.each([
    ['DENY', 'REFUSE', 'the payer’s name is on the denylist: fraud in May'],
    ['WATCH', 'WATCH', 'the payer’s name is on the watchlist: fraud in May'],
    ['ALLOW', 'ALLOW', 'the payer’s name is on the allowlist: fraud in May'],
  ] as const)('of a payer on the list %s gets %s', (list, outcome, words) => {
    expect(judge({ entry: entry({ list }) })).toEqual({ outcome, findings: [words] });
  });

  it.each([
    ['ATTEMPTS', '2', count(1), false],
    ['ATTEMPTS', '2', count(2), true],
    ['ATTEMPTS', '0', count(0), true],
    ['AMOUNT', '250', count(1, '150'), false],
    ['AMOUNT', '249.99', count(1, '150'), true],
    ['FAILED', '2', count(9, '0', 2), false],
    ['FAILED', '2', count(9, '0', 3), true],
  ] as const)('by %s above %s with the earlier counts %j: exceeded is %s', (counts, above, before, passes) => {
    const velocity = [rule({ counts, above: money(above) })];
    expect(judge({ velocity, counts: [before] }) !== null).toBe(passes);
  });

  it('is not counted by traits that it lacks', () => {
    expect(judge({ velocity: [rule({ above: money('0') })], counts: [null] })).toBeNull();
  });

  it('of an allowed payer passes every count; of a watched payer it is counted too', () => {
    const velocity = [rule({ outcome: 'REFUSE' }), rule({ outcome: 'WAIT' })];
    const counts = [count(2), count(9)];
    expect(judge({ velocity, counts, entry: entry({ list: 'ALLOW' }) })?.outcome).toBe('ALLOW');
    expect(judge({ velocity, counts, entry: entry({ list: 'WATCH' }) })).toEqual({
      outcome: 'REFUSE',
      findings: [
        'the payer’s name is on the watchlist: fraud in May',
        'more than 2 orders of one user in 1 hour',
        'more than 2 orders of one user in 1 hour',
      ],
    });
  });

  const rules = fc.array(
    fc.record({
      by: fc.constantFrom(...VELOCITY_TRAITS),
      counts: fc.constantFrom(...VELOCITY_COUNTS),
      minutes: fc.integer({ min: 1, max: 44_640 }),
      above: fc.integer({ min: 0, max: 20 }).map((above) => money(String(above))),
      outcome: fc.constantFrom(...VELOCITY_OUTCOMES),
    }),
    { maxLength: 6 },
  );
  const counts = fc.array(
    fc.record({
      orders: fc.nat(20),
      amount: fc.nat(20).map((amount) => money(String(amount))),
      failed: fc.nat(20),
    }),
    { minLength: 6, maxLength: 6 },
  );

  it('never gets a milder outcome from another rule or another earlier order', () => {
    const rank = ['REFUSE', 'WAIT', 'WATCH', undefined];
    fc.assert(
      fc.property(rules, counts, (velocity, before) => {
        const amount = money('1');
        const all = judge({ amount, velocity, counts: before });
        const fewer = judge({ amount, velocity: velocity.slice(1), counts: before.slice(1) });
        expect(rank.indexOf(all?.outcome)).toBeLessThanOrEqual(rank.indexOf(fewer?.outcome));
        const more = before.map((one) => ({
          ...one,
          orders: one.orders + 1,
          failed: one.failed + 1,
        }));
        const later = judge({ amount, velocity, counts: more });
        expect(rank.indexOf(later?.outcome)).toBeLessThanOrEqual(rank.indexOf(all?.outcome));
      }),
      { seed: 1 },
    );
  });

  it('gets the same outcome from rules that were stored and read back', () => {
    fc.assert(
      fc.property(rules, (velocity) => {
        const kept = keepPayerRules({ comparison: 'WAIT', velocity });
        expect(keepPayerRules(readPayerRules(kept))).toEqual(kept);
      }),
      { seed: 2 },
    );
  });
});

describe('the text of a rule', () => {
  it.each([
    [rule({}), 'more than 2 orders of one user in 1 hour'],
    [rule({ by: 'EMAIL', minutes: 90 }), 'more than 2 orders of one e-mail address in 90 minutes'],
    [rule({ by: 'ACCOUNT', counts: 'AMOUNT', minutes: 2880 }), 'more than 2.0000 THB of one account in 2 days'],
    [
      rule({ by: 'MOBILE', counts: 'FAILED', minutes: 1 }),
      'more than 2 unpaid orders of one mobile number in 1 minute',
    ],
  ])('describes %j', (given, words) => {
    expect(velocityWords(given, 'THB')).toBe(words);
  });
});

describe('the money of an order', () => {
  const order: PaidCase['order'] = {
    payerName: 'Ann Lee',
    payerAccountNo: null,
    payerAccountLast4: null,
    payerOutcome: null,
    payerFindings: null,
    comparison: 'RETURN',
  };
  const other = { name: 'Bob Ray', account: '12345678' };

  it('is returned only if the merchant’s rules say so', () => {
    const paid = (comparison: 'IGNORE' | 'WAIT' | 'RETURN') =>
      judgePaid({ reported: other, entry: null, order: { ...order, comparison } });
    expect(paid('IGNORE')).toBeNull();
    expect(paid('WAIT')).toMatchObject({ doubt: 'PAYER_DIFFERS', goesBack: false });
    expect(paid('RETURN')).toMatchObject({ doubt: 'PAYER_DIFFERS', goesBack: true });
  });

  it('is not compared if the payer is allowed, and not matched if it is denied', () => {
    const paid = (list: PayerEntry['list']) => judgePaid({ reported: other, entry: entry({ list }), order });
    expect(paid('ALLOW')).toBeNull();
    expect(paid('DENY')).toMatchObject({ doubt: 'PAYER_DENIED', goesBack: false });
    expect(judgePaid({ reported: other, entry: entry({ list: 'WATCH' }), order })).toMatchObject({
      doubt: 'PAYER_DIFFERS',
    });
  });

  it('is returned only to the account that the bank reported in full', () => {
    expect(payeeOf({ name: ' Bob Ray ', account: ' 12-345678 ' })).toEqual({
      name: 'Bob Ray',
      account: '12-345678',
    });
    for (const account of [null, '', 'xxx1234', '***5678', '12'])
      expect(payeeOf({ name: 'Bob Ray', account })).toBeNull();
    for (const name of [null, ' ']) expect(payeeOf({ name, account: '12345678' })).toBeNull();
  });
});
