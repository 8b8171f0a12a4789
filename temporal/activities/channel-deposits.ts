import { ApplicationFailure, Context, log } from '@temporalio/activity';
import { uuidv7 } from 'uuidv7';
import type { DepositQuery, OpenChannel } from '../../channels';
import { openPayer } from '../../crypto/personal';
import type { Sealer } from '../../crypto/seal';
import { depositCallbackBody } from '../../domain/callback';
import { withBoundedCost } from '../../domain/channel-cost';
import { contactFor, type DepositAnswer, type DepositVerdict, verdictOnDeposit } from '../../domain/channel-deposit';
import { type DepositStatus, isFinalDeposit } from '../../domain/deposit';
import { planDeposit } from '../../domain/deposit-way';
import { chargeOn, feeOfCredit, feeOn } from '../../domain/fees';
import { channelCost, channelDepositCredit, depositCredit } from '../../domain/ledger';
import { currencyDecimals, type Money } from '../../domain/money';
import { findBankAccounts } from '../../db/accounts/bank-accounts';
import type { Database } from '../../db/client';
import * as db from '../../db/deposits/channel-deposits';
import { CreditWriter } from '../../db/deposits/credits';
import { type DepositCase, findDepositCase } from '../../db/deposits/deposits';
import { RuleSets } from '../../db/routing/routing-rules';
import { failpoint } from '../../runtime/failpoints';
import { metrics } from '../../runtime/metrics';
import { asking } from './asking';
import { watchCost } from './excessive-cost';
import { watchUnsent } from './unsent';

/** The dependencies of a deposit's steps at channels. */
export interface ChannelDepositActivityDeps {
  readonly database: Database;
  readonly clock: () => Promise<Date>;
  readonly openChannel: OpenChannel;
  /** Opens what orders say of their payers. */
  readonly sealer: Sealer;
}

/**
 * The next step of a deposit: open it at a channel, query it, resolve a contradiction of its final status, or only wait
 * (also where the channel of the order's account does not know the order).
 */
export type DepositStep = At<'OPEN' | 'ASK' | 'REVIEW', { readonly attemptId: string }> | At<'WAIT' | 'END', object>;

type At<Kind, More> = More extends object
  ? Kind extends string
    ? { readonly kind: Kind; readonly status: DepositStatus; readonly expireAt: string } & More
    : never
  : never;

/** How many queries, 30 s apart, may leave a contradiction unresolved before a person is alerted. */
const MOST_QUESTIONS = 20;

/** An attempt with its order. */
interface Case {
  readonly attempt: db.DepositAttempt;
  readonly deposit: DepositCase;
}

const queryOf = ({ attempt, deposit }: Case): DepositQuery => ({
  reference: attempt.reference,
  amount: deposit.amount,
  currencyCode: deposit.currencyCode,
  mockOutcome: attempt.mockOutcome,
});

const decimalsOf = ({ currencyCode }: DepositCase): number => currencyDecimals(currencyCode) ?? 0;

/** What the attempt's channel was expected to charge when the order was routed to it. */
const agreedCost = ({ attempt, deposit }: Case): Money =>
  deposit.estimatedChannelCost ?? feeOn(deposit.amount, attempt.channel.depositCost, decimalsOf(deposit));

