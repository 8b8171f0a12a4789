import { randomBytes } from 'node:crypto';
import { createAuditSigner, signedWith } from '../../crypto/audit-signer';
import { createLookup } from '../../crypto/lookup';

const [one, two, lookup] = [randomBytes(32), randomBytes(32), randomBytes(32)];

test('the first key signs, and each verifies', () => {
  const before = createAuditSigner({ own: [one], lookup: null });
  const after = createAuditSigner({ own: [two, one], lookup: null });
  const signature = before.sign('text');
  expect(after.judge('text', signature)).toBe('RIGHT');
  expect(after.judge('other', signature)).toBe('WRONG');
  expect(signedWith(after.sign('text'))).not.toBe(signedWith(signature));
  expect(createAuditSigner({ own: [two], lookup }).judge('text', signature)).toBe('UNKNOWN_KEY');
});

test('a signature by the look-up key is verified by that key, and by no other', () => {
  const signature = createLookup(lookup)('text');
  expect(createAuditSigner({ own: [], lookup }).sign('text')).toBe(signature);
  expect(createAuditSigner({ own: [one], lookup }).judge('text', signature)).toBe('RIGHT');
  expect(createAuditSigner({ own: [one], lookup: two }).judge('text', signature)).toBe('WRONG');
  expect(createAuditSigner({ own: [one], lookup: null }).judge('text', signature)).toBe('UNKNOWN_KEY');
});

test('a signature is invalid under another key’s name', () => {
  const signature = createAuditSigner({ own: [one], lookup }).sign('text');
  const other = signedWith(createAuditSigner({ own: [two], lookup }).sign('text')) ?? '';
  const renamed = signature.replace(signedWith(signature) ?? '', other);
  expect(createAuditSigner({ own: [one, two], lookup }).judge('text', renamed)).toBe('WRONG');
});

test('without a key nothing is signed', () => {
  expect(() => createAuditSigner({ own: [], lookup: null }).sign('text')).toThrow('CAUSEWAY_AUDIT_KEY');
});
