import { issueWarrant } from '../../domain/authority/issue';
import { randomBytes } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { recordChannelMessage } from '../../db/channels/channel-messages';
import type { Database } from '../../db/client';
import { findBalances } from '../../db/ledger/ledger';
import * as payouts from '../../db/payouts/payouts';
import * as tasks from '../../db/payouts/transfer-tasks';
import * as db from '../../db/withdrawals/withdrawals';
import { orderNo } from '../../domain/ids';
import * as ledger from '../../domain/ledger';
import { type Money, ZERO } from '../../domain/money';
import { aftermathOf, type PayoutAnswer, payoutReference } from '../../domain/payout';
import type { WithdrawalVerdict } from '../../domain/withdrawal';
import { CURRENCY, type Fixture } from './fixture';
import type { WithdrawalAct } from './steps';

interface Withdrawal {
  readonly id: string;
  readonly orderNo: string;
  readonly amount: Money;
  readonly fee: Money;
  /** Attempts until now, by channels and by people. */
  tries: number;
  /** The newest attempt by a channel, and the newest by a person; null before the first. */
  sent: { readonly attemptId: string; readonly reference: string };
  task: string;
}

/** The data of a withdrawal that waits for one person. */
const NEW = {
  ...({ origin: 'MERCHANT', status: 'PENDING' } as const),
  beneficiaryName: 'Ann',
  beneficiaryAccount: 'v1.x',
  beneficiaryBankCode: 'BANK',
  beneficiaryBankName: 'Bank',
  beneficiaryBankBranch: null,
  peopleNeeded: 1,
  review: { reasons: [], rulesVersion: null },
  actualAmount: ZERO,
  isAutoApproved: false,
  escalatedAt: null,
  claimedBy: null,
  claimedAt: null,
  approvedAt: null,
  approvedBy: null,
  approvalRemarks: null,
  payoutMethod: null,
  accountId: null,
  channelId: null,
  channelOrderNo: null,
  estimatedChannelCost: null,
  actualChannelCost: null,
  processedAt: null,
  completedAt: null,
  endedAt: null,
  endReason: null,
  bankReference: null,
  needsManualIntervention: false,
  manualReason: null,
  callbackUrl: null,
  extraData: null,
  traceId: null,
  feeScheduleId: null,
  countedDay: null,
  feeVolume: null,
  volumeMonth: null,

  commissionRateId: null,
  beneficiaryAccountKey: '0'.repeat(32),
  beneficiaryAccountIndex: '1'.repeat(32),
};
const NO_LIMITS = {
  beneficiaries: [],
  merchantOrders: null,
  merchantAmount: null,
  beneficiaryOrders: null,
  beneficiaryAmount: null,
};
const BODIES = { approved: '{}', rejected: '{}' };

/** One merchant's withdrawals, moved by the same guarded statements that the workflow and people run. */
export class Withdrawals {
  private readonly all: Withdrawal[] = [];

  /** @param cost the channel's charge for each */
  constructor(
    private readonly database: Database,
    private readonly fixture: Fixture,
    private readonly merchantId: string,
    private readonly cost: Money,
  ) {}

  /** @returns false if the balance is too low */
  async create(amount: Money, fee: Money): Promise<boolean> {
    const { database, merchantId } = this;
    const [id, now] = [uuidv7(), new Date()];
    const order = { id, amount, fee, orderNo: orderNo('W', now, randomBytes(12)) };
    const [outcome] = await db.acceptWithdrawals(database, [
      {
        withdrawal: {
          ...NEW,
          ...order,
          merchantId,
          merchantOrderNo: id,
          currencyCode: CURRENCY,
          decideBy: now,
          createdAt: now,
          updatedAt: now,
        },
        freeze: ledger.withdrawalFrozen(merchantId, amount, fee),
        counted: NO_LIMITS,
        approvedBody: null,
      },
    ]);
    if (outcome === 'INSUFFICIENT') return false;
    if (outcome !== 'ACCEPTED') throw new Error('a withdrawal was not accepted');
    const sent = { attemptId: uuidv7(), reference: 'none' };
    this.all.push({ ...order, tries: 0, sent, task: uuidv7() });
    return true;
  }

  /** @returns whether it had an effect */
  async take(act: WithdrawalAct, index: number): Promise<boolean> {
    const order = this.all[index];
    if (!order) throw new Error(`there is no withdrawal ${index}`);
    switch (act) {
      case 'approve':
        return await this.decide(order, 'APPROVE');
      case 'reject':
        return await this.decide(order, 'REJECT');
      case 'send':
        return await this.send(order);
      case 'refuse':
        return await payouts.refusePayout(this.database, order.sent.attemptId, 'no', new Date());
      case 'pay':
        return await this.pay(order);
      case 'fail':
        return await payouts.failPayout(this.database.sql, {
          attemptId: order.sent.attemptId,
          actor: 'chaos',
          callbackBody: '{}',
          reason: 'no',
          release: this.release(order),
          now: new Date(),
        });
      case 'succeedLate':
        return await this.reported(order, {
          kind: 'COMPLETED',
          channelOrderNo: 'late',
          bankReference: null,
          cost: null,
        });
      case 'giveBack':
        return await this.reported(order, {
          kind: 'RETURNED',
          channelOrderNo: 'back',
          reason: 'the account is closed',
        });
      case 'openTask':
        return await this.openTask(order);
      case 'transfer':
        return await this.transfer(order);
      case 'cancel':
        return await this.cancel(order);
    }
  }

