/** A bank's reference made comparable: banks print one with and without spaces, in either case. */
export const normaliseReference = (reference: string): string =>
  reference.normalize('NFKC').toUpperCase().replace(/\s+/g, '');
