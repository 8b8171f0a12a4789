import { createHmac } from 'node:crypto';
import { newTotpSecret, totpStep, totpUri } from '../../crypto/totp';

/** RFC 6238, implemented here without the library. */
function code(secret: string, step: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = Array.from(secret)
    .map((c) => alphabet.indexOf(c).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

describe('a code of an authenticator app', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  const at = (seconds: number): Date => new Date(seconds * 1000);

  it('is that of RFC 6238', () => {
    // Appendix B, the last six of eight digits.
    expect(totpStep(secret, '287082', at(59))).toBe(1);
    expect(totpStep(secret, '081804', at(1111111109))).toBe(37037036);
  });

  it('is valid in its half minute and the ones before and after it, and no longer', () => {
    const now = at(1_800_000_015);
    const step = 60_000_000;
    for (const near of [step - 1, step, step + 1]) expect(totpStep(secret, code(secret, near), now)).toBe(near);
    for (const far of [step - 2, step + 2]) expect(totpStep(secret, code(secret, far), now)).toBeUndefined();
  });

  it.each(['', '12345', '1234567', 'abcdef', '28708２'])('is not %j', (text) => {
    expect(totpStep(secret, text, at(59))).toBeUndefined();
  });

  it('is made from a secret that apps can scan', () => {
    const made = newTotpSecret();
    expect(made).toMatch(/^[A-Z2-7]{32}$/);
    expect(totpUri('Causeway', 'admin', made)).toMatch(new RegExp(`^otpauth://totp/Causeway:admin\\?.*secret=${made}`));
  });
});
