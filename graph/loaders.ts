import DataLoader from 'dataloader';
import type { AlertKind } from '../domain/alert';
import type { AppliedChange } from '../domain/cooling';
import { openCredit, openPayerName } from '../crypto/personal';
import type { Sealer } from '../crypto/seal';
import { type Candidate, rankCandidates, type UnclaimedTransfer } from '../domain/candidates';
import {
  type BankBalance,
  type BookBalance,
  type CloseItemRow,
  findBankBalances,
  findBookBalances,
  findItemsOfCloses,
} from '../db/closes/closes';
import { findRulesById, findRuleTotals, type RuleRow, type RuleTotal } from '../db/statements/rules';
import { findLineTotals, type LineTotal } from '../db/statements/statements';
import type { ChannelRecord } from '../domain/health';
import {
  findAccountStandings,
  findChannelStandings,
  findWaiting,
  type Standing,
  type WaitingOrders,
} from '../db/health/board';
import { findChannelRecords } from '../db/health/health';
import { findMerchantsOfPools, findPoolsById, type Pool } from '../db/pools/pools';
import { type ApiKeyRow, findApiKeys } from '../db/merchants/api-keys';
import { findAgentLabels } from '../db/accounts/agent-keys';
import { type ApiTokenRow, findApiTokensOf } from '../db/operators/api-tokens';
import { type AccountUse, type BankAccountRow, findAccountUse, findBankAccounts } from '../db/accounts/bank-accounts';
import {
  type ChangeRow,
  findAppliedChanges,
  findChanges,
  findChangesOfMerchants,
  findChangesOfSubjects,
} from '../db/changes/change-requests';
import {
  type BankTransferRow,
  type BankTransferView,
  findBankTransfers,
  findTransfersOfDeposits,
} from '../db/transfers/bank-transfers';
import { type BankDebitView, findDebitsOfAttempts } from '../db/transfers/bank-debits';
import { findPaidParts, type PaidPart } from '../db/transfers/credit-parts';
import { type CreditWorkRow, findCreditWork } from '../db/transfers/credit-work';
import { findPossibleDeposits, type PossibleDepositRow } from '../db/transfers/candidates';
import { type CashierSessionRow, findCashierSessions } from '../db/cashier/sessions';
import { type ChannelMappingRow, findMappings, findTrials, type MappingTrialRow } from '../db/channels/mappings';
import {
  type ChannelBalance,
  type ChannelBank,
  type ChannelRow,
  findChannelBalances,
  findChannelBanks,
  findChannels,
} from '../db/channels/channels';
import {
  type BillingLineRow,
  type BillingStatementRow,
  findBillingLines,
  findBillingStatements,
} from '../db/billing/statements';
import { type EventAttemptRow, findAlertKinds, findEventAttempts } from '../db/platform-events/deliveries';
import type { Money } from '../domain/money';
import type { Database } from '../db/client';
import { type ChannelUse, findChannelUses } from '../db/deposits/channel-deposits';
import { type DepositView, findDeposits, findMerchantsOfDeposits } from '../db/deposits/deposits';
import { type EvidenceRow, findEvidence } from '../db/deposits/evidence';
import { findHeldCredits, findHeldOfBalances, type HeldCreditRow, type HeldOfBalance } from '../db/deposits/holds';
import {
  findPostingsOf,
  findRests,
  findReturnedPayouts,
  type OperatorPostingRow,
} from '../db/ledger/operator-postings';
import { findReturnsOf, type PayerReturnRow } from '../db/ledger/payer-returns';
import { findRecovery } from '../db/platform/findings';
import type { RecoveryRow } from '../db/platform/recoveries';
import { findLateReceipts, type LateReceiptRow } from '../db/deposits/late-receipts';
import { findRecalls, type RecallRow } from '../db/deposits/recalls';
import { findClaimsOfDeposits, type PaymentClaimRow } from '../db/cashier/payment-claims';
import { findMailsOfLinks, type MailRow } from '../db/mails';
import { findEventsOfOrders, type OrderEventRow } from '../db/events/events';
import { type BalanceRow, findBalances, findEntriesOfDeposits, type LedgerEntryRow } from '../db/ledger/ledger';
import { findOrderNos } from '../db/ledger/ledger-list';
import { findCurrencies, findMerchants, type MerchantCurrencyRules, type MerchantRow } from '../db/merchants/merchants';
import { type AccountCostsRow, findAccountCosts, findOrderCosts, type OrderCostsRow } from '../db/fees/account-costs';
import {
  type CommissionRateRow,
  type CommissionRow,
  findCommissionRates,
  findCommissionRatesById,
  findCommissionsOf,
  findResellersById,
  findResellerSums,
  type ResellerRow,
  type ResellerSums,
} from '../db/fees/commissions';
import { type FeeScheduleRow, findFeeSchedules, findFeeSchedulesById } from '../db/fees/fee-schedules';
import {
  type CallbackAttemptRow,
  findAttempts,
  findNotificationsOfOrders,
  type NotificationRow,
} from '../db/callbacks/callbacks';
import { findAttemptsOf, type PayoutAttemptRow } from '../db/payouts/payouts';
import { findOperators, type OperatorWithAuthority } from '../db/operators/operators';
import { findPasskeysOf, type PasskeyRow } from '../db/operators/passkeys';
import { findSessionId, findSessionsOf, type SessionRow } from '../db/operators/sessions';
import { findSettlementAccounts, type SettlementAccountRow } from '../db/settlements/settlement-accounts';
import { type CalendarRow, findCalendarsById } from '../db/settlements/calendars';
import {
  findSettlementPlans,
  findSettlementPlansById,
  type SettlementPlanRow,
} from '../db/settlements/settlement-plans';
import { findSettlements, type SettlementRow } from '../db/settlements/settlements';
import { type Beneficiary, findSimilarWithdrawals } from '../db/withdrawals/withdrawal-list';
import { findProofsOf, type TransferProofRow } from '../db/payouts/transfer-proofs';
import { countRecoveryCodes } from '../db/operators/second-factor';
import { type DecisionRow, findDecisions, findWithdrawals, type WithdrawalView } from '../db/withdrawals/withdrawals';

