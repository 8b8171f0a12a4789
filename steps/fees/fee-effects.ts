import type { Settings } from '../../domain/change-request';
import type { FeeTerms } from '../../domain/fees';
import { money } from '../../domain/money';
import * as db from '../../db/fees/fee-schedules';
import { effect } from '../changes/change-effect';

/** A version of a schedule as a proposal stores it; amounts are texts. */
export type SchedulePayload = Readonly<{
  id: string;
  merchantId: string;
  currencyCode: string;
  orderKind: db.FeeScheduleRow['orderKind'];
  channelId: string | null;
  walletKind: db.FeeScheduleRow['walletKind'];
  /** RFC 3339; null, or a time before the approval: at the approval. */
  effectiveFrom: string | null;
  ends: boolean;
  percent: string;
  fixed: string;
  minimum: string | null;
  maximum: string | null;
  tierMode: FeeTerms['tierMode'];
  tierFroms: readonly string[];
  tierPercents: readonly string[];
  tierFixeds: readonly string[];
  /** Null in proposals from before this field existed. */
  tierBy: db.FeeScheduleRow['tierBy'];
  createdBy: string;
}>;

/** Terms in the form that a proposal stores. */
export const plainTerms = ({ tiers, ...terms }: FeeTerms) => ({
  percent: terms.percent.toFixed(),
  fixed: terms.fixed.toFixed(),
  minimum: terms.minimum?.toFixed() ?? null,
  maximum: terms.maximum?.toFixed() ?? null,
  tierMode: terms.tierMode,
  tierBy: terms.tierBy,
  tierFroms: tiers.map(({ from }) => from.toFixed()),
  tierPercents: tiers.map(({ percent }) => percent.toFixed()),
  tierFixeds: tiers.map(({ fixed }) => fixed.toFixed()),
});

/** A version as an approver compares it. */
export const scheduleFields = (version: SchedulePayload): Settings => ({
  orderKind: version.orderKind,
  currencyCode: version.currencyCode,
  channelId: version.channelId,
  walletKind: version.walletKind,
  effectiveFrom: version.effectiveFrom ?? 'once approved',
  ends: version.ends,
  percent: version.percent,
  fixed: version.fixed,
  minimum: version.minimum,
  maximum: version.maximum,
  tierMode: version.tierMode,
  tiers: version.tierFroms.map(
    (from, at) => `from ${from}: ${version.tierPercents[at] ?? ''} % + ${version.tierFixeds[at] ?? ''}`,
  ),
  // A version from before this field existed has none.
  ...(version.tierBy && { tierBy: version.tierBy }),
});

/** A stored version as an approver compares it. */
export const fieldsOfRow = (row: db.FeeScheduleRow): Settings =>
  scheduleFields({
    ...row,
    ...plainTerms(db.termsOfRow(row)),
    tierBy: row.tierBy,
    effectiveFrom: row.effectiveFrom.toISOString(),
  });

const moneyOf = (text: string): ReturnType<typeof money> => money(text);

/** Adds the next version of a schedule. It never prices an order from before its approval. */
export const putFeeSchedule = effect<SchedulePayload>({
  basis: async (tx, payload) => {
    const newest = await db.lockNewestSchedule(tx, payload);
    return newest ? fieldsOfRow(newest) : {};
  },
  apply: async (tx, { effectiveFrom, ...payload }, { id: changeId, now }) => {
    const newest = await db.lockNewestSchedule(tx, payload);
    const begins = effectiveFrom === null ? now : new Date(effectiveFrom);
    await db.insertFeeSchedule(tx, {
      ...payload,
      changeId,
      percent: money(payload.percent),
      fixed: money(payload.fixed),
      minimum: payload.minimum === null ? null : money(payload.minimum),
      maximum: payload.maximum === null ? null : money(payload.maximum),
      tierFroms: payload.tierFroms.map(moneyOf),
      tierPercents: payload.tierPercents.map(moneyOf),
      tierFixeds: payload.tierFixeds.map(moneyOf),
      version: (newest?.version ?? 0) + 1,
      effectiveFrom: begins > now ? begins : now,
      createdAt: now,
    });
  },
});
