import { matchTransferByTwo } from './transfers/match-effects';
import { matchPartsByTwo } from './transfers/match-parts-effects';
import { completeTransferByTwo } from './payouts/complete-effects';
import { recallDeposit } from './deposits/recall-effects';
import { adjustBalance, topUpBalance } from './ledger/balance-effects';
import { createBankAccount, setBankAccountStatus, updateBankAccount } from './accounts/bank-account-effects';
import { explainStatement } from './statements/explain-effects';
import { putStatementRule } from './statements/rule-effects';
import { putTextPattern } from './texts/pattern-effects';
import { putCommissionRate } from './fees/commission-effects';
import { putFeeSchedule } from './fees/fee-effects';
import { putRoutingRules } from './routing/routing-effects';
import { listPayer, putPayerRules, unlistPayer } from './payers/payer-effects';
import { putEventAddresses } from './platform-events/address-effects';
import { putPool } from './pools/pool-effects';
import { putBanks } from './banks/bank-effects';
import { listBeneficiary, putReviewRules, unlistBeneficiary } from './withdrawals/review-effects';
import { putChannelMapping } from './channels/channel-mapping-effects';
import { createChannel, setChannelEnabled, updateChannel } from './channels/channel-effects';
import { resolvePayout } from './payouts/payout-effects';
import { dropOutboxRow } from './outbox/outbox-effects';
import { erasePerson } from './personal/erase-effects';
import { endRecovery, explainFindings } from './recovery/recovery-effects';
import { createSettlementAccount, disableSettlementAccount } from './settlements/settlement-account-effects';
import { putCalendar } from './settlements/calendar-effects';
import { endSettlementPlan, putSettlementPlan } from './settlements/settlement-plan-effects';
import { completeReturn, openReturn } from './postings/payer-return-effects';
import { postByTwo, reversePosting } from './postings/posting-effects';
import type { ChangeEffects } from './context';
import { createAgentKey, issueApiKey, revokeAgentKey, revokeApiKey, rotateApiKey } from './merchants/key-effects';
import { createMerchant, updateMerchant } from './merchants/merchant-effects';
import {
  createRole,
  deleteRole,
  inviteOperator,
  setOperatorAccess,
  setOperatorDisabled,
  updateRole,
} from './operators/operator-effects';

/** How each kind of change is applied: only here. */
export const CHANGE_EFFECTS: ChangeEffects = {
  CREATE_MERCHANT: createMerchant,
  UPDATE_MERCHANT: updateMerchant,
  ISSUE_API_KEY: issueApiKey,
  ROTATE_API_KEY: rotateApiKey,
  REVOKE_API_KEY: revokeApiKey,
  CREATE_BANK_ACCOUNT: createBankAccount,
  UPDATE_BANK_ACCOUNT: updateBankAccount,
  SET_BANK_ACCOUNT_STATUS: setBankAccountStatus,
  CREATE_CHANNEL: createChannel,
  UPDATE_CHANNEL: updateChannel,
  SET_CHANNEL_ENABLED: setChannelEnabled,
  RESOLVE_PAYOUT: resolvePayout,
  CREATE_AGENT_KEY: createAgentKey,
  REVOKE_AGENT_KEY: revokeAgentKey,
  TOP_UP_BALANCE: topUpBalance,
  ADJUST_BALANCE: adjustBalance,
  MATCH_TRANSFER: matchTransferByTwo,
  COMBINE_TRANSFERS: matchPartsByTwo,
  SPLIT_TRANSFER: matchPartsByTwo,
  COMPLETE_TRANSFER: completeTransferByTwo,
  RECALL_DEPOSIT: recallDeposit,
  CREATE_SETTLEMENT_ACCOUNT: createSettlementAccount,
  DISABLE_SETTLEMENT_ACCOUNT: disableSettlementAccount,
  PUT_SETTLEMENT_PLAN: putSettlementPlan,
  END_SETTLEMENT_PLAN: endSettlementPlan,
  PUT_CALENDAR: putCalendar,
  INVITE_OPERATOR: inviteOperator,
  SET_OPERATOR_ACCESS: setOperatorAccess,
  SET_OPERATOR_DISABLED: setOperatorDisabled,
  CREATE_ROLE: createRole,
  UPDATE_ROLE: updateRole,
  DELETE_ROLE: deleteRole,
  PUT_BANKS: putBanks,
  PUT_POOL: putPool,
  PUT_CHANNEL_MAPPING: putChannelMapping,
  PUT_TEXT_PATTERN: putTextPattern,
  PUT_STATEMENT_RULE: putStatementRule,
  PUT_FEE_SCHEDULE: putFeeSchedule,
  PUT_COMMISSION_RATE: putCommissionRate,
  PUT_ROUTING_RULES: putRoutingRules,
  PUT_REVIEW_RULES: putReviewRules,
  LIST_BENEFICIARY: listBeneficiary,
  UNLIST_BENEFICIARY: unlistBeneficiary,
  PUT_PAYER_RULES: putPayerRules,
  LIST_PAYER: listPayer,
  UNLIST_PAYER: unlistPayer,
  PUT_EVENT_ADDRESSES: putEventAddresses,
  END_RECOVERY: endRecovery,
  EXPLAIN_FINDINGS: explainFindings,
  EXPLAIN_STATEMENT: explainStatement,
  DROP_OUTBOX_ROW: dropOutboxRow,
  ERASE_PERSON: erasePerson,
  CREDIT_LATE_MONEY: postByTwo,
  CREDIT_TOP_UP: postByTwo,
  WRITE_OFF_MONEY: postByTwo,
  RETURN_LATE_MONEY: postByTwo,
  DISMISS_DUPLICATE: postByTwo,
  POST_INTEREST: postByTwo,
  RETURN_PAYOUT: postByTwo,
  RETURN_MONEY: openReturn,
  REFUND_DEPOSIT: openReturn,
  COMPLETE_RETURN: completeReturn,
  POST_BANK_CHARGE: postByTwo,
  TAKE_PROFIT: postByTwo,
  PAY_COMMISSION: postByTwo,
  MOVE_OWN_MONEY: postByTwo,
  OPEN_BOOK: postByTwo,
  CORRECT_BOOK: postByTwo,
  POST_CHANNEL_CHARGE: postByTwo,
  SETTLE_CHANNEL_CLAIM: postByTwo,
  WRITE_OFF_CHANNEL_CLAIM: postByTwo,
  REVERSE_POSTING: reversePosting,
};
