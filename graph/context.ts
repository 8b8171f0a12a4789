import type { AddressOf } from '../runtime/client-address';
import type { ConsoleSite } from './browser';
import type { SessionChanges } from './cashier/session-changes';
import type { EventHub } from './events/event-hub';
import type { Loaders } from './loaders';
import type { OidcClient } from '../steps/operators/oidc-client';
import type { SharedDeps } from '../steps/shared';
import type { StepContext, StepCore, StepDeps } from '../steps/context';

/** The dependencies of the graph. */
export interface GraphDeps extends StepDeps, SharedDeps {
  /** Whether this machine's clock is so wrong that the role is not ready; absent: never. */
  readonly isClockOff?: () => boolean;
  /** Whether this process lacks a key that rows may need, so that the role is not ready; absent: never. */
  readonly isKeyMissing?: () => boolean;
  readonly events: EventHub;
  /** Where engineers look at workflows: the namespace's address in the Temporal UI; null if unknown. */
  readonly temporalUi: string | null;
  /** Where the sandbox's own mail server stores its mails; null elsewhere. */
  readonly sandboxMails?: string | null;
  /** The client's address, for limits of logins and the audit log. */
  readonly addressOf: AddressOf;
  /** The operators' console. */
  readonly site: ConsoleSite;
  /** By whom operators may sign in, beside their passwords; nobody unless given. */
  readonly oidc?: OidcClient | null;
}

/** The graph's dependencies, and the state shared by its requests. */
export type GraphCore = GraphDeps &
  StepCore & {
    /** The stream that payers' pages of this process follow. */
    readonly cashierChanges: SessionChanges;
  };

/** One request's view of the graph. */
export interface GraphContext extends GraphCore, StepContext {
  readonly loaders: Loaders;
  /** The socket of the request; null for an HTTP request. */
  readonly socket: SubscriberSocket | null;
}

/** The socket of a subscriber. */
export interface SubscriberSocket {
  /** Ends a subscriber that reads too slowly; it resumes by its last number. */
  readonly dropSlow: () => void;
}
