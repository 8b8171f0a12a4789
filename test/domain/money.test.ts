import fc from 'fast-check';
import { currencyDecimals, formatMoney, money, parseAmount } from '../../domain/money';

const read = (text: string, decimals = 2): string => {
  const amount = parseAmount(text, decimals);
  return 'problem' in amount ? `refused: ${amount.problem}` : formatMoney(amount);
};

describe('an amount', () => {
  it.each([
    ['1', '1.0000'],
    ['0.01', '0.0100'],
    ['100.50', '100.5000'],
    // Precision counts by value.
    ['100.0000', '100.0000'],
    ['100.1000000000', '100.1000'],
    ['99999999999999', '99999999999999.0000'],
    ['99999999999999.99', '99999999999999.9900'],
  ])('%s is %s', (text, printed) => {
    expect(read(text)).toBe(printed);
  });

  it.each([
    '',
    '0',
    '0.00',
    '-1',
    '+1',
    '1e2',
    '1E2',
    '01',
    '00.5',
    '.5',
    '5.',
    '1,000',
    '1 ',
    ' 1',
    '1_0',
    '0x10',
    'NaN',
    'Infinity',
    '١',
    '1.001',
    '100000000000000',
    '1.0.0',
  ])('%j is refused', (text) => {
    expect(read(text)).toMatch(/^refused/);
  });

  it.each([
    ['JPY', 0],
    ['BDT', 2],
    ['THB', 2],
    ['KWD', 3],
    ['CLF', 4],
    ['XOF', 0],
  ])('%s has %i decimals, as in ISO 4217', (code, decimals) => {
    expect(currencyDecimals(code)).toBe(decimals);
  });

  it.each(['XXX', 'XTS', 'XAU', 'ZZZ', 'thb', 'TH', ''])('%j is not a payment currency', (code) => {
    expect(currencyDecimals(code)).toBeUndefined();
  });

  it('equals the text from which it was read, for every plain decimal that fits', () => {
    const digits = fc.bigInt({ min: 1n, max: 99_999_999_999_999_99n });
    fc.assert(
      fc.property(digits, (cents) => {
        const text = `${cents / 100n}.${(cents % 100n).toString().padStart(2, '0')}`;
        expect(read(text)).toBe(`${text}00`);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('is never rounded by addition', () => {
    const cents = fc.integer({ min: 1, max: 2 ** 40 });
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        const sum = money(`${a}`)
          .div(100)
          .plus(money(`${b}`).div(100));
        expect(sum.times(100).toFixed()).toBe((BigInt(a) + BigInt(b)).toString());
      }),
      { numRuns: 300, seed: 2 },
    );
  });
});
