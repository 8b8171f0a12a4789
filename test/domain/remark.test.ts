import fc from 'fast-check';
import { isRemark, newRemark, REMARK_LENGTH, remarksIn } from '../../domain/remark';

const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const remark = fc
  .uint8Array({ minLength: 64, maxLength: 64 })
  .filter((bytes) => bytes.filter((byte) => byte < 248).length >= 7)
  .map(newRemark);
const settings = { numRuns: 300, seed: 3 };

describe('a remark', () => {
  it('has eight characters without look-alikes, the last a check character', () => {
    fc.assert(
      fc.property(remark, (text) => {
        expect(text).toMatch(/^[2-9A-HJKMNP-Z]{8}$/);
        expect(isRemark(text)).toBe(true);
      }),
      settings,
    );
  });

  it('is invalid with one wrong character', () => {
    fc.assert(
      fc.property(remark, fc.nat(REMARK_LENGTH - 1), fc.nat(30), (text, at, other) => {
        const wrong = text.slice(0, at) + ALPHABET.charAt(other) + text.slice(at + 1);
        expect(isRemark(wrong)).toBe(wrong === text);
      }),
      settings,
    );
  });

  it('is invalid with two of its first seven characters swapped', () => {
    fc.assert(
      fc.property(remark, fc.nat(6), fc.nat(6), (text, i, j) => {
        const characters = Array.from(text);
        [characters[i], characters[j]] = [text.charAt(j), text.charAt(i)];
        const swapped = characters.join('');
        expect(isRemark(swapped)).toBe(swapped === text);
      }),
      settings,
    );
  });

  it('needs unbiased randomness', () => {
    expect(() => newRemark(new Uint8Array(64).fill(255))).toThrow('not enough random bytes');
  });
});

describe('a memo', () => {
  it('contains its remark after any change that a bank makes', () => {
    const noise = fc.constantFrom('', ' ', '-', '  /', '\n', 'ทดสอบ', '…');
    fc.assert(
      fc.property(remark, fc.array(noise, { minLength: 8, maxLength: 8 }), (text, between) => {
        const memo = Array.from(text)
          .map((character, i) => character + (between[i] ?? ''))
          .join('');
        expect(remarksIn(`TRF 77 ${memo.toLowerCase()} thx`)).toContain(text);
      }),
      settings,
    );
  });

  it.each([
    ['', []],
    ['thanks for the fish', []],
    ['ABCDEFG', []],
  ])('%j contains no remark', (memo, named) => {
    expect(remarksIn(memo)).toEqual(named);
  });

  it('contains each remark once', () => {
    const text = newRemark(new Uint8Array(32).fill(5));
    expect(remarksIn(`${text} ${text}`).filter((found) => found === text)).toHaveLength(1);
  });

  it('reads full-width characters', () => {
    const text = newRemark(new Uint8Array(32).fill(9));
    const wide = Array.from(text)
      .map((c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))
      .join('');
    expect(remarksIn(wide)).toContain(text);
  });
});
