import fc from 'fast-check';
import { accountKey, compareAccounts, compareNames, nameKey, payerDifference } from '../../domain/payer';

describe('names', () => {
  it.each([
    ['Somchai Jaidee', 'JAIDEE, SOMCHAI', 'SAME'],
    ['José  Núñez', 'JOSE NUNEZ', 'SAME'],
    ['MR SOMCHAI JAIDEE', 'Somchai Jaidee', 'SAME'],
    ['MR SOMCHAI JAIDEE', 'Mrs Somchai Jaidee', 'SAME'],
    ['นายสมชาย ใจดี', 'สมชาย ใจดี', 'SAME'],
    ['Anna Maria Smith', 'ANNA SMITH', 'SAME'],
    ['SOMCHAI J***', 'Somchai Jaidee', 'POSSIBLE'],
    ['S***I JAIDEE', 'Somchai Jaidee', 'POSSIBLE'],
    ['SXXXXXI JAIDEE', 'Somchai Jaidee', 'POSSIBLE'],
    ['SOMCHAI JAIDEEPRASE', 'Somchai Jaideeprasert', 'POSSIBLE'],
    ['J. SMITH', 'John Smith', 'POSSIBLE'],
    ['SMITHJOHN', 'Smith John', 'POSSIBLE'],
    ['Somchai', 'Somchai Jaidee', 'POSSIBLE'],
    ['K*** JAIDEE', 'Somchai Jaidee', 'OTHER'],
    ['Somsak Jaidee', 'Somchai Jaidee', 'OTHER'],
    ['John Smith', 'Jane Smith', 'OTHER'],
    ['Ann Lee', 'Lee Lee', 'OTHER'],
    ['สมชาย ใจดี', 'Somchai Jaidee', 'UNKNOWN'],
    ['Ann Lee', null, 'UNKNOWN'],
    ['', 'Ann Lee', 'UNKNOWN'],
    ['-', 'Ann Lee', 'UNKNOWN'],
  ] as const)('%s and %s: %s', (a, b, expected) => {
    expect([compareNames(a, b), compareNames(b, a)]).toEqual([expected, expected]);
  });

  // No title begins like this, and no x is a mask.
  const word = fc.stringMatching(/^B[a-wyz]{2,9}$/);
  const name = fc.uniqueArray(word, { minLength: 2, maxLength: 5 });

  it('agree in any order, case and spacing', () => {
    fc.assert(
      fc.property(name, fc.nat(), fc.boolean(), (words, turn, upper) => {
        const at = turn % words.length;
        const turned = [...words.slice(at), ...words.slice(0, at)].join(',  ');
        const other = upper ? turned.toUpperCase() : turned.toLowerCase();
        expect(compareNames(words.join(' '), other)).toBe('SAME');
        expect(nameKey(other)).toBe(nameKey(words.join(' ')));
      }),
      { seed: 1 },
    );
  });

  it('are never another person’s because they are cut off or masked', () => {
    fc.assert(
      fc.property(name, fc.nat(), fc.integer({ min: 1, max: 3 }), (words, length, shown) => {
        const whole = words.join(' ');
        const cut = whole.slice(0, 1 + (length % whole.length));
        const masked = words.map((text) => `${text.slice(0, shown)}***`).join(' ');
        expect(compareNames(cut, whole)).not.toBe('OTHER');
        expect(compareNames(masked, whole)).not.toBe('OTHER');
      }),
      { seed: 2 },
    );
  });

  it('of other words belong to other people', () => {
    fc.assert(
      fc.property(name, name, (a, b) => {
        const [one, other] = [a.map((text) => `Q${text}`), b.map((text) => `Z${text}`)];
        expect(compareNames(one.join(' '), other.join(' '))).toBe('OTHER');
      }),
      { seed: 3 },
    );
  });
});

