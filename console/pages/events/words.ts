import type { EventDeliveryRowFragment, PlatformEvent } from '../../generated/operations';

/** Events of the platform, in words. */
export const EVENT_WORDS: Readonly<Record<PlatformEvent, string>> = {
  billing_statement_issued: 'Billing statement issued',
  alert_raised: 'Alert raised',
  tenant_owner_invite: 'Link to a secret ready (owner)',
};

/** What each status of a delivery is called. */
export const DELIVERY_WORDS: Readonly<Record<EventDeliveryRowFragment['status'], string>> = {
  SENDING: 'Being sent',
  WAITING_RETRY: 'Waiting',
  SUCCESS: 'Delivered',
  FAILED: 'Failed',
};
