import type { Role } from './authorization';
import type { GraphContext } from '../context';

/** Who may read the fields of a type that have no rule of their own, and which merchant owns its objects. */
export interface TypeAccess {
  readonly readers: readonly Role[];
  /** The platform's own, or over all merchants: not for operators that are restricted to merchants. */
  readonly platform?: true;
  /**
   * The merchant that an object belongs to; null: the platform's own, undefined: whose the object around it is. An
   * operator that is restricted to merchants is given no others.
   */
  readonly merchantOf?: (
    node: never,
    context: GraphContext,
  ) => string | null | undefined | Promise<string | null | undefined>;
}

interface OfMerchant {
  readonly merchantId: string | null;
}
interface PayingTransfer {
  readonly depositId: string | null;
  readonly ofDepositId?: string;
}
const byMerchantId = ({ merchantId }: OfMerchant): string | null => merchantId;

/** The payer's own page. */
const PAYERS = { readers: ['PAYER'] } as const;
const VIEWERS = { readers: ['VIEW'] } as const;
const PLATFORM = { readers: ['VIEW'], platform: true } as const;
/** Holds no data itself, or only data that its receiver has just been given. */
const HOLDER = { readers: ['ANYONE'] } as const;

/** By type. The schema is not built with a type that is neither here nor names a rule on each of its fields. */
export const TYPE_ACCESS: Readonly<Record<string, TypeAccess>> = {
  AccountBalance: PLATFORM,
  AccountUse: PLATFORM,
  Actor: VIEWERS,
  AgentKey: PLATFORM,
  Alert: { ...VIEWERS, merchantOf: byMerchantId },
  AgentKeyChange: PLATFORM,
  AmountFloat: VIEWERS,
  ApiKey: { ...VIEWERS, merchantOf: byMerchantId },
  ApiKeyChange: VIEWERS,
  ApiToken: HOLDER,
  ApproveLimit: HOLDER,
  Approver: { readers: ['VIEW', 'MERCHANT'] },
  AuditEntry: { readers: ['ADMIN'], platform: true },
  Balance: { readers: ['VIEW', 'MERCHANT'], merchantOf: byMerchantId },
  BalanceChange: VIEWERS,
  BankAccount: { readers: ['VIEW', 'MERCHANT'] },
  BankAccountChange: PLATFORM,
  Bank: { readers: ['VIEW'] },
  BanksChange: PLATFORM,
  // What pays out nothing is the platform's.
  BankDebit: { readers: ['VIEW', 'AGENT'], merchantOf: byMerchantId },
  BankDebitResult: { readers: ['VIEW', 'AGENT'], platform: true },
  BankNotificationResult: { readers: ['VIEW', 'AGENT'], platform: true },
  AgentDevice: { readers: ['VIEW', 'AGENT'], platform: true },
  AgentText: { readers: ['VIEW', 'AGENT'], platform: true },
  AgentTextResult: { readers: ['VIEW', 'AGENT'], platform: true },
  PublishedTextPattern: PLATFORM,
  TextPattern: PLATFORM,
  TextPatternChange: PLATFORM,
  TriedText: PLATFORM,
  BankStatement: PLATFORM,
  BookBalance: PLATFORM,
  CloseItem: PLATFORM,
  DayClose: PLATFORM,
  StatementColumn: PLATFORM,
  StatementLine: PLATFORM,
  StatementMapping: PLATFORM,
  StatementRule: PLATFORM,
  StatementRuleChange: PLATFORM,
  StatementRuleTotal: PLATFORM,
  StatementTotal: PLATFORM,
  JournalChart: PLATFORM,
  ChartAccount: PLATFORM,
  BankTransfer: {
    readers: ['VIEW', 'AGENT'],
    // An unmatched credit is the platform's; one that once paid a deposit is still shown with it.
    merchantOf: async ({ depositId, ofDepositId }: PayingTransfer, { loaders }) => {
      const paid = depositId ?? ofDepositId ?? null;
      return paid === null ? null : await loaders.merchantOfDeposit.load(paid);
    },
  },
  BankTransferChange: PLATFORM,
  BeneficiaryChange: VIEWERS,
  BulkCancel: VIEWERS,
  BulkDecision: VIEWERS,
  BulkRelease: VIEWERS,
  BulkResend: VIEWERS,
  BooksFinding: PLATFORM,
  BooksProof: PLATFORM,
  BooksProofRun: PLATFORM,
  LedgerBook: PLATFORM,
  BooksSeal: PLATFORM,
  CallbackAttempt: VIEWERS,
  CallbackEndpoint: { ...VIEWERS, merchantOf: byMerchantId },
  ResentCallbacks: VIEWERS,
  CashierAmounts: VIEWERS,
  CashierCardField: { readers: ['VIEW', 'PAYER'] },
  CashierClaim: PAYERS,
  CashierMerchant: PAYERS,
  CashierOrder: PAYERS,
  CashierRange: VIEWERS,
  CashierSession: { ...VIEWERS, merchantOf: byMerchantId },
  CashierView: PAYERS,
  ChangeMoney: VIEWERS,
  Channel: PLATFORM,
  ChannelBalance: PLATFORM,
  ChannelBank: PLATFORM,
  ChannelChange: PLATFORM,
  ChannelDeposits: PLATFORM,
  MockAmount: PLATFORM,
  ChannelRouteOption: PLATFORM,
  ChannelMapping: PLATFORM,
  ChannelMappingCheck: HOLDER,
  ChannelMappingDifference: HOLDER,
  ChannelMappingTrial: HOLDER,
  ChannelReceipt: { readers: ['CHANNEL'], platform: true },
  ChangeRequest: { ...VIEWERS, merchantOf: byMerchantId },
  ChangeSubject: VIEWERS,
  DecidedWithdrawal: VIEWERS,
  Done: HOLDER,
  EndedSessions: HOLDER,
  // Whose the deposit around it is.
  CreditForDeposit: VIEWERS,
  DepositEvidence: VIEWERS,
  DepositChannel: { readers: ['VIEW', 'MERCHANT'] },
  DepositOrder: { readers: ['VIEW', 'MERCHANT'], merchantOf: byMerchantId },
  DepositPage: VIEWERS,
  DepositTotal: { ...VIEWERS, merchantOf: byMerchantId },
  DepositRecall: VIEWERS,
  LateReceipt: { ...VIEWERS, merchantOf: byMerchantId },
  CompletedReturn: VIEWERS,
  // What is of no merchant is the platform's.
  OperatorPosting: { ...VIEWERS, merchantOf: byMerchantId },
  PayerReturn: { ...VIEWERS, merchantOf: byMerchantId },
  PostingResult: VIEWERS,
  Evidence: VIEWERS,
  Export: VIEWERS,
  FeeRule: VIEWERS,
  AccountCosts: PLATFORM,
  OrderCosts: VIEWERS,
  MarginRow: VIEWERS,
  FeeQuote: VIEWERS,
  FeeSchedule: { ...VIEWERS, merchantOf: byMerchantId },
  FeeScheduleChange: VIEWERS,
  FeeTier: VIEWERS,
  IssuedAgentKey: PLATFORM,
  KindBalance: PLATFORM,
  HeldCredit: VIEWERS,
  Invitation: { readers: ['ADMIN'], platform: true },
  InvitationChange: { readers: ['ADMIN'], platform: true },
  InvitationOffer: HOLDER,
  IssuedApiKey: VIEWERS,
  IssuedApiToken: HOLDER,
  ListedBeneficiary: VIEWERS,
  LedgerEntry: {
    ...VIEWERS,
    merchantOf: ({ account }: { account: string }) =>
      /^merchant(?:_receivable)?:([0-9a-f-]{36})/.exec(account)?.[1],
  },
  Mail: { readers: ['ADMIN'], platform: true },
  Merchant: { readers: ['VIEW', 'MERCHANT'], merchantOf: ({ id }: { id: string }) => id },
  MerchantChange: VIEWERS,
  MerchantCurrency: VIEWERS,
  Callback: { ...VIEWERS, merchantOf: byMerchantId },
  Order: { ...VIEWERS, merchantOf: byMerchantId },
  Operator: HOLDER,
  OperatorSession: HOLDER,
  OpenedCashierSession: { readers: ['MERCHANT'] },
  OrderChange: VIEWERS,
  OrderEvent: VIEWERS,
  OutboxRow: PLATFORM,
  OutboxRowChange: PLATFORM,
  PageInfo: HOLDER,
  PaymentClaim: { ...VIEWERS, merchantOf: byMerchantId },
  // What is about more than a restricted operator's merchants is null there.
  PlatformHealth: VIEWERS,
  PlatformProblem: VIEWERS,
  QueueCounts: VIEWERS,
  RecoveryCodes: HOLDER,
  RevokedAgentKey: PLATFORM,
  RevokedApiKey: VIEWERS,
  OperatorChange: { readers: ['ADMIN'], platform: true },
  RoleChange: { readers: ['ADMIN'], platform: true },
  Recovery: PLATFORM,
  RecoveryChange: PLATFORM,
  RecoveryCount: PLATFORM,
  RecoveryFinding: PLATFORM,
  Role: { readers: ['ADMIN'], platform: true },
  SandboxMail: { readers: ['ADMIN'], platform: true },
  Pool: VIEWERS,
  PoolChange: PLATFORM,
  PayoutAttempt: VIEWERS,
  PayoutResolution: VIEWERS,
  QuietHours: VIEWERS,
  RecallChange: VIEWERS,
  ReturnResult: VIEWERS,
  ReviewRulesChange: VIEWERS,
  ReviewRuleSet: VIEWERS,
  RouteOption: PLATFORM,
  SearchHit: VIEWERS,
  Session: HOLDER,
  Settlement: VIEWERS,
  SettlementAccount: { ...VIEWERS, merchantOf: byMerchantId },
  SettlementAccountChange: VIEWERS,
  SettlementFileResult: VIEWERS,
  SettlementRow: VIEWERS,
  SignedIn: HOLDER,
  TotpEnrolment: HOLDER,
  MatchedParts: PLATFORM,
  TransferCandidate: VIEWERS,
  TransferPart: VIEWERS,
  TransferProof: VIEWERS,
  WithdrawalDecision: VIEWERS,
  WithdrawalTotal: { ...VIEWERS, merchantOf: byMerchantId },
  WithdrawalOrder: { readers: ['VIEW', 'MERCHANT'], merchantOf: byMerchantId },
  Workflow: VIEWERS,
};

