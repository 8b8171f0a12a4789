import { normaliseReference } from '../../domain/bank-reference';
import { type AlikeReport, isNameless, isNearDuplicate, saysMore } from '../../domain/near-duplicate';

const at = (hours: number): Date => new Date(Date.UTC(2026, 2, 1, hours));
const of = (source: string, fields: Partial<AlikeReport> = {}): AlikeReport => ({
  source,
  bankReference: null,
  bankTime: at(12),
  payerName: null,
  payerAccount: null,
  memo: 'cash in',
  ...fields,
});
const [sms, statement] = ['agent:sms', 'agent:statement'];

describe('two sources', () => {
  it.each<[string, AlikeReport, readonly AlikeReport[], boolean]>([
    ['the first of another source, a day later', of(statement, { bankTime: at(36) }), [of(sms)], true],
    ['the second, if the other source has two', of(statement), [of(sms), of(sms), of(statement)], true],
    ['the third, if the other source has two', of(sms), [of(statement), of(statement), of(sms), of(sms)], false],
    ['another memo', of(statement, { memo: 'rent' }), [of(sms)], false],
    ['one source only', of(sms), [of(sms)], false],
    ['the same source, now with a reference', of(sms, { bankReference: 'R1', bankTime: at(20) }), [of(sms)], true],
    [
      'different references, a day apart',
      of(statement, { bankReference: 'R2', bankTime: at(36) }),
      [of(sms, { bankReference: 'R1' })],
      false,
    ],
    [
      'different references, at the same time',
      of(statement, { bankReference: 'R2' }),
      [of(sms, { bankReference: 'R1' })],
      true,
    ],
    [
      'different payers, a day apart',
      of(statement, { payerName: 'Ann', bankTime: at(36) }),
      [of(sms, { payerName: 'Bob' })],
      false,
    ],
  ])('pair one to one: %s', (_name, report, alike, expected) => {
    expect(isNearDuplicate(report, alike)).toBe(expected);
  });
});

it('a report without reference, payer, balance and order is indistinguishable', () => {
  const nameless = {
    bankReference: null,
    payerName: null,
    payerAccount: null,
    balanceAfter: null,
    remarks: [],
  };
  expect(isNameless(nameless)).toBe(true);
  for (const more of [{ bankReference: 'R' }, { payerName: 'A' }, { payerAccount: '1' }])
    expect(isNameless({ ...nameless, ...more })).toBe(false);
  expect(isNameless({ ...nameless, balanceAfter: '1' })).toBe(false);
  expect(isNameless({ ...nameless, remarks: ['7KMWQ3PA'] })).toBe(false);
});

it('a better report has more data and no contradiction', () => {
  const known = { memo: 'trf', payerName: null, payerAccount: '1', balanceAfter: null };
  expect(saysMore(known, known)).toBe(false);
  expect(saysMore({ ...known, memo: 'TRF 7KMWQ3PA' }, known)).toBe(true);
  expect(saysMore({ ...known, memo: '7KMWQ3PA' }, known)).toBe(false);
  expect(saysMore({ ...known, payerName: 'Ann' }, known)).toBe(true);
  expect(saysMore({ ...known, payerName: 'Ann', payerAccount: '2' }, known)).toBe(false);
});

it('a reference is normalised to its letters and digits', () => {
  expect(normaliseReference(' ft-12.3/４ b_')).toBe('FT1234B');
  expect(normaliseReference('--')).toBe('--');
});
