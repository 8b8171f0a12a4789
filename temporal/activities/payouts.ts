import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure, Context, log } from '@temporalio/activity';
import { uuidv7 } from 'uuidv7';
import type { OpenChannel } from '../../channels';
import { withdrawalCallbackBody } from '../../domain/callback';
import { withBoundedCost } from '../../domain/channel-cost';
import { feeOn } from '../../domain/fees';
import {
  channelClaimed,
  channelCost,
  withdrawalLatePaid,
  withdrawalPaid,
  withdrawalReleased,
  withdrawalReturned,
} from '../../domain/ledger';
import { currencyDecimals, type Money, ZERO } from '../../domain/money';
import {
  aftermathOf,
  type AttemptCase,
  type PayoutAnswer,
  type PayoutVerdict,
  verdictOnAnswer,
} from '../../domain/payout';
import { openBeneficiary, openBeneficiaryName, openBranch, type Seals } from '../../crypto/personal';
import type { Database } from '../../db/client';
import { findBalances } from '../../db/ledger/ledger';
import * as db from '../../db/payouts/payouts';
import { isPayoutHeld } from '../../db/platform/recoveries';
import { RuleSets } from '../../db/routing/routing-rules';
import { findWithdrawalCase, type WithdrawalCase } from '../../db/withdrawals/withdrawals';
import { failpoint } from '../../runtime/failpoints';
import { metrics } from '../../runtime/metrics';
import { stopwatch } from '../../runtime/stopwatch';
import { asking } from './asking';
import { watchCost } from './excessive-cost';
import { findPayoutRoute } from './payout-route';
import { watchUnsent } from './unsent';

/** The dependencies of a payout's steps. */
export interface PayoutActivityDeps extends Seals {
  readonly database: Database;
  readonly clock: () => Promise<Date>;
  readonly openChannel: OpenChannel;
  /**
   * Raises the platform's marker in the database and outside of it: after a payout is marked as sent, and before it is
   * sent. False: the database was restored, and the payout must not be sent. Undefined: no marker is kept outside.
   */
  readonly raiseMarker?: () => Promise<boolean>;
}

/** The next step: send an attempt, query one, or wait for a person. */
export type PayoutStep = { readonly kind: 'SEND' | 'ASK'; readonly attemptId: string } | { readonly kind: 'WAIT' };

/** What a payout that was sent and queried once waits for: its next query, null: after the usual pause. Milliseconds. */
export interface PayoutUnderWay {
  readonly askAgainMs: number | null;
}

/** How many queries, 30 s apart, may leave an outcome unresolved before a person decides. */
const MOST_QUESTIONS = 20;

/** How long, and how often, a step between the mark of a payout and its request is retried, milliseconds. */
const INSIST_MS = 6_000;
const INSIST_EVERY_MS = 200;

/**
 * How long after its marker a payout may leave, milliseconds. A recovery relies on it (domain/recovery.ts): it may begin
 * right after the marker was raised, and a request takes 60 s more.
 */
const LEAVES_WITHIN_MS = 15_000;

/** A payout attempt with its order. */
interface PayoutCase {
  readonly attempt: db.ChannelAttempt;
  readonly order: WithdrawalCase;
}

const queryOf = ({ attempt, order }: PayoutCase) => ({
  reference: attempt.reference,
  amount: order.amount,
  currencyCode: order.currencyCode,
});

const costOf = ({ amount, currencyCode }: WithdrawalCase, rule: Parameters<typeof feeOn>[1]) =>
  feeOn(amount, rule, currencyDecimals(currencyCode) ?? 0);

/** What the channel of the order's open attempt was expected to charge when it was routed. */
const agreedCost = ({ attempt, order }: PayoutCase): Money =>
  order.estimatedChannelCost ?? costOf(order, attempt.channel.cost);

/**
 * Retries a database step that follows the mark of a payout as sent: no other run would do it.
 * @throws its last error
 */
async function insist<Result>(step: () => Promise<Result>): Promise<Result> {
  const until = performance.now() + INSIST_MS;
  for (;;)
    try {
      return await step();
    } catch (error) {
      if (performance.now() > until) throw error;
      Context.current().heartbeat();
      await sleep(INSIST_EVERY_MS);
    }
}

