import { problemOfFloat, problemOfLimits } from '../../domain/bank-account';
import { money } from '../../domain/money';

const limits = {
  minAmount: null,
  maxAmount: null,
  maxDailyAmount: null,
  maxMonthlyAmount: null,
  maxDailyCount: null,
  maxMonthlyCount: null,
  maxBalance: null,
  maxOpenDeposits: 1,
};
const float = { step: money('0.01'), up: money('1'), down: money('0'), quarantineMinutes: 60 };

describe('limits of an account', () => {
  it.each([
    {},
    { minAmount: money('1.23'), maxAmount: money('1.23') },
    { maxDailyAmount: money('0.01') },
    { maxMonthlyAmount: money('0.01'), maxDailyCount: 1, maxMonthlyCount: 1 },
  ])('may be %j', (given) => {
    expect(problemOfLimits({ ...limits, ...given }, 2)).toBeNull();
  });

  it.each([
    [{ minAmount: money('0') }, 'greater than 0'],
    [{ maxAmount: money('-1') }, 'greater than 0'],
    [{ maxDailyAmount: money('0.001') }, '2 decimal places'],
    [{ minAmount: money('2'), maxAmount: money('1') }, 'must not be above'],
    [{ maxMonthlyAmount: money('0') }, 'greater than 0'],
    [{ maxBalance: money('0') }, 'greater than 0'],
    [{ maxDailyCount: 0 }, 'at least 1'],
    [{ maxMonthlyCount: 0 }, 'at least 1'],
    [{ maxOpenDeposits: 0 }, 'at least 1'],
  ])('may not be %j', (given, problem) => {
    expect(problemOfLimits({ ...limits, ...given }, 2)).toContain(problem);
  });
});

describe('the float of an account', () => {
  it.each([{}, { up: money('0') }, { up: money('9.99'), down: money('10') }])('may be %j', (given) => {
    expect(problemOfFloat({ ...float, ...given }, 2)).toBeNull();
  });

  it.each([
    [{ step: money('0') }, 'step'],
    [{ step: money('0.001') }, '2 decimal places'],
    [{ up: money('-0.01') }, 'negative'],
    [{ down: money('-0.01') }, 'negative'],
    [{ up: money('10'), down: money('10') }, 'at most 2000'],
    [{ quarantineMinutes: -1 }, 'quarantineMinutes'],
    [{ quarantineMinutes: 10_081 }, 'quarantineMinutes'],
  ])('may not be %j', (given, problem) => {
    expect(problemOfFloat({ ...float, ...given }, 2)).toContain(problem);
  });
});
