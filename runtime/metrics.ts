import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What this process counts and times. */
export const registry = new Registry();

const registers = [registry];

/** Bucket bounds, seconds. */
const ANSWERS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];
const WAITS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800];
const PAYERS = [5, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600];

/**
 * The metrics of all roles; a role leaves the others' metrics at zero. Labels hold only words of our own vocabulary,
 * never an order, a merchant or a caller's text. docs/runbook.md says which values are bad; a test compares the two.
 */
export const metrics = {
  ready: new Gauge({
    name: 'causeway_role_ready',
    help: '1 while this role serves',
    registers,
  }),
  gatewayProcesses: new Gauge({
    name: 'causeway_gateway_processes',
    help: 'Processes of a gateway that serve; only of a gateway with several',
    registers,
  }),
  keysMissing: new Gauge({
    name: 'causeway_keys_missing',
    help: 'Keys that rows may need and this process lacks',
    registers,
  }),
  clockOffset: new Gauge({
    name: 'causeway_clock_offset_seconds',
    help: "The database's clock minus this process's, by which its time is corrected",
    registers,
  }),
  recovery: new Gauge({
    name: 'causeway_recovery',
    help: '1 while the database is in RECOVERY: it was restored to an earlier state, and no payout is sent',
    registers,
  }),
  /** `dependency`: postgres, temporal, or graph if the gateway's deadline came first. */
  dependencyFailures: new Counter({
    name: 'causeway_dependency_failures_total',
    help: 'Steps that failed because a dependency was down or too slow',
    labelNames: ['dependency'],
    registers,
  }),

  spansLost: new Counter({
    name: 'causeway_trace_spans_lost_total',
    help: 'Spans of traces that the collector did not take',
    registers,
  }),

  sourceFailures: new Counter({
    name: 'causeway_metrics_source_failures_total',
    help: 'Scrapes without a part of the metrics, because it could not be read',
    registers,
  }),

  // --- the public listener
  /** `code`: the envelope's, or CLIENT_LEFT if the client did not wait for an answer. */
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

  platformProblemSeconds: new Gauge({
    name: 'causeway_platform_problem_seconds',
    help: 'For how long a problem has lasted; 0 if there is none',
    labelNames: ['problem'],
    registers,
  }),
  creditAge: new Gauge({
    name: 'causeway_credit_age_seconds',
    help: 'How long the oldest paid deposit has waited for its credit, each 2 s',
    registers,
  }),
  acceptShedding: new Gauge({
    name: 'causeway_accept_shedding',
    help: '1 while no deposits are accepted, because credits are late',
    registers,
  }),
  depositsShed: new Counter({
    name: 'causeway_deposits_shed_total',
    help: 'Deposits that were refused with 503, because credits are late',
    registers,
  }),

  channelsDown: new Gauge({
    name: 'causeway_channels_down',
    help: 'Enabled channels that did not answer their last health check, or reported a failure',
    registers,
  }),
  /** `subject`: channel (its breaker is open) or account (its agent is silent). */
  passedOver: new Gauge({
    name: 'causeway_passed_over',
    help: 'Channels with an open breaker and accounts with a silent agent, which get no orders',
    labelNames: ['subject'],
    registers,
  }),
  /** `answer`: the channel's answer; `verdict`: the result. */
  payoutAnswers: new Counter({
    name: 'causeway_payout_answers_total',
    help: 'Answers of channels to payouts and to questions about them, and what followed',
    labelNames: ['answer', 'verdict'],
    registers,
  }),
  /** `kind`: WHOLE or NEW. */
  booksProven: new Gauge({
    name: 'causeway_books_proven_timestamp_seconds',
    help: 'When the last proof of the books ended, by kind: everything, or what is new',
    labelNames: ['kind'],
    registers,
  }),
  booksFindings: new Gauge({
    name: 'causeway_books_findings',
    help: 'Differences in the books that are open',
    registers,
  }),
  channelDepositAnswers: new Counter({
    name: 'causeway_channel_deposit_answers_total',
    help: 'Answers of channels to deposits and to questions about them, and what followed',
    labelNames: ['answer', 'verdict'],
    registers,
  }),
  /** `found`: what followed, as domain/payout.ts names it; NOTHING: the ending stands. */
  payoutDoubts: new Counter({
    name: 'causeway_payout_doubts_total',
    help: 'Ended payouts that were queried again, by what was found',
    labelNames: ['found'],
    registers,
  }),
  /** `told`: the reported status of the payout; `duplicate`: whether the message was received before. */
  channelMessages: new Counter({
    name: 'causeway_channel_messages_total',
    help: 'Authentic messages of channels, by the status they reported',
    labelNames: ['told', 'duplicate'],
    registers,
  }),

  devicesSilent: new Gauge({
    name: 'causeway_devices_silent',
    help: 'Paired devices without a heartbeat for longer than ten minutes, each minute',
    registers,
  }),
  debitsUnexplained: new Gauge({
    name: 'causeway_debits_unexplained',
    help: 'Debits that no manual payout explains for longer than an hour, each minute',
    registers,
  }),

  creditsOverdue: new Gauge({
    name: 'causeway_credits_overdue',
    help: 'Bank credits that have waited for a person longer than they should, each minute',
    registers,
  }),

  // --- the graph
  /** `operation`: a root field of the schema, or authenticate; `outcome`: OK or a kind of refusal. */
  operationSeconds: new Histogram({
    name: 'causeway_graph_operation_duration_seconds',
    help: 'Root fields of the graph and authentications, by outcome',
    labelNames: ['operation', 'outcome'],
    buckets: ANSWERS,
    registers,
  }),
  /** `outcome`: accepted, refused, locked. */
  logins: new Counter({
    name: 'causeway_logins_total',
    help: 'Attempted logins of operators',
    labelNames: ['outcome'],
    registers,
  }),
  /** `event`: what the mail is about. `outcome`: sent, failed permanently, or retried. */
  mails: new Counter({
    name: 'causeway_mails_total',
    help: 'Attempts at mails to operators, by event and outcome',
    labelNames: ['event', 'outcome'],
    registers,
  }),
  /** `event`, `kind`: as in domain/platform-event.ts. `outcome`: delivered, retried, or failed permanently. */
  eventAttempts: new Counter({
    name: 'causeway_platform_event_attempts_total',
    help: 'Attempts to deliver events of the platform, by event, kind and outcome',
    labelNames: ['event', 'kind', 'outcome'],
    registers,
  }),
  /** `kind`, `status`: as in domain/change-request.ts. */
  changes: new Counter({
    name: 'causeway_changes_total',
    help: 'Change requests that were proposed or decided, by kind and status',
    labelNames: ['kind', 'status'],
    registers,
  }),
  /** `outcome`: ok, refused. */
  auditEntries: new Counter({
    name: 'causeway_audit_rows_total',
    help: 'Rows of the audit log, by the outcome of the action',
    labelNames: ['outcome'],
    registers,
  }),
  /** `outcome`: matched, duplicate, or why the bank credit waits for a person. */
  bankTransfers: new Counter({
    name: 'causeway_bank_transfers_total',
    help: 'Bank credits that were reported, by outcome',
    labelNames: ['outcome'],
    registers,
  }),
  /** `outcome`: matched, duplicate, or no_task if the debit waits for a person. */
  bankDebits: new Counter({
    name: 'causeway_bank_debits_total',
    help: 'Bank debits that were reported, by outcome',
    labelNames: ['outcome'],
    registers,
  }),
  eventLag: new Histogram({
    name: 'causeway_event_lag_seconds',
    help: 'From the change of an order until subscribers receive it',
    buckets: WAITS,
    registers,
  }),
  /** `limit`: the exceeded limit, as graph/guard/refusal.ts names it. */
  operationsRefused: new Counter({
    name: 'causeway_graph_operations_refused_total',
    help: 'Operations that the internal listener refused, by the limit they exceeded',
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
    help: 'Sockets ended because they read events too slowly; they resume by number',
    registers,
  }),

  cashierStreams: new Gauge({
    name: 'causeway_cashier_streams',
    help: "Payers' WebSockets of this process",
    registers,
  }),

  // --- PostgreSQL
  postgresReadOnly: new Gauge({
    name: 'causeway_postgres_read_only',
    help: "1 while PostgreSQL takes no writes, as this process's latest connection shows",
    registers,
  }),
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
    help: 'Successful polls of the outbox by the relay, two a second when idle',
    registers,
  }),
  relayBatchSeconds: new Histogram({
    name: 'causeway_relay_batch_seconds',
    help: 'Delivering one batch of outbox rows to Temporal',
    buckets: ANSWERS,
    registers,
  }),
  outboxDelivered: new Counter({
    name: 'causeway_outbox_delivered_total',
    help: 'Outbox rows that Temporal has accepted',
    labelNames: ['noun'],
    registers,
  }),
  outboxDeliverySeconds: new Histogram({
    name: 'causeway_outbox_delivery_seconds',
    help: 'From the commit of an outbox row until Temporal has its workflow, without starts that have nothing to do yet',
    labelNames: ['noun'],
    buckets: WAITS,
    registers,
  }),
  /** `cause`: unavailable (Temporal or its set-up), refused (the row as it is). */
  outboxFailures: new Counter({
    name: 'causeway_outbox_failures_total',
    help: 'Attempts at outbox rows that Temporal did not accept',
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
    help: 'Attempts at activities, by outcome',
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
    help: 'From the creation of a deposit until its money was matched, of those completed',
    buckets: PAYERS,
    registers,
  }),
  depositCreditSeconds: new Histogram({
    name: 'causeway_deposit_credit_seconds',
    help: 'From the match until the merchant is credited',
    buckets: WAITS,
    registers,
  }),
  /** `verdict`: SUCCESS, RETRY, FAILED. */
  callbackAttempts: new Counter({
    name: 'causeway_callback_attempts_total',
    help: 'Attempts at callbacks, by outcome',
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
  callbackAttemptsWaiting: new Gauge({
    name: 'causeway_callback_attempts_waiting',
    help: "Attempts at callbacks that found their merchant's lane full and come back later",
    registers,
  }),
  callbackLanes: new Gauge({
    name: 'causeway_callback_lanes_open',
    help: 'Lanes of merchants and of their servers with an attempt under way',
    registers,
  }),
  callbacksTurnedAway: new Counter({
    name: 'causeway_callback_turned_away_total',
    help: 'Attempts at callbacks that found a lane full, each time',
    registers,
  }),
  callbackDeliverySeconds: new Histogram({
    name: 'causeway_callback_delivery_seconds',
    help: 'From the event until the merchant acknowledged its callback, without resends',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 5, 15, 35, 65, 95, 125, 300],
    registers,
  }),
  overdueFound: new Counter({
    name: 'causeway_overdue_found_total',
    help: 'Overdue rows that the sweeps found; what stays overdue is counted again by each run',
    labelNames: ['kind'],
    registers,
  }),
};

/**
 * Adds labels to every metric of this process, and Node's own metrics. Call once a process.
 * @param labels the role, and the process where a role has several
 */
export function measureProcess(labels: Readonly<Record<string, string>>): void {
  registry.setDefaultLabels(labels);
  collectDefaultMetrics({ register: registry });
}
