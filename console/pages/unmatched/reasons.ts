import type { CandidateReason, UnmatchedReason } from '../../generated/operations';

/** Why a bank credit is unmatched, as text. */
export const WHY: Readonly<Record<UnmatchedReason, string>> = {
  ACCOUNT_PAUSED: 'Account paused',
  AMOUNT_DIFFERS: 'Amount differs',
  AMOUNT_SHARED: 'Amount shared lately',
  BALANCE_DIFFERS: 'Balance does not follow',
  NO_BALANCE: 'No balance reported',
  ENTERED_BY_PERSON: 'Entered by a person',
  NEAR_DUPLICATE: 'Reported twice?',
  NO_AMOUNT: 'No order of this amount',
  NO_REMARK: 'No remark in the memo',
  ORDER_NOT_PENDING: 'Order paid or closed',
  OTHER_ACCOUNT: 'Meant for another account',
  OTHER_CURRENCY: 'Another currency',
  OVER_AGENT_LIMIT: "Above the agent's limit",
  PAYER_DENIED: 'Payer on the denylist',
  PAYER_DIFFERS: 'Another payer than announced',
  PAYER_WAITS: 'Payer counted too often',
  REFERENCE_REUSED: 'Bank reference reused',
  REOPENED: 'Its order was cancelled',
  SEVERAL_REMARKS: 'Several remarks',
  TOO_EARLY: 'Earlier than its order',
};

/** Why a deposit is a candidate, as text. */
export const SPEAKS: Readonly<Record<CandidateReason, string>> = {
  REMARK: 'remark',
  REMARK_ALIKE: 'remark, nearly',
  AMOUNT: 'amount',
  AMOUNT_NEAR: 'amount, nearly',
  PAYER_ACCOUNT: "payer's account",
  PAYER_NAME: "payer's name",
  IN_TIME: 'in time',
  CLAIMED: 'claimed by the payer, unproven',
  CLAIMED_REFERENCE: 'reference claimed by the payer, unproven',
};
