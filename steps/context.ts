import type { OpenChannel } from '../channels';
import type { AuditSigner } from '../crypto/audit-signer';
import type { CashierTokens } from '../crypto/cashier-token';
import type { Lookup } from '../crypto/lookup';
import type { Sealer } from '../crypto/seal';
import type { AccountUse, BankAccountRow } from '../db/accounts/bank-accounts';
import type { ChannelRow } from '../db/channels/channels';
import type { ChannelMappingRow, MappingTrialRow } from '../db/channels/mappings';
import type { Database } from '../db/client';
import type { DepositView } from '../db/deposits/deposits';
import type { EvidenceRow } from '../db/deposits/evidence';
import type { OrderCostsRow } from '../db/fees/account-costs';
import type { CommissionRateRow, ResellerRow } from '../db/fees/commissions';
import type { FeeScheduleRow } from '../db/fees/fee-schedules';
import type { MerchantCurrencyRules, MerchantRow } from '../db/merchants/merchants';
import type { PayoutAttemptRow } from '../db/payouts/payouts';
import type { Pool } from '../db/pools/pools';
import type { CalendarRow } from '../db/settlements/calendars';
import type { SettlementAccountRow } from '../db/settlements/settlement-accounts';
import type { SettlementRow } from '../db/settlements/settlements';
import type { BankTransferView } from '../db/transfers/bank-transfers';
import type { DecisionRow, WithdrawalView } from '../db/withdrawals/withdrawals';
import type { DayLimits } from '../domain/authority/day-amounts';
import type { AuthorityTable } from '../domain/authority/table';
import type { ChangeKind } from '../domain/change-request';
import type { AppliedChange } from '../domain/cooling';
import type { Money } from '../domain/money';
import type { WithdrawalStatus } from '../domain/withdrawal';
import type { Logger } from '../runtime/log';
import type { Actor } from './access/actor';
import type { BrowserSession, Origin } from './access/origin';
import type { AuditTrail } from './audit/audit-trail';
import type { ChangeEffect } from './changes/change-effect';
import type { Shared } from './shared';

/** sandbox: simulated money. production: real money. */
export type Environment = 'sandbox' | 'production';

/** Makes a withdrawal's workflow apply the recorded decisions, and returns the order's status; null: not in time. */
export interface DecisionDesk {
  apply(start: {
    readonly version: 1;
    readonly withdrawalId: string;
    readonly orderNo: string;
    readonly merchantCode: string;
    readonly currencyCode: string;
    readonly amount: string;
    readonly traceId?: string;
  }): Promise<WithdrawalStatus | null>;
}

/** How changes are decided in this deployment. Periods in milliseconds. */
export interface ChangeRules {
  /** The proposer's own approval counts. Sandbox only. */
  readonly onePerson: boolean;
  /** An undecided change expires after this. */
  readonly expiryMs: number;
  /**
   * The cooling period: how long a merchant's withdrawals need a person, and other people, after a new key or new
   * rules.
   */
  readonly coolingMs: number;
  /** After this time unclaimed money may be written off; at once by default. */
  readonly unclaimedAfterMs?: number;
  /** For how many days an amount of an account of mode FLOAT counts as used; 0 by default. */
  readonly floatHistoryDays?: number;
  /** The day's amounts beyond which a second person is needed, by currency. Null: nothing is counted. */
  readonly dayLimits?: DayLimits;
}

/** The dependencies of steps. */
export interface StepDeps {
  readonly database: Database;
  readonly environment: Environment;
  readonly clock: () => Date;
  readonly sealer: Sealer;
  /** Keyed hash by which api keys and session tokens are found. */
  readonly lookup: Lookup;
  /** Signs the audit log. */
  readonly signer: AuditSigner;
  /** Issues and verifies payers' tokens. */
  readonly cashierTokens: CashierTokens;
  /** Verifies and parses channels' messages. */
  readonly openChannel: OpenChannel;
  readonly log: Logger;
  readonly changes: ChangeRules;
  /** Whether operators with APPROVE must have a passkey, and may decide only with it; false by default. */
  readonly approverPasskeys?: boolean;
  /** Whether payers and beneficiaries are masked for operators without READ_PERSONAL; false by default. */
  readonly maskPersonal?: boolean;
  /** Makes workflows apply decisions on withdrawals; without it they are applied when the outbox wakes them. */
  readonly decisions?: DecisionDesk | null;
  /** How long a create waits at most for a channel's details, milliseconds. */
  readonly openWithinMs?: number;
}