/** The most changes that are shown with their subject. */
export const CHANGES_SHOWN = 50;
/** The most withdrawals to the same beneficiary that are shown beside one. */
export const SIMILAR_SHOWN = 20;

/** Loads the data of nested fields: one SQL statement for all objects of a request that need the same data. */
export interface Loaders {
  readonly merchants: DataLoader<string, MerchantRow | undefined>;
  readonly currencies: DataLoader<string, readonly MerchantCurrencyRules[]>;
  readonly apiKeys: DataLoader<string, readonly ApiKeyRow[]>;
  readonly balances: DataLoader<string, readonly BalanceRow[]>;
  readonly bankAccounts: DataLoader<string, BankAccountRow | undefined>;
  readonly accountUse: DataLoader<string, AccountUse | undefined>;
  readonly channels: DataLoader<string, ChannelRow | undefined>;
  readonly channelUses: DataLoader<string, readonly ChannelUse[]>;
  /** Of accounts and channels: why they are passed over. */
  readonly accountStandings: DataLoader<string, Standing | undefined>;
  readonly channelStandings: DataLoader<string, Standing | undefined>;
  /** Of channels: the outcomes of their orders, and what waits there. */
  readonly channelRecords: DataLoader<string, ChannelRecord | undefined>;
  readonly channelWaiting: DataLoader<string, readonly WaitingOrders[]>;
  readonly pools: DataLoader<string, Pool | undefined>;
  readonly closeItems: DataLoader<string, readonly CloseItemRow[]>;
  /** By ledger account. */
  readonly bookBalances: DataLoader<string, readonly BookBalance[]>;
  readonly bankBalances: DataLoader<string, BankBalance | undefined>;
  readonly statementTotals: DataLoader<string, readonly LineTotal[]>;
  /** The lines of statements that rules explain. */
  readonly ruleTotals: DataLoader<string, readonly RuleTotal[]>;
  /** Versions of fee schedules, by id. */
  readonly feeSchedules: DataLoader<string, FeeScheduleRow | undefined>;
  /** All schedules of a merchant. */
  readonly settlementPlans: DataLoader<string, SettlementPlanRow | undefined>;
  /** All versions of the plans of a merchant. */
  readonly settlementPlansOf: DataLoader<string, readonly SettlementPlanRow[]>;
  readonly calendars: DataLoader<string, CalendarRow | undefined>;
  readonly feeSchedulesOf: DataLoader<string, readonly FeeScheduleRow[]>;
  /** The banks' charges of accounts, all versions, the newest first. */
  readonly costsOfAccount: DataLoader<string, readonly AccountCostsRow[]>;
  readonly commissionRates: DataLoader<string, CommissionRateRow | undefined>;
  /** By merchant, and by reseller; all versions, the newest first. */
  readonly commissionRatesOf: DataLoader<string, readonly CommissionRateRow[]>;
  readonly ratesOfReseller: DataLoader<string, readonly CommissionRateRow[]>;
  /** By the order whose fee they share. */
  readonly commissionsOf: DataLoader<string, readonly CommissionRow[]>;
  readonly resellers: DataLoader<string, ResellerRow | undefined>;
  readonly resellerSums: DataLoader<string, readonly ResellerSums[]>;
  /** Our costs of orders. */
  readonly orderCosts: DataLoader<string, OrderCostsRow | undefined>;
  readonly statementRules: DataLoader<string, RuleRow | undefined>;
  /** By pool. */
  readonly merchantsOfPools: DataLoader<string, readonly { readonly merchantId: string }[]>;
  readonly channelBanks: DataLoader<string, readonly ChannelBank[]>;
  readonly channelMappings: DataLoader<string, readonly ChannelMappingRow[]>;
  readonly channelMappingTrials: DataLoader<string, readonly MappingTrialRow[]>;
  readonly channelBalances: DataLoader<string, readonly ChannelBalance[]>;
  readonly payoutAttempts: DataLoader<string, readonly PayoutAttemptRow[]>;
  /** The bank debit that explains a payout attempt, once the bank has reported it. */
  readonly debitOfAttempt: DataLoader<string, BankDebitView | undefined>;
  readonly proofsOfAttempt: DataLoader<string, readonly TransferProofRow[]>;
  readonly deposits: DataLoader<string, DepositView | undefined>;
  readonly cashierSessions: DataLoader<string, CashierSessionRow | undefined>;
  readonly claimOfDeposit: DataLoader<string, PaymentClaimRow | undefined>;
  /** The evidence on why a deposit is not credited. */
  readonly evidence: DataLoader<string, EvidenceRow | undefined>;
  readonly recallOfDeposit: DataLoader<string, RecallRow | undefined>;
  /** Operators' postings of a bank credit or debit, and its unused part. */
  readonly postingsOfTransfer: DataLoader<string, readonly OperatorPostingRow[]>;
  readonly postingsOfDebit: DataLoader<string, readonly OperatorPostingRow[]>;
  /** Of a withdrawal: when its payout was returned. */
  readonly returnOfPayout: DataLoader<string, { readonly at: Date } | undefined>;
  readonly restOfTransfer: DataLoader<string, { readonly rest: Money } | undefined>;
  readonly restOfDebit: DataLoader<string, { readonly rest: Money } | undefined>;
  readonly returnsOfTransfer: DataLoader<string, readonly PayerReturnRow[]>;
  readonly refundsOfDeposit: DataLoader<string, readonly PayerReturnRow[]>;
  readonly lateReceiptsOfDeposit: DataLoader<string, readonly LateReceiptRow[]>;
  readonly heldOfDeposit: DataLoader<string, HeldCreditRow | undefined>;
  readonly heldOfBalance: DataLoader<string, HeldOfBalance | undefined>;
  /** Of a bank credit: who works on it, and what it pays. */
  readonly creditWork: DataLoader<string, CreditWorkRow | undefined>;
  readonly paidParts: DataLoader<string, readonly PaidPart[]>;
  readonly bankTransfers: DataLoader<string, BankTransferView | undefined>;
  /** Of an unmatched transfer. */
  readonly candidates: DataLoader<
    UnclaimedTransfer & Pick<BankTransferRow, 'id'>,
    readonly Candidate<PossibleDepositRow>[],
    string
  >;
  /** The recovery under way, or the last one; the key is ignored. */
  readonly lastRecovery: DataLoader<'last', RecoveryRow | undefined>;
  readonly events: DataLoader<string, readonly OrderEventRow[]>;
  readonly entries: DataLoader<string, readonly LedgerEntryRow[]>;
  /** Of deposits and withdrawals, by their ids. */
  readonly orderNos: DataLoader<string, { readonly orderNo: string } | undefined>;
  readonly transfers: DataLoader<string, readonly BankTransferView[]>;
  readonly notifications: DataLoader<string, readonly NotificationRow[]>;
  readonly attempts: DataLoader<string, readonly CallbackAttemptRow[]>;
  readonly merchantOfDeposit: DataLoader<string, string | null>;
  readonly changes: DataLoader<string, ChangeRow | undefined>;
  /** The newest changes that concern a merchant, or a bank account. */
  readonly changesOfMerchants: DataLoader<string, readonly ChangeRow[]>;
  readonly changesOfAccounts: DataLoader<string, readonly ChangeRow[]>;
  /** The changes applied to a merchant within the cooling period. */
  readonly appliedChanges: DataLoader<string, readonly AppliedChange[]>;
  readonly operators: DataLoader<string, OperatorWithAuthority | undefined>;
  readonly apiTokens: DataLoader<string, readonly ApiTokenRow[]>;
  readonly mailsOfLink: DataLoader<string, readonly MailRow[]>;
  readonly withdrawals: DataLoader<string, WithdrawalView | undefined>;
  /** The newest other withdrawals to the same beneficiary. */
  readonly similarWithdrawals: DataLoader<Beneficiary, readonly WithdrawalView[], string>;
  /** Of a withdrawal that is a settlement. */
  readonly settlements: DataLoader<string, SettlementRow | undefined>;
  readonly billingLines: DataLoader<string, readonly BillingLineRow[]>;
  readonly billingStatements: DataLoader<string, BillingStatementRow | undefined>;
  readonly alertKinds: DataLoader<string, AlertKind | undefined>;
  readonly eventAttempts: DataLoader<string, readonly EventAttemptRow[]>;
  readonly settlementAccounts: DataLoader<string, SettlementAccountRow | undefined>;
  readonly withdrawalDecisions: DataLoader<string, readonly DecisionRow[]>;
  readonly sessions: DataLoader<string, readonly SessionRow[]>;
  /** Of an operator, oldest first. */
  readonly passkeys: DataLoader<string, readonly PasskeyRow[]>;
  /** The id of the session with a token's hash: the caller's, needed for each operator that is shown. */
  readonly sessionOfToken: DataLoader<string, string | undefined>;
  /** The label of an agent's key. */
  readonly agentLabels: DataLoader<string, string | undefined>;
  /** Of an operator: how many are still unused. */
  readonly recoveryCodes: DataLoader<string, number>;
}

