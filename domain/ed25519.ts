/** The field of the curve. */
const P = 2n ** 255n - 19n;
/** The y of a point of order 8; the other one is its negative. */
const Y8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
/** The y of the eight points of low order. A signature by a key that is one says nothing: anybody can make it. */
const LOW_ORDER: ReadonlySet<bigint> = new Set([0n, 1n, P - 1n, Y8, P - Y8]);

/**
 * Whether a public key of Ed25519 is the usual spelling of a point whose private key somebody can have (RFC 8032, 5.1.3):
 * not one of low order, with either sign, and not a y beyond the field.
 * @param spki of a key of Ed25519, DER
 */
export function isSoundEd25519(spki: Uint8Array): boolean {
  // The last 32 bytes: y with its lowest byte first, and the sign of x in the highest bit.
  const point = spki.subarray(-32).reduceRight((high, byte) => (high << 8n) | BigInt(byte), 0n);
  const y = point & (2n ** 255n - 1n);
  return y < P && !LOW_ORDER.has(y);
}
