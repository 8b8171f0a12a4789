import { randomBytes } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { orderNo as newOrderNo } from '../../domain/ids';
import { type Money, ZERO } from '../../domain/money';
import { DEFAULT_RULES, review } from '../../domain/review';
import { settlementReview } from '../../domain/settlement';
import type { WithdrawalFacts } from '../merchants/review';
import { FRESH } from '../withdrawals/fresh-withdrawal';
import type { WithdrawalRow } from '../withdrawals/withdrawals';
import type { SettlementAccountRow } from './settlement-accounts';

/** The data for the withdrawal of a settlement. */
export interface FreshSettlement {
  readonly account: SettlementAccountRow;
  /** The keyed hash of its number, as its order keeps it. */
  readonly accountKey: string;
  readonly amount: Money;
  /** Of the account, at this time. */
  readonly facts: WithdrawalFacts & { readonly bankName: string };
  readonly now: Date;
  readonly traceId: string | null;
}

/** The withdrawal of a settlement: no fee, no callback, and always decided by people. */
export function freshSettlement(settlement: FreshSettlement): WithdrawalRow {
  const { account, accountKey, amount, facts, now, traceId } = settlement;
  const { merchantId, currencyCode, bankCode, accountNo } = account;
  const rules = facts.rules?.rules ?? DEFAULT_RULES;
  const { people, reasons } = settlementReview(review({ ...facts, amount, now, rules, cooling: false }));
  const orderNo = newOrderNo('W', now, randomBytes(12));
  return {
    ...FRESH,
    id: uuidv7(),
    orderNo,
    merchantId,
    // It is in the merchant's namespace, so it must not be guessable.
    merchantOrderNo: `settlement:${orderNo}`,
    origin: 'SETTLEMENT',
    amount,
    fee: ZERO,
    currencyCode,
    beneficiaryName: account.accountHolder,
    beneficiaryAccount: accountNo,
    beneficiaryAccountKey: accountKey,
    beneficiaryAccountIndex: null,
    beneficiaryBankCode: bankCode,
    beneficiaryBankName: facts.bankName,
    beneficiaryBankBranch: account.bankBranch,
    status: 'PENDING',
    peopleNeeded: people,
    review: { reasons, rulesVersion: facts.rules?.version ?? null },
    decideBy: new Date(now.getTime() + rules.decideWithinMinutes * 60_000),
    isAutoApproved: false,
    approvedAt: null,
    approvedBy: null,
    callbackUrl: null,
    extraData: null,
    traceId,
    createdAt: now,
    updatedAt: now,
  };
}
