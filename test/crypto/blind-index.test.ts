import { randomBytes } from 'node:crypto';
import { blindIndex, blindIndexes } from '../../crypto/blind-index';
import { firstKey, KeyRing, platformKey } from '../../crypto/key-ring';
import { createLookup } from '../../crypto/lookup';
import { openPersonal, sealIndexed } from '../../crypto/personal';
import { createSealer, keyOfSealed } from '../../crypto/seal';
import type { SearchForm } from '../../domain/search-forms';

const CODE: SearchForm = { name: 'code', of: (value) => value.trim().toUpperCase() };
const OTHER: SearchForm = { ...CODE, name: 'other' };

const fresh = () => platformKey(randomBytes(32));

describe('a blind index', () => {
  const [old, current] = [fresh(), fresh()];
  const ring = new KeyRing([old]);
  const lookup = createLookup(ring);

  it('is one of all values with one form, names its key, and tells nothing of them', () => {
    const index = blindIndex(lookup, CODE, ' somchai ');
    expect(index).toMatch(new RegExp(`^${old.id}\\.[0-9a-f]{32}$`));
    expect(blindIndex(lookup, CODE, 'Somchai')).toBe(index);
    expect(blindIndex(lookup, CODE, 'Somchai2')).not.toBe(index);
  });

  it('differs from column to column, and from key to key', () => {
    const index = blindIndex(lookup, CODE, 'A1');
    expect(blindIndex(lookup, OTHER, 'A1')).not.toBe(index);
    const elsewhere = blindIndex(createLookup(new KeyRing([current])), CODE, 'A1');
    expect(elsewhere.slice(9)).not.toBe(index.slice(9));
  });

  it('is looked up under each key of the ring', () => {
    const before = blindIndex(lookup, CODE, 'A1');
    const both = new KeyRing([current, old]);
    const after = blindIndex(createLookup(both), CODE, 'A1');
    expect(blindIndexes(createLookup(both), CODE, 'a1')).toEqual([after, before]);
  });

  it('names no key under the one from before the ring', () => {
    const [seal, first, cashier] = [randomBytes(32), randomBytes(32), randomBytes(32)];
    const unnamed = new KeyRing([firstKey({ seal, lookup: first, cashier }), current]);
    const indexes = blindIndexes(createLookup(unnamed), CODE, 'a1');
    expect(indexes.map((index) => index.length)).toEqual([32, 41]);
  });
});

describe('a searched value', () => {
  const ring = new KeyRing([fresh()]);
  const seals = { sealer: createSealer(ring), lookup: createLookup(ring) };

  it('is sealed, also one that looks sealed, and has an index', () => {
    const forged = createSealer(new KeyRing([fresh()])).seal('x', 'y');
    expect(openPersonal(seals.sealer, sealIndexed(seals, forged, 'row', CODE).kept, 'row')).toBe(forged);
    const { kept, index } = sealIndexed(seals, 'A1', 'row', CODE);
    expect(keyOfSealed(kept)?.id).toBe(ring.current.id);
    expect(openPersonal(seals.sealer, kept, 'row')).toBe('A1');
    expect(index).toBe(blindIndex(seals.lookup, CODE, 'A1'));
  });
});
