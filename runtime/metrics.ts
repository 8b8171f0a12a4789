import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What this process counts and times. */
export const registry = new Registry();

const registers = [registry];

/** Bucket bounds, seconds. */
const ANSWERS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];
const WAITS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800];
const PAYERS = [5, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600];

/**
 * What each role counts; a role leaves at zero what is another's. Labels hold words of our own vocabulary alone,
 * never an order, a merchant or a text of a caller's. docs/runbook.md says when to worry, and a test compares.
 */
export const metrics = {
  ready: new Gauge({
    name: 'causeway_role_ready',
    help: '1 while this role serves',
    registers,
  }),
  /** `dependency`: postgres, temporal, or graph where the gateway's deadline came first. */
  dependencyFailures: new Counter({
    name: 'causeway_dependency_failures_total',
    help: 'Steps that failed because a dependency was down or too slow',
    labelNames: ['dependency'],
    registers,
  }),

  sourceFailures: new Counter({
    name: 'causeway_metrics_source_failures_total',
    help: 'Scrapes that lack a part of the metrics, because it could not be read',
    registers,
  }),

  // --- the public listener
  /** `code`: the envelope's, or CLIENT_LEFT where nobody waited for one. */
  requests: new Counter({
    name: 'causeway_merchant_requests_total',
    help: 'Answers of the public listener, by route and envelope code',
    labelNames: ['route', 'code'],
    registers,
  }),
  requestSeconds: new Histogram({
    name: 'causeway_request_duration_seconds',
    help: 'From the headers of a request until its answer was sent, by route and envelope code',
    labelNames: ['route', 'code'],
    buckets: ANSWERS,
    registers,
  }),
  requestsInFlight: new Gauge({
    name: 'causeway_requests_in_flight',
    help: 'Requests on the public listener that have no whole answer yet',
    registers,
  }),
  /** `kind`: a key of the catalogue in domain/errors.ts. */
  refusals: new Counter({
    name: 'causeway_refusals_total',
    help: 'Requests that the public listener refused, by kind of refusal',
    labelNames: ['kind'],
    registers,
  }),
  graphCalls: new Gauge({
    name: 'causeway_graph_calls_in_flight',
    help: 'Calls of the graph under way in this gateway',
    registers,
  }),
  graphCallsLimit: new Gauge({
    name: 'causeway_graph_calls_limit',
    help: 'Calls of the graph that this gateway lets run at once',
    registers,
  }),
  graphCallsRefused: new Counter({
    name: 'causeway_graph_calls_refused_total',
    help: 'Calls beyond the limit, answered with 503',
    registers,
  }),

  channelsDown: new Gauge({
    name: 'causeway_channels_down',
    help: 'Enabled channels that did not answer, or said that they do not work, when they were last asked',
    registers,
  }),
  /** `answer`: what the channel said; `verdict`: what followed. */
  payoutAnswers: new Counter({
    name: 'causeway_payout_answers_total',
    help: 'Answers of channels to payouts and to questions about them, and what followed',
    labelNames: ['answer', 'verdict'],
    registers,
  }),
  /** `found`: what followed, as domain/payout.ts names it; NOTHING: it stands. */
  payoutDoubts: new Counter({
    name: 'causeway_payout_doubts_total',
    help: 'Payouts that had ended and were asked for again, by what was found',
    labelNames: ['found'],
    registers,
  }),
  /** `told`: what of the payout; `duplicate`: it came before. */
  channelMessages: new Counter({
    name: 'causeway_channel_messages_total',
    help: 'Messages that channels sent and that were theirs, by what they told',
    labelNames: ['told', 'duplicate'],
    registers,
  }),

  debitsUnexplained: new Gauge({
    name: 'causeway_debits_unexplained',
    help: 'Debits that no task explains for longer than an hour, each minute',
    registers,
  }),

  // --- the graph
  /** `operation`: a root field of the schema, or authenticate; `outcome`: OK or a kind of refusal. */
  operationSeconds: new Histogram({
    name: 'causeway_graph_operation_duration_seconds',
    help: 'Root fields of the graph and authentications, by what came of them',
    labelNames: ['operation', 'outcome'],
    buckets: ANSWERS,
    registers,
  }),
  /** `outcome`: accepted, refused, locked. */
  logins: new Counter({
    name: 'causeway_logins_total',
    help: 'Logins of operators that were tried',
    labelNames: ['outcome'],
    registers,
  }),
  /** `event`: what the mail is about. `outcome`: sent, failed for good, or retried. */
  mails: new Counter({
    name: 'causeway_mails_total',
    help: 'Attempts at mails to operators, by event and what came of them',
    labelNames: ['event', 'outcome'],
    registers,
  }),
  /** `kind`, `status`: as in domain/change-request.ts. */
  changes: new Counter({
    name: 'causeway_changes_total',
    help: 'Change requests that were proposed or decided, by kind and where they stood then',
    labelNames: ['kind', 'status'],
    registers,
  }),
  /** `outcome`: ok, refused. */
  auditEntries: new Counter({
    name: 'causeway_audit_rows_total',
    help: 'Rows of the audit log, by what came of the action',
    labelNames: ['outcome'],
    registers,
  }),
  /** `outcome`: matched, duplicate, or why the transfer waits for a person. */
  bankTransfers: new Counter({
    name: 'causeway_bank_transfers_total',
    help: 'Transfers that banks reported, by what became of them',
    labelNames: ['outcome'],
    registers,
  }),
  /** `outcome`: matched, duplicate, or no_task where the debit waits for a person. */
  bankDebits: new Counter({
    name: 'causeway_bank_debits_total',
    help: 'Debits that banks reported, by what became of them',
    labelNames: ['outcome'],
    registers,
  }),
  eventLag: new Histogram({
    name: 'causeway_event_lag_seconds',
    help: 'From the change of an order until subscribers hear of it',
    buckets: WAITS,
    registers,
  }),
  /** `limit`: what it passed, as graph/guard/refusal.ts names it. */
  operationsRefused: new Counter({
    name: 'causeway_graph_operations_refused_total',
    help: 'Operations of the internal listener that were not run, by the limit that they passed',
    labelNames: ['limit'],
    registers,
  }),
  sockets: new Gauge({
    name: 'causeway_graph_sockets',
    help: 'WebSockets of operators that are open',
    registers,
  }),
  subscribersDropped: new Counter({
    name: 'causeway_graph_subscribers_dropped_total',
    help: 'Sockets ended because they took events more slowly than they came; they resume by number',
    registers,
  }),

  cashierStreams: new Gauge({
    name: 'causeway_cashier_streams',
    help: "Payers' WebSockets of this process",
    registers,
  }),

  // --- PostgreSQL
  transactionsWaiting: new Gauge({
    name: 'causeway_postgres_transactions_waiting',
    help: 'Transactions that wait for a connection in this process',
    registers,
  }),
  transactionWait: new Histogram({
    name: 'causeway_postgres_transaction_wait_seconds',
    help: 'How long transactions waited for a connection',
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2],
    registers,
  }),

  // --- the relay
  relayLooks: new Counter({
    name: 'causeway_relay_looks_total',
    help: 'Looks of the relay at the outbox that went well, dozens a second when idle',
    registers,
  }),
  relayBatchSeconds: new Histogram({
    name: 'causeway_relay_batch_seconds',
    help: 'Bringing one batch of outbox rows to Temporal',
    buckets: ANSWERS,
    registers,
  }),
  outboxDelivered: new Counter({
    name: 'causeway_outbox_delivered_total',
    help: 'Outbox rows that Temporal has taken',
    labelNames: ['noun'],
    registers,
  }),
  outboxDeliverySeconds: new Histogram({
    name: 'causeway_outbox_delivery_seconds',
    help: 'From the commit of an outbox row until Temporal has its workflow',
    labelNames: ['noun'],
    buckets: WAITS,
    registers,
  }),
  /** `cause`: unavailable (Temporal or its set-up), refused (the row as it is). */
  outboxFailures: new Counter({
    name: 'causeway_outbox_failures_total',
    help: 'Outbox rows that Temporal did not take, each try',
    labelNames: ['noun', 'cause'],
    registers,
  }),
  outboxParked: new Counter({
    name: 'causeway_outbox_parked_total',
    help: 'Outbox rows set aside for a person',
    labelNames: ['noun'],
    registers,
  }),

  // --- workflows' steps
  /** `outcome`: OK, a failure's own type, a kind of refusal, or FAULT. */
  activitySeconds: new Histogram({
    name: 'causeway_activity_duration_seconds',
    help: 'Attempts at activities, by what came of them',
    labelNames: ['activity', 'outcome'],
    buckets: ANSWERS,
    registers,
  }),
  depositsSettled: new Counter({
    name: 'causeway_deposits_settled_total',
    help: 'Deposits that reached a final state through their workflow',
    labelNames: ['status'],
    registers,
  }),
  withdrawalsSettled: new Counter({
    name: 'causeway_withdrawals_settled_total',
    help: 'Withdrawals that were approved, rejected, completed, failed or cancelled',
    labelNames: ['status'],
    registers,
  }),
  depositsCredited: new Counter({
    name: 'causeway_deposits_credited_amount_total',
    help: 'Gross money of completed deposits, in units of the currency',
    labelNames: ['currency'],
    registers,
  }),
  depositPaymentSeconds: new Histogram({
    name: 'causeway_deposit_payment_seconds',
    help: 'From the creation of a deposit until its money was recognised, of those completed',
    buckets: PAYERS,
    registers,
  }),
  depositCreditSeconds: new Histogram({
    name: 'causeway_deposit_credit_seconds',
    help: 'From the recognition of the money until the merchant has it',
    buckets: WAITS,
    registers,
  }),
  /** `verdict`: SUCCESS, RETRY, FAILED. */
  callbackAttempts: new Counter({
    name: 'causeway_callback_attempts_total',
    help: 'Attempts at callbacks, by what came of them',
    labelNames: ['verdict'],
    registers,
  }),
  callbackAttemptSeconds: new Histogram({
    name: 'causeway_callback_attempt_duration_seconds',
    help: "How long merchants' servers took, by what came of the attempt",
    labelNames: ['verdict'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  }),
  callbackAttemptsInFlight: new Gauge({
    name: 'causeway_callback_attempts_in_flight',
    help: "Attempts at callbacks that wait for a merchant's server",
    registers,
  }),
  callbackDeliverySeconds: new Histogram({
    name: 'causeway_callback_delivery_seconds',
    help: 'From the event until the merchant acknowledged its callback, resends left out',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 5, 15, 35, 65, 95, 125, 300],
    registers,
  }),
  overdueFound: new Counter({
    name: 'causeway_overdue_found_total',
    help: 'What the sweeps found each minute that should have moved by itself; what stays is counted again',
    labelNames: ['kind'],
    registers,
  }),
};

/** Names the role in all that this process counts, and adds what Node tells of itself. Once a process. */
export function measureProcess(role: string): void {
  registry.setDefaultLabels({ role });
  collectDefaultMetrics({ register: registry });
}
