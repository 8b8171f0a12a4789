import type { TransferType } from '../../../domain/ledger';
import type { PostingRule } from '../rule';
import { BALANCE_ADJUSTMENT, BALANCE_TOP_UP, RECEIVABLE_COVERED } from './balances';
import { BANK_CREDIT } from './bank-credits';
import { BOOK_OPENED } from './books';
import {
  CREDIT_HELD,
  DEPOSIT_CREDIT,
  DEPOSIT_RECALLED,
  FEE_CAPTURED,
  FEE_HELD,
  FEE_RELEASED,
  HOLD_RELEASED,
  LATE_RECEIVED,
} from './deposits';
import { COMMISSION_EARNED, COMMISSION_REVERSED } from './commissions';
import { OPERATOR_RULES, POSTING_REVERSED } from './operator-postings';
import { MONEY_RETURNED, REFUND_FROZEN, REFUND_PAID, REFUND_RELEASED } from './payer-returns';
import { CHANNEL_CLAIMED, CHANNEL_COST, WITHDRAWAL_LATE_PAID, WITHDRAWAL_RETURNED } from './payouts';
import { WITHDRAWAL_FREEZE, WITHDRAWAL_PAID, WITHDRAWAL_RELEASE } from './withdrawals';

/** What every type of posting stands for. A type without a rule does not compile. */
export const RULES: Readonly<Record<TransferType, PostingRule>> = {
  BANK_CREDIT,
  DEPOSIT_CREDIT,
  CREDIT_HELD,
  HOLD_RELEASED,
  DEPOSIT_RECALLED,
  RECEIVABLE_COVERED,
  BALANCE_TOP_UP,
  BALANCE_ADJUSTMENT,
  WITHDRAWAL_FREEZE,
  WITHDRAWAL_RELEASE,
  WITHDRAWAL_PAID,
  CHANNEL_COST,
  WITHDRAWAL_LATE_PAID,
  WITHDRAWAL_RETURNED,
  CHANNEL_CLAIMED,
  LATE_RECEIVED,
  FEE_HELD,
  FEE_RELEASED,
  FEE_CAPTURED,
  COMMISSION_EARNED,
  COMMISSION_REVERSED,
  ...OPERATOR_RULES,
  POSTING_REVERSED,
  MONEY_RETURNED,
  REFUND_FROZEN,
  REFUND_RELEASED,
  REFUND_PAID,
  BOOK_OPENED,
};
