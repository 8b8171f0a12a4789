import { sql } from 'drizzle-orm';
import {
  boolean,
  char,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import type { Review } from '../../domain/review';
import type { PayoutMethod, WithdrawalOrigin, WithdrawalStatus, WithdrawalVerdict } from '../../domain/withdrawal';
import { bankAccounts } from './bank-accounts';
import { channels } from './channels';
import { at, bankReferenceKey, code, money } from './columns';
import { commissionRates } from './commissions';
import { feeSchedules } from './fee-schedules';
import { merchantOrderNumbers, merchants } from './merchants';
import { operators } from './operators';

/** Why a withdrawal needs people or not, and the rules that decided it. */
export interface ReviewNote {
  readonly reasons: Review['reasons'];
  /** Null if no rules are set. */
  readonly rulesVersion: number | null;
}

/** Withdrawals (contract, "WithdrawalOrder"). amount + fee is frozen from creation until the end. */
export const withdrawalOrders = pgTable(
  'withdrawal_orders',
  {
    id: uuid().primaryKey(),
    orderNo: code('order_no').notNull().unique(),
    merchantId: uuid('merchant_id').notNull(),
    merchantOrderNo: code('merchant_order_no').notNull(),
    /** Origin: the merchant's API, or operators paying the merchant its balance. */
    origin: text().$type<WithdrawalOrigin>().notNull(),
    amount: money('amount').notNull(),
    fee: money('fee').notNull(),
    /** Paid to the beneficiary; zero until completed. */
    actualAmount: money('actual_amount').notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    /** Sealed, as its account. */
    beneficiaryName: text('beneficiary_name').notNull(),
    /** Sealed; of a settlement, which pays a merchant, in clear. */
    beneficiaryAccount: code('beneficiary_account').notNull(),
    /** The blind index of the number as it is written; null: it is a settlement's, or erased. */
    beneficiaryAccountIndex: text('beneficiary_account_index'),
    /** The keyed hash of its number, in any spelling, by which it is counted; null: erased. */
    beneficiaryAccountKey: text('beneficiary_account_key'),
    beneficiaryBankCode: code('beneficiary_bank_code').notNull(),
    beneficiaryBankName: text('beneficiary_bank_name').notNull(),
    beneficiaryBankBranch: text('beneficiary_bank_branch'),
    status: text().$type<WithdrawalStatus>().notNull(),
    /** How many people must approve; 0: the review rules approved it. */
    peopleNeeded: smallint('people_needed').notNull(),
    /** The reasons, for people, and the version of the rules. */
    review: jsonb().$type<ReviewNote>().notNull(),
    /** The deadline of the decision. */
    decideBy: at('decide_by').notNull(),
    /** When an alert was raised because no decision came in time. */
    escalatedAt: at('escalated_at'),
    /** The operator who claimed it for review, so that two operators do not do the same work. */
    claimedBy: uuid('claimed_by').references(() => operators.id),
    claimedAt: at('claimed_at'),
    isAutoApproved: boolean('is_auto_approved').notNull(),
    approvedAt: at('approved_at'),
    /** `system`, or the id of the operator whose approval was the last needed. */
    approvedBy: text('approved_by'),
    approvalRemarks: text('approval_remarks'),
    /** CHANNEL or MANUAL; null until routed. */
    payoutMethod: text('payout_method').$type<PayoutMethod>(),
    /** The managed account that pays. */
    accountId: uuid('account_id').references(() => bankAccounts.id),
    channelId: uuid('channel_id').references(() => channels.id),
    channelOrderNo: text('channel_order_no'),
    estimatedChannelCost: money('estimated_channel_cost'),
    actualChannelCost: money('actual_channel_cost'),
    /** When it was first dispatched. */
    processedAt: at('processed_at'),
    completedAt: at('completed_at'),
    /** When it was rejected, failed or cancelled. */
    endedAt: at('ended_at'),
    /** Why it failed or was cancelled. */
    endReason: text('end_reason'),
    bankReference: text('bank_reference'),
    needsManualIntervention: boolean('needs_manual_intervention').notNull(),
    manualReason: text('manual_reason'),
    callbackUrl: text('callback_url'),
    extraData: text('extra_data'),
    /** Names the request that made it, in every log line about it. */
    traceId: text('trace_id'),
    /** The day of its merchant's zone to which it counts; null if it counts to none; older rows have the UTC day. */
    countedDay: date('counted_day', { mode: 'string' }),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
    /** The schedule's version that priced it; null: the fee of its merchant's currency at the time. */
    feeScheduleId: uuid('fee_schedule_id'),
    /** The merchant's volume of the month by which it was priced; null: its tiers depend on the amount. */
    feeVolume: money('fee_volume'),
    /** The month to whose volume it counts, in its merchant's zone, by its first day; null: none. */
    volumeMonth: date('volume_month', { mode: 'string' }),
    /** The commission rate in force at its creation; null: none. */
    commissionRateId: uuid('commission_rate_id'),
  },
  (t) => [
    foreignKey({
      name: 'withdrawal_orders_commission_rate',
      columns: [t.commissionRateId, t.merchantId, t.currencyCode],
      foreignColumns: [commissionRates.id, commissionRates.merchantId, commissionRates.currencyCode],
    }),
    check(
      'withdrawal_orders_volume',
      sql`${t.feeVolume} is null or ${t.feeVolume} >= 0 and ${t.feeScheduleId} is not null`,
    ),
    check(
      'withdrawal_orders_volume_month',
      sql`${t.volumeMonth} is null or ${t.status} = 'COMPLETED' and extract(day from ${t.volumeMonth}) = 1`,
    ),
    foreignKey({
      name: 'withdrawal_orders_fee_schedule',
      columns: [t.feeScheduleId, t.merchantId, t.currencyCode],
      foreignColumns: [feeSchedules.id, feeSchedules.merchantId, feeSchedules.currencyCode],
    }),
    foreignKey({
      name: 'withdrawal_orders_number',
      columns: [t.merchantId, t.merchantOrderNo],
      foreignColumns: [merchantOrderNumbers.merchantId, merchantOrderNumbers.merchantOrderNo],
    }),
    index('withdrawal_orders_newest').on(t.createdAt, t.id),
    index('withdrawal_orders_of_merchant').on(t.merchantId, t.createdAt, t.id),
    index('withdrawal_orders_by_amount').on(t.amount, t.id),
    index('withdrawal_orders_by_completion')
      .on(t.completedAt, t.id)
      .where(sql`${t.completedAt} is not null`),
    // The beneficiary's history: of a settlement's, whose number is in clear, and of the others.
    index('withdrawal_orders_of_beneficiary')
      .on(t.beneficiaryAccount, t.beneficiaryBankCode, t.createdAt, t.id)
      .where(sql`${t.beneficiaryAccountIndex} is null`),
    index('withdrawal_orders_of_indexed_beneficiary')
      .on(t.beneficiaryAccountIndex, t.beneficiaryBankCode, t.createdAt, t.id)
      .where(sql`${t.beneficiaryAccountIndex} is not null`),
    // A number is counted by its hash; only a settlement's is in clear, and of an erased one nothing is left.
    check(
      'withdrawal_orders_beneficiary_key',
      sql`case when ${t.origin} = 'SETTLEMENT'
          then ${t.beneficiaryAccountIndex} is null and ${t.beneficiaryAccountKey} is not null
        when ${t.beneficiaryAccount} = '[erased]'
          then num_nonnulls(${t.beneficiaryAccountIndex}, ${t.beneficiaryAccountKey}) = 0
        else num_nulls(${t.beneficiaryAccountIndex}, ${t.beneficiaryAccountKey}) = 0
          and ${t.beneficiaryAccount} ~ '^(v1|v2[.][0-9a-f]{8})[.]' end`,
    ),
    index('withdrawal_orders_bank_reference')
      .on(bankReferenceKey(t.bankReference), t.createdAt, t.id)
      .where(sql`${t.bankReference} is not null`),
    // Rare states, also those that end: most withdrawals leave it when they are paid.
    index('withdrawal_orders_unsettled')
      .on(t.status, t.createdAt, t.id)
      .where(sql`${t.status} <> 'COMPLETED'`),
    index('withdrawal_orders_interventions')
      .on(t.createdAt, t.id)
      .where(sql`${t.needsManualIntervention}`),
    index('withdrawal_orders_settlements')
      .on(t.createdAt, t.id)
      .where(sql`${t.origin} = 'SETTLEMENT'`),
    // A settlement needs two people, never a rule alone, and sends no callback.
    check(
      'withdrawal_orders_settlement',
      sql`${t.origin} = 'MERCHANT' or (${t.peopleNeeded} > 0 and ${t.callbackUrl} is null)`,
    ),
    check('withdrawal_orders_origin', sql`${t.origin} in ('MERCHANT', 'SETTLEMENT')`),
    check(
      'withdrawal_orders_status',
      sql`${t.status} in ('PENDING', 'APPROVED', 'COMPLETED', 'REJECTED', 'FAILED', 'CANCELLED')`,
    ),
    check('withdrawal_orders_amounts', sql`${t.amount} > 0 and ${t.fee} >= 0 and ${t.actualAmount} >= 0`),
    check(
      'withdrawal_orders_channel_cost',
      sql`${t.actualChannelCost} >= 0 and ${t.actualChannelCost} <= ${t.amount} + ${t.estimatedChannelCost}`,
    ),
    check('withdrawal_orders_people', sql`${t.peopleNeeded} between 0 and 2`),
    check(
      'withdrawal_orders_approved',
      sql`(${t.approvedAt} is not null) = (${t.status} in ('APPROVED', 'COMPLETED', 'FAILED', 'CANCELLED'))
        and (${t.approvedAt} is null) = (${t.approvedBy} is null)
        and ${t.isAutoApproved} = (${t.peopleNeeded} = 0)
        and (${t.approvedBy} is null or ${t.isAutoApproved} = (${t.approvedBy} = 'system'))`,
    ),
    check(
      'withdrawal_orders_completed',
      sql`(${t.status} = 'COMPLETED') = (${t.completedAt} is not null)
        and (${t.status} = 'COMPLETED') = (${t.actualAmount} > 0)`,
    ),
    check(
      'withdrawal_orders_ended',
      sql`(${t.status} in ('REJECTED', 'FAILED', 'CANCELLED')) = (${t.endedAt} is not null)`,
    ),
    check('withdrawal_orders_claimed', sql`(${t.claimedBy} is null) = (${t.claimedAt} is null)`),
    check('withdrawal_orders_method', sql`${t.payoutMethod} in ('CHANNEL', 'MANUAL')`),
    // Nothing is sent, and no payout needs a person, before the approval.
    check(
      'withdrawal_orders_dispatched',
      sql`${t.approvedAt} is not null or (${t.payoutMethod} is null and ${t.processedAt} is null
        and not ${t.needsManualIntervention})`,
    ),
    check('withdrawal_orders_intervention', sql`not ${t.needsManualIntervention} or ${t.manualReason} is not null`),
  ],
);

/** Operators' decisions on withdrawals. Only a row counts: an Update or a signal without one does nothing. */
export const withdrawalDecisions = pgTable(
  'withdrawal_decisions',
  {
    id: uuid().primaryKey(),
    withdrawalId: uuid('withdrawal_id')
      .notNull()
      .references(() => withdrawalOrders.id),
    operatorId: uuid('operator_id')
      .notNull()
      .references(() => operators.id),
    verdict: text().$type<WithdrawalVerdict>().notNull(),
    remarks: text(),
    at: at('at').notNull(),
    /** When the decision was applied to the order. */
    appliedAt: at('applied_at'),
  },
  (t) => [
    unique('withdrawal_decisions_once').on(t.withdrawalId, t.operatorId),
    check('withdrawal_decisions_verdict', sql`${t.verdict} in ('APPROVE', 'REJECT')`),
    check('withdrawal_decisions_remarks', sql`${t.verdict} = 'APPROVE' or btrim(coalesce(${t.remarks}, '')) <> ''`),
  ],
);

/** A merchant's requested withdrawals on one day of its zone: in total (beneficiary empty) and to each beneficiary. */
export const withdrawalDays = pgTable(
  'withdrawal_days',
  {
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    day: date({ mode: 'string' }).notNull(),
    /** counted_beneficiary of the orders: `{bank code}:{keyed hash of the number}`; or empty for all. */
    beneficiary: code().notNull(),
    orders: integer().notNull(),
    amount: money('amount').notNull(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.currencyCode, t.day, t.beneficiary] })],
);