/** The steps of `channelDepositOrder`. Each may run twice; only the run that marked an attempt as sent sends it. */
export function createChannelDepositActivities({ database, clock, openChannel, sealer }: ChannelDepositActivityDeps) {
  const credits = new CreditWriter(database);
  const ruleSets = new RuleSets(database);

  async function findOrder(id: string): Promise<DepositCase> {
    const deposit = await findDepositCase(database, id);
    if (!deposit) throw ApplicationFailure.nonRetryable(`deposit ${id} does not exist`);
    return deposit;
  }
  async function find(attemptId: string): Promise<Case> {
    const attempt = await db.findDepositAttempt(database, attemptId);
    if (!attempt) throw ApplicationFailure.nonRetryable(`deposit attempt ${attemptId} does not exist`);
    return { attempt, deposit: await findOrder(attempt.depositId) };
  }

  const settled = (deposit: DepositCase, status: DepositStatus, reason?: string): void => {
    metrics.depositsSettled.inc({ status });
    log.info('deposit settled', { orderNo: deposit.orderNo, status, reason });
  };

  /** MATCHED → COMPLETED: by the bank credit that pays it, or by what the channel received. */
  async function credit(deposit: DepositCase, paid: db.DepositAttemptRow | undefined) {
    const now = await clock();
    const { id: depositId, merchantId, received, charge } = deposit;
    const bodyOf = (actualAmount: Money): string => depositCallbackBody('COMPLETED', { ...deposit, actualAmount }, now);
    await failpoint('channel.crediting', deposit.orderNo);
    let credited = false;
    if (received !== null && charge !== null) {
      credited = await credits.credit({
        depositId,
        merchantId,
        actual: received,
        fee: charge,
        now,
        postings: depositCredit(merchantId, received, feeOfCredit(charge, deposit)),
        callbackBody: bodyOf(received),
      });
    } else if (paid?.received && paid.charge && paid.cost) {
      credited = await db.creditChannelDeposit(database, {
        attemptId: paid.id,
        received: paid.received,
        charge: paid.charge,
        cost: paid.cost,
        now,
        credited: channelDepositCredit(
          ...([merchantId, paid.channelId, paid.received] as const),
          feeOfCredit(paid.charge, deposit),
        ),
        charged: channelCost(paid.channelId, paid.cost),
        callbackBody: bodyOf(paid.received),
      });
    }
    await failpoint('channel.credited', deposit.orderNo);
    if (credited) {
      metrics.depositsCredited.inc({ currency: deposit.currencyCode }, (received ?? paid?.received)?.toNumber() ?? 0);
      settled(deposit, 'COMPLETED');
    }
  }

  /** The channel has the payer's money, or sees it come: PENDING → MATCHED. */
  async function match(found: Case, answer: DepositAnswer, now: Date) {
    const { attempt, deposit } = found;
    const decimals = decimalsOf(deposit);
    const receipt: db.ChannelReceipt | null =
      answer.kind === 'COMPLETED'
        ? {
            received: deposit.amount,
            charge: chargeOn(deposit.amount, deposit, deposit.depositFee, decimals),
            cost: answer.cost ?? agreedCost(found),
          }
        : null;
    // The contract has this event only for orders to accounts that channels report on.
    const reported = deposit.accountId !== null && deposit.notifyDepositMatched;
    const body = reported ? depositCallbackBody('MATCHED', deposit, now) : null;
    const number = 'channelOrderNo' in answer ? answer.channelOrderNo : null;
    await db.matchChannelDeposit(database, attempt.id, number, receipt, body, now);
  }

  /** Records an answer and applies its verdict. @param asked whether it answers a query */
  async function follow(found: Case, sentAt: Date, said: DepositAnswer, asked: boolean): Promise<DepositVerdict> {
    const { attempt, deposit } = found;
    const { channel } = attempt;
    const answer = withBoundedCost(said, deposit.amount, agreedCost(found));
    const now = await clock();
    const status = attempt.status === 'PREPARED' ? 'SENT' : attempt.status;
    const judged = { status, sentAt, timeoutSeconds: channel.timeoutSeconds };
    const verdict = verdictOnDeposit(judged, answer, asked, now);
    switch (verdict.kind) {
      case 'OPENED':
        if (answer.kind === 'OPENED') {
          const { channelOrderNo } = answer;
          const fresh = await db.openChannelDeposit(database, attempt.id, channelOrderNo, answer, now);
          if (!fresh) await db.noteChannelDeposit(database, attempt.id, null, now);
        }
        break;
      case 'MATCHED':
      case 'PAID':
        await match(found, answer, now);
        await watchCost(database, { attemptId: attempt.id, order: deposit, channel, answer }, now);
        break;
      case 'REFUSED':
        await watchUnsent(database, { order: deposit, channel, answer }, now);
        await db.refuseChannelDeposit(database, attempt.id, verdict.reason, now);
        break;
      case 'FAILED':
        // A bank credit may still pay an order to an account.
        if (await db.failDeposit(database, deposit.id, attempt.id, verdict.reason, now))
          settled(deposit, 'FAILED', verdict.reason);
        break;
      case 'WAIT':
        await db.noteChannelDeposit(database, attempt.id, verdict.reason, now);
    }
    metrics.channelDepositAnswers.inc({ answer: answer.kind, verdict: verdict.kind });
    const reason = 'reason' in verdict ? verdict.reason : undefined;
    log.info('channel answered about a deposit', {
      orderNo: deposit.orderNo,
      channel: channel.channelCode,
      answer: answer.kind,
      verdict: verdict.kind,
      reason,
    });
    return verdict;
  }

  /** Prepares an attempt at the next channel, if there is one. @returns its id, or null */
  async function tryNext(deposit: DepositCase, attempts: readonly db.DepositAttemptRow[]): Promise<string | null> {
    const { id, currencyCode, amount, requestedAmount, walletChannelId, poolId } = deposit;
    const now = await clock();
    const channels = await db.findDepositChannels(database, [currencyCode], id, now);
    const tried = attempts.map(({ channelId }) => channelId);
    const order = { id, currencyCode, amount: requestedAmount, walletChannelId, poolId, tried };
    const rules = await ruleSets.of(deposit.routingRulesId);
    const rule = rules?.rules[(deposit.routingRule ?? 0) - 1] ?? null;
    // The order was created for this channel: its payer had paid there before, or weights chose it. A rule names the
    // channels after it.
    const past = deposit.channelId === null ? [] : [deposit.channelId];
    const [way] = planDeposit(rule, [], channels, order, past).ways;
    const channel =
      deposit.accountId === null
        ? way?.candidate.kind === 'CHANNEL'
          ? way.candidate.channel
          : undefined
        : channels.find((c) => c.boundAccountId === deposit.accountId && !tried.includes(c.id));
    if (!channel) return null;
    const attemptId = uuidv7();
    const cost = feeOn(amount, channel.depositCost, decimalsOf(deposit));
    await failpoint('channel.routing', deposit.orderNo);
    if (await db.prepareChannelDeposit(database, attemptId, id, channel.id, cost, now)) return attemptId;
    throw ApplicationFailure.retryable('another step has moved the deposit since', 'DepositMoved');
  }

  return {
    /**
     * Finds the next step of a deposit, and credits it if it is paid.
     * @param at the workflow's time, RFC 3339: an order that has expired by it is offered to no other channel
     */
    async routeDeposit(depositId: string, at: string): Promise<DepositStep> {
      let deposit = await findOrder(depositId);
      const attempts = await db.findDepositAttempts(database, [depositId]);
      const paid = attempts.find(({ status }) => status === 'PAID');
      if (deposit.status === 'MATCHED' && (paid || deposit.received !== null)) {
        await credit(deposit, paid);
        deposit = await findOrder(depositId);
        // Operators have used this payment: it is credited once they take that back, which wakes the workflow.
        if (deposit.status === 'MATCHED' && (await db.isPaymentUsed(database, depositId)))
          return { status: deposit.status, expireAt: deposit.expireAt.toISOString(), kind: 'WAIT' };
        // Retried with pauses, so that the workflow does not loop.
        if (deposit.status === 'MATCHED')
          throw ApplicationFailure.retryable('it is paid and could not be credited', 'NotCredited');
      }
      const step = { status: deposit.status, expireAt: deposit.expireAt.toISOString() };
      if (isFinalDeposit(deposit.status)) {
        const doubted = attempts.find(({ doubtedAt }) => doubtedAt !== null);
        return doubted ? { ...step, kind: 'REVIEW', attemptId: doubted.id } : { ...step, kind: 'END' };
      }
      const open = attempts.find(({ status }) => status !== 'REFUSED');
      const expired = deposit.expireAt.getTime() <= Date.parse(at);
      if (open?.status === 'PREPARED')
        return expired ? { ...step, kind: 'WAIT' } : { ...step, kind: 'OPEN', attemptId: open.id };
      if (open) return { ...step, kind: 'ASK', attemptId: open.id };
      if (deposit.status !== 'PENDING' || expired) return { ...step, kind: 'WAIT' };
      const attemptId = await tryNext(deposit, attempts);
      if (attemptId !== null) return { ...step, kind: 'OPEN', attemptId };
      // An order to an account still waits for its bank credit.
      if (deposit.accountId !== null) return { ...step, kind: 'WAIT' };
      const reason = attempts.at(-1)?.lastError ?? 'no channel takes it';
      if (await db.failDeposit(database, depositId, null, reason, await clock())) settled(deposit, 'FAILED', reason);
      return { ...step, status: (await findOrder(depositId)).status, kind: 'END' };
    },

    /**
     * Opens the deposit at a channel, unless that was requested before: the mark that it sets first prevents a second
     * request.
     */
    async openDeposit(attemptId: string): Promise<void> {
      const found = await find(attemptId);
      const { attempt, deposit } = found;
      if (attempt.status !== 'PREPARED') return;
      const { channel } = attempt;
      const opened = openChannel(channel);
      const [account] = deposit.accountId === null ? [] : await findBankAccounts(database, [deposit.accountId]);
      const sentAt = await clock();
      if (!(await db.markDepositSent(database, attemptId, sentAt))) return;
      await failpoint('channel.marked', deposit.orderNo);
      const payer = openPayer(sealer, deposit);
      const contact = contactFor(channel, deposit.currencyCode, {
        mobile: payer.payerMobile,
        email: payer.payerEmail,
      });
      const answer = await asking((stopping) =>
        opened.openDeposit(
          {
            ...queryOf(found),
            contact,
            account: account
              ? {
                  bankCode: account.bankCode,
                  accountNo: account.accountNo,
                  remark: deposit.expectedRemark,
                }
              : null,
            expireAt: deposit.expireAt,
          },
          stopping,
        ),
      );
      await failpoint('channel.answered', deposit.orderNo);
      await follow(found, sentAt, answer, false);
      await failpoint('channel.recorded', deposit.orderNo);
    },

    /**
     * Queries a deposit. Returns when its state may have changed.
     * @throws a retryable failure while it has not: Temporal runs the activity again
     */
    async askDeposit(attemptId: string): Promise<void> {
      const found = await find(attemptId);
      const { attempt, deposit } = found;
      const { sentAt, status } = attempt;
      if (sentAt === null || (status !== 'SENT' && status !== 'OPEN')) return;
      if (isFinalDeposit(deposit.status)) return;
      const answer = await asking((stopping) => openChannel(attempt.channel).queryDeposit(queryOf(found), stopping));
      await failpoint('channel.asked', deposit.orderNo);
      const verdict = await follow(found, sentAt, answer, true);
      const after = await find(attemptId);
      const moved =
        after.deposit.status !== deposit.status ||
        after.attempt.status === 'PAID' ||
        after.attempt.status === 'REFUSED';
      if (moved) return;
      const reason = 'reason' in verdict ? verdict.reason : `the channel reports ${verdict.kind}`;
      // This counts as an answer: the last query before an expiry is not repeated.
      const type = answer.kind === 'UNKNOWN' ? 'DepositUnderWay' : 'DepositStillOpen';
      throw ApplicationFailure.retryable(reason, type);
    },

    /**
     * Queries a deposit whose channel contradicts its final status. The status stays: an alert reports the
     * contradiction, and money that the channel has is posted as late money, which waits for operators.
     */
    async reviewDeposit(attemptId: string): Promise<void> {
      const found = await find(attemptId);
      const { attempt, deposit } = found;
      const { doubtedAt, channel } = attempt;
      if (doubtedAt === null) return;
      const said = await asking((stopping) => openChannel(channel).queryDeposit(queryOf(found), stopping));
      // By the rule of its own channel: the order may have gone to another one since.
      const agreed = feeOn(deposit.amount, channel.depositCost, decimalsOf(deposit));
      const answer = withBoundedCost(said, deposit.amount, agreed);
      if (answer.kind === 'UNKNOWN' && Context.current().info.attempt < MOST_QUESTIONS)
        throw ApplicationFailure.retryable(answer.reason, 'DepositUnderWay');
      const paidHere = attempt.status === 'PAID';
      const stands = paidHere === (answer.kind === 'COMPLETED');
      const reason = `the order is ${deposit.status}, and the channel reports ${answer.kind}`;
      const now = await clock();
      if (!stands && answer.kind === 'COMPLETED') {
        const cost = answer.cost ?? agreed;
        await db.receiveLateDeposit(database, { attemptId, doubtedAt, cost, reason, now });
        await watchCost(database, { attemptId, order: deposit, channel, answer }, now);
      } else {
        const alert = stands ? null : 'DEPOSIT_CONTRADICTED';
        await db.concludeDepositDoubt(database, attemptId, doubtedAt, alert, reason, now);
      }
      if (!stands) log.warn('a channel contradicts a deposit', { orderNo: deposit.orderNo, reason });
    },
  };
}

/** The steps as the workflow sees them. */
export type ChannelDepositActivities = ReturnType<typeof createChannelDepositActivities>;