  private readonly release = ({ amount, fee }: Withdrawal): ledger.Posting[] =>
    ledger.withdrawalReleased(this.merchantId, amount, fee);

  private async decide(order: Withdrawal, verdict: WithdrawalVerdict): Promise<boolean> {
    const [id, now] = [uuidv7(), new Date()];
    const refusal = await this.database.transaction(
      async (tx) =>
        await db.recordDecision(tx, issueWarrant('approveWithdrawal'), {
          id,
          withdrawalId: order.id,
          operatorId: this.fixture.maker,
          verdict,
          remarks: 'chaos',
          at: now,
        }),
    );
    if (refusal !== null) return false;
    const rejection = verdict === 'REJECT' ? id : null;
    const bodies = { ...BODIES, rejection };
    return await db.applyDecisions(this.database, order.id, bodies, this.release(order), now);
  }

  private async send(order: Withdrawal): Promise<boolean> {
    const { database, cost } = this;
    const [attemptId, now] = [uuidv7(), new Date()];
    const { channelId } = this.fixture;
    if (!(await payouts.preparePayout(database, attemptId, order.id, channelId, cost, now))) return false;
    const { orderNo } = order;
    const { channelCode } = this.fixture;
    const reference = payoutReference({ orderNo, number: ++order.tries, epoch: 0, channelCode });
    order.sent = { attemptId, reference };
    return await payouts.markSent(database, attemptId, now);
  }

  private async pay({ sent, amount, fee }: Withdrawal): Promise<boolean> {
    const { merchantId, cost } = this;
    const { channelId } = this.fixture;
    return await payouts.payWithdrawal(this.database.sql, {
      attemptId: sent.attemptId,
      actor: 'chaos',
      callbackBody: '{}',
      now: new Date(),
      channelOrderNo: null,
      bankReference: null,
      cost,
      returned: false,
      paid: ledger.withdrawalPaid(merchantId, amount, fee, { channelId }),
      charged: ledger.channelCost(channelId, cost),
    });
  }

  /** The channel reports an outcome, and repeats it when it is queried. @returns whether that was posted */
  private async reported({ id, sent, amount, fee }: Withdrawal, answer: PayoutAnswer): Promise<boolean> {
    const { database, merchantId, cost } = this;
    const { channelId } = this.fixture;
    const now = new Date();
    await recordChannelMessage(
      database,
      {
        id: uuidv7(),
        channelId,
        messageId: uuidv7(),
        reference: sent.reference,
        reported: answer.kind,
        headers: {},
        body: Buffer.from('{}'),
      },
      now,
    );
    const order = await db.findWithdrawalCase(database, id);
    const attempts = await payouts.findAttemptsOf(database.sql, [id]);
    const attempt = attempts.find((one) => one.id === sent.attemptId);
    if (!order || !attempt?.doubtedAt) return false;
    const ended = attempt.status as 'SUCCEEDED' | 'REFUSED' | 'FAILED';
    const found = aftermathOf(ended, order.status, answer);
    let posted: payouts.DoubtEnd['posted'] = null;
    if (found.kind === 'RETURNED')
      posted = {
        type: 'WITHDRAWAL_RETURNED',
        postings: ledger.withdrawalReturned(merchantId, amount, channelId),
      };
    if (found.kind === 'PAID_AFTER_ALL') {
      const [balance] = await findBalances(database, [merchantId]);
      const available = balance?.available ?? ZERO;
      const charged = { amount: cost, postings: ledger.channelCost(channelId, cost) };
      posted = found.charged
        ? {
            type: 'WITHDRAWAL_LATE_PAID',
            postings: ledger.withdrawalLatePaid(...[merchantId, amount, fee, available, channelId]),
            cost: charged,
          }
        : {
            type: 'CHANNEL_CLAIMED',
            postings: ledger.channelClaimed(channelId, amount),
            cost: charged,
          };
    }
    const { id: attemptId, doubtedAt } = attempt;
    const end = { attemptId, doubtedAt, posted, alert: null, reason: 'chaos', now };
    return (await payouts.concludeDoubt(database, end)) && posted !== null;
  }

  private async openTask(order: Withdrawal): Promise<boolean> {
    const task = uuidv7();
    if (!(await payouts.openTransferTask(this.database, task, order.id, new Date()))) return false;
    order.task = task;
    order.tries++;
    return true;
  }

  private async transfer({ task, amount, fee }: Withdrawal): Promise<boolean> {
    const { accountId, maker } = this.fixture;
    const step = { attemptId: task, operatorId: maker, now: new Date() };
    return await this.database.transaction(async (tx) => {
      const refusal = await tasks.claimTransferTask(tx, { ...step, accountId });
      if (refusal !== null || !(await tasks.beginTransfer(tx, step))) return false;
      return await tasks.completeTransfer(tx, issueWarrant('completeTransfer'), {
        ...step,
        bankReference: task,
        proof: null,
        callbackBody: '{}',
        paid: ledger.withdrawalPaid(this.merchantId, amount, fee, { bankAccountId: accountId }),
      });
    });
  }

  private async cancel(order: Withdrawal): Promise<boolean> {
    const step = { attemptId: order.task, operatorId: this.fixture.maker, now: new Date() };
    return await this.database.transaction(
      async (tx) => await tasks.cancelTransfer(tx, { ...step, reason: 'no', release: this.release(order) }),
    );
  }
}
