/**
 * Makes bank references comparable: banks print the same one with and without spaces, in either case. The SQL function
 * bank_reference_key does the same.
 */
export const normaliseReference = (reference: string): string =>
  reference.normalize('NFKC').toUpperCase().replace(/\s+/g, '');
