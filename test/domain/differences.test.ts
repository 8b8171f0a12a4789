import { differences } from '../../console/format/differences';

/** Each row as one line: the name, before, after; "–" where it is not there. */
const lines = (before: object | null, after: object | null): string[] =>
  differences(before as Record<string, unknown> | null, after as Record<string, unknown> | null).map(
    (row) => `${row.name}: ${row.before?.text ?? '–'} > ${row.after?.text ?? '–'}`,
  );

describe('the differences of a change', () => {
  it('tell plain values in words, and what is not set by what it means', () => {
    expect(
      lines(
        { canWithdraw: false, maxAmount: '12500.5000', roles: [] },
        { canWithdraw: true, maxAmount: null, roles: ['support', 'approve'] },
      ),
    ).toEqual(['Can withdraw: no > yes', 'Max amount: 12,500.50 > no limit', 'Roles: not set > support, approve']);
    expect(lines(null, { name: 'x', 'deposit.max.THB': null, depositMinTHB: null })).toEqual([
      'Deposit max THB: – > no limit',
      'Deposit min thb: – > no limit',
      'Name: – > x',
    ]);
  });

  it('tell nested values in words, never as JSON', () => {
    const hours = { from: '22:00', until: '06:00', days: ['MON', 'TUE'] };
    expect(lines({}, { quietHours: hours, fee: { fixed: '1', tiers: [{ from: '0', max: null }] } })).toEqual([
      'Fee: – > Fixed: 1, Tiers: (From: 0, Max: no limit)',
      'Quiet hours: – > From: 22:00, Until: 06:00, Days: (MON, TUE)',
    ]);
    expect(lines({ quietHours: null }, { quietHours: hours })).toEqual([
      'Quiet hours: none > From: 22:00, Until: 06:00, Days: (MON, TUE)',
    ]);
  });

  it('give only the parts of an object that differ', () => {
    expect(
      lines(
        { deposits: { min: '1', max: '9', cost: { fixed: '1', percent: '2' } } },
        { deposits: { min: '1', max: null, cost: { fixed: '3', percent: '2' } } },
      ),
    ).toEqual(['Deposits · Max: 9 > no limit', 'Deposits · Cost · Fixed: 1 > 3']);
  });

  it('compare lists by what their items are known by', () => {
    const thb = { currencyCode: 'THB', min: '1', max: null };
    expect(
      lines(
        { currencies: [thb, { currencyCode: 'USD', min: null, max: '5' }] },
        {
          currencies: [
            { ...thb, min: '2' },
            { currencyCode: 'INR', min: null, max: '7' },
          ],
        },
      ),
    ).toEqual([
      'Currencies THB · Min: 1 > 2',
      'Currencies USD: Min: no limit, Max: 5 > –',
      'Currencies INR: – > Min: no limit, Max: 7',
    ]);
    expect(
      lines(
        { banks: [{ bankCode: 'A', name: 'First' }] },
        {
          banks: [
            { bankCode: 'A', name: 'Only' },
            { bankCode: 'B', name: 'Second' },
          ],
        },
      ),
    ).toEqual(['Banks A: First > Only', 'Banks B: – > Second']);
  });

  it('show lists without names as wholes', () => {
    expect(lines({ rules: [{ above: '1' }] }, { rules: [{ above: '1' }, { above: '2' }] })).toEqual([
      'Rules: Above: 1 > Above: 1; Above: 2',
    ]);
  });
});
