import { type PayableChannel, payoutRefusal, planPayout } from '../../domain/channel';
import { money } from '../../domain/money';

const order = { currencyCode: 'THB', amount: money('100') };
const channel = (over: Partial<PayableChannel> = {}): PayableChannel => ({
  id: 'a',
  enabled: true,
  currencies: ['THB', 'VND'],
  minAmount: money('10'),
  maxAmount: money('1000'),
  health: 'UP',
  priority: 10,
  weight: 1,
  bankCode: '004',
  balance: null,
  tried: false,
  ...over,
});

describe('which channel gets a payout', () => {
  it.each<[string, Partial<PayableChannel>, string | null]>([
    ['one that may', {}, null],
    ['one whose health is not known yet', { health: 'UNKNOWN' }, null],
    ['one that holds just enough', { balance: money('100') }, null],
    ['at its limits', { minAmount: money('100'), maxAmount: money('100') }, null],
    ['disabled', { enabled: false }, 'DISABLED'],
    ['another currency', { currencies: ['VND'] }, 'OTHER_CURRENCY'],
    ['too little', { minAmount: money('100.01') }, 'BELOW_MINIMUM'],
    ['too much', { maxAmount: money('99.99') }, 'ABOVE_MAXIMUM'],
    ['a bank that it does not serve', { bankCode: null }, 'BANK_NOT_SERVED'],
    ['down', { health: 'DOWN' }, 'DOWN'],
    ['it holds too little', { balance: money('99.99') }, 'LOW_BALANCE'],
    ['it had this payout before', { tried: true }, 'TRIED_BEFORE'],
  ])('%s', (_what, over, refusal) => {
    expect(payoutRefusal(channel(over), order)).toBe(refusal);
  });

  it('asks by priority, and leaves out who may not', () => {
    const channels = [
      channel({ id: 'third', priority: 30 }),
      channel({ id: 'down', priority: 0, health: 'DOWN' }),
      channel({ id: 'first', priority: 1 }),
      channel({ id: 'second', priority: 20 }),
    ];
    expect(planPayout(channels, order, Math.random).map(({ id }) => id)).toEqual([
      'first',
      'second',
      'third',
    ]);
  });

  it('shares among equals by weight', () => {
    const channels = [channel({ id: 'one' }), channel({ id: 'three', weight: 3 })];
    let state = 1;
    const draw = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    let three = 0;
    for (let i = 0; i < 4_000; i++)
      if (planPayout(channels, order, draw)[0]?.id === 'three') three++;
    expect(three).toBeGreaterThan(2_880);
    expect(three).toBeLessThan(3_120);
  });
});
