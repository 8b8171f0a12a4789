import { heartbeat, log } from '@temporalio/activity';
import { LIMITS } from '../../domain/limits';
import {
  OPEN_PAYOUT_AT_MOST_SECONDS,
  OVERDUE_AFTER_SECONDS,
  OVERDUE_KINDS,
  type OverdueKind,
  PARKED_REST_SECONDS,
  PAYOUT_SILENT_AFTER_SECONDS,
  UNRESOLVED_SILENT_AFTER_SECONDS,
} from '../../domain/overdue';
import { DEPOSIT_RECHECK_AFTER_SECONDS } from '../../domain/channel-deposit';
import { RECHECK_AFTER_SECONDS } from '../../domain/payout';
import { raiseAlert } from '../../db/alerts/alerts';
import { alertSilentDevices } from '../../db/texts/texts';
import { alertPayoutsWithoutDebit, alertUnexplainedDebits } from '../../db/transfers/bank-debits';
import { alertOverdueCredits } from '../../db/transfers/credit-work';
import { expireChanges } from '../../db/changes/change-requests';
import type { Database } from '../../db/client';
import { queueAlertMails } from '../../db/mails';
import { parkedOutbox } from '../../db/events/outbox';
import * as db from '../../db/overdue';
import { recheckDeposits } from '../../db/deposits/channel-deposits';
import { wakeOverdueEvents } from '../../db/platform-events/deliveries';
import { recheckPayouts } from '../../db/payouts/payouts';
import { metrics } from '../../runtime/metrics';

/** The dependencies of the sweeps. */
export interface SweepActivityDeps {
  readonly database: Database;
  readonly clock: () => Promise<Date>;
}

/** The counts of one run of `reconcile`. */
export type OverdueCounts = Record<Exclude<OverdueKind, 'callback_stuck_sending'>, number>;

/** After a mail of alerts, further alerts are collected for this long, seconds. The first is mailed within a minute. */
const ALERT_MAILS_REST_SECONDS = 600;
/** Rows that one statement wakes. */
const BATCH = 1_000;

const earlier = (than: Date, seconds: number): Date => new Date(than.getTime() - seconds * 1000);

/** One run of `reconcile` or `payoutSweep`: what is overdue in it, and what it counted. */
interface Sweep extends Omit<db.OverdueStep, 'after'>, db.SilentStep {
  readonly counts: OverdueCounts;
}

const sweepAt = (now: Date): Sweep => ({
  overdueBefore: earlier(now, OVERDUE_AFTER_SECONDS),
  silentBefore: earlier(now, PAYOUT_SILENT_AFTER_SECONDS),
  unresolvedBefore: earlier(now, UNRESOLVED_SILENT_AFTER_SECONDS),
  parkedAfter: earlier(now, PARKED_REST_SECONDS),
  limit: BATCH,
  now,
  counts: {
    pending_past_expiry: 0,
    cashier_past_expiry: 0,
    matched_too_long: 0,
    withdrawal_not_moved: 0,
    callback_not_retried: 0,
    event_not_delivered: 0,
    outbox_parked: 0,
  },
});

type Step = (sweep: Sweep) => Promise<void>;

/** Takes each step, though others fail. @throws the first failure, once all are done */
async function takeEach(steps: readonly Step[], sweep: Sweep): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps)
    await step(sweep).catch((error: unknown) => {
      failures.push(error);
      log.error('a step of the sweep failed', { err: error });
    });
  if (failures.length > 0) throw failures[0];
}

