import type { Settings } from '../../domain/change-request';
import { businessError } from '../../domain/errors';
import { money } from '../../domain/money';
import { mayApprove } from '../../domain/permissions';
import type { DayOffShift, PlanTrigger } from '../../domain/settlement-dates';
import * as db from '../../db/settlements/settlement-plans';
import { effect } from '../changes/change-effect';

/** A version of a plan as a proposal stores it; amounts are texts. */
export type SettlementPlanPayload = Readonly<{
  id: string;
  merchantId: string;
  currencyCode: string;
  trigger: PlanTrigger;
  weekdays: readonly number[];
  monthDays: readonly number[];
  time: string | null;
  threshold: string | null;
  calendarId: string | null;
  calendarName: string | null;
  shift: DayOffShift;
  keep: string;
  minimum: string;
  approvedUpTo: string | null;
  accountId: string;
  accountName: string;
}>;

/** The end of a plan. */
export type EndSettlementPlanPayload = Readonly<{
  id: string;
  merchantId: string;
  currencyCode: string;
}>;

/** A version as an approver compares it. */
export const planFields = (plan: SettlementPlanPayload): Settings => ({
  ends: false,
  trigger: plan.trigger,
  weekdays: plan.weekdays,
  monthDays: plan.monthDays,
  time: plan.time,
  threshold: plan.threshold,
  calendar: plan.calendarName,
  shift: plan.shift,
  keep: plan.keep,
  minimum: plan.minimum,
  approvedUpTo: plan.approvedUpTo,
  account: plan.accountName,
});

/** A stored version as an approver compares it; of an ended one only that it has ended. */
export const fieldsOfPlan = (row: db.NamedPlan): Settings =>
  row.ends
    ? { ends: true }
    : planFields({
        ...row,
        threshold: row.threshold?.toFixed() ?? null,
        keep: row.keep.toFixed(),
        minimum: row.minimum.toFixed(),
        approvedUpTo: row.approvedUpTo?.toFixed() ?? null,
      });

/** Adds the next version of a plan, in force after the cooling period. */
export const putSettlementPlan = effect<SettlementPlanPayload>({
  basis: async (tx, payload) => {
    const newest = await db.lockNewestPlan(tx, payload);
    return newest ? fieldsOfPlan(newest) : {};
  },
  // The approval covers all settlements up to that amount.
  apart: async (_tx, { currencyCode, approvedUpTo }, decider) =>
    await Promise.resolve(
      approvedUpTo === null || mayApprove(decider, currencyCode, money(approvedUpTo))
        ? null
        : `${approvedUpTo} ${currencyCode} is above your limit`,
    ),
  apply: async (tx, payload, { id: changeId, now, coolingMs, proposedBy, decidedBy }) => {
    const newest = await db.lockNewestPlan(tx, payload);
    await db.insertSettlementPlan(tx, {
      ...payload,
      changeId,
      proposedBy,
      approvedBy: decidedBy,
      ends: false,
      threshold: payload.threshold === null ? null : money(payload.threshold),
      keep: money(payload.keep),
      minimum: money(payload.minimum),
      approvedUpTo: payload.approvedUpTo === null ? null : money(payload.approvedUpTo),
      version: (newest?.version ?? 0) + 1,
      effectiveFrom: new Date(now.getTime() + coolingMs),
      createdAt: now,
    });
  },
});

/** Ends a plan at once: marks its newest version as ended. */
export const endSettlementPlan = effect<EndSettlementPlanPayload>({
  basis: async (tx, payload) => {
    const newest = await db.lockNewestPlan(tx, payload);
    return newest ? { ends: newest.ends } : {};
  },
  apply: async (tx, payload, { id: changeId, now, proposedBy, decidedBy }) => {
    const newest = await db.lockNewestPlan(tx, payload);
    if (!newest || newest.ends) throw businessError('WRONG_STATE', 'there is no settlement plan');
    await db.insertSettlementPlan(tx, {
      ...newest,
      id: payload.id,
      changeId,
      proposedBy,
      approvedBy: decidedBy,
      ends: true,
      version: newest.version + 1,
      effectiveFrom: now,
      createdAt: now,
    });
  },
});
