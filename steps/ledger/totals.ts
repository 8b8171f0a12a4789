import { Gauge, Registry } from 'prom-client';
import * as db from '../../db/ledger/totals';
import type { StepDeps } from '../context';
import { within } from '../deadline';
import { refuse } from '../refuse';

/** Lifetime of a reading, milliseconds, so that many scrapers cannot load the database. */
const FRESH_MS = 5_000;
/** Deadline of a scrape's totals, milliseconds: a frozen server does not enforce the statement timeout. */
const READ_WITHIN_MS = 3_000;

type Deps = Pick<StepDeps, 'database' | 'clock' | 'log'>;

/** One SQL statement, and the gauges of its results. */
interface Total<Row> {
  readonly name: string;
  readonly read: (database: Deps['database'], now: Date) => Promise<readonly Row[]>;
  /** Label → its column. */
  readonly labels: Readonly<Record<string, keyof Row>>;
  /** Gauge → its help text and value. */
  readonly gauges: Readonly<Record<string, readonly [help: string, value: (row: Row) => number]>>;
}

/**
 * Reads a total into its gauges. @returns whether it could be read; if not, they are empty, because an old sum would
 * mislead
 */
type Refresh = () => Promise<boolean>;

/** Prometheus has only floats: nothing may be computed from these amounts. */
const picture = (amount: string): number => Number(amount);

function reader<Row>(total: Total<Row>, deps: Deps, registers: Registry[]): Refresh {
  const labelNames = Object.keys(total.labels);
  const gauges = Object.entries(total.gauges).map(([name, [help, value]]) => ({
    gauge: new Gauge({ name, help, labelNames, registers }),
    value,
  }));
  let asked: Promise<readonly Row[]> | undefined;

  async function read(): Promise<readonly Row[] | undefined> {
    // While a statement hangs, no second one is sent.
    asked ??= total.read(deps.database, deps.clock()).finally(() => {
      asked = undefined;
    });
    try {
      return await within(READ_WITHIN_MS, asked);
    } catch (error) {
      refuse(error, deps.log, `totals.${total.name}`);
      return undefined;
    }
  }

  return async () => {
    const rows = await read();
    for (const { gauge, value } of gauges) {
      gauge.reset();
      for (const row of rows ?? []) {
        const labels = Object.entries(total.labels).map(([label, column]) => [label, row[column]]);
        gauge.set(Object.fromEntries(labels) as Record<string, string>, value(row));
      }
    }
    return rows !== undefined;
  };
}

/** For inference: a table's entries each have rows of their own. */
const defined =
  <Row>(total: Total<Row>) =>
  (deps: Deps, registers: Registry[]): readonly [name: string, Refresh] => [total.name, reader(total, deps, registers)];

