import type { ChangeKind } from '../change-request';
import type { MoneyStep } from './step';

/*
 * The table of authority. Every mutation that moves money, or opens a way for it, has its row here, and is refused
 * without one; every other mutation has its reason in HARMLESS (harmless.ts). The rules read these rows: there is no
 * second list.
 */

const WAY = {
  power: ['CONFIGURE'],
  decides: 'APPROVE',
  people: 'TWO_UNLESS_CLOSING',
  evidence: 'REASON',
  counts: [],
  apart: [],
  factor: 'SESSION',
  shows: [],
} as const satisfies Omit<MoneyStep, 'cools'>;

/** What keeps money safe: it is no alert to make it stricter. */
const SAFEGUARD = { kind: 'SAFEGUARD_CHANGED' } as const;

/** Keys with which others sign or report. */
const KEY = {
  ...WAY,
  people: 'TWO',
  cools: 'WITHDRAWALS',
  factor: 'FRESH',
  alerts: { kind: 'NEW_KEY' },
} as const satisfies MoneyStep;

const POSTING = {
  power: ['TREASURER'],
  decides: 'APPROVE',
  people: 'TWO',
  evidence: 'EVIDENCE',
  counts: ['APPROVER'],
  cools: null,
  apart: [],
  factor: 'SESSION',
  shows: [],
} as const satisfies MoneyStep;

/** About a row that a bank reported: one person if no finding prevents it, up to the day's amount. */
const OF_BANK_ROW = {
  ...POSTING,
  people: 'ONE_BY_RULE',
  evidence: 'BANK',
  counts: ['MATCHER', 'APPROVER'],
  apart: ['who entered what the bank shows'],
} as const satisfies MoneyStep;

const PEOPLE = {
  power: ['ADMIN'],
  decides: 'APPROVE',
  people: 'TWO_UNLESS_CLOSING',
  evidence: 'REASON',
  counts: [],
  cools: 'OPERATOR',
  apart: ['who it is about'],
  factor: 'FRESH',
  shows: ['roles', 'merchantIds'],
  alerts: { kind: 'POWERS_GRANTED' },
} as const satisfies MoneyStep;

const DECISION = {
  power: ['APPROVE'],
  decides: null,
  people: 'SECOND',
  evidence: 'NONE',
  counts: ['APPROVER', 'MERCHANT', 'BENEFICIARY'],
  cools: null,
  apart: ['who proposed the settlement', 'who opened a way to it within the cooling period'],
  factor: 'FRESH',
  shows: [],
} as const satisfies MoneyStep;

const MANUAL = {
  power: ['TREASURER'],
  decides: null,
  people: 'SECOND',
  evidence: 'NONE',
  counts: [],
  cools: null,
  apart: ['who approved the withdrawal'],
  factor: 'SESSION',
  shows: [],
} as const satisfies MoneyStep;

const IN_PARTS = {
  ...POSTING,
  power: ['RECONCILE'],
  apart: ['who entered one of the credits'],
  shows: ['parts', 'memos', 'amount', 'differences'],
} as const satisfies MoneyStep;

