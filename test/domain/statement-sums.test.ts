import { formatMoney, money } from '../../domain/money';
import type { StatementItem } from '../../domain/statement';
import { StatementSums } from '../../domain/statement-sums';

let next = 0;
/** `+10`, `-5=95` with its balance, `+7=.@2026-01-02` on a day, `#+7` with a reference; `O100`, `C110` balances; `bad`. */
function itemOf(text: string): StatementItem {
  const [, sign = '', amount = ''] = /^([OC])(-?[\d.]+)$/.exec(text) ?? [];
  if (sign !== '')
    return {
      kind: sign === 'O' ? ('opening' as const) : ('closing' as const),
      balance: money(amount),
      day: '2026-01-01',
    };
  if (text === 'account') return { kind: 'account', number: '1' };
  if (text === 'bad') return { kind: 'bad', line: ++next, problem: 'x', text: '' };
  const [, named, way, of = '', balance, day = '2026-01-01'] =
    /^(#)?([+-])([\d.]+)(?:=(-?[\d.]+))?(?:@(.+))?$/.exec(text) ?? [];
  const line = {
    line: ++next,
    direction: way === '+' ? ('CREDIT' as const) : ('DEBIT' as const),
    amount: money(of),
    day,
    time: null,
    reference: named ? 'R' : null,
    memo: '',
    partyName: null,
    partyAccount: null,
    balanceAfter: balance === undefined ? null : money(balance),
  };
  return { kind: 'line', line };
}

const sumsOf = (text: string): StatementSums => {
  next = 0;
  const sums = new StatementSums();
  for (const one of text.split(' ')) sums.see(itemOf(one));
  return sums;
};

describe('a statement', () => {
  it.each([
    ['without balances', '+10 -5'],
    ['with its balances', 'O100 +10 -5 C105'],
    ['in debt', 'O-100 +10 C-90'],
    ['without lines', 'O100 C100'],
    ['without an opening balance', '+10 C5'],
    ['of pages with their own balances', 'O100 +10 C110 O110 -5 C105'],
    ['of pages with one opening balance', 'O100 +10 C110 -5 C105'],
    ['of a page without lines, before another', 'O100 C100 +10 C110'],
    ['of several days, of which one is not there', 'O100 +10 C110 O200 +1 C201'],
    ['with its balances before its lines', 'O100 C105 +10 -5'],
    ['of several with theirs before', 'O100 C110 +10 O110 C105 -5'],
    ['of several with theirs before, the first without lines', 'O100 C100 O100 C105 +5'],
    ['with two opening balances before', 'O100 C110 O100 +10'],
    ['of which the second has no opening balance', 'O100 C110 +10 C300 +1'],
    ['with the closing balance first', 'C105 O100 +10 -5'],
    ['of several with it first', 'C105 O100 +5 C107 O105 +2'],
    ['after one without lines and opening balance', 'C300 account O200 +1 C201'],
    ['the oldest line first', '+10=110 -5=105 +1=106'],
    ['the newest line first', '+1=106 -5=105 +10=110'],
    ['some lines without balances', '+10=110 -5 +1=106 +2 +3=111'],
    ['the newest first, some without balances', '+3=111 +2 +1=106 -5 +10=110'],
    ['the newest day first, its oldest line first', '+1=106@2026-01-02 +1=107@2026-01-02 -5=105 +6=110'],
    ['a text between its lines', '+10=110 bad -5=105'],
    ['a credit that cannot be read', '+10=110 bad -5=125'],
    ['a page with such a credit', 'O100 +10 bad C130'],
    ['what is not read at its end', '+10=110 -5=105 bad bad'],
  ])('adds up: %s', (_what, text) => {
    expect(sumsOf(text).contradiction()).toBeNull();
  });

  it.each([
    ['its closing balance', 'O100 +5003 C101', '5002.0000'],
    ['less than its lines', 'O100 +1 C101.50', '-0.5000'],
    ['a page of several', 'O100 +10 C110 O110 +5 C120 O120 +5 C125', '-5.0000'],
    ['its last page', 'O100 +10 C110 -5 C106', '-1.0000'],
    ['with the closing balance first', 'C5 O0 +90000', '89995.0000'],
    ['the second of several with it first', 'C5 O0 +5 C7 O5 +3', '1.0000'],
    ['rows that cancel each other, beside an order', '+51=151 +5000=12777 -5000=7777 +20=171', '-7626.0000'],
    ['with the balances before', 'O0 C10 +10 +90000', '90000.0000'],
    ['the second of several with theirs before', 'O0 C10 +10 O10 C11 +2', '1.0000'],
    ['a page without lines', 'O100 C110', '-10.0000'],
    ['the balance of a line', '+1=101 +5004=102', '5003.0000'],
    ['the newest first', '+5004=102@2026-01-02 +1=101', '5003.0000'],
    ['a row between two that follow', '+1=101 +9=500 +1=102', '-390.0000'],
    ['a total with a balance', '+71=71 +100=171 +171=171', '171.0000'],
    ['lines without balances between', '+1=101 +5 +1=102', '5.0000'],
    ['more than all balances, beside what is not read', 'O100 +10 bad C105', '5.0000'],
    ['more than the balance, behind what is not read', '+1=101 bad +5004=102', '5003.0000'],
  ])('contradicts itself: %s', (_what, text, difference) => {
    const found = sumsOf(text).contradiction();
    expect(found && formatMoney(found.difference)).toBe(difference);
    expect(found?.text).toContain(difference);
  });

  it.each([
    ['the oldest first', '+10=110@2026-01-01 -5=105@2026-01-02', '100.0000 105.0000 2026-01-02'],
    ['the newest first', '-5=105@2026-01-02 +10=110@2026-01-01', '100.0000 105.0000 2026-01-02'],
    ['in no order', '+1=106@2026-01-02 +1=107@2026-01-02 -5=105 +6=110', '104.0000 107.0000 2026-01-02'],
    ['with a total', '+71=171 +171', '100.0000 171.0000 2026-01-01'],
    ['not known', '+71=171 +5', ''],
  ])('has outer balances: %s', (_what, text, expected) => {
    const sums = sumsOf(text);
    expect(sums.contradiction()).toBeNull();
    const { outer } = sums;
    const said = outer && [
      ...[formatMoney(outer.opening.balance), formatMoney(outer.closing.balance)],
      outer.closing.day,
    ];
    expect((said ?? []).join(' ')).toBe(expected);
  });

  it.each([
    ['the closing balance', '+71=171 +171', [2]],
    ['the opening balance', '+100 +71=171', [1]],
    ['the sums', '+5=105 +6=111 -1=110 +11 -1', [4, 5]],
    ['another amount', '+71=171 +17', []],
    ['a reference', '+71=171 #+171', []],
    ['no balances at all', '+71 +71', []],
  ])('has totals that are no movements: %s', (_what, text, lines) => {
    expect([...sumsOf(text).totals.keys()]).toEqual(lines);
  });
});