const one = <Row extends { readonly id: string }>(
  find: (ids: readonly string[]) => Promise<Row[]>,
): DataLoader<string, Row | undefined> =>
  new DataLoader(async (ids: readonly string[]) => {
    const rows = new Map((await find(ids)).map((row) => [row.id, row]));
    return ids.map((id) => rows.get(id));
  });

const many = <Row>(
  find: (ids: readonly string[]) => Promise<readonly Row[]>,
  owner: (row: Row) => string | null,
): DataLoader<string, readonly Row[]> =>
  new DataLoader(async (ids: readonly string[]) => {
    const rows = new Map<string | null, Row[]>(ids.map((id) => [id, []]));
    for (const row of await find(ids)) rows.get(owner(row))?.push(row);
    return ids.map((id) => rows.get(id) ?? []);
  });

const rests = (db: Database, of: 'transfer' | 'debit'): DataLoader<string, { readonly rest: Money } | undefined> =>
  new DataLoader(async (ids: readonly string[]) => {
    const found = await findRests(db, of, ids);
    return ids.map((id) => {
      const rest = found.get(id);
      return rest && { rest };
    });
  });

/** What loaders need. */
interface Source {
  readonly db: Database;
  readonly now: Date;
  readonly coolingMs: number;
  readonly sealer: Sealer;
}