/** How each kind of change is applied. */
export type ChangeEffects = Readonly<Record<ChangeKind, ChangeEffect>>;

/** The dependencies of steps, and the state shared by the requests of a process. */
export type StepCore = StepDeps &
  Shared & {
    /** The rows of the authority table (domain/authority/table.ts). */
    readonly authority: AuthorityTable;
    readonly effects: ChangeEffects;
  };

/** Finds the data of one thing by its id; one SQL statement for all that a request asks for at once. */
interface Finder<Found> {
  load(id: string): Promise<Found>;
}

/** One that can forget what it found, once a step has changed it. */
interface Forgetting<Found> extends Finder<Found> {
  clear(id: string): Finder<Found>;
}

/** What steps read by ids. */
export interface Finders {
  readonly accountUse: Finder<AccountUse | undefined>;
  readonly appliedChanges: Finder<readonly AppliedChange[]>;
  readonly bankAccounts: Finder<BankAccountRow | undefined>;
  readonly bankTransfers: Finder<BankTransferView | undefined> & {
    loadMany(ids: readonly string[]): Promise<(BankTransferView | undefined | Error)[]>;
    clearAll(): unknown;
  };
  readonly calendars: Finder<CalendarRow | undefined>;
  readonly channelMappings: Finder<readonly ChannelMappingRow[]>;
  readonly channelMappingTrials: Finder<readonly MappingTrialRow[]>;
  readonly channels: Finder<ChannelRow | undefined>;
  readonly commissionRates: Finder<CommissionRateRow | undefined>;
  readonly currencies: Finder<readonly MerchantCurrencyRules[]>;
  readonly deposits: Finder<DepositView | undefined>;
  readonly evidence: Forgetting<EvidenceRow | undefined>;
  readonly feeSchedules: Finder<FeeScheduleRow | undefined>;
  readonly merchants: Finder<MerchantRow | undefined>;
  readonly orderCosts: Finder<OrderCostsRow | undefined>;
  readonly orderNos: Finder<{ readonly orderNo: string } | undefined>;
  readonly payoutAttempts: Forgetting<readonly PayoutAttemptRow[]>;
  readonly pools: Finder<Pool | undefined>;
  readonly resellers: Finder<ResellerRow | undefined>;
  /** What of a bank transfer still waits. */
  readonly restOfTransfer: Finder<{ readonly rest: Money } | undefined> & {
    loadMany(ids: readonly string[]): Promise<({ readonly rest: Money } | undefined | Error)[]>;
  };
  readonly settlementAccounts: Finder<SettlementAccountRow | undefined>;
  readonly settlements: Finder<SettlementRow | undefined>;
  readonly transfers: Finder<readonly BankTransferView[]>;
  readonly withdrawalDecisions: Forgetting<readonly DecisionRow[]>;
  readonly withdrawals: Finder<WithdrawalView | undefined>;
}

/** One request, as steps see it. Its log names it. */
export interface StepContext extends StepCore {
  /** Identifies the request in the log and in everything that it causes. */
  readonly traceId: string;
  readonly actor: Actor;
  readonly origin: Origin;
  /** The session's cookie; null for a request that no page of ours sent. */
  readonly browser: BrowserSession | null;
  /** One time for the whole request. */
  readonly now: Date;
  readonly loaders: Finders;
  /** Its entries in the audit log. */
  readonly audit: AuditTrail;
}

/**
 * What a step takes of the request: the members that it uses, and those that the steps use that it calls. Callers hand the
 * whole context on.
 */
export type Needs<Member extends keyof StepContext> = Pick<StepContext, Member>;
