import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { isGrpcServiceError, NamespaceNotFoundError } from '@temporalio/client';
import type { Database } from '../db/client';
import { publishEvents } from '../db/events/events';
import * as db from '../db/events/outbox';
import { failpoint } from '../runtime/failpoints';
import type { Logger } from '../runtime/log';
import { metrics } from '../runtime/metrics';
import { changed } from '../workflows/shared';
import type { OrderTrace } from '../workflows/trace';
import { startOptions } from './starts';

/** The dependencies of the relay. */
export interface RelayDeps {
  readonly database: Database;
  readonly client: Client;
  /** Prepares the server for our workflows again: a server that lost its data refuses them otherwise. */
  readonly prepareServer: () => Promise<void>;
  readonly clock: () => Promise<Date>;
  readonly log: Logger;
}

/** Pause after a poll without due rows. */
const POLL_MS = 50;
/** Pause after PostgreSQL did not answer. */
const DATABASE_DOWN_MS = 1_000;
/** Pause after Temporal did not accept rows. */
const SERVER_PAUSE_MS = 1_000;
/** The most rows under way: beyond it Temporal only queues. */
const UNDER_WAY = 200;
/** The least rows under way, for a server that does not answer in time. */
const LEAST_UNDER_WAY = 5;
/** The share of rows accepted in time by which the window grows. */
const GROWTH = 0.25;
/** Rows claimed at once: a slow one delays the deletion of no more than these. */
const BATCH = 25;
const EVENTS_BATCH = 1_000;
/** Lease on claimed rows, seconds: if this relay dies, another takes them then. */
const LEASE_SECONDS = 30;
/** Pause before a refused row is retried, seconds; doubled with each refusal, up to a minute. */
const RETRY_SECONDS = 1;
const SLOWEST_RETRY_SECONDS = 60;
const RPC_DEADLINE_MS = 5_000;
/** Refusals after which a row is parked for a person. */
const REFUSALS_BEFORE_PARKING = 10;

/** gRPC codes that point to the server or its set-up, not to the row. */
const SERVER_TROUBLE: ReadonlySet<number> = new Set([
  1, // CANCELLED
  2, // UNKNOWN
  4, // DEADLINE_EXCEEDED
  5, // NOT_FOUND
  7, // PERMISSION_DENIED
  8, // RESOURCE_EXHAUSTED
  13, // INTERNAL
  14, // UNAVAILABLE
  16, // UNAUTHENTICATED
]);

const later = (from: Date, seconds: number): Date => new Date(from.getTime() + seconds * 1000);

/** The log fields of a row: its workflow and its order. */
function about({ key, arguments: start }: db.OutboxRow): OrderTrace & { workflowId: string } {
  const { traceId, orderNo, merchantCode } = start as OrderTrace;
  return { workflowId: key, traceId, orderNo, merchantCode };
}

/** Rows of one workflow that Temporal did not accept, and why. */
interface Failure {
  readonly same: readonly db.OutboxRow[];
  readonly text: string;
  readonly serverUnavailable: boolean;
}

/** The error's text and code, with the cause that gRPC hides one level down. */
function describe(error: unknown): { text: string; serverUnavailable: boolean } {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return {
    text: cause instanceof Error ? cause.message.slice(0, 500) : String(cause),
    serverUnavailable:
      error instanceof NamespaceNotFoundError ||
      (isGrpcServiceError(cause) && SERVER_TROUBLE.has(cause.code)),
  };
}

/**
 * Takes outbox rows to Temporal. A row wakes its workflow or starts it (signalWithStart), so neither order nor
 * repetition matters. A row is deleted once Temporal has accepted it; a crash before that repeats it.
 */
export class Relay {
  private stopping = false;
  private running: Promise<void> | undefined;
  /**
   * How many rows may be under way. Calls that a slow server answers too late are repeated and cost it twice: so late
   * answers halve the window, and timely ones widen it.
   */
  private window = UNDER_WAY;
  /** Deliveries, with the number of rows in each. */
  private readonly underWay = new Map<Promise<unknown>, number>();