/** How each loader is made. */
const MAKERS: { readonly [Name in keyof Loaders]: (source: Source) => Loaders[Name] } = {
  merchants: ({ db }) => one(async (ids) => await findMerchants(db, ids)),
  currencies: ({ db, now }) =>
    new DataLoader(async (ids: readonly string[]) => {
      const found = await findCurrencies(db, ids, now);
      return ids.map((id) => found.get(id) ?? []);
    }),
  apiKeys: ({ db }) =>
    many(
      async (ids) => await findApiKeys(db, ids),
      (key) => key.merchantId,
    ),
  balances: ({ db }) =>
    many(
      async (ids) => await findBalances(db, ids),
      (balance) => balance.merchantId,
    ),
  bankAccounts: ({ db }) => one(async (ids) => await findBankAccounts(db, ids)),
  accountUse: ({ db, now }) => one(async (ids) => await findAccountUse(db, ids, now)),
  channels: ({ db }) => one(async (ids) => await findChannels(db, ids)),
  channelUses: ({ db, now }) =>
    many(
      async (ids) => await findChannelUses(db, ids, now),
      (use) => use.channelId,
    ),
  accountStandings: ({ db, now }) => one(async (ids) => await findAccountStandings(db, ids, now)),
  channelStandings: ({ db, now }) => one(async (ids) => await findChannelStandings(db, ids, now)),
  channelRecords: ({ db, now }) => one(async (ids) => await findChannelRecords(db, ids, now)),
  channelWaiting: ({ db }) =>
    many(
      async (ids) => await findWaiting(db, ids),
      ({ channelId }) => channelId,
    ),
  pools: ({ db }) => one(async (ids) => await findPoolsById(db, ids)),
  closeItems: ({ db }) =>
    many(
      async (ids) => await findItemsOfCloses(db, ids),
      ({ closeId }) => closeId,
    ),
  bookBalances: ({ db }) =>
    many(
      async (accounts) => await findBookBalances(db, accounts),
      ({ account }) => account,
    ),
  bankBalances: ({ db }) => one(async (ids) => await findBankBalances(db, ids)),
  statementTotals: ({ db }) =>
    many(
      async (ids) => await findLineTotals(db, ids),
      ({ statementId }) => statementId,
    ),
  billingStatements: ({ db }) => one(async (ids) => await findBillingStatements(db, ids)),
  alertKinds: ({ db }) =>
    new DataLoader(async (ids: readonly string[]) => {
      const found = await findAlertKinds(db, ids);
      return ids.map((id) => found.get(id));
    }),
  eventAttempts: ({ db }) =>
    many(
      async (ids) => await findEventAttempts(db, ids),
      ({ deliveryId }) => deliveryId,
    ),
  ruleTotals: ({ db }) =>
    many(
      async (ids) => await findRuleTotals(db, ids),
      ({ statementId }) => statementId,
    ),
  billingLines: ({ db }) =>
    many(
      async (ids) => await findBillingLines(db, ids),
      ({ statementId }) => statementId,
    ),
  feeSchedules: ({ db }) => one(async (ids) => await findFeeSchedulesById(db, ids)),
  settlementPlans: ({ db }) => one(async (ids) => await findSettlementPlansById(db, ids)),
  settlementPlansOf: ({ db }) =>
    many(
      async (ids) => await findSettlementPlans(db, ids),
      ({ merchantId }) => merchantId,
    ),
  calendars: ({ db }) => one(async (ids) => await findCalendarsById(db, ids)),
  feeSchedulesOf: ({ db }) =>
    many(
      async (ids) => await findFeeSchedules(db, ids),
      ({ merchantId }) => merchantId,
    ),
  costsOfAccount: ({ db }) =>
    many(
      async (ids) => await findAccountCosts(db, ids),
      ({ accountId }) => accountId,
    ),
  commissionRates: ({ db }) => one(async (ids) => await findCommissionRatesById(db, ids)),
  commissionRatesOf: ({ db }) =>
    many(
      async (ids) => await findCommissionRates(db, 'merchant_id', ids),
      ({ merchantId }) => merchantId,
    ),
  ratesOfReseller: ({ db }) =>
    many(
      async (ids) => await findCommissionRates(db, 'reseller_id', ids),
      ({ resellerId }) => resellerId,
    ),
  commissionsOf: ({ db }) =>
    many(
      async (ids) => await findCommissionsOf(db, ids),
      ({ orderId }) => orderId,
    ),
  resellers: ({ db }) => one(async (ids) => await findResellersById(db, ids)),
  resellerSums: ({ db }) =>
    many(
      async (ids) => await findResellerSums(db, ids),
      ({ resellerId }) => resellerId,
    ),
  orderCosts: ({ db }) => one(async (ids) => await findOrderCosts(db, ids)),
  statementRules: ({ db }) => one(async (ids) => await findRulesById(db, ids)),
  merchantsOfPools: ({ db }) =>
    many(
      async (ids) => await findMerchantsOfPools(db, ids),
      ({ poolId }) => poolId,
    ),
  channelBanks: ({ db }) =>
    many<ChannelBank & { channelId?: string }>(
      async (ids) => await findChannelBanks(db.sql, ids),
      (bank) => bank.channelId ?? null,
    ),
  channelMappings: ({ db }) =>
    many(
      async (ids) => await findMappings(db, ids),
      ({ channelId }) => channelId,
    ),
  channelMappingTrials: ({ db }) =>
    many(
      async (ids) => await findTrials(db, ids),
      ({ channelId }) => channelId,
    ),
  channelBalances: ({ db }) =>
    many(
      async (ids) => await findChannelBalances(db, ids),
      (balance) => balance.channelId,
    ),
  orderNos: ({ db }) => one(async (ids) => await findOrderNos(db, ids)),
  payoutAttempts: ({ db }) =>
    many(
      async (ids) => await findAttemptsOf(db.sql, ids),
      (attempt) => attempt.withdrawalId,
    ),
  debitOfAttempt: ({ db }) =>
    new DataLoader(async (ids: readonly string[]) => {
      const debits = await findDebitsOfAttempts(db, ids);
      const found = new Map(debits.map((debit) => [debit.attemptId, debit]));
      return ids.map((id) => found.get(id));
    }),
  proofsOfAttempt: ({ db }) =>
    many(
      async (ids) => await findProofsOf(db, ids),
      (proof) => proof.attemptId,
    ),
  deposits: ({ db }) => one(async (ids) => await findDeposits(db, ids)),
  evidence: ({ db }) => one(async (ids) => await findEvidence(db, ids)),
  cashierSessions: ({ db }) => one(async (ids) => await findCashierSessions(db, ids)),
  claimOfDeposit: ({ db }) =>
    new DataLoader(async (ids: readonly string[]) => {
      const claims = await findClaimsOfDeposits(db, ids);
      const found = new Map(claims.map((claim) => [claim.depositId, claim]));
      return ids.map((id) => found.get(id));
    }),
  settlements: ({ db }) =>
    new DataLoader(async (ids: readonly string[]) => {
      const found = new Map((await findSettlements(db, ids)).map((row) => [row.withdrawalId, row]));
      return ids.map((id) => found.get(id));
    }),
  settlementAccounts: ({ db }) => one(async (ids) => await findSettlementAccounts(db, ids)),
  postingsOfTransfer: ({ db }) =>
    many(
      async (ids) => await findPostingsOf(db, 'bank_transfer_id', ids),
      (posting) => posting.bankTransferId,
    ),
  postingsOfDebit: ({ db }) =>
    many(
      async (ids) => await findPostingsOf(db, 'bank_debit_id', ids),
      (posting) => posting.bankDebitId,
    ),
  returnOfPayout: ({ db }) => one(async (ids) => await findReturnedPayouts(db, ids)),
  restOfTransfer: ({ db }) => rests(db, 'transfer'),
  restOfDebit: ({ db }) => rests(db, 'debit'),
  returnsOfTransfer: ({ db }) =>
    many(
      async (ids) => await findReturnsOf(db, 'bank_transfer_id', ids),
      (one) => one.bankTransferId,
    ),
  refundsOfDeposit: ({ db }) =>
    many(
      async (ids) => await findReturnsOf(db, 'deposit_id', ids),
      (one) => one.depositId,
    ),
  lateReceiptsOfDeposit: ({ db }) =>
    many(
      async (ids) => await findLateReceipts(db, ids),
      (receipt) => receipt.depositId,
    ),
  heldOfDeposit: ({ db }) =>
    new DataLoader(async (ids: readonly string[]) => {
      const found = new Map((await findHeldCredits(db, ids)).map((row) => [row.depositId, row]));
      return ids.map((id) => found.get(id));
    }),
  heldOfBalance: ({ db }) => one(async (ids) => await findHeldOfBalances(db, ids)),
  recallOfDeposit: ({ db }) =>
    new DataLoader(async (ids: readonly string[]) => {
      const found = new Map((await findRecalls(db, ids)).map((row) => [row.depositId, row]));
      return ids.map((id) => found.get(id));
    }),
  creditWork: ({ db }) => one(async (ids) => await findCreditWork(db, ids)),
  paidParts: ({ db }) =>
    many(
      async (ids) => await findPaidParts(db, ids),
      (part) => part.transferId,
    ),
  bankTransfers: ({ db }) => one(async (ids) => await findBankTransfers(db, ids)),
  candidates: ({ db, sealer }) =>
    new DataLoader(
      async (transfers: readonly (UnclaimedTransfer & Pick<BankTransferRow, 'id'>)[]) => {
        const clear = transfers.map((transfer) => openCredit(sealer, transfer));
        const found = await findPossibleDeposits(db, clear);
        return clear.map((transfer) =>
          rankCandidates(
            transfer,
            found
              .filter(({ ofTransferId }) => ofTransferId === transfer.id)
              .map((deposit) => ({
                ...deposit,
                // A credit that names nobody is compared with no name.
                payerName: transfer.payerName === null ? null : openPayerName(sealer, deposit),
              })),
          ),
        );
      },
      { cacheKeyFn: ({ id }) => id },
    ),
  lastRecovery: ({ db }) =>
    new DataLoader(async (keys: readonly 'last'[]) => {
      const recovery = await findRecovery({ sql: db.sql });
      return keys.map(() => recovery);
    }),
  events: ({ db }) =>
    many(
      async (ids) => await findEventsOfOrders(db, ids),
      (event) => event.orderId,
    ),
  entries: ({ db }) =>
    many<LedgerEntryRow & { depositId?: string }>(
      async (ids) => await findEntriesOfDeposits(db, ids),
      (entry) => entry.depositId ?? null,
    ),
  transfers: ({ db }) =>
    many<BankTransferView & { ofDepositId?: string }>(
      async (ids) => await findTransfersOfDeposits(db, ids),
      (transfer) => transfer.ofDepositId ?? null,
    ),
  notifications: ({ db }) =>
    many(
      async (ids) => await findNotificationsOfOrders(db, ids),
      (notification) => notification.orderId,
    ),
  attempts: ({ db }) =>
    many(
      async (ids) => await findAttempts(db, ids),
      (attempt) => attempt.notificationId,
    ),
  merchantOfDeposit: ({ db }) =>
    new DataLoader(async (ids: readonly string[]) => {
      const found = await findMerchantsOfDeposits(db, ids);
      return ids.map((id) => found.get(id) ?? null);
    }),
  operators: ({ db }) => one(async (ids) => await findOperators(db, ids)),
  apiTokens: ({ db }) =>
    many(
      async (ids) => await findApiTokensOf(db, ids),
      (token) => token.operatorId,
    ),
  mailsOfLink: ({ db }) =>
    many(
      async (ids) => await findMailsOfLinks(db, ids),
      (mail) => mail.linkId,
    ),
  changes: ({ db }) => one(async (ids) => await findChanges(db, ids)),
  changesOfMerchants: ({ db }) =>
    many(
      async (ids) => await findChangesOfMerchants(db, ids, CHANGES_SHOWN),
      (change) => change.merchantId,
    ),
  changesOfAccounts: ({ db }) =>
    many(
      async (ids) => await findChangesOfSubjects(db, 'bank_account', ids, CHANGES_SHOWN),
      (change) => change.subjectId,
    ),
  appliedChanges: ({ db, now, coolingMs }) =>
    many<AppliedChange & { merchantId?: string }>(
      async (ids) => await findAppliedChanges(db, ids, new Date(now.getTime() - coolingMs)),
      (change) => change.merchantId ?? null,
    ),
  withdrawals: ({ db }) => one(async (ids) => await findWithdrawals(db, ids)),
  similarWithdrawals: ({ db }) =>
    new DataLoader(
      async (of: readonly Beneficiary[]) => {
        const found = await findSimilarWithdrawals(db, of, SIMILAR_SHOWN);
        return of.map(({ id }) => found.filter(({ similarTo }) => similarTo === id));
      },
      { cacheKeyFn: ({ id }) => id },
    ),
  withdrawalDecisions: ({ db }) =>
    many(
      async (ids) => await findDecisions(db, ids),
      (decision) => decision.withdrawalId,
    ),
  sessions: ({ db, now }) =>
    many(
      async (ids) => await findSessionsOf(db, ids, now),
      (session) => session.operatorId,
    ),
  passkeys: ({ db }) =>
    many(
      async (ids) => await findPasskeysOf(db, ids),
      (passkey) => passkey.operatorId,
    ),
  sessionOfToken: ({ db }) =>
    new DataLoader(
      async (hashes: readonly string[]) => await Promise.all(hashes.map(async (hash) => await findSessionId(db, hash))),
    ),
  agentLabels: ({ db }) =>
    new DataLoader(async (ids: readonly string[]) => {
      const found = await findAgentLabels(db, ids);
      return ids.map((id) => found.get(id));
    }),
  recoveryCodes: ({ db }) =>
    new DataLoader(async (ids: readonly string[]) => {
      const left = await countRecoveryCodes(db, ids);
      return ids.map((id) => left.get(id) ?? 0);
    }),
};

/** Makes each loader at its first use: there are nearly a hundred, and a request needs few of them. */
class LoadersOfRequest {
  constructor(private readonly source: Source) {}

  static {
    for (const [name, make] of Object.entries(MAKERS) as [string, (source: Source) => unknown][])
      Object.defineProperty(LoadersOfRequest.prototype, name, {
        get(this: LoadersOfRequest) {
          const value = make(this.source);
          Object.defineProperty(this, name, { value });
          return value;
        },
      });
  }
}

/** Fresh loaders: they cache for one request only. */
export const createLoaders = (db: Database, now: Date, coolingMs: number, sealer: Sealer): Loaders =>
  new LoadersOfRequest({ db, now, coolingMs, sealer }) as unknown as Loaders;
