/** 32 random bytes have fewer different values than this once in 10^12. */
const LEAST_VALUES = 20;

/** Whether every step from one byte to the next is the same: 0 1 2 3 …, or one byte repeated. */
const isSeries = (key: Buffer): boolean =>
  key.every((byte, n) => n < 2 || ((byte - (key[n - 1] ?? 0)) & 255) === (((key[1] ?? 0) - (key[0] ?? 0)) & 255));

/** Whether it is a text that somebody typed: random bytes are it once in 10^13. */
const isText = (key: Buffer): boolean => key.every((byte) => byte >= 32 && byte < 127);

/** Whether its second half is its first. */
const isRepeated = (key: Buffer): boolean => {
  const half = key.length / 2;
  return key.subarray(0, half).equals(key.subarray(half));
};

/** Why a key of 32 bytes can be guessed; null if it looks random. */
export function weaknessOf(key: Buffer): string | null {
  if (isSeries(key)) return 'the key is a sample, not random';
  if (isText(key)) return 'the key is a text, not random bytes';
  if (isRepeated(key) || new Set(key).size < LEAST_VALUES) return 'the key repeats few bytes, it is not random';
  return null;
}
