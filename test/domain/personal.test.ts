import { HIDDEN, isMasked, masked, maskedPerson, maskedText } from '../../domain/personal';

describe('the masked form', () => {
  it.each([
    ['Somchai Jaidee', `S${HIDDEN} J${HIDDEN}`],
    ['  นาย  สมชาย ', `น${HIDDEN} ส${HIDDEN}`],
    ['😀name', `😀${HIDDEN}`],
    ['', ''],
  ])('of the name %j is %j', (name, shown) => {
    expect(maskedText(name, 'NAME')).toBe(shown);
  });

  it.each([
    ['123-4-56789-0', `${HIDDEN}7890`],
    ['12345678', `${HIDDEN}5678`],
    ['1234567', HIDDEN],
    ['', ''],
  ])('of the number %j is %j', (number, shown) => {
    expect(maskedText(number, 'NUMBER')).toBe(shown);
  });

  it('hides texts at any depth, and keeps values that are not texts', () => {
    const at = new Date(0);
    expect(masked(['a', { b: 'c', n: 1, none: null, at }], 'TEXT')).toEqual([
      HIDDEN,
      { b: HIDDEN, n: 1, none: null, at },
    ]);
  });

  it('hides a person’s data in the fields of a change', () => {
    const change = { amount: '1.00', memo: 'for Ann', payerName: null };
    expect(maskedPerson(change)).toEqual({ ...change, memo: HIDDEN });
    expect(maskedPerson('a summary')).toBe('a summary');
  });

  it('is recognized as masked', () => {
    expect(isMasked(maskedText('Ann Lee', 'NAME'))).toBe(true);
    expect(isMasked('Ann Lee')).toBe(false);
  });
});
