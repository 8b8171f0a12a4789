import type { DayLimits } from '../domain/authority/day-amounts';
import type { AuthorityTable } from '../domain/authority/table';
import type { AddressOf } from '../runtime/client-address';
import type { WithdrawalStatus } from '../domain/withdrawal';
import type { CashierTokens } from '../crypto/cashier-token';
import type { OpenChannel } from '../channels';
import type { Sealer } from '../crypto/seal';
import type { AuditSigner } from '../crypto/audit-signer';
import type { Lookup } from '../crypto/lookup';
import type { Database } from '../db/client';
import type { Logger } from '../runtime/log';
import type { Actor } from './access/actor';
import type { AuditTrail } from './audit/audit-trail';
import type { BrowserSession, ConsoleSite, Origin } from './browser';
import type { OidcClient } from './operators/oidc-client';
import type { EventHub } from './events/event-hub';
import type { Loaders } from './loaders';
import type { Shared } from './shared';

/** sandbox: simulated money. production: real money. */
export type Environment = 'sandbox' | 'production';

/** The dependencies of the graph. */
export interface GraphDeps {
  readonly database: Database;
  readonly environment: Environment;
  readonly clock: () => Date;
  /** Whether this machine's clock is so wrong that the role is not ready; absent: never. */
  readonly isClockOff?: () => boolean;
  /** Whether this process lacks a key that rows may need, so that the role is not ready; absent: never. */
  readonly isKeyMissing?: () => boolean;
  readonly sealer: Sealer;
  /** Keyed hash by which api keys and session tokens are found. */
  readonly lookup: Lookup;
  /** Signs the audit log. */
  readonly signer: AuditSigner;
  /** Issues and verifies payers' tokens. */
  readonly cashierTokens: CashierTokens;
  readonly events: EventHub;
  /** Verifies and parses channels' messages. */
  readonly openChannel: OpenChannel;
  readonly log: Logger;
  /** Where engineers look at workflows: the namespace's address in the Temporal UI; null if unknown. */
  readonly temporalUi: string | null;
  /** Where the sandbox's own mail server stores its mails; null elsewhere. */
  readonly sandboxMails?: string | null;
  readonly changes: ChangeRules;
  /** Whether operators with APPROVE must have a passkey, and may decide only with it; false by default. */
  readonly approverPasskeys?: boolean;
  /** Whether payers and beneficiaries are masked for operators without READ_PERSONAL; false by default. */
  readonly maskPersonal?: boolean;
  /** Makes workflows apply decisions on withdrawals; without it they are applied when the outbox wakes them. */
  readonly decisions?: DecisionDesk | null;
  /**
   * If a paid deposit waits longer than this for its credit, new deposits are refused, milliseconds; 2 minutes by
   * default.
   */
  readonly creditAgeLimitMs?: number;
  /** How long a create waits at most for a channel's details, milliseconds. */
  readonly openWithinMs?: number;
  /** The client's address, for limits of logins and the audit log. */
  readonly addressOf: AddressOf;
  /** The operators' console. */
  readonly site: ConsoleSite;
  /** By whom operators may sign in, beside their passwords; nobody unless given. */
  readonly oidc?: OidcClient | null;
}

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

/** The graph's dependencies, and the state shared by its requests. */
export type GraphCore = GraphDeps &
  Shared & {
    /** The rows of the authority table (domain/authority/table.ts). */
    readonly authority: AuthorityTable;
  };

/** One request's view of the graph. Its log names it. */
export interface GraphContext extends GraphCore {
  /** Identifies the request in the log and in everything that it causes. */
  readonly traceId: string;
  readonly actor: Actor;
  readonly origin: Origin;
  /** The session's cookie; null for a request that no page of ours sent. */
  readonly browser: BrowserSession | null;
  /** One time for the whole request. */
  readonly now: Date;
  readonly loaders: Loaders;
  /** Its entries in the audit log. */
  readonly audit: AuditTrail;
  /** The socket of the request; null for an HTTP request. */
  readonly socket: SubscriberSocket | null;
}

/** The socket of a subscriber. */
export interface SubscriberSocket {
  /** Ends a subscriber that reads too slowly; it resumes by its last number. */
  readonly dropSlow: () => void;
}
