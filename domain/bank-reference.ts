/**
 * A bank's reference made comparable: banks print one with and without spaces, in either case. In the database
 * bank_reference_key says the same.
 */
export const normaliseReference = (reference: string): string =>
  reference.normalize('NFKC').toUpperCase().replace(/\s+/g, '');
