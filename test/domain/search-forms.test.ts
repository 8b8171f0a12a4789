import fc from 'fast-check';
import { accountKey } from '../../domain/payer';
import { TRAIT_FORMS, type PayerTrait, traitKey } from '../../domain/payer-lists';
import { PAYER_ACCOUNT } from '../../domain/search-forms';

/** Numbers and addresses as merchants write them. */
const WRITTEN = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'00123 -Aax*@.０１'.split('')) }),
  fc.string({ unit: 'grapheme' }),
);

describe('the form of a value', () => {
  it('is its own form, and that by which lists and counts compare it', () => {
    fc.assert(
      fc.property(WRITTEN, (value) => {
        for (const [trait, form] of Object.entries(TRAIT_FORMS)) {
          const key = traitKey(trait as PayerTrait, value);
          expect(form.of(form.of(value))).toBe(form.of(value));
          if (key !== null) expect(form.of(value)).toBe(key);
        }
      }),
      { numRuns: 300, seed: 11 },
    );
  });

  it('of an account has what the key has, and also where that tells nothing', () => {
    expect(PAYER_ACCOUNT.of('00-12 x3')).toBe('12X3');
    expect([accountKey('**123'), PAYER_ACCOUNT.of('**123')]).toEqual([null, '123']);
  });
});
