import { branchOf, extraDataOf, type Numbered } from '../domain/sealed-for';
import type { SearchForm } from '../domain/search-forms';
import { blindIndex } from './blind-index';
import type { Lookup } from './lookup';
import { keyOfSealed, type Sealer } from './seal';

/*
 * Values of payers and beneficiaries (docs/personal-data.md). Rows from before they were sealed, or from processes of an
 * older release, are in clear, and stay readable.
 */

/**
 * A value as its column keeps it. One that looks sealed is sealed in any case: it would not open otherwise.
 * @param context what it is bound to, of domain/sealed-for.ts
 */
export const sealPersonal = (sealer: Sealer, value: string, context: string): string =>
  sealer.sealsPersonal || keyOfSealed(value) ? sealer.seal(value, context) : value;

/** A value of a column. @throws Error if it is sealed and does not open */
export const openPersonal = (sealer: Sealer, kept: string, context: string): string =>
  keyOfSealed(kept) ? sealer.open(kept, context) : kept;

/** What seals values that are searched. */
export interface Seals {
  readonly sealer: Sealer;
  readonly lookup: Lookup;
}

/** A searched value as its row keeps it: sealed, with what it is found by; or in clear, without. */
export interface KeptIndexed {
  readonly kept: string;
  readonly index: string | null;
}

/** A searched value as its row keeps it. `openPersonal` opens it. @param context of domain/sealed-for.ts */
export const sealIndexed = (
  { sealer, lookup }: Seals,
  value: string,
  context: string,
  form: SearchForm,
): KeptIndexed =>
  sealer.indexesPersonal || keyOfSealed(value)
    ? { kept: sealer.seal(value, context), index: blindIndex(lookup, form, value) }
    : { kept: value, index: null };

/** The text that a merchant gives an order, as its row keeps it. */
export const sealExtraData = (
  sealer: Sealer,
  order: Numbered & { readonly extraData?: string | null },
): string | null =>
  order.extraData == null ? null : sealPersonal(sealer, order.extraData, extraDataOf(order));

/** The same in clear. @throws Error if it is sealed and does not open */
export const openExtraData = (
  sealer: Sealer,
  order: Numbered & { readonly extraData: string | null },
): string | null =>
  order.extraData === null ? null : openPersonal(sealer, order.extraData, extraDataOf(order));

/** The branch of a withdrawal's beneficiary, as its row keeps it. */
export const sealBranch = (
  sealer: Sealer,
  order: Numbered & { readonly beneficiaryBankBranch?: string | null },
): string | null =>
  order.beneficiaryBankBranch == null
    ? null
    : sealPersonal(sealer, order.beneficiaryBankBranch, branchOf(order));

/** The branch of a withdrawal's beneficiary in clear. @throws Error if it is sealed and does not open */
export const openBranch = (
  sealer: Sealer,
  order: Numbered & { readonly beneficiaryBankBranch: string | null },
): string | null =>
  order.beneficiaryBankBranch === null
    ? null
    : openPersonal(sealer, order.beneficiaryBankBranch, branchOf(order));

/** A file as its column keeps it. */
export const sealFile = (sealer: Sealer, file: Buffer, context: string): Buffer =>
  sealer.sealsPersonal ? sealer.sealBytes(file, context) : file;

/** A file of a column. @throws Error if it is sealed and does not open */
export const openFile = (sealer: Sealer, kept: Buffer, context: string): Buffer =>
  keyOfSealed(kept) ? sealer.openBytes(kept, context) : kept;
