import type { NotificationStatus } from './callback';

/** What the platform reports to addresses that operators set. */
export const PLATFORM_EVENTS = [
  ...(['billing_statement_issued', 'alert_raised', 'tenant_owner_invite', 'agent_invite'] as const),
] as const;
/** One of PLATFORM_EVENTS. */
export type PlatformEvent = (typeof PLATFORM_EVENTS)[number];

/** Whether operators set where it goes; a link to an agent's owner goes to the address that was approved with the agent. */
export const hasAddresses = (event: PlatformEvent): boolean => event !== 'agent_invite';

/** Whether each merchant has addresses of its own for it; otherwise the platform has. */
export const isOfMerchant = (event: PlatformEvent): boolean => event !== 'alert_raised' && event !== 'agent_invite';

/** Whether it brings the merchant's owner a link to a secret: by mail alone, and to one address. */
export const bringsLink = (event: PlatformEvent): boolean => event === 'tenant_owner_invite';

/** How an event is delivered. */
export const DELIVERY_KINDS = ['MAIL', 'WEBHOOK'] as const;
/** One of DELIVERY_KINDS. */
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];

/** Where the delivery of an event to one address stands: as that of a callback. */
export type DeliveryStatus = NotificationStatus;

/** The most mail addresses that an event has. */
export const MOST_EVENT_MAILS = 10;

/**
 * How many attempts a delivery has. A webhook has those of a callback; a mail server may be down for longer: its
 * attempts last for nearly a day.
 */
export const EVENT_ATTEMPTS: Readonly<Record<DeliveryKind, number>> = { WEBHOOK: 5, MAIL: 30 };

/** Between attempts at a webhook, and after the first attempt at a mail; seconds. */
const FIRST_WAIT = 30;
/** Between attempts at a mail, at most; seconds. */
const LONGEST_WAIT = 3_600;

/** How long after an attempt that failed the next one is made, seconds. @param attempt from 1 */
export function waitAfterAttempt(kind: DeliveryKind, attempt: number): number {
  if (kind === 'WEBHOOK') return FIRST_WAIT;
  return Math.min(FIRST_WAIT * 2 ** (attempt - 1), LONGEST_WAIT);
}
