import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { isSignedBy as isSignedByRule } from '../../channels/mapped/signer';
import { isSignedBy, isSoundKeyText, readEd25519Key } from '../../crypto/ed25519';

const P = 2n ** 255n - 19n;
const TOP = 2n ** 255n;
/** The y of points of order 8. */
const Y8 = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;

const spki = (point: Buffer): string =>
  Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), point]).toString('base64');
const encoded = (y: bigint): Buffer => Buffer.from(y.toString(16).padStart(64, '0'), 'hex').reverse();

/** The eight points of low order, and their spellings with the other sign. */
const lowOrder = [0n, 1n, P - 1n, Y8, P - Y8].flatMap((y) => [y, y + TOP]);
/** All spellings of a y beyond the field. */
const beyond = Array.from({ length: 19 }, (_, n) => P + BigInt(n)).flatMap((y) => [y, y + TOP]);

describe('keys of Ed25519', () => {
  it.each([...lowOrder, ...beyond].map((y) => encoded(y).toString('hex')))(
    'that are %s are refused, and verify nothing',
    (hex) => {
      const base64 = spki(Buffer.from(hex, 'hex'));
      expect(() => readEd25519Key(base64)).toThrow();
      expect(isSoundKeyText(base64)).toBe(false);
      const key = createPublicKey({
        key: Buffer.from(base64, 'base64'),
        format: 'der',
        type: 'spki',
      } as const);
      // R = the point of order 1, S = 0: valid by the equation alone, for some of these keys and texts.
      const forged = Buffer.concat([encoded(1n), Buffer.alloc(32)]);
      const texts = Array.from({ length: 16 }, (_, n) => `text ${n}`);
      for (const text of texts) {
        expect(isSignedBy(key, text, forged.toString('base64'))).toBe(false);
        const rule = { algorithm: 'ED25519', output: 'base64' } as const;
        expect(isSignedByRule(rule, text, forged.toString('base64'), base64)).toBe(false);
      }
    },
  );

  it('of order one verify any text by the equation alone, unless Node.js itself looks', () => {
    const key = createPublicKey({
      key: Buffer.from(spki(encoded(1n)), 'base64'),
      format: 'der',
      type: 'spki',
    } as const);
    const forged = Buffer.concat([encoded(1n), Buffer.alloc(32)]);
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const looks = major > 25 || (major === 24 && minor >= 19);
    expect(verify(null, Buffer.from('any'), key, forged)).toBe(!looks);
  });

  it('that somebody made are taken, and only their one signature counts', () => {
    for (let n = 0; n < 50; n++) {
      const { publicKey, privateKey } = generateKeyPairSync('ed25519');
      const base64 = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
      const key = readEd25519Key(base64);
      const signature = sign(null, Buffer.from('text'), privateKey);
      expect(isSignedBy(key, 'text', signature.toString('base64'))).toBe(true);
      expect(isSignedBy(key, 'other', signature.toString('base64'))).toBe(false);
      // The same S by another multiple of the order: RFC 8032 refuses it.
      const order = 2n ** 252n + 27742317777372353535851937790883648493n;
      const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`);
      const malleable = Buffer.concat([signature.subarray(0, 32), encoded(s + order)]);
      expect(isSignedBy(key, 'text', malleable.toString('base64'))).toBe(false);
    }
  });
});
