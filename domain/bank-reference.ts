/** What banks write where they have no reference, and the markers of fields that follow. */
const NO_REFERENCES: ReadonlySet<string> = new Set([
  ...['NONREF', 'NOREF', 'NOREFERENCE', 'NOTPROVIDED', 'NOTAVAILABLE', 'NOTAPPLICABLE', 'NA'],
  ...['NONE', 'NULL', 'NIL', 'UNKNOWN', 'UNDEFINED', 'REF', 'REFERENCE'],
  ...['EREF', 'KREF', 'MREF', 'PREF', 'CREF', 'IREF', 'CRED', 'DEBT', 'SVWZ', 'ABWA', 'ABWE'],
]);
/** As Excel writes a long number: its last digits are gone. */
const ROUNDED = /^\d+([.,]\d+)?E\+\d{1,3}$|^\d+[.,]\d+E\d{1,3}$/i;

/**
 * The reference in a bank's field; null where it is a placeholder, zeros, or a marker such as `EREF`: the same text
 * stands on many movements, so that it is the reference of none.
 */
export function referenceIn(text: string | null | undefined): string | null {
  const said = text?.trim() ?? '';
  if (said === '') return null;
  const key = normaliseReference(said);
  if (!/[\p{Alphabetic}\p{Nd}]/u.test(key) || /^0+$/.test(key) || NO_REFERENCES.has(key)) return null;
  return ROUNDED.test(said) ? null : said;
}

/**
 * Makes bank references comparable: only letters and digits count, without case, because banks print the same reference
 * with and without spaces, hyphens and dots. One without any letter or digit is kept as written. The SQL function
 * bank_reference_key does the same.
 */
export function normaliseReference(reference: string): string {
  const text = reference.normalize('NFKC');
  return (text.replace(/[^\p{Alphabetic}\p{Nd}]+/gu, '') || text).toUpperCase();
}