/** The steps of `reconcile`, `payoutSweep` and `callbackSweep`. Each may run twice, and concurrently. */
export function createSweepActivities({ database, clock }: SweepActivityDeps) {
  /** Yields batches until one is not full. Each begins after the last row of the previous one. */
  async function* batches<Row>(next: (last: Row | null) => Promise<Row[]>): AsyncGenerator<Row> {
    let batch: Row[];
    let last: Row | null = null;
    do {
      batch = await next(last);
      yield* batch;
      last = batch.at(-1) ?? null;
      heartbeat();
    } while (batch.length === BATCH);
  }

  /** Raises an alert if orders had to be woken: operators should know, but not once a minute. */
  async function alert(kind: OverdueKind, orders: number, now: Date): Promise<void> {
    if (orders === 0) return;
    const hour = now.toISOString().slice(0, 13);
    const about = { overdue: kind, orders: String(orders) };
    await raiseAlert(database, { kind: 'OVERDUE', key: `overdue:${kind}:${hour}`, about }, now);
  }

  /** Raises alerts for bank debits that no manual payout explains. */
  async function tellOfDebits({ now }: Sweep): Promise<void> {
    const before = earlier(now, LIMITS.debitUnexplainedSeconds);
    metrics.debitsUnexplained.set(await alertUnexplainedDebits(database, before, BATCH, now));
    const doneBefore = earlier(now, LIMITS.payoutDebitSeconds);
    await alertPayoutsWithoutDebit(database, doneBefore, BATCH, now);
  }

  /** Raises alerts for devices without a heartbeat for too long: their banks' reports are missing. */
  async function tellOfDevices({ now }: Sweep): Promise<void> {
    const before = earlier(now, LIMITS.deviceSilentSeconds);
    metrics.devicesSilent.set(await alertSilentDevices(database, before, BATCH, now));
  }

  /** Raises alerts for bank credits that have waited for a person for too long. */
  async function tellOfCredits({ now }: Sweep): Promise<void> {
    const before = earlier(now, LIMITS.creditDueHours * 3_600);
    metrics.creditsOverdue.set(await alertOverdueCredits(database, before, BATCH, now));
  }

  /**
   * Wakes orders that are due for a recheck: a channel may have paid a failed payout, or received money for a deposit
   * that is final.
   */
  async function recheck({ now }: Sweep): Promise<void> {
    const due = batches(async () => await recheckPayouts(database, RECHECK_AFTER_SECONDS, BATCH, now));
    for await (const { orderNo } of due) log.info('failed payout is rechecked', { orderNo });
    const over = batches(async () => await recheckDeposits(database, DEPOSIT_RECHECK_AFTER_SECONDS, BATCH, now));
    for await (const { orderNo } of over) log.info('deposit is rechecked', { orderNo });
  }

  /** Raises an alert if payouts have been open for too long, for whatever reason. */
  async function tellOfLatePayouts({ now }: Sweep): Promise<void> {
    const late = await db.findLatePayouts(database, OPEN_PAYOUT_AT_MOST_SECONDS, now);
    const hour = now.toISOString().slice(0, 13);
    for (const { state, orders, orderNo } of late) {
      const minutes = OPEN_PAYOUT_AT_MOST_SECONDS[state as keyof typeof OPEN_PAYOUT_AT_MOST_SECONDS] / 60;
      const reason = `${orders} ${state} for over ${minutes} minutes; this is the oldest`;
      const about = { orderNo, reason, orders: String(orders) };
      const alert = { kind: 'PAYOUT_OVERDUE', key: `payouts:${state}:${hour}`, about } as const;
      await raiseAlert(database, alert, now);
    }
  }

  function found(kind: OverdueKind, about: Record<string, unknown>): void {
    metrics.overdueFound.inc({ kind });
    log.warn('found overdue', { kind, ...about });
  }

  function notMoved({ counts }: Sweep, orderNo: string): void {
    counts.withdrawal_not_moved++;
    found(OVERDUE_KINDS.WITHDRAWAL, { orderNo });
  }

  async function wakeWithdrawals(sweep: Sweep): Promise<void> {
    const withdrawals = batches<db.OverdueWithdrawal & db.Place>(
      async (after) => await db.wakeUnmovedWithdrawals(database, { ...sweep, after }),
    );
    for await (const { orderNo, needsManualIntervention } of withdrawals)
      if (!needsManualIntervention) notMoved(sweep, orderNo);
  }

  async function wakeSilent(sweep: Sweep): Promise<void> {
    const payouts = batches(async () => await db.wakeSilentPayouts(database, sweep));
    for await (const { orderNo, needsManualIntervention } of payouts)
      if (!needsManualIntervention) notMoved(sweep, orderNo);
  }

  async function wakeDoubted(sweep: Sweep): Promise<void> {
    const doubted = batches(async () => await db.wakeDoubtedPayouts(database, sweep));
    for await (const { orderNo } of doubted) notMoved(sweep, orderNo);
  }

  async function wakeDeposits({ counts, ...step }: Sweep): Promise<void> {
    const deposits = batches<db.OverdueDeposit>(
      async (after) => await db.wakeOverdueDeposits(database, { ...step, after }),
    );
    for await (const { orderNo, status } of deposits) {
      const kind = OVERDUE_KINDS[status];
      counts[kind]++;
      found(kind, { orderNo });
    }
  }

  async function wakeSessions({ counts, ...step }: Sweep): Promise<void> {
    const sessions = batches<db.OverdueSession>(
      async (after) => await db.wakeOverdueSessions(database, { ...step, after }),
    );
    for await (const { id, merchantOrderNo } of sessions) {
      counts.cashier_past_expiry++;
      found(OVERDUE_KINDS.CASHIER, { sessionId: id, merchantOrderNo });
    }
  }

  async function wakeCallbacks({ counts, ...step }: Sweep): Promise<void> {
    const callbacks = batches<db.OverdueCallback>(
      async (after) => await db.wakeOverdueCallbacks(database, { ...step, after }),
    );
    for await (const { orderNo, notificationType } of callbacks) {
      counts.callback_not_retried++;
      found(OVERDUE_KINDS.WAITING_RETRY, { orderNo, notificationType });
    }
  }

  async function wakeEvents({ counts, ...step }: Sweep): Promise<void> {
    const events = batches<{ id: string; event: string }>(
      async (after) => await wakeOverdueEvents(database, { ...step, after }),
    );
    for await (const { id, event } of events) {
      counts.event_not_delivered++;
      found(OVERDUE_KINDS.EVENT, { eventId: id, event });
    }
  }

  async function tellOfWakes({ counts, now }: Sweep): Promise<void> {
    await alert('pending_past_expiry', counts.pending_past_expiry, now);
    await alert('cashier_past_expiry', counts.cashier_past_expiry, now);
    await alert('matched_too_long', counts.matched_too_long, now);
    await alert('withdrawal_not_moved', counts.withdrawal_not_moved, now);
    await alert('callback_not_retried', counts.callback_not_retried, now);
  }

  async function expire({ now }: Sweep): Promise<void> {
    await expireChanges(database, now);
  }

  async function countParked({ counts }: Sweep): Promise<void> {
    const { rows, oldest } = await parkedOutbox(database);
    counts.outbox_parked = rows;
    if (rows === 0) return;
    metrics.overdueFound.inc({ kind: OVERDUE_KINDS.PARKED }, rows);
    log.warn('parked outbox rows wait for a person', { rows, oldest });
  }

  async function mailAlerts({ now }: Sweep): Promise<void> {
    const restBefore = earlier(now, ALERT_MAILS_REST_SECONDS);
    const mails = await queueAlertMails(database, { restBefore, now });
    if (mails > 0) log.info('alerts were mailed', { mails });
  }

  return {
    /**
     * Writes the missing outbox row of each overdue order, cashier session, callback and event, money first; payouts
     * under way are left to `wakeSilentPayouts`. Then counts parked rows, expires undecided change requests, rechecks
     * failed payouts, raises alerts for unexplained debits, silent devices, overdue credits and late payouts, and queues
     * mails of new alerts.
     * @throws if a step fails, once all others have run
     */
    async wakeOverdue(): Promise<OverdueCounts> {
      const sweep = sweepAt(await clock());
      const wakes = [wakeWithdrawals, wakeDeposits, wakeCallbacks];
      const steps = [...wakes, wakeSessions, wakeEvents, tellOfWakes, countParked, recheck, expire];
      const alerts = [tellOfDebits, tellOfDevices, tellOfCredits, tellOfLatePayouts, mailAlerts];
      await takeEach([...steps, ...alerts], sweep);
      return sweep.counts;
    },

    /**
     * Writes the missing outbox row of each payout by a channel that is silent, and of each whose review stands still.
     * @returns how many should have moved without a person
     * @throws if a step fails, once all others have run
     */
    async wakeSilentPayouts(): Promise<number> {
      const sweep = sweepAt(await clock());
      await takeEach([wakeSilent, wakeDoubted, tellOfWakes], sweep);
      return sweep.counts.withdrawal_not_moved;
    },

    /** Retries callbacks whose worker ended during an attempt. @returns how many */
    async sweepStuckCallbacks(): Promise<number> {
      const now = await clock();
      const claimedBefore = earlier(now, LIMITS.callbackStuckSeconds);
      let swept = 0;
      const callbacks = batches<db.InterruptedCallback>(
        async () => await db.sweepCallbacks(database, claimedBefore, BATCH, now),
      );
      for await (const { orderNo, notificationType, attemptCount } of callbacks) {
        swept++;
        found(OVERDUE_KINDS.SENDING, { orderNo, notificationType, attempt: attemptCount });
      }
      return swept;
    },
  };
}

/** As the workflows see them. */
export type SweepActivities = ReturnType<typeof createSweepActivities>;
