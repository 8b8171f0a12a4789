import { sealListedPayer, soughtTrait } from '../../crypto/listed-payer';
import type { Settings } from '../../domain/change-request';
import { businessError, CatalogueError } from '../../domain/errors';
import type { PayerList, PayerTrait } from '../../domain/payer-lists';
import { type KeptPayerRules, keepPayerRules, readPayerRules, velocityWords } from '../../domain/payer-rules';
import * as listed from '../../db/payers/listed';
import * as db from '../../db/payers/rules';
import { effect } from '../changes/change-effect';

/** Rules of a merchant in a currency, or of all merchants, as a proposal stores them. */
export type PayerRulesPayload = Readonly<{
  id: string;
  merchantId: string | null;
  currencyCode: string;
  comparison: KeptPayerRules['comparison'];
  velocity: readonly Readonly<KeptPayerRules['velocity'][number]>[];
}>;

/** A payer to list. */
export type ListPayerPayload = Readonly<{
  id: string;
  list: PayerList;
  trait: PayerTrait;
  value: string;
  key: string;
  bankCode: string | null;
  merchantId: string | null;
  /** RFC 3339; null: it does not expire. */
  expiresAt: string | null;
}>;

/** A payer to take off a list. */
export type UnlistPayerPayload = Readonly<{ id: string }>;

/** Rules as an approver compares them. */
export const payerRuleFields = (kept: KeptPayerRules, currencyCode: string): Settings => ({
  comparison: kept.comparison,
  velocity: readPayerRules(kept).velocity.map((rule) => `${rule.outcome}: ${velocityWords(rule, currencyCode)}`),
});

/** Adds a version of the rules. */
export const putPayerRules = effect<PayerRulesPayload>({
  basis: async (tx, of) => {
    const current = await db.findPayerRules(tx, of);
    return current ? payerRuleFields(keepPayerRules(current.rules), of.currencyCode) : {};
  },
  apply: async (tx, { comparison, velocity, ...of }, { id: changeId, now }) => {
    const rules = { comparison, velocity };
    await db.insertPayerRules(tx, { ...of, rules, changeId, createdAt: now });
  },
});

/** Puts a payer on a list. */
export const listPayer = effect<ListPayerPayload>({
  apply: async (tx, { expiresAt: until, ...payload }, { reason, now, seals }) => {
    const expiresAt = until === null ? null : new Date(until);
    if (expiresAt !== null && expiresAt <= now)
      throw businessError('WRONG_STATE', 'the entry would have expired by now');
    const { kept, index } = sealListedPayer(seals, payload);
    const { keys } = soughtTrait(seals.lookup, payload);
    const row = { ...payload, value: kept, key: index };
    if (!(await listed.insertListedPayer(tx, { ...row, expiresAt, reason, createdAt: now }, keys)))
      throw new CatalogueError('CONFLICT', 'this payer is on a list already');
  },
});

/** Takes a payer off a list. */
export const unlistPayer = effect<UnlistPayerPayload>({
  apply: async (tx, { id }, { now }) => {
    if (!(await listed.removeListedPayer(tx, id, now)))
      throw businessError('UNKNOWN_VALUE', 'the payer is no longer listed');
  },
});
