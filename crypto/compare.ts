import { timingSafeEqual } from 'node:crypto';

/**
 * Whether two hexadecimal texts are equal, ignoring case. The time it takes reveals only the length of `given`.
 * @param given from outside: any length, any characters
 * @param expected made by us, never empty
 */
export function hexEquals(given: string, expected: string): boolean {
  const left = Buffer.from(given.toLowerCase());
  const right = Buffer.from(expected.toLowerCase());
  return left.length === right.length && timingSafeEqual(left, right);
}
