import { heartbeat, log } from '@temporalio/activity';
import { uuidv7 } from 'uuidv7';
import { keyOfBeneficiary, soughtAs, subjectOfBeneficiary } from '../../crypto/beneficiary';
import type { Seals } from '../../crypto/personal';
import { type DayLimits, subjectsCounted } from '../../domain/authority/day-amounts';
import { MONEY_STEPS } from '../../domain/authority/table';
import { withdrawalFrozen } from '../../domain/ledger';
import { ZERO } from '../../domain/money';
import { type DueDate, dueDate } from '../../domain/settlement-dates';
import { planReference, settlementDue } from '../../domain/settlement-plan';
import { problemOfWithdrawalApproval } from '../../domain/withdrawal-approval';
import { findAppliedChanges } from '../../db/changes/change-requests';
import type { Database } from '../../db/client';
import { findWithdrawalFacts } from '../../db/merchants/review';
import { findOperators } from '../../db/operators/operators';
import { isInRecovery } from '../../db/platform/recoveries';
import { calendarOf } from '../../db/settlements/calendars';
import { type FreshSettlement, freshSettlement } from '../../db/settlements/fresh-settlement';
import { findSettlementAccounts } from '../../db/settlements/settlement-accounts';
import * as db from '../../db/settlements/settlement-plans';
import { type PlannedSettlement, runSettlementPlan, type SettlementRunRow } from '../../db/settlements/settlement-runs';
import type { WithdrawalRow } from '../../db/withdrawals/withdrawals';

/** The dependencies of scheduled settlements. */
export interface SettlementActivityDeps extends Seals {
  readonly database: Database;
  readonly clock: () => Promise<Date>;
  /** The rules for two people, which also hold for plans. */
  readonly changes: {
    readonly onePerson: boolean;
    readonly coolingMs: number;
    readonly dayLimits?: DayLimits;
  };
}

/** Plans that one statement reads. */
const BATCH = 100;
/** How long a date may stay unsettled before it raises an alert, milliseconds: several runs have tried by then. */
const FAILS_AFTER_MS = 3_600_000;

