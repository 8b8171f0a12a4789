import { money } from '../../domain/money';
import { type RoutableAccount, routingRefusal } from '../../domain/routing';

const open: RoutableAccount = {
  id: 'a',
  status: 'ACTIVE',
  minAmount: null,
  maxAmount: null,
  maxDailyAmount: null,
  maxMonthlyAmount: null,
  maxDailyCount: null,
  maxMonthlyCount: null,
  maxBalance: null,
  use: {
    dayAmount: money('0'),
    dayCount: 0,
    monthAmount: money('0'),
    monthCount: 0,
    held: money('0'),
  },
  poolIds: [],
  passedOver: null,
};
const hundred = money('100');
const used = {
  dayAmount: money('200'),
  dayCount: 2,
  monthAmount: money('500'),
  monthCount: 5,
  held: money('900'),
};

describe('an account takes a deposit of 100', () => {
  it.each<[string, Partial<RoutableAccount>]>([
    ['without limits', {}],
    ['at its minimum', { minAmount: money('100.00') }],
    ['at its maximum', { maxAmount: money('100.00') }],
    ['up to its daily limit', { maxDailyAmount: money('300'), use: used }],
    ['up to its monthly limit', { maxMonthlyAmount: money('600'), use: used }],
    ['up to its balance limit', { maxBalance: money('1000'), use: used }],
    ['as the last one of its daily and monthly count', { maxDailyCount: 3, maxMonthlyCount: 6, use: used }],
  ])('%s', (_what, limits) => {
    expect(routingRefusal({ ...open, ...limits }, hundred)).toBeNull();
  });

  it.each<[string, Partial<RoutableAccount>]>([
    ['NOT_ACTIVE', { status: 'PAUSED' }],
    ['OUTAGE', { passedOver: 'OUTAGE' }],
    ['AGENT_SILENT', { passedOver: 'AGENT_SILENT' }],
    ['BELOW_MINIMUM', { minAmount: money('100.0001') }],
    ['ABOVE_MAXIMUM', { maxAmount: money('99.99') }],
    ['DAILY_LIMIT', { maxDailyAmount: money('299.99'), use: used }],
    ['DAILY_COUNT', { maxDailyCount: 2, use: used }],
    ['MONTHLY_LIMIT', { maxMonthlyAmount: money('599.99'), use: used }],
    ['MONTHLY_COUNT', { maxMonthlyCount: 5, use: used }],
    ['BALANCE_LIMIT', { maxBalance: money('999.99'), use: used }],
  ])('but does not where %s', (reason, limits) => {
    expect(routingRefusal({ ...open, ...limits }, hundred)).toBe(reason);
  });
});
