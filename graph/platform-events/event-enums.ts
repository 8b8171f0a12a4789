import { registerEnumType } from 'type-graphql';
import { NOTIFICATION_STATUSES } from '../../domain/callback';
import { DELIVERY_KINDS, PLATFORM_EVENTS } from '../../domain/platform-event';
import { enumOf } from '../scalars';

/** Events of the platform. */
export const PlatformEventEnum = enumOf(PLATFORM_EVENTS);
registerEnumType(PlatformEventEnum, {
  name: 'PlatformEvent',
  description: 'What the platform reports to addresses that operators set.',
  valuesConfig: {
    billing_statement_issued: {
      description: 'The billing statement of a month is issued: to addresses of its merchant.',
    },
    tenant_owner_invite: {
      description: 'A link to a secret is ready: to one mail address, of the owner of its merchant.',
    },
    agent_invite: {
      description:
        'A link to enrol an agent is ready: to the mail address of its owner that was approved with the agent.',
    },
    alert_raised: { description: 'An alert is raised: to addresses of the platform.' },
  },
});

/** How an event is delivered. */
export const EventDeliveryKindEnum = enumOf(DELIVERY_KINDS);
registerEnumType(EventDeliveryKindEnum, {
  name: 'EventDeliveryKind',
  description: 'How an event is delivered.',
  valuesConfig: {
    MAIL: { description: 'By mail.' },
    WEBHOOK: { description: 'By a signed request.' },
  },
});

/** Where a delivery stands. */
export const EventDeliveryStatusEnum = enumOf(NOTIFICATION_STATUSES);
registerEnumType(EventDeliveryStatusEnum, {
  name: 'EventDeliveryStatus',
  description: 'The status of the delivery of an event to one address.',
  valuesConfig: {
    SENDING: { description: 'An attempt is under way.' },
    WAITING_RETRY: { description: 'Waits for its next attempt, or for its first.' },
    SUCCESS: { description: 'The receiver accepted it.' },
    FAILED: { description: 'The receiver refused it, or its attempts have ended.' },
  },
});
