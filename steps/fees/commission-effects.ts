import type { Settings } from '../../domain/change-request';
import { money } from '../../domain/money';
import * as db from '../../db/fees/commissions';
import { effect } from '../changes/change-effect';

/** A version of a commission rate as a proposal stores it. */
export type RatePayload = Readonly<{
  id: string;
  merchantId: string;
  currencyCode: string;
  orderKind: db.CommissionRateRow['orderKind'];
  resellerId: string;
  /** RFC 3339; null, or a time before the approval: at the approval. */
  effectiveFrom: string | null;
  ends: boolean;
  percent: string;
  decimals: number;
  createdBy: string;
}>;

/** A version as an approver compares it. */
export const rateFields = (
  version: Pick<RatePayload, 'orderKind' | 'currencyCode' | 'resellerId' | 'effectiveFrom' | 'ends' | 'percent'>,
): Settings => ({
  orderKind: version.orderKind,
  currencyCode: version.currencyCode,
  resellerId: version.resellerId,
  effectiveFrom: version.effectiveFrom ?? 'once approved',
  ends: version.ends,
  percent: version.percent,
});

/** A stored version as an approver compares it. */
export const fieldsOfRate = (row: db.CommissionRateRow): Settings =>
  rateFields({
    ...row,
    percent: row.percent.toFixed(),
    effectiveFrom: row.effectiveFrom.toISOString(),
  });

/** Adds the next version of a commission rate. It applies to no order from before its approval. */
export const putCommissionRate = effect<RatePayload>({
  basis: async (tx, payload) => {
    const newest = await db.lockNewestRate(tx, payload);
    return newest ? fieldsOfRate(newest) : {};
  },
  apply: async (tx, { effectiveFrom, ...payload }, { id: changeId, now }) => {
    const newest = await db.lockNewestRate(tx, payload);
    const begins = effectiveFrom === null ? now : new Date(effectiveFrom);
    await db.insertCommissionRate(tx, {
      ...payload,
      changeId,
      percent: money(payload.percent),
      version: (newest?.version ?? 0) + 1,
      effectiveFrom: begins > now ? begins : now,
      createdAt: now,
    });
  },
});