/** The steps that move money or open a way for it, by their mutations. */
export const MONEY_STEPS = {
  // Money that comes in.
  recordBankNotification: {
    power: ['RECONCILE'],
    decides: null,
    people: 'ONE',
    evidence: 'BANK',
    counts: [],
    cools: null,
    apart: [],
    factor: 'SESSION',
    shows: [],
  },
  matchTransfer: {
    power: ['RECONCILE'],
    decides: 'APPROVE',
    people: 'ONE_BY_RULE',
    evidence: 'BANK',
    counts: ['MATCHER', 'APPROVER'],
    cools: null,
    factor: 'SESSION',
    apart: ['who entered the credit'],
    shows: ['orderNo', 'amount', 'findings'],
  },
  creditLateMoney: {
    ...POSTING,
    power: ['RECONCILE', 'TREASURER'],
    apart: ['who entered the credit'],
  },
  creditTopUp: { ...POSTING, apart: ['who entered the credit'] },
  writeOffMoney: {
    ...POSTING,
    power: ['RECONCILE', 'TREASURER'],
    apart: ['who entered the credit'],
  },
  returnLateMoney: { ...POSTING, power: ['RECONCILE', 'TREASURER'] },
  dismissDuplicate: {
    ...POSTING,
    power: ['RECONCILE', 'TREASURER'],
    apart: ['who entered the credit'],
  },
  postInterest: { ...OF_BANK_ROW, power: ['RECONCILE', 'TREASURER'] },
  returnPayout: { ...OF_BANK_ROW, power: ['RECONCILE', 'TREASURER'] },
  // Always beyond the automatic rule: two people, and evidence.
  combineTransfers: IN_PARTS,
  splitTransfer: IN_PARTS,
  recallDeposit: POSTING,
  // Money that goes back to payers.
  returnMoney: { ...POSTING, power: ['RECONCILE', 'TREASURER'], apart: ['who entered the credit'] },
  refundDeposit: POSTING,
  beginReturn: { ...MANUAL, apart: [] },
  completeReturn: {
    ...MANUAL,
    decides: 'TREASURER',
    people: 'ONE_BY_RULE',
    evidence: 'BANK',
    apart: ['who sends it'],
  },
  releaseReturn: { ...MANUAL, apart: ['who is sending it'] },
  cancelReturn: { ...MANUAL, apart: [] },
  // Books of accounts and channels.
  postBankCharge: { ...OF_BANK_ROW, power: ['RECONCILE', 'TREASURER'] },
  moveOwnMoney: OF_BANK_ROW,
  takeProfit: { ...POSTING, apart: ['who entered what the bank shows'] },
  payCommission: { ...POSTING, apart: ['who entered what the bank shows'] },
  openBook: POSTING,
  correctBook: POSTING,
  postChannelCharge: POSTING,
  settleChannelClaim: { ...POSTING, apart: ['who entered the credit'] },
  writeOffChannelClaim: POSTING,
  reversePosting: { ...POSTING, power: ['RECONCILE', 'TREASURER'] },
  // Balances.
  topUpBalance: POSTING,
  adjustBalance: POSTING,
  // Money that goes out.
  approveWithdrawal: DECISION,
  decideWithdrawals: DECISION,
  approveChange: { ...DECISION, power: ['APPROVE', 'TREASURER'], apart: ['who proposed it'] },
  proposeSettlement: { ...MANUAL, people: 'ONE', apart: [] },
  proposeSettlements: { ...MANUAL, people: 'ONE', apart: [] },
  resolvePayout: POSTING,
  // After the database was restored: payouts are sent again.
  endRecovery: { ...POSTING, evidence: 'REASON', counts: [] },
  // What a recovery holds goes on: nobody paid it in the lost time.
  explainFindings: { ...POSTING, counts: [], shows: ['findings'] },
  // A payout that was never sent uses another way, which two people have opened.
  moveWaiting: {
    power: ['TREASURER'],
    decides: null,
    people: 'ONE',
    evidence: 'REASON',
    counts: [],
    cools: null,
    apart: [],
    factor: 'SESSION',
    shows: [],
  },
  // Money may wait in an order that is no longer woken.
  dropOutboxRow: { ...WAY, power: ['SUPPORT'], people: 'TWO', cools: null },
  claimTransfer: MANUAL,
  beginTransfer: MANUAL,
  completeTransfer: { ...MANUAL, decides: 'TREASURER', people: 'ONE_BY_RULE', evidence: 'BANK' },
  releaseTransfer: { ...MANUAL, apart: ['who is sending it'] },
  cancelTransfer: { ...MANUAL, apart: [] },
  recordBankDebit: {
    power: ['RECONCILE'],
    decides: null,
    people: 'ONE',
    evidence: 'BANK',
    counts: [],
    cools: null,
    apart: [],
    factor: 'SESSION',
    shows: [],
  },
  explainDebit: {
    power: ['RECONCILE'],
    decides: null,
    people: 'ONE',
    evidence: 'BANK',
    counts: [],
    cools: null,
    factor: 'SESSION',
    shows: [],
    apart: ['who paid or approved what it explains'],
  },
  closeDay: {
    power: ['TREASURER'],
    decides: null,
    people: 'ONE',
    evidence: 'REASON',
    counts: [],
    cools: null,
    apart: [],
    factor: 'SESSION',
    shows: [],
  },
  endCloseItem: {
    power: ['TREASURER'],
    decides: null,
    people: 'SECOND',
    evidence: 'REASON',
    counts: [],
    cools: null,
    apart: ['who closed the day'],
    factor: 'SESSION',
    shows: [],
  },
  recordAgentText: {
    power: [],
    decides: null,
    people: 'ONE',
    evidence: 'BANK',
    counts: [],
    cools: null,
    apart: [],
    factor: 'SESSION',
    shows: [],
  },
  putTextPattern: {
    ...WAY,
    people: 'TWO',
    cools: null,
    shows: ['bankCode', 'sender', 'direction', 'pattern'],
  },
  putStatementRule: {
    ...WAY,
    people: 'TWO',
    cools: null,
    shows: [...['action', 'direction', 'memoPattern', 'maxAmount', 'maxDayAmount', 'accountId'], ...['otherAccountId']],
  },
  pairDevice: { ...KEY, people: 'ONE', decides: null, cools: null },
  importStatement: {
    power: ['RECONCILE'],
    decides: null,
    people: 'ONE',
    evidence: 'BANK',
    counts: [],
    cools: null,
    factor: 'SESSION',
    shows: [],
    apart: ['who proposed the rule that explains a line'],
  },
  // What does not add up is recorded only after two people have said why.
  explainStatement: {
    ...POSTING,
    power: ['RECONCILE', 'TREASURER'],
    evidence: 'REASON',
    counts: [],
  },
  // A file from a person's disk is no bank's word until somebody else says that it is.
  confirmStatement: {
    power: ['APPROVE', 'TREASURER'],
    decides: null,
    people: 'SECOND',
    evidence: 'REASON',
    counts: [],
    cools: null,
    factor: 'FRESH',
    shows: [],
    apart: ['who uploaded or imported the file', 'who entered a credit that it tells of'],
  },
  setMockOutcome: { ...WAY, people: 'ONE', decides: null, cools: null },
  setMockDepositOutcome: { ...WAY, people: 'ONE', decides: null, cools: null },
  // Ways for money: accounts, channels, banks, rules.
  createMerchant: { ...WAY, cools: 'PEOPLE' },
  updateMerchant: {
    ...WAY,
    cools: 'PEOPLE',
    alerts: { ...SAFEGUARD, where: 'allowedAddresses' },
  },
  putFeeSchedule: {
    ...WAY,
    people: 'TWO',
    cools: 'PEOPLE',
    shows: ['orderKind', 'currencyCode', 'effectiveFrom', 'percent', 'fixed', 'tiers'],
  },
  putCommissionRate: {
    ...WAY,
    people: 'TWO',
    cools: 'PEOPLE',
    shows: ['orderKind', 'currencyCode', 'effectiveFrom', 'resellerId', 'percent'],
  },
  putRoutingRules: { ...WAY, people: 'TWO', cools: 'PEOPLE', shows: ['version', 'rules'] },
  issueApiKey: KEY,
  rotateApiKey: KEY,
  createBankAccount: { ...WAY, people: 'TWO', cools: null },
  updateBankAccount: { ...WAY, cools: null },
  setBankAccountStatus: { ...WAY, cools: null },
  createAgentKey: {
    ...KEY,
    cools: null,
    shows: ['accounts', 'currencies', 'maxTransferAmount', 'maxDailyAmount', 'ownerEmail'],
  },
  createChannel: { ...WAY, people: 'TWO', cools: 'PEOPLE' },
  updateChannel: { ...WAY, cools: 'PEOPLE' },
  setChannelEnabled: { ...WAY, cools: 'PEOPLE' },
  putChannelMapping: { ...WAY, people: 'TWO', cools: 'PEOPLE' },
  createSettlementAccount: { ...WAY, people: 'TWO', cools: 'PEOPLE' },
  putSettlementPlan: {
    ...WAY,
    people: 'TWO',
    cools: 'PEOPLE',
    shows: [
      ...['trigger', 'time', 'threshold', 'calendar', 'shift', 'keep', 'minimum', 'approvedUpTo'],
      ...['account'],
    ],
  },
  putCalendar: { ...WAY, people: 'TWO', cools: null, shows: ['daysOff', 'holidays'] },
  putBanks: { ...WAY, people: 'TWO', cools: 'PEOPLE' },
  putPool: { ...WAY, people: 'TWO', cools: 'PEOPLE' },
  putReviewRules: {
    ...WAY,
    people: 'TWO',
    cools: 'WITHDRAWALS',
    alerts: SAFEGUARD,
    shows: [
      ...['autoApproveUpTo', 'allowlistedUpTo', 'twoPeopleAbove', 'merchantDayOrders'],
      ...['merchantDayAmount', 'beneficiaryDayOrders', 'beneficiaryDayAmount', 'quietHours'],
    ],
  },
  listBeneficiary: { ...WAY, cools: 'WITHDRAWALS', alerts: SAFEGUARD },
  unlistBeneficiary: { ...WAY, cools: 'WITHDRAWALS', alerts: SAFEGUARD },
  putPayerRules: {
    ...WAY,
    people: 'TWO',
    cools: 'PEOPLE',
    alerts: SAFEGUARD,
    shows: ['comparison', 'velocity'],
  },
  // Addresses that receive events.
  putEventAddresses: { ...WAY, cools: 'PEOPLE', shows: ['mails', 'webhookUrl'], alerts: SAFEGUARD },
  takeEventSecret: {
    ...WAY,
    people: 'ONE',
    decides: null,
    cools: null,
    factor: 'FRESH',
    apart: ['who proposed the addresses'],
  },
  listPayer: { ...WAY, cools: 'PEOPLE', alerts: SAFEGUARD },
  unlistPayer: { ...WAY, cools: 'PEOPLE', alerts: SAFEGUARD },
  // What is erased cannot be compared any more: whom money came from, and whom it goes to.
  erasePerson: {
    ...POSTING,
    power: ['SUPPORT'],
    counts: [],
    shows: ['deposits', 'withdrawals'],
  },
  // People.
  inviteOperator: { ...PEOPLE, people: 'TWO' },
  resendInvitation: { ...PEOPLE, people: 'ONE', decides: null },
  setOperatorAccess: PEOPLE,
  setOperatorDisabled: {
    ...PEOPLE,
    shows: ['disabled'],
    alerts: { kind: 'POWERS_GRANTED', unless: 'disabled' },
  },
  createRole: { ...PEOPLE, people: 'TWO', shows: ['permissions', 'approveLimits'] },
  updateRole: { ...PEOPLE, people: 'TWO', shows: ['permissions', 'approveLimits'] },
  sendPasswordReset: { ...PEOPLE, people: 'ONE', decides: null },
} as const satisfies Readonly<Record<string, MoneyStep>>;

/** The name of a step that moves money: its mutation. */
export type MoneyStepName = keyof typeof MONEY_STEPS;

/** The rows in force, by mutation. A step without its row is refused. */
export type AuthorityTable = Readonly<Partial<Record<string, MoneyStep>>>;

/** The mutation that proposes a kind of change: `TOP_UP_BALANCE` is topUpBalance's. */
export const stepOfKind = (kind: ChangeKind): string =>
  kind.toLowerCase().replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());

/** What a change of this kind blocks during its cooling; null: nothing. */
export const coolsAfter = (kind: ChangeKind): MoneyStep['cools'] =>
  (MONEY_STEPS as AuthorityTable)[stepOfKind(kind)]?.cools ?? null;
