import { money } from '../../domain/money';
import { followBalance, type ReportedBalance } from '../../domain/running-balance';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const last: ReportedBalance = { balance: money('1000'), at: at(10) };

describe('the running balance of an account', () => {
  const says = (
    direction: 'CREDIT' | 'DEBIT',
    last: ReportedBalance | null,
    balanceAfter: string | null,
    second: number,
  ): string => {
    const { note, broken } = followBalance(last, {
      ...{ direction, amount: money('100'), bankTime: at(second) },
      balanceAfter: balanceAfter === null ? null : money(balanceAfter),
    });
    const said = [note && 'note', broken && 'broken'].filter(Boolean).join(' ');
    return said || 'nothing';
  };

  it.each<[string, ReportedBalance | null, string | null, number, string]>([
    ['is not reported', last, null, 11, 'nothing'],
    ['is reported for the first time', null, '5', 1, 'note'],
    ['follows', last, '1100', 11, 'note'],
    ['follows at the same bank time', last, '1100', 10, 'note'],
    ['follows, reported late', last, '1100', 9, 'nothing'],
    ['has a gap, reported late: it proves nothing', last, '900', 9, 'nothing'],
    ['has a gap at the same bank time: it proves nothing', last, '900', 10, 'nothing'],
    ['has a gap', last, '1100.01', 11, 'note broken'],
  ])('after a credit %s', (_what, last, balanceAfter, second, expected) => {
    expect(says('CREDIT', last, balanceAfter, second)).toBe(expected);
  });

  it.each<[string, ReportedBalance | null, string | null, number, string]>([
    ['is not reported', last, null, 11, 'nothing'],
    ['is reported for the first time', null, '-5', 1, 'note'],
    ['follows', last, '900', 11, 'note'],
    ['follows below zero', { balance: money('40'), at: at(10) }, '-60', 11, 'note'],
    ['follows, reported late', last, '900', 9, 'nothing'],
    ['has the gap of a credit, reported late: it proves nothing', last, '1100', 9, 'nothing'],
    ['moved up instead of down', last, '1100', 11, 'note broken'],
    ['did not move', last, '1000', 11, 'note broken'],
    ['has a gap', last, '899.99', 11, 'note broken'],
  ])('after a debit %s', (_what, last, balanceAfter, second, expected) => {
    expect(says('DEBIT', last, balanceAfter, second)).toBe(expected);
  });
});