describe('account numbers', () => {
  it.each([
    ['123-4-56789-0', '1234567890', 'SAME'],
    ['0012345678', '12345678', 'SAME'],
    ['１２３４５６７８', '12345678', 'SAME'],
    ['gb29 nwbk 6016 1331 9268 19', 'GB29NWBK60161331926819', 'SAME'],
    ['GB29NWBK60161331926819', '31926819', 'POSSIBLE'],
    ['xxx-x-x6789-x', '123-4-56789-0', 'POSSIBLE'],
    ['xxx-x-x6788-x', '123-4-56789-0', 'OTHER'],
    ['XXXXXX7890', '1234567890', 'POSSIBLE'],
    ['******7891', '1234567890', 'OTHER'],
    ['*7890', '1234567890', 'POSSIBLE'],
    ['12**7890', '1234567890', 'POSSIBLE'],
    ['7890', '1234567890', 'POSSIBLE'],
    ['7891', '1234567890', 'OTHER'],
    ['1234567891', '1234567890', 'OTHER'],
    ['90', '1234567890', 'UNKNOWN'],
    ['**********', '1234567890', 'UNKNOWN'],
    [null, '1234567890', 'UNKNOWN'],
    ['', '', 'UNKNOWN'],
  ] as const)('%s and %s: %s', (a, b, expected) => {
    expect([compareAccounts(a, b), compareAccounts(b, a)]).toEqual([expected, expected]);
  });

  const digits = fc.stringMatching(/^[1-9][0-9]{7,13}$/);

  it('agree in any spelling, and never with others because of a mask', () => {
    fc.assert(
      fc.property(digits, fc.nat(), (number, at) => {
        const place = at % (number.length - 3);
        const dashed = `${number.slice(0, place)}-${number.slice(place)} `;
        expect(compareAccounts(number, dashed)).toBe('SAME');
        expect(accountKey(dashed)).toBe(accountKey(number));
        const masked = `${'x'.repeat(place)}${number.slice(place)}`;
        expect(['SAME', 'POSSIBLE']).toContain(compareAccounts(masked, number));
        expect(compareAccounts(`xx${number.slice(-4)}`, number)).toBe('POSSIBLE');
      }),
      { seed: 4 },
    );
  });

  it('of other last digits belong to other accounts', () => {
    fc.assert(
      fc.property(digits, (number) => {
        const last = (parseInt(number.slice(-1), 10) + 1) % 10;
        const other = `${number.slice(0, -1)}${last}`;
        expect(compareAccounts(number, other)).toBe('OTHER');
        expect(compareAccounts(`xx${number.slice(-4)}`, other)).toBe('OTHER');
      }),
      { seed: 5 },
    );
  });

  it('must be complete to be on a list', () => {
    expect(['xx-1234', '***', '12', '', '000'].map((text) => accountKey(text))).toEqual(Array(5).fill(null));
  });
});

describe('a payer', () => {
  const ann = { name: 'Ann Lee', account: '1234567890' };

  it.each([
    ['is not compared without data with', { name: null, account: null }, null],
    ['agrees by name only with', { name: 'LEE ANN', account: null }, null],
    ['agrees by the complete account, under a name in another script, with', { ...ann, name: 'บริษัท' }, null],
    ['agrees by the complete account, under another name, with', { ...ann, name: 'Bob Ray' }, null],
    ['has another name than', { name: 'Bob Ray', account: null }, 'the bank names Bob Ray, the merchant said Ann Lee'],
    [
      'has another account than',
      { name: 'Ann Lee', account: '99-8765' },
      'it came from an account ending 8765, the merchant said 7890',
    ],
    [
      'has another name and account than',
      { name: 'Bob Ray', account: '998765' },
      'the bank names Bob Ray, the merchant said Ann Lee; it came from an account ending 8765, the merchant said 7890',
    ],
  ])('%s the announced one', (_what, reported, words) => {
    expect(payerDifference(reported, ann)).toBe(words);
  });
});