const TOTALS = [
  defined({
    name: 'deposits',
    read: db.readOpenDeposits,
    labels: { status: 'status', currency: 'currencyCode' },
    gauges: {
      causeway_open_deposits: ['Deposits that are not final', (row) => row.count],
      causeway_open_deposits_amount: [
        'What payers are to transfer for them, in units of the currency',
        (row) => picture(row.amount),
      ],
      causeway_open_deposits_overdue_seconds: [
        'By how much the latest one is late: PENDING beyond its expiry, MATCHED since its money came',
        (row) => row.overdueSeconds,
      ],
    },
  }),
  defined({
    name: 'balances',
    read: db.readBalances,
    labels: { currency: 'currencyCode' },
    gauges: {
      causeway_merchant_available_amount: [
        'What merchants may dispose of, all of them together, in units of the currency',
        (row) => picture(row.available),
      ],
      causeway_merchant_frozen_amount: [
        'What is held for what merchants have asked for, in units of the currency',
        (row) => picture(row.frozen),
      ],
      causeway_merchant_receivable_amount: [
        'What merchants owe us of recalled deposits, in units of the currency',
        (row) => picture(row.receivable),
      ],
    },
  }),
  defined({
    name: 'unmatched_transfers',
    read: db.readUnmatchedTransfers,
    labels: { currency: 'currencyCode' },
    gauges: {
      causeway_unmatched_transfers: ['Bank transfers that wait for an operator', (row) => row.count],
      causeway_unmatched_transfers_amount: ['Their money, in units of the currency', (row) => picture(row.amount)],
      causeway_unmatched_transfers_oldest_seconds: [
        'How long the oldest of them has waited',
        (row) => row.overdueSeconds,
      ],
    },
  }),
  defined({
    name: 'alerts',
    read: db.readOpenAlerts,
    labels: { kind: 'kind' },
    gauges: {
      causeway_open_alerts: ['Alerts that nobody has acknowledged', (row) => row.count],
      causeway_open_alerts_oldest_seconds: ['How long the oldest of them has waited', (row) => row.overdueSeconds],
    },
  }),
  defined({
    name: 'payouts',
    read: db.readOpenPayouts,
    labels: { state: 'state' },
    gauges: {
      causeway_open_payouts: [
        'Payouts of approved withdrawals: UNROUTED, or as their attempt stands',
        (row) => row.count,
      ],
      causeway_oldest_payout_seconds: [
        'How long the oldest of them has been so far: since its attempt was made, or since the approval',
        (row) => row.overdueSeconds,
      ],
    },
  }),
  defined({
    name: 'callbacks',
    read: db.readOpenCallbacks,
    labels: { status: 'status' },
    gauges: {
      causeway_open_callbacks: ['Callbacks that are not done', (row) => row.count],
      causeway_open_callbacks_overdue_seconds: [
        'By how much the latest one is late: WAITING_RETRY beyond its next attempt, SENDING beyond its lease',
        (row) => row.overdueSeconds,
      ],
    },
  }),
  defined({
    name: 'outbox',
    read: db.readOutbox,
    labels: { state: 'state' },
    gauges: {
      causeway_outbox_rows: [
        'Workflows to start or wake: due, later (under way or tried again), parked (a person looks)',
        (row) => row.count,
      ],
      causeway_outbox_oldest_seconds: ['Age of the oldest such row', (row) => row.overdueSeconds],
    },
  }),
  defined({
    name: 'events',
    read: db.readUnpublishedEvents,
    labels: {},
    gauges: {
      causeway_unpublished_events: [
        'Events that subscribers do not see yet, because no relay has numbered them',
        (row) => row.count,
      ],
      causeway_unpublished_events_oldest_seconds: ['Age of the oldest such event', (row) => row.overdueSeconds],
    },
  }),
  defined({
    name: 'bank_accounts',
    read: db.readBankAccounts,
    labels: { status: 'status', currency: 'currencyCode' },
    gauges: { causeway_bank_accounts: ['Managed accounts', (row) => row.count] },
  }),
];

/**
 * Money and queues in the database, read at a scrape. Only the graph role shows them, so that they are not added up
 * twice.
 */
export class Totals {
  private readonly registry = new Registry();
  private readonly readable = new Gauge({
    name: 'causeway_total_readable',
    help: '1 if this part of the totals could be read from the database just now',
    labelNames: ['total'],
    registers: [this.registry],
  });
  private readonly totals: readonly (readonly [name: string, Refresh])[];
  private reading: Promise<void> | undefined;
  private readAt = -Infinity;

  constructor(deps: Deps) {
    this.registry.setDefaultLabels({ role: 'graph' });
    this.totals = TOTALS.map((total) => total(deps, [this.registry]));
  }

  /** As Prometheus' text. A total that cannot be read is left out, and `causeway_total_readable` is 0. */
  async text(): Promise<string> {
    if (performance.now() - this.readAt > FRESH_MS)
      this.reading ??= this.readAll().finally(() => {
        this.reading = undefined;
      });
    await this.reading;
    return await this.registry.metrics();
  }

  private async readAll(): Promise<void> {
    await Promise.all(
      this.totals.map(async ([total, refresh]) => {
        this.readable.set({ total }, (await refresh()) ? 1 : 0);
      }),
    );
    this.readAt = performance.now();
  }
}
