import { randomBytes } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { sealBeneficiary } from '../../crypto/beneficiary';
import { withdrawalCallbackBody } from '../../domain/callback';
import { orderNo as newOrderNo } from '../../domain/ids';
import { withdrawalFrozen } from '../../domain/ledger';
import { money } from '../../domain/money';
import { acceptWithdrawals, findWithdrawal, type WithdrawalView } from '../../db/withdrawals/withdrawals';
import { markSent, notePayout, openTransferTask, preparePayout } from '../../db/payouts/payouts';
import type { Tenant, TestMerchant } from './tenant';

/** A merchant with money. @param amount THB */
export async function fundedMerchant(tenant: Tenant, amount = '1000'): Promise<TestMerchant> {
  const merchant = await tenant.merchant({ canWithdraw: true });
  await tenant.operate('TopUpBalance', {
    merchantId: merchant.id,
    currencyCode: 'THB',
    amount,
    reason: 'test',
    evidence: { text: 'seen' },
  });
  return merchant;
}

/** An automatically approved withdrawal: 100 THB and a fee of 2, to the bank KBANK, by default. */
export async function approvedWithdrawal(
  tenant: Tenant,
  merchant: TestMerchant,
  fields: {
    readonly amount?: string;
    readonly fee?: string;
    readonly bankCode?: string;
    readonly commissionRateId?: string;
  } = {},
): Promise<{ readonly id: string; readonly orderNo: string }> {
  const now = tenant.now();
  const id = uuidv7();
  const amount = money(fields.amount ?? '100');
  const fee = money(fields.fee ?? '2');
  const orderNo = newOrderNo('W', now, randomBytes(12));
  const nothing = {
    escalatedAt: null,
    claimedBy: null,
    claimedAt: null,
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
    manualReason: null,
    extraData: null,
    traceId: null,
    beneficiaryBankBranch: null,
    countedDay: null,
  };
  const order = {
    id,
    orderNo,
    merchantId: merchant.id,
    merchantOrderNo: uuidv7(),
    currencyCode: 'THB',
    ...({ origin: 'MERCHANT', status: 'APPROVED', amount, fee, actualAmount: money('0') } as const),
    beneficiaryName: 'Somchai',
    ...sealBeneficiary(tenant.seals, orderNo, '1234567890'),
    beneficiaryBankCode: fields.bankCode ?? 'KBANK',
    beneficiaryBankName: 'Kasikornbank',
    peopleNeeded: 0,
    review: { reasons: [], rulesVersion: null },
    decideBy: now,
    isAutoApproved: true,
    approvedAt: now,
    approvedBy: 'system',
    needsManualIntervention: false,
    callbackUrl: 'http://127.0.0.1:9/nobody-listens',
    ...nothing,
    feeScheduleId: null,
    feeVolume: null,
    volumeMonth: null,
    commissionRateId: fields.commissionRateId ?? null,
    createdAt: now,
    updatedAt: now,
  };
  const [outcome] = await acceptWithdrawals(tenant.database, [
    {
      withdrawal: order,
      freeze: withdrawalFrozen(merchant.id, amount, fee),
      counted: {
        beneficiaries: [],
        merchantOrders: null,
        merchantAmount: null,
        beneficiaryOrders: null,
        beneficiaryAmount: null,
      },
      approvedBody: withdrawalCallbackBody('APPROVED', order, now),
    },
  ]);
  if (outcome !== 'ACCEPTED') throw new Error(`the withdrawal was ${outcome}`);
  return { id, orderNo };
}

/** A withdrawal, 100 THB by default, that the operator is paying manually from an account. */
export async function transferUnderWay(
  tenant: Tenant,
  merchant: TestMerchant,
  accountId: string,
  fields: { readonly amount?: string; readonly commissionRateId?: string } = {},
): Promise<{ readonly id: string; readonly orderNo: string; readonly attemptId: string }> {
  const order = await approvedWithdrawal(tenant, merchant, fields);
  const attemptId = uuidv7();
  await openTransferTask(tenant.database, attemptId, order.id, tenant.now());
  await tenant.operate('ClaimTransfer', { orderNo: order.orderNo, accountId });
  await tenant.operate('BeginTransfer', { orderNo: order.orderNo });
  return { ...order, attemptId };
}

/** The withdrawal's current row. */
export async function withdrawalNow(tenant: Tenant, id: string): Promise<WithdrawalView> {
  const found = await findWithdrawal(tenant.database, { id });
  if (!found) throw new Error('no withdrawal');
  return found;
}

/** The types of an order's events, in order; those of its callbacks left out. */
export async function eventsOf(tenant: Tenant, id: string): Promise<string[]> {
  const rows = await tenant.database.sql<{ type: string }[]>`
    select type from order_events where order_id = ${id} and type not like 'callback%' order by position`;
  return rows.map(({ type }) => type);
}

/** The postings of an order beside its freeze: `TYPE account amount`, without merchants' and channels' ids. */
export async function postedFor(tenant: Tenant, id: string): Promise<string[]> {
  const rows = await tenant.database.sql<{ line: string }[]>`
    select t.type || ' ' || regexp_replace(e.account, ':[0-9a-f-]{36}', '') || ' ' || e.amount::text as line
    from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
    where t.order_id = ${id} and t.type <> 'WITHDRAWAL_FREEZE' order by t.type desc, t.id, e.line`;
  return rows.map(({ line }) => line);
}

/** A withdrawal whose payout has an unknown outcome. */
export async function unknownPayout(
  tenant: Tenant,
  merchant: TestMerchant,
  channelId: string,
): Promise<{ readonly id: string; readonly orderNo: string; readonly attemptId: string }> {
  const { database } = tenant;
  const order = await approvedWithdrawal(tenant, merchant);
  const attemptId = uuidv7();
  await preparePayout(database, attemptId, order.id, channelId, money('1'), tenant.now());
  await markSent(database, attemptId, tenant.now());
  const answer = { channelOrderNo: null, reason: 'no answer', intervene: 'no answer' };
  await notePayout(database, attemptId, 'UNKNOWN', answer, tenant.now());
  return { ...order, attemptId };
}

/** A debit in THB, 100 by default, as an operator who pays nothing reports it. */
export async function reportDebit(tenant: Tenant, fields: Record<string, unknown>): Promise<void> {
  const watcher = await tenant.person('watcher', ['reconcile']);
  const bankTime = tenant.now().toISOString();
  const input = { amount: '100', currencyCode: 'THB', memo: '', bankTime, ...fields };
  await tenant.operate('RecordBankDebit', { input }, watcher);
}