/**
 * The steps of a payout. Each may run twice; only `sendPayout` moves money, and only if it marked the attempt itself and
 * the platform's marker is kept outside of the database.
 */
export function createPayoutActivities({
  database,
  clock,
  openChannel,
  sealer,
  lookup,
  raiseMarker = async () => await Promise.resolve(true),
}: PayoutActivityDeps) {
  const ruleSets = new RuleSets(database);
  async function findOrder(id: string): Promise<WithdrawalCase> {
    const order = await findWithdrawalCase(database, id);
    if (!order) throw ApplicationFailure.nonRetryable(`withdrawal ${id} does not exist`);
    return order;
  }
  async function find(attemptId: string): Promise<PayoutCase> {
    const attempt = await db.findChannelAttempt(database, attemptId);
    if (!attempt) throw ApplicationFailure.nonRetryable(`payout attempt ${attemptId} does not exist`);
    return { attempt, order: await findOrder(attempt.withdrawalId) };
  }

  /** The attempt succeeded: the frozen amount becomes the channel's payment and the fee. */
  async function pay(payout: PayoutCase, answer: PayoutAnswer, now: Date) {
    const { attempt, order } = payout;
    const { channel } = attempt;
    const paid = answer.kind === 'COMPLETED' ? answer : { bankReference: null, cost: null };
    const cost = paid.cost ?? agreedCost(payout);
    await db.payWithdrawal(database.sql, {
      attemptId: attempt.id,
      channelOrderNo: 'channelOrderNo' in answer ? answer.channelOrderNo : null,
      bankReference: paid.bankReference,
      cost,
      returned: answer.kind === 'RETURNED',
      actor: 'system',
      paid: withdrawalPaid(order.merchantId, order.amount, order.fee, { channelId: channel.id }),
      charged: channelCost(channel.id, cost),
      callbackBody: withdrawalCallbackBody('COMPLETED', order, now, paid),
      now,
    });
  }

  const watch = async ({ attempt, order }: PayoutCase, answer: PayoutAnswer, now: Date) => {
    const { id: attemptId, channel } = attempt;
    await watchCost(database, { attemptId, order, channel, answer }, now);
  };

  /** The attempt failed permanently: the frozen amount is released. */
  async function fail({ attempt, order }: PayoutCase, reason: string, now: Date) {
    await db.failPayout(database.sql, {
      attemptId: attempt.id,
      reason,
      actor: 'system',
      release: withdrawalReleased(order.merchantId, order.amount, order.fee),
      callbackBody: withdrawalCallbackBody('FAILED', order, now, { reason }),
      now,
    });
  }

  /** Records an answer and applies its verdict. */
  async function follow(
    payout: PayoutCase,
    judged: AttemptCase,
    said: PayoutAnswer,
    now: Date,
  ): Promise<PayoutVerdict> {
    const { attempt, order } = payout;
    const answer = withBoundedCost(said, order.amount, agreedCost(payout));
    const verdict = verdictOnAnswer(judged, answer, now);
    switch (verdict.kind) {
      case 'PAID':
        await pay(payout, answer, now);
        await watch(payout, answer, now);
        break;
      case 'REFUSED':
        await watchUnsent(database, { order, channel: attempt.channel, answer }, now);
        await db.refusePayout(database, attempt.id, verdict.reason, now);
        break;
      case 'FAILED':
        await fail(payout, verdict.reason, now);
        break;
      case 'WAIT':
      case 'INTERVENE':
        await db.notePayout(
          database,
          attempt.id,
          answer.kind === 'ACCEPTED' || answer.kind === 'FAILED' ? answer.kind : 'UNKNOWN',
          {
            channelOrderNo: 'channelOrderNo' in answer ? answer.channelOrderNo : null,
            reason: answer.kind === 'ACCEPTED' ? null : verdict.reason,
            intervene: verdict.kind === 'INTERVENE' ? verdict.reason : null,
          },
          now,
        );
    }
    metrics.payoutAnswers.inc({ answer: answer.kind, verdict: verdict.kind });
    const reason = 'reason' in verdict ? verdict.reason : undefined;
    const { orderNo } = order;
    log.info('payout answered', {
      orderNo,
      channel: attempt.channel.channelCode,
      answer: answer.kind,
      verdict: verdict.kind,
      reason,
    });
    return verdict;
  }

  const judgedBy = ({ attempt }: PayoutCase, sentAt: Date): AttemptCase => ({
    sentAt,
    answeredAt: attempt.answeredAt,
    failureReportedAt: attempt.failureReportedAt,
    successReportedAt: attempt.successReportedAt,
    failureFinalDelaySeconds: attempt.channel.failureFinalDelaySeconds,
    answerWithinSeconds: attempt.channel.answerWithinSeconds,
  });

  /** The part of a failed withdrawal that the merchant can pay after the channel paid it after all. */
  async function availableOf({ merchantId, currencyCode }: WithdrawalCase): Promise<Money> {
    const balances = await findBalances(database, [merchantId]);
    return balances.find((b) => b.currencyCode === currencyCode)?.available ?? ZERO;
  }

  /** Queries an ended attempt that is due for a recheck, or whose channel contradicts its outcome. */
  async function review(payout: PayoutCase, doubtedAt: Date): Promise<void> {
    const { attempt, order } = payout;
    const ended = attempt.status as 'SUCCEEDED' | 'REFUSED' | 'FAILED';
    const said = await asking((stopping) => openChannel(attempt.channel).queryPayout(queryOf(payout), stopping));
    const agreed = costOf(order, attempt.channel.cost);
    const answer = withBoundedCost(said, order.amount, agreed);
    const found = aftermathOf(ended, order.status, answer);
    const now = await clock();
    const conclude = async (end: Pick<db.DoubtEnd, 'posted' | 'alert'> & { reason: string }): Promise<void> => {
      await db.concludeDoubt(database, { attemptId: attempt.id, doubtedAt, ...end, now });
      metrics.payoutDoubts.inc({ found: found.kind });
      const about = { orderNo: order.orderNo, ended, answer: answer.kind, found: found.kind };
      if (found.kind === 'NOTHING') log.info('payout recheck: the outcome stands', about);
      else log.warn('payout recheck: the outcome is contradicted', about);
    };
    switch (found.kind) {
      case 'NOTHING':
        await conclude({ posted: null, alert: null, reason: 'the channel confirms it' });
        return;
      case 'RETURNED': {
        const postings = withdrawalReturned(order.merchantId, order.amount, attempt.channel.id);
        const posted = { type: 'WITHDRAWAL_RETURNED', postings } as const;
        await conclude({ posted, alert: 'PAYOUT_RETURNED', reason: found.reason });
        return;
      }
      case 'PAID_AFTER_ALL': {
        const { merchantId, amount, fee } = order;
        const { id: channelId } = attempt.channel;
        const charged = (answer.kind === 'COMPLETED' ? answer.cost : null) ?? agreed;
        const cost = { amount: charged, postings: channelCost(channelId, charged) };
        // A failed order gave the merchant its money back, so the merchant pays for it; otherwise the channel, because
        // another attempt paid or will pay the order.
        const posted = found.charged
          ? ({
              type: 'WITHDRAWAL_LATE_PAID',
              postings: withdrawalLatePaid(...[merchantId, amount, fee, await availableOf(order), channelId]),
              cost,
            } as const)
          : ({
              type: 'CHANNEL_CLAIMED',
              postings: channelClaimed(channelId, amount),
              cost,
            } as const);
        const reason = `paid after it was ${ended.toLowerCase()}`;
        await conclude({ posted, alert: 'PAID_AFTER_FAILURE', reason });
        await watch(payout, answer, now);
        return;
      }
      case 'CONTRADICTED':
        await conclude({ posted: null, alert: 'PAYOUT_CONTRADICTED', reason: found.reason });
        return;
      case 'ASK_AGAIN':
        if (Context.current().info.attempt < MOST_QUESTIONS)
          throw ApplicationFailure.retryable(found.reason, 'PayoutUnderWay');
        // The channel reported nothing, which contradicts nothing.
        await conclude(
          answer.kind === 'UNKNOWN' && ended === 'FAILED' && attempt.successReportedAt === null
            ? { posted: null, alert: null, reason: found.reason }
            : { posted: null, alert: 'PAYOUT_CONTRADICTED', reason: found.reason },
        );
    }
  }

  /**
   * A refusal after a query has confirmed it, if the channel's settings require that: otherwise another channel might
   * pay too.
   */
  async function confirmed(payout: PayoutCase, answer: PayoutAnswer): Promise<PayoutAnswer> {
    const { channel } = payout.attempt;
    if (answer.kind !== 'REFUSED' || answer.unsent === true || !channel.confirmRefusals) return answer;
    const found = await asking((stopping) => openChannel(channel).findPayout(queryOf(payout), stopping));
    // A channel that cannot look payouts up (null) has no other answer.
    if (found === null || found.kind === 'NOT_FOUND' || found.kind === 'REFUSED') return answer;
    return found;
  }

  /**
   * Sends a payout that was marked as sent, unless the platform's marker forbids it: then the mark is removed.
   * @param sentAt the mark
   * @returns null if the database was restored
   */
  async function leave(
    attemptId: string,
    sentAt: Date,
    request: () => Promise<PayoutAnswer>,
  ): Promise<PayoutAnswer | null> {
    const takeBack = async (reason: string): Promise<void> => {
      await insist(async () => {
        await db.unsendPayout(database, attemptId, sentAt, reason, await clock());
      });
    };
    let sinceMarker = stopwatch();
    let raised: boolean;
    try {
      raised = await insist(async () => {
        sinceMarker = stopwatch();
        return await raiseMarker();
      });
    } catch (error) {
      await takeBack('the marker could not be kept');
      throw error;
    }
    if (!raised) {
      await takeBack('the database was restored');
      return null;
    }
    // Meanwhile the database may have been restored, and a recovery may even have ended. Nothing is awaited from here
    // to the request.
    if (sinceMarker() <= LEAVES_WITHIN_MS) return await request();
    await takeBack('the worker stood still before the request');
    throw ApplicationFailure.retryable('the worker stood still before the request', 'StoodStill');
  }

  const underWay = (reason: string, askAgainMs: number | null): ApplicationFailure =>
    ApplicationFailure.create({
      message: reason,
      type: 'PayoutUnderWay',
      ...(askAgainMs !== null && { nextRetryDelay: askAgainMs }),
    });

  /** Queries an attempt once. @returns undefined if it has ended since, or was never sent */
  async function ask(attemptId: string): Promise<{ readonly verdict: PayoutVerdict; readonly now: Date } | undefined> {
    const payout = await find(attemptId);
    const { attempt, order } = payout;
    if (attempt.finishedAt !== null || attempt.sentAt === null) return undefined;
    await failpoint('payout.asking', order.orderNo);
    const answer = await asking((stopping) => openChannel(attempt.channel).queryPayout(queryOf(payout), stopping));
    await failpoint('payout.asked', order.orderNo);
    const now = await clock();
    const verdict = await follow(payout, judgedBy(payout, attempt.sentAt), answer, now);
    await failpoint('payout.followed', order.orderNo);
    return { verdict, now };
  }

  /** The pause before the next query; null: the usual one. */
  const pauseOf = ({ until }: Extract<PayoutVerdict, { kind: 'WAIT' }>, now: Date) =>
    until ? Math.max(1_000, until.getTime() - now.getTime()) : null;

  return {
    /**
     * Finds the next step of a payout. Without an attempt under way, sends it to the next channel, or offers it to
     * people.
     */
    async routePayout(withdrawalId: string): Promise<PayoutStep> {
      const order = await findOrder(withdrawalId);
      const attempts = await db.findAttemptsOf(database.sql, [withdrawalId]);
      const last = attempts.at(-1);
      // Ended since it was read. A query of a channel's attempt finds that out; what people ended wakes us.
      if (order.status !== 'APPROVED')
        return last && last.method !== 'MANUAL' ? { kind: 'ASK', attemptId: last.id } : { kind: 'WAIT' };
      const open = attempts.find(({ finishedAt }) => finishedAt === null);
      if (open?.method === 'MANUAL') return { kind: 'WAIT' };
      if (open && open.status !== 'PREPARED') return { kind: 'ASK', attemptId: open.id };
      // The sweep wakes it after the end of the recovery.
      if (await isPayoutHeld(database, withdrawalId)) return { kind: 'WAIT' };
      if (open) return { kind: 'SEND', attemptId: open.id };

      const now = await clock();
      const { channel, note } = await findPayoutRoute({ database, ruleSets, sealer, lookup }, order, now);
      const attemptId = uuidv7();
      await failpoint('payout.routing', order.orderNo);
      if (!channel) {
        await db.openTransferTask(database, attemptId, withdrawalId, now, note);
        return { kind: 'WAIT' };
      }
      const cost = costOf(order, channel.cost);
      if (await db.preparePayout(database, attemptId, withdrawalId, channel.id, cost, now, note))
        return { kind: 'SEND', attemptId };
      throw ApplicationFailure.retryable('another step has taken the payout since', 'PayoutTaken');
    },

    /**
     * Sends an attempt to its channel, unless it was sent before. The mark that it sets first prevents a second
     * request. A payout that the channel accepts is queried at once: most channels have paid by then.
     * @returns nothing, unless it was queried and is still under way: then the order has not changed
     */
    async sendPayout(attemptId: string): Promise<PayoutUnderWay | undefined> {
      const payout = await find(attemptId);
      const { attempt, order } = payout;
      if (attempt.status !== 'PREPARED') return undefined;
      const channel = openChannel(attempt.channel);
      await failpoint('payout.read', order.orderNo);
      // A key that is missing here fails the step before anything is sent.
      const bankBranch = openBranch(sealer, order);
      const beneficiaryName = openBeneficiaryName(sealer, order);
      const beneficiaryAccount = openBeneficiary(sealer, order);
      const sentAt = await clock();
      if (!(await db.markSent(database, attemptId, sentAt))) return undefined;
      await failpoint('payout.marked', order.orderNo);
      const { bankCode } = attempt;
      const said = await leave(attemptId, sentAt, async () =>
        bankCode === null
          ? { kind: 'REFUSED', reason: 'the channel no longer serves the bank' }
          : await asking((stopping) =>
              channel.sendPayout(
                {
                  ...queryOf(payout),
                  bankCode,
                  bankBranch,
                  beneficiaryName,
                  beneficiaryAccount,
                },
                stopping,
              ),
            ),
      );
      if (said === null) return undefined;
      const answer = bankCode === null ? said : await confirmed(payout, said);
      await failpoint('payout.answered', order.orderNo);
      // A failure in the answer to a send is only a report: only the result of a query makes an attempt final.
      const judged = { ...judgedBy(payout, sentAt), failureReportedAt: null };
      await follow(payout, judged, answer, await clock());
      await failpoint('payout.recorded', order.orderNo);
      if (answer.kind !== 'ACCEPTED') return undefined;
      const asked = await ask(attemptId);
      return asked?.verdict.kind === 'WAIT' ? { askAgainMs: pauseOf(asked.verdict, asked.now) } : undefined;
    },

    /**
     * Queries an attempt.
     * @param asked it was queried just now: the first try only waits
     * @returns ENDED, or WAITS if a person must resolve it
     * @throws a retryable failure while the attempt is under way: Temporal runs the activity again
     */
    async askPayout(attemptId: string, asked?: PayoutUnderWay): Promise<'ENDED' | 'WAITS'> {
      if (asked && Context.current().info.attempt === 1) throw underWay('it was queried just now', asked.askAgainMs);
      const { verdict, now } = (await ask(attemptId)) ?? {};
      if (verdict?.kind === 'INTERVENE')
        // A query that we left behind may have ended it before we said that a person is needed: it wakes nobody.
        return (await find(attemptId)).attempt.finishedAt === null ? 'WAITS' : 'ENDED';
      if (verdict?.kind !== 'WAIT' || !now) return 'ENDED';
      throw underWay(verdict.reason, pauseOf(verdict, now));
    },

    /**
     * Queries the attempts whose channel reported something that contradicts their outcome, and corrects the ledger.
     */
    async reviewPayout(withdrawalId: string): Promise<void> {
      for (const { id, doubtedAt } of await db.findAttemptsOf(database.sql, [withdrawalId]))
        if (doubtedAt !== null) await review(await find(id), doubtedAt);
    },
  };
}

/** The steps as the workflow sees them. */
export type PayoutActivities = ReturnType<typeof createPayoutActivities>;