  constructor(private readonly deps: RelayDeps) {}

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.running;
  }

  private async run(): Promise<void> {
    await Promise.all([
      this.repeat(async () => await this.takeSome()),
      this.repeat(async () => await this.publish()),
    ]);
    await Promise.all(this.underWay.keys());
  }

  /** Polls for ever; at once again after a poll that found rows. */
  private async repeat(look: () => Promise<boolean>): Promise<void> {
    while (!this.stopping) if (!(await this.survive(look))) await sleep(POLL_MS);
  }

  /** Survives an outage: logs it and pauses. */
  private async survive(look: () => Promise<boolean>): Promise<boolean> {
    try {
      return await look();
    } catch (error) {
      metrics.dependencyFailures.inc({ dependency: 'postgres' });
      this.deps.log.error({ err: error }, 'relay cannot reach its outbox');
      await sleep(DATABASE_DOWN_MS);
      return true;
    }
  }

  /** Starts deliveries and polls on meanwhile: slow rows delay only themselves. */
  private async takeSome(): Promise<boolean> {
    const busy = [...this.underWay.values()].reduce((sum, rows) => sum + rows, 0);
    const free = Math.floor(this.window) - busy;
    if (free <= 0) {
      await Promise.race(this.underWay.keys());
      return true;
    }
    const rows = await this.claim(Math.min(BATCH, free));
    if (rows.length === 0) return false;
    const delivery: Promise<unknown> = this.survive(async () => {
      // An unavailable server gets a pause before the next rows.
      if (await this.deliver(rows)) await sleep(SERVER_PAUSE_MS);
      return true;
    }).finally(() => this.underWay.delete(delivery));
    this.underWay.set(delivery, rows.length);
    return true;
  }

  /**
   * Handles all due rows and all unnumbered events once.
   * @returns whether there were any
   */
  async once(): Promise<boolean> {
    const rows = await this.claim(UNDER_WAY);
    if (rows.length > 0) await this.deliver(rows);
    return (await this.publish()) || rows.length > 0;
  }

  private async publish(): Promise<boolean> {
    return await publishEvents(this.deps.database, EVENTS_BATCH);
  }

  private async claim(limit: number): Promise<db.OutboxRow[]> {
    const { database, clock } = this.deps;
    const now = await clock();
    const rows = await db.claimOutbox(database, limit, later(now, LEASE_SECONDS), now);
    metrics.relayLooks.inc();
    return rows;
  }

  /** @returns whether the server was unavailable */
  private async deliver(rows: readonly db.OutboxRow[]): Promise<boolean> {
    const timed = metrics.relayBatchSeconds.startTimer();
    const byWorkflow = new Map<string, db.OutboxRow[]>();
    for (const row of rows) byWorkflow.set(row.key, [...(byWorkflow.get(row.key) ?? []), row]);
    const outcomes = await Promise.all(
      [...byWorkflow.values()].map(async (same) => ({ same, error: await this.wake(same) })),
    );
    const { database, clock } = this.deps;
    const taken = outcomes.filter(({ error }) => error === undefined).flatMap(({ same }) => same);
    await db.deleteOutbox(
      database,
      taken.map((row) => row.id),
    );
    await failpoint('outbox.deleted');
    const now = await clock();
    for (const { noun, createdAt } of taken) {
      metrics.outboxDelivered.inc({ noun });
      const waited = Math.max(0, now.getTime() - createdAt.getTime()) / 1000;
      metrics.outboxDeliverySeconds.observe({ noun }, waited);
    }
    const failures = outcomes.flatMap(({ same, error }) =>
      error === undefined ? [] : [{ same, ...describe(error) }],
    );
    for (const { same, serverUnavailable } of failures)
      for (const { noun } of same)
        metrics.outboxFailures.inc({ noun, cause: serverUnavailable ? 'unavailable' : 'refused' });
    const unavailable = failures.filter(({ serverUnavailable }) => serverUnavailable);
    this.window =
      unavailable.length > 0
        ? Math.max(this.window / 2, LEAST_UNDER_WAY)
        : Math.min(this.window + taken.length * GROWTH, UNDER_WAY);
    await this.waitForServer(unavailable);
    const refused = failures.filter(({ serverUnavailable }) => !serverUnavailable);
    for (const { same, text } of refused) await this.slowDown(same, text);
    if (refused.length > 0) await this.prepareServer();
    timed();
    return unavailable.length > 0;
  }

  /** Temporal is unavailable or not set up: all rows are retried together, and none counts a refusal. */
  private async waitForServer(failures: readonly Failure[]): Promise<void> {
    const [first] = failures;
    if (!first) return;
    const { database, clock, log } = this.deps;
    const ids = failures.flatMap(({ same }) => same.map(({ id }) => id));
    metrics.dependencyFailures.inc({ dependency: 'temporal' }, failures.length);
    log.warn({ rows: ids.length, error: first.text }, 'Temporal did not accept outbox rows');
    const dueAt = later(await clock(), RETRY_SECONDS);
    await db.delayOutbox(database, ids, first.text, false, dueAt);
  }

  /** A server that lost its data refuses every row until it knows our search attributes again. */
  private async prepareServer(): Promise<void> {
    const { prepareServer, log } = this.deps;
    try {
      await prepareServer();
    } catch (error) {
      metrics.dependencyFailures.inc({ dependency: 'temporal' });
      log.error({ err: error }, 'Temporal could not be prepared');
    }
  }

  /** One signal is enough for all rows of a workflow: they say no more than "changed". */
  private async wake([row]: readonly db.OutboxRow[]): Promise<unknown> {
    if (!row) return undefined;
    const { client, log } = this.deps;
    try {
      await failpoint('outbox.claimed', row.key);
      const { type, args, ...options } = startOptions(row.noun, row.arguments as never);
      await client.connection.withDeadline(Date.now() + RPC_DEADLINE_MS, async () => {
        await client.workflow.signalWithStart(type, {
          ...options,
          args: args ?? [],
          workflowId: row.key,
          signal: changed,
        });
      });
      await failpoint('outbox.signalled', row.key);
      log.info(about(row), 'workflow signalled');
      return undefined;
    } catch (error) {
      return error ?? new Error('unknown');
    }
  }

  /** Temporal refuses these rows: retries them later each time, and finally parks them. */
  private async slowDown(rows: readonly db.OutboxRow[], error: string): Promise<void> {
    const { database, clock, log } = this.deps;
    const now = await clock();
    for (const row of rows) {
      const { id, noun, refusals } = row;
      const line = { ...about(row), outboxId: id, error };
      if (refusals + 1 >= REFUSALS_BEFORE_PARKING) {
        await db.parkOutbox(database, id, error, now);
        metrics.outboxParked.inc({ noun });
        log.error(line, 'outbox row parked');
      } else {
        const wait = Math.min(RETRY_SECONDS * 2 ** refusals, SLOWEST_RETRY_SECONDS);
        await db.delayOutbox(database, [id], error, true, later(now, wait));
        log.warn(line, 'Temporal refused an outbox row');
      }
    }
  }
}
