import { Counter, Gauge, Registry } from 'prom-client';

/** What the internal listener shows under /metrics. */
export const registry = new Registry();

/** What each role counts. */
export const metrics = {
  /** Answers of the merchant API. */
  requests: new Counter({
    name: 'causeway_merchant_requests_total',
    help: 'Answers of the merchant API, by route and envelope code',
    labelNames: ['route', 'code'],
    registers: [registry],
  }),
  /** A dependency that did not answer. */
  dependencyFailures: new Counter({
    name: 'causeway_dependency_failures_total',
    help: 'Steps that failed because a dependency was down',
    labelNames: ['dependency'],
    registers: [registry],
  }),
  outboxDelivered: new Counter({
    name: 'causeway_outbox_delivered_total',
    help: 'Outbox rows that Temporal has taken',
    labelNames: ['noun'],
    registers: [registry],
  }),
  outboxParked: new Counter({
    name: 'causeway_outbox_parked_total',
    help: 'Outbox rows set aside for a person',
    labelNames: ['noun'],
    registers: [registry],
  }),
  callbackAttempts: new Counter({
    name: 'causeway_callback_attempts_total',
    help: 'Attempts at callbacks, by what came of them',
    labelNames: ['verdict'],
    registers: [registry],
  }),
  depositsSettled: new Counter({
    name: 'causeway_deposits_settled_total',
    help: 'Deposits that reached a final state through their workflow',
    labelNames: ['status'],
    registers: [registry],
  }),
  overdueFound: new Counter({
    name: 'causeway_overdue_found_total',
    help: 'What the nets found each minute that should have moved by itself; what stays is counted again',
    labelNames: ['kind'],
    registers: [registry],
  }),
  ready: new Gauge({
    name: 'causeway_role_ready',
    help: '1 while this role serves',
    registers: [registry],
  }),
};
