import { blindIndexes } from '../../crypto/blind-index';
import { openListed, sealIndexed } from '../../crypto/personal';
import { businessError, CatalogueError } from '../../domain/errors';
import { keepRules, type KeptRules } from '../../domain/review';
import { LISTED_BENEFICIARY } from '../../domain/search-forms';
import { listedBeneficiaryOf } from '../../domain/sealed-for';
import * as db from '../../db/merchants/review';
import { effect } from '../changes/change-effect';

/** Rules of a merchant in a currency, or of all merchants, as a proposal stores them. */
export type RulesPayload = Readonly<{
  id: string;
  merchantId: string | null;
  currencyCode: string;
  rules: KeptRules;
}>;

/** A beneficiary to list. */
export type ListPayload = Readonly<{
  id: string;
  merchantId: string | null;
  bankCode: string;
  accountNo: string;
  list: 'ALLOW' | 'DENY';
}>;

/** A beneficiary to take off a list. */
export type UnlistPayload = Readonly<{ id: string }>;

/** Adds a version of the rules. */
export const putReviewRules = effect<RulesPayload>({
  basis: async (tx, of) => {
    const current = await db.findRules(tx, of);
    return current ? keepRules(current.rules) : {};
  },
  apply: async (tx, payload, { now }) => {
    await db.insertRules(tx, payload, now);
  },
});

/** Puts a beneficiary on the allowlist or the denylist. */
export const listBeneficiary = effect<ListPayload>({
  apply: async (tx, payload, { reason, now, seals }) => {
    const { id, accountNo } = payload;
    const listedAs = blindIndexes(seals.lookup, LISTED_BENEFICIARY, accountNo);
    const alike = await db.lockListedAlike(tx, payload, listedAs);
    if (alike.some((listed) => openListed(seals.sealer, listed) === accountNo))
      throw new CatalogueError('CONFLICT', 'this beneficiary is on a list already');
    const { kept, index } = sealIndexed(seals, accountNo, listedBeneficiaryOf(id), LISTED_BENEFICIARY);
    await db.insertListed(tx, {
      ...payload,
      accountNo: kept,
      accountKey: index,
      reason,
      createdAt: now,
    });
  },
});

/** Takes a beneficiary off a list. */
export const unlistBeneficiary = effect<UnlistPayload>({
  apply: async (tx, { id }, { now }) => {
    if (!(await db.removeListed(tx, id, now)))
      throw businessError('UNKNOWN_VALUE', 'the beneficiary is no longer listed');
  },
});