/** Connections have the rule of their nodes. */
const isHolder = (type: string): boolean => /(Connection|Edge)$/.test(type);

export const accessOf = (type: string): TypeAccess | undefined =>
  TYPE_ACCESS[type] ?? (isHolder(type) ? VIEWERS : undefined);

/** Fields over all merchants, and those about the whole platform that their type does not mark. */
export const PLATFORM_FIELDS: ReadonlySet<string> = new Set([
  'Query.auditLog',
  'Query.bankAccounts',
  'Query.bankDebits',
  'BankAccount.bankBalance',
  'BankAccount.bankBalanceAt',
  'BankAccount.bookBalance',
  'Query.agentDevices',
  'Query.agentTexts',
  'Query.textPatterns',
  'Query.publishedTextPatterns',
  'Query.tryTextPattern',
  'Query.bankStatement',
  'Query.dayClose',
  'Query.dayCloses',
  'Query.bankStatements',
  'Query.statementMappings',
  'Query.statementRules',
  'Query.journalCharts',
  'OperatorPosting.rule',
  'Query.bankTransfers',
  'Query.channels',
  'Query.invitations',
  'Query.pools',
  'Pool.accounts',
  'Pool.channels',
  'Pool.merchants',
  'Query.operator',
  'Query.operators',
  'Query.recovery',
  'Query.recoveryFindings',
  'Query.roles',
  'Query.trialBalance',
  'Query.unmatchedTransfers',
  'Mutation.sendPasswordReset',
  'Mutation.createMerchant',
  'Mutation.createBankAccount',
  'Mutation.updateBankAccount',
  'Mutation.setBankAccountStatus',
  'Mutation.endRecovery',
  'Mutation.recordLostNumber',
  // Money not credited yet.
  'Mutation.combineTransfers',
  'Mutation.matchTransfer',
  'Mutation.noteTransfer',
  'Mutation.splitTransfer',
  // What left an account may be anybody's.
  'Mutation.explainDebit',
  'Mutation.closeDay',
  'Mutation.takeCloseItem',
  'Mutation.endCloseItem',
  'Mutation.pairDevice',
  'Mutation.unpairDevice',
  'Mutation.setTextWithoutMoney',
  'Mutation.beginStatement',
  'Mutation.addStatementPart',
  'Mutation.readStatement',
  'Mutation.importStatement',
  'Mutation.dropStatement',
  'Mutation.putStatementMapping',
  'Mutation.putJournalChart',
]);
