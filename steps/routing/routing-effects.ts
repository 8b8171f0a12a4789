import type { Settings } from '../../domain/change-request';
import type { KeptRule, RoutedKind } from '../../domain/routing-rules';
import * as db from '../../db/routing/routing-rules';
import { effect } from '../changes/change-effect';

/** A version of rules as a proposal stores it. */
export type RoutingPayload = Readonly<{
  id: string;
  currencyCode: string;
  orderKind: RoutedKind;
  rules: readonly KeptRule[];
  createdBy: string;
}>;

/** The basis of a proposal: the newest version. */
export const basisOf = (newest: Pick<db.RoutingRulesRow, 'version'> | undefined): Settings => ({
  version: newest?.version ?? 0,
});

/** Adds the next version of rules, in force at once. */
export const putRoutingRules = effect<RoutingPayload>({
  basis: async (tx, { currencyCode, orderKind }) => basisOf(await db.lockNewestRules(tx, currencyCode, orderKind)),
  apply: async (tx, payload, { id: changeId, now }) => {
    const newest = await db.lockNewestRules(tx, payload.currencyCode, payload.orderKind);
    await db.insertRoutingRules(tx, {
      ...payload,
      changeId,
      version: (newest?.version ?? 0) + 1,
      createdAt: now,
    });
  },
});
