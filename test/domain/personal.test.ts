import { HIDDEN, isMasked, masked, maskedPerson, maskedText } from '../../domain/personal';

describe('what is shown of a person', () => {
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

  it('is nothing of texts, wherever they stand; what is no text stays', () => {
    const at = new Date(0);
    expect(masked(['a', { b: 'c', n: 1, none: null, at }], 'TEXT')).toEqual([
      HIDDEN,
      { b: HIDDEN, n: 1, none: null, at },
    ]);
  });

  it('is nothing of what fields of a change say of one', () => {
    const change = { amount: '1.00', memo: 'for Ann', payerName: null };
    expect(maskedPerson(change)).toEqual({ ...change, memo: HIDDEN });
    expect(maskedPerson('a summary')).toBe('a summary');
  });

  it('is never taken for a name', () => {
    expect(isMasked(maskedText('Ann Lee', 'NAME'))).toBe(true);
    expect(isMasked('Ann Lee')).toBe(false);
  });
});