/** The step of `settlementRun`. It may run twice, and concurrently. */
export function createSettlementActivities(deps: SettlementActivityDeps) {
  const { database, clock, changes } = deps;

  /**
   * The standing approval for a plan's settlements up to its amount. It is the approval of the operator who approved
   * the plan, as long as this operator could approve this settlement by hand now.
   */
  async function standingApproval(
    plan: db.StandingPlan,
    withdrawal: WithdrawalRow,
    now: Date,
  ): Promise<PlannedSettlement['approval']> {
    const { merchantId, currencyCode, amount } = withdrawal;
    if (plan.approvedUpTo === null || amount.gt(plan.approvedUpTo) || withdrawal.peopleNeeded > 1) return null;
    const since = new Date(now.getTime() - changes.coolingMs);
    const [[approver], applied] = await Promise.all([
      findOperators(database, [plan.approvedBy]),
      changes.coolingMs === 0 ? [] : findAppliedChanges(database, [merchantId], since),
    ]);
    if (!approver || approver.disabledAt !== null) return null;
    const order = {
      ...withdrawal,
      proposedBy: changes.onePerson ? null : plan.proposedBy,
      accountDisabled: false,
      decidedBy: [],
      changes: applied,
      coolingMs: changes.coolingMs,
    };
    if (problemOfWithdrawalApproval(order, { ...approver, via: 'session' }, now)) return null;
    const counters = subjectsCounted(changes.dayLimits ?? null, MONEY_STEPS.approveWithdrawal.counts, currencyCode, {
      APPROVER: approver.id,
      MERCHANT: merchantId,
      BENEFICIARY: subjectOfBeneficiary(deps, withdrawal.beneficiaryBankCode, withdrawal.beneficiaryAccount),
    });
    if (counters === null && !changes.onePerson) return null;
    return {
      id: uuidv7(),
      remarks: `stands for settlements by plan up to ${plan.approvedUpTo.toFixed()} ${currencyCode}, version ${plan.version}`,
      counters: counters ?? [],
    };
  }

  /** Makes the settlement of an amount by a plan. */
  async function settle(
    plan: db.StandingPlan,
    { day }: DueDate,
    of: Omit<FreshSettlement, 'traceId'>,
  ): Promise<PlannedSettlement> {
    const { merchantId, currencyCode } = plan;
    const { amount, now } = of;
    const withdrawal = freshSettlement({ ...of, traceId: null });
    return {
      withdrawal,
      settlement: {
        withdrawalId: withdrawal.id,
        merchantId,
        accountId: plan.accountId,
        reference: planReference(currencyCode, day),
        reason: `settlement plan, version ${plan.version}`,
        proposedBy: plan.proposedBy,
      },
      freeze: withdrawalFrozen(merchantId, amount, ZERO),
      approval: await standingApproval(plan, withdrawal, now),
    };
  }

  /** Runs a plan's date. @returns whether a settlement was made */
  async function run(plan: db.StandingPlan, due: DueDate, now: Date): Promise<boolean> {
    const { merchantId, currencyCode, available } = plan;
    const [account] = await findSettlementAccounts(database, [plan.accountId]);
    if (!account) throw new Error(`plan ${plan.id} has no account`);
    const { accountNo, bankCode } = account;
    const payee = { merchantId, currencyCode, bankCode, account: accountNo };
    const facts = await findWithdrawalFacts(database, { ...payee, ...soughtAs(deps, bankCode, accountNo) }, now);
    const { bankName } = facts;
    const outcome = settlementDue({
      ...plan,
      accountDisabled: account.disabledAt !== null,
      accountUsableAt: account.usableAt,
      bankKnown: bankName !== null,
      now,
    });
    if (outcome === null) return false;
    const planned =
      typeof outcome === 'string' || bankName === null
        ? null
        : await settle(plan, due, {
            account,
            amount: outcome,
            now,
            accountKey: keyOfBeneficiary(deps, accountNo),
            facts: { ...facts, bankName },
          });
    const row: SettlementRunRow = {
      id: uuidv7(),
      planId: plan.id,
      merchantId,
      currencyCode,
      dueOn: due.day,
      dueAt: due.at,
      ranAt: now,
      missed: due.missed,
      available,
      skipped: typeof outcome === 'string' ? outcome : null,
      withdrawalId: planned?.withdrawal.id ?? null,
    };
    const answer = await runSettlementPlan(database, row, planned);
    if (answer === 'CHANGED')
      // The balance or the plan has changed meanwhile: the next run reads it again.
      log.info('a settlement plan waits for the next run', { planId: plan.id, dueOn: due.day });
    return answer === 'DONE' && planned !== null;
  }

  /** The due date of a plan. */
  const dueOf = (plan: db.StandingPlan, now: Date): DueDate | null => {
    const { daysOff, holidays } = plan;
    const calendar = daysOff && holidays && calendarOf({ daysOff, holidays });
    return dueDate(plan, calendar, plan.timeZone, {
      since: plan.effectiveFrom,
      after: plan.lastDay,
      now,
    });
  };

  return {
    /**
     * Makes the settlements that are due by plans; a date has one run, however often this is called. A plan that fails
     * does not stop the others.
     * @returns how many it made
     * @throws the first failure, once all plans were tried
     */
    async settleByPlans(): Promise<number> {
      const now = await clock();
      if (await isInRecovery(database)) return 0;
      const failures: unknown[] = [];
      let made = 0;
      let after = db.FIRST_PLAN;
      for (;;) {
        const plans = await db.findStandingPlans(database, after, BATCH, now);
        for (const plan of plans) {
          heartbeat();
          const due = dueOf(plan, now);
          if (due === null) continue;
          try {
            if (await run(plan, due, now)) made++;
          } catch (error) {
            failures.push(error);
            log.warn('a settlement plan failed', { planId: plan.id, dueOn: due.day, error });
            if (now.getTime() - due.at.getTime() >= FAILS_AFTER_MS)
              await db.tellPlanFails(database, plan.id, 'a date has failed for an hour', now);
          }
        }
        after = plans.at(-1) ?? after;
        if (plans.length < BATCH) break;
      }
      if (failures.length > 0) throw failures[0];
      return made;
    },
  };
}

/** The step as the workflow sees it. */
export type SettlementActivities = ReturnType<typeof createSettlementActivities>;
