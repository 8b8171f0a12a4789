import { amountOf, plainAmountOf } from '../../statements/amounts';

type Sign = '.' | ',';

describe('amounts as banks print them', () => {
  it.each<[string, Sign, number, string, string | undefined]>([
    ...([
      ['1234.50', '.', 2, '1234.5', undefined],
      ['1,234.50', '.', 2, '1234.5', undefined],
      ['1.234,50', ',', 2, '1234.5', undefined],
      ['1 234 567,5', ',', 2, '1234567.5', undefined],
      ['1\u202f234,5', ',', 2, '1234.5', undefined],
      ["1'234'567.50", '.', 2, '1234567.5', undefined],
      ['1’234.50', '.', 2, '1234.5', undefined],
      ['5,00,000.00', '.', 2, '500000', undefined],
      ['12,34,56,789.10', '.', 2, '123456789.1', undefined],
      ['000012.50', '.', 2, '12.5', undefined],
      ['.50', '.', 2, '0.5', undefined],
      [',50', ',', 2, '0.5', undefined],
      ['500,', ',', 2, '500', undefined],
      ['500', ',', 2, '500', undefined],
      ['="73.00"', '.', 2, '73', undefined],
    ] as [string, Sign, number, string, undefined][]),
    ['-5.00', '.', 2, '-5', undefined],
    ['5.00-', '.', 2, '-5', undefined],
    ['\u22125.00', '.', 2, '-5', undefined],
    ['(5.00)', '.', 2, '-5', undefined],
    ['+5.00', '.', 2, '5', undefined],
    ['1,061.00Cr', '.', 2, '1061', undefined],
    ['1,061.00 Dr.', '.', 2, '-1061', undefined],
    ['₹ 1,00,000.00', '.', 2, '100000', 'INR'],
    ['Rs.500.00', '.', 2, '500', 'INR'],
    ['INR 65.00', '.', 2, '65', 'INR'],
    ['INR 65.00 Dr', '.', 2, '-65', 'INR'],
    ['64.00 €', '.', 2, '64', 'EUR'],
    ['-€64.00', '.', 2, '-64', 'EUR'],
    ['(€64.00)', '.', 2, '-64', 'EUR'],
    ['1.500 đ', ',', 0, '1500', 'VND'],
    ['50,000.00', '.', 0, '50000', 'VND'],
    ['Tk 1,500.00', '.', 2, '1500', 'BDT'],
    ['1.500,00 zł', ',', 2, '1500', 'PLN'],
    ['1.500', '.', 3, '1.5', 'KWD'],
    ['150.00(Cr)', '.', 2, '150', undefined],
    ['150.00 (Dr.)', '.', 2, '-150', undefined],
    ['Rs. 500/-', '.', 2, '500', 'INR'],
    ['1,500.00/- Dr', '.', 2, '-1500', 'INR'],
  ])('%s, with %s before %i decimals, is %s', (text, sign, decimals, value, currency) => {
    expect(amountOf(text, sign, decimals, currency).toFixed()).toBe(value);
  });

  it.each<[string, Sign, number, string | undefined]>([
    // The other decimal sign: a hundred or a thousand times as much, or as little.
    ...(['12,50', '0,99', '1,5000', '12,34', '1,2345', '0,123', '1,234,56', '12,3,456'].map((text) => [
      text,
      '.',
      2,
      undefined,
    ]) as [string, Sign, number, undefined][]),
    ['12.50', ',', 2, undefined],
    ['12/- 340', '.', 2, undefined],
    ['(150.00(Cr)', '.', 2, undefined],
    ['1.23', ',', 2, undefined],
    ['1.355,90', '.', 2, undefined],
    ['-1.000', '.', 2, undefined],
    ['1.234', '.', 2, undefined],
    ['1.0000', '.', 2, undefined],
    ['1.000', '.', 0, undefined],
    ['1.50', '.', 0, undefined],
    // Signs between groups that differ, or stand alone.
    ...(["1,234'567", '1 2', '1,,234', '1 ,234', '1..5', '1.2.3', '1-2'].map((text) => [
      ...[text, '.', 2, undefined],
    ]) as [string, Sign, number, undefined][]),
    // Signs that say several things.
    ...(['--5', '-5-', '(-5)', '(5', '5)', '+-5', '-5 Dr', '-5Cr', '(5)Dr', '500.-'].map((text) => [
      ...[text, '.', 2, undefined],
    ]) as [string, Sign, number, undefined][]),
    // Marks that are not the account's.
    ['64.00 €', '.', 2, 'THB'],
    ['USD 64.00', '.', 2, 'THB'],
    ['64.00 €', '.', 2, undefined],
    ['Rs 5.00', '.', 2, 'THB'],
    ['$5.00', '.', 2, 'EUR'],
    ['€5.00 EURO', '.', 2, 'EUR'],
    // No digits of ours, or no number.
    ...(['', ' ', '.', '-', 'ten', '１００', '٥٠', '1e3', '0x10', '12 Nov', 'NaN', '5\u200b0'].map((text) => [
      text,
      '.',
      2,
      'THB',
    ]) as [string, Sign, number, string][]),
    ['123456789012345', '.', 2, undefined],
  ])('%j, with %s before %i decimals, is refused', (text, sign, decimals, currency) => {
    expect(() => amountOf(text, sign, decimals, currency)).toThrow(/^the amount /);
  });
});

describe('amounts that are never grouped', () => {
  it.each([
    ['100.0000', '100'],
    ['100.000', '100'],
    ['5', '5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['-5', '-5'],
    ['+5.10', '5.1'],
  ])('%s is %s', (text, value) => {
    expect(plainAmountOf(text, 2).toFixed()).toBe(value);
  });

  it.each(['', '.', '1,00', '1,061.00', '1.005', '1 000', 'x', '１', '--5', `1.${'0'.repeat(99)}`])(
    '%j is refused',
    (text) => {
      expect(() => plainAmountOf(text, 2)).toThrow(/^the amount /);
    },
  );
});
