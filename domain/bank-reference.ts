/**
 * Makes bank references comparable: only letters and digits count, without case, because banks print the same reference
 * with and without spaces, hyphens and dots. One without any letter or digit is kept as written. The SQL function
 * bank_reference_key does the same.
 */
export function normaliseReference(reference: string): string {
  const text = reference.normalize('NFKC');
  return (text.replace(/[^\p{Alphabetic}\p{Nd}]+/gu, '') || text).toUpperCase();
}
