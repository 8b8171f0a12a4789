import type { EventDeliveryRowFragment, PlatformEvent } from '../../generated/operations';

/** The names of platform events. */
export const EVENT_WORDS: Readonly<Record<PlatformEvent, string>> = {
  billing_statement_issued: 'Billing statement issued',
  alert_raised: 'Alert raised',
  tenant_owner_invite: 'Link to a secret ready (owner)',
  agent_invite: 'Link to enrol an agent ready (owner)',
};

/** The names of a delivery's statuses. */
export const DELIVERY_WORDS: Readonly<Record<EventDeliveryRowFragment['status'], string>> = {
  SENDING: 'Being sent',
  WAITING_RETRY: 'Waiting',
  SUCCESS: 'Delivered',
  FAILED: 'Failed',
};
