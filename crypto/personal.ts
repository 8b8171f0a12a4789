import { keyOfSealed, type Sealer } from './seal';

/*
 * Values of payers and beneficiaries (docs/personal-data.md). Rows from before they were sealed, or from processes of an
 * older release, are in clear, and stay readable.
 */

/** A value as its column keeps it. @param context what it is bound to, of domain/sealed-for.ts */
export const sealPersonal = (sealer: Sealer, value: string, context: string): string =>
  sealer.sealsPersonal ? sealer.seal(value, context) : value;

/** A value of a column. @throws Error if it is sealed and does not open */
export const openPersonal = (sealer: Sealer, kept: string, context: string): string =>
  keyOfSealed(kept) ? sealer.open(kept, context) : kept;

/** A file as its column keeps it. */
export const sealFile = (sealer: Sealer, file: Buffer, context: string): Buffer =>
  sealer.sealsPersonal ? sealer.sealBytes(file, context) : file;

/** A file of a column. @throws Error if it is sealed and does not open */
export const openFile = (sealer: Sealer, kept: Buffer, context: string): Buffer =>
  keyOfSealed(kept) ? sealer.openBytes(kept, context) : kept;
