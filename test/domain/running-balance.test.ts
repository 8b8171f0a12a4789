import { money } from '../../domain/money';
import { followBalance, type ToldBalance } from '../../domain/running-balance';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const last: ToldBalance = { balance: money('1000'), at: at(10) };

describe('the running balance of an account', () => {
  it.each<[string, ToldBalance | null, string | null, number, string]>([
    ['is not told', last, null, 11, 'nothing'],
    ['is told for the first time', null, '5', 1, 'note'],
    ['follows', last, '1100', 11, 'note'],
    ['follows at the same bank time', last, '1100', 10, 'note'],
    ['follows, told late', last, '1100', 9, 'nothing'],
    ['has a gap, told late: it proves nothing', last, '900', 9, 'nothing'],
    ['has a gap at the same bank time: it proves nothing', last, '900', 10, 'nothing'],
    ['has a gap', last, '1100.01', 11, 'note broken'],
  ])('%s', (_what, told, balanceAfter, second, expected) => {
    const { note, broken } = followBalance(told, {
      amount: money('100'),
      balanceAfter: balanceAfter === null ? null : money(balanceAfter),
      bankTime: at(second),
    });
    const said = [note && 'note', broken && 'broken'].filter(Boolean).join(' ');
    expect(said || 'nothing').toBe(expected);
  });
});
