import fc from 'fast-check';
import { cutAmount, plainAmount, readAmount, writtenAmount } from '../../gateway/cashier/amounts';
import { contrast, palettes } from '../../gateway/cashier/colours';
import { html } from '../../gateway/cashier/html';
import { cashierPolicy } from '../../gateway/cashier/policy';
import { LANGUAGES, preferredLanguage } from '../../gateway/cashier/texts';

const texts = Object.values(LANGUAGES);
const THB = { currencyCode: 'THB', decimals: 2 };
const VND = { currencyCode: 'VND', decimals: 0 };

/** An amount of the currency, with the four decimals that the core writes. */
const amounts = ({ decimals }: { readonly decimals: number }) =>
  fc
    .tuple(fc.bigInt(1n, 10n ** 13n), fc.nat(10 ** decimals - 1))
    .map(([whole, part]) => `${whole}.${String(part).padStart(decimals, '0').padEnd(4, '0')}`);

describe('amounts', () => {
  test('a typed amount is read with any separators; an ambiguous one is refused', () => {
    const read = (typed: string) => readAmount(typed, 2);
    expect(
      ['1500', '1,500', '1.500', '1 500,5', '1.500,50', '1,500.50', '1,50,000', '0.5', '০১৫০০', '๑๕๐.๒๕'].map(read),
    ).toEqual(['1500', '1500', '1500', '1500.5', '1500.50', '1500.50', '150000', '0.5', '1500', '150.25']);
    expect(['', '-5', '1e3', '12.345.6789', '1,2,3', '5 baht', '.', '٫5'].map(read)).toEqual(
      Array.from({ length: 8 }, () => undefined),
    );
    expect(readAmount('1.500.000', 0)).toBe('1500000');
    expect(readAmount('15,5', 0)).toBeUndefined();
  });

  test('an amount formatted in any language is parsed back', () => {
    for (const language of texts)
      for (const currency of [THB, VND])
        fc.assert(
          fc.property(amounts(currency), (amount) => {
            const written = writtenAmount(amount, currency, language).replace(/[^\d.,]/g, '');
            expect(readAmount(written, currency.decimals)).toBe(plainAmount(amount, currency.decimals));
          }),
          { numRuns: 60, seed: 7 },
        );
  });

  test('the digits that identify an amount are marked, and none are lost', () => {
    const cut = (amount: string, requested: string) => cutAmount(amount, requested, THB, LANGUAGES.en);
    expect(cut('1500.3700', '1500.0000')).toEqual({
      before: '฿1,500.',
      identifying: '37',
      after: '',
    });
    expect(cut('1500.0000', '1500.0000')).toEqual({
      before: '฿1,500.00',
      identifying: '',
      after: '',
    });
    expect(cut('1000.0100', '999.9900')).toEqual({
      before: '฿',
      identifying: '1,000.01',
      after: '',
    });
    expect(cutAmount('1500037.0000', '1500000.0000', VND, LANGUAGES.vi)).toEqual({
      before: '1.500.0',
      identifying: '37',
      after: '\u00a0₫',
    });
    fc.assert(
      fc.property(amounts(THB), amounts(THB), (amount, requested) => {
        const { before, identifying, after } = cut(amount, requested);
        expect(before + identifying + after).toBe(writtenAmount(amount, THB, LANGUAGES.en));
        expect(identifying === '').toBe(amount === requested);
      }),
      { numRuns: 200, seed: 7 },
    );
  });
});

test('any colour of a merchant is readable in both schemes, on the page and on a button', () => {
  const colour = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(colour, (own) => {
      const { light, dark } = palettes(own);
      expect(contrast(light.brand, '#ffffff')).toBeGreaterThanOrEqual(4.5);
      expect(contrast(dark.brand, '#171b22')).toBeGreaterThanOrEqual(4.5);
      expect(contrast(light.brand, light.tint)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(dark.brand, dark.tint)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(light.brand, light.onBrand)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(dark.brand, dark.onBrand)).toBeGreaterThanOrEqual(4.5);
    }),
    { numRuns: 300, seed: 7 },
  );
  expect(palettes('#7c3aed').light.brand).toBe('#7c3aed');
  for (const none of [null, 'red', '#7c3aed;}body{display:none', '#fff'])
    expect(palettes(none)).toEqual(palettes('#2456d6'));
});

test('values are escaped, in text and in attributes', () => {
  const evil = `"><script>alert('1')</script>&`;
  const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;';
  expect(html`<p title="${evil}">${evil}${[evil, null, false, 3]}</p>`.text).toBe(
    `<p title="${escaped}">${escaped}${escaped}3</p>`,
  );
  expect(html`<b>${[html`<i>${evil}</i>`]}</b>`.text).toBe(`<b><i>${escaped}</i></b>`);
});

test('a logo adds its host, https only, to the policy', () => {
  expect(cashierPolicy('n', null)).toContain("img-src data:; connect-src 'self'");
  expect(cashierPolicy('n', 'https://cdn.example/a.png?x=1;script-src *')).toContain(
    "img-src data: https://cdn.example; connect-src 'self'",
  );
  for (const none of ['http://cdn.example/a.png', 'javascript:alert(1)', 'nothing'])
    expect(cashierPolicy('n', none)).toBe(cashierPolicy('n', null));
});

describe('languages', () => {
  test('the first supported language, by weight', () => {
    const heard = {
      '': 'en',
      'th-TH,th;q=0.9,en;q=0.8': 'th',
      'de-DE,de;q=0.9': 'en',
      'de,bn-BD;q=0.7,hi;q=0.9': 'hi',
      'in-ID': 'id',
      'vi;q=0,en-GB': 'en',
      'constructor,__proto__;q=0.9,vi;q=0.1': 'vi',
    };
    expect(Object.keys(heard).map(preferredLanguage)).toEqual(Object.values(heard));
  });

  test('every language has every text, translated', () => {
    const said = (value: unknown): string[] => {
      if (typeof value === 'string') return [value];
      // Functions of a name or a range.
      if (typeof value === 'function') return [(value as (...args: string[]) => string)('ONE', 'TWO')];
      return Object.values(value as object).flatMap(said);
    };
    const english = said({ ...LANGUAGES.en, locale: ' ', dir: ' ' });
    for (const [tag, language] of Object.entries(LANGUAGES)) {
      const words = said({ ...language, locale: ' ', dir: ' ' });
      expect(words).toHaveLength(english.length);
      expect(words.filter((text) => text === '')).toEqual([]);
      if (tag !== 'en')
        // "Transfer" and "Bank" are also Indonesian.
        expect(
          words.filter((text) => text !== ' ' && english.includes(text) && !['Transfer', 'Bank'].includes(text)),
        ).toEqual([]);
    }
  });
});
