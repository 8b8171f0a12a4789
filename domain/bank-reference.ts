/**
 * Makes bank references comparable: letters and digits count, in either case. Banks print the same one with and without
 * spaces, hyphens, dots. One without any letter or digit is as it is written. The SQL function bank_reference_key does
 * the same.
 */
export function normaliseReference(reference: string): string {
  const text = reference.normalize('NFKC');
  return (text.replace(/[^\p{Alphabetic}\p{Nd}]+/gu, '') || text).toUpperCase();
}
