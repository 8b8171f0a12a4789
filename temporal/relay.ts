import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { OUTBOX_RANK } from '../domain/outbox';
import type { Database } from '../db/client';
import { findUncredited } from '../db/deposits/credit-age';
import { countExpiring } from '../db/deposits/deposits';
import { type Published, publishEvents } from '../db/events/events';
import * as db from '../db/events/outbox';
import { failpoint } from '../runtime/failpoints';
import type { Logger } from '../runtime/log';
import { metrics } from '../runtime/metrics';
import { inTrace } from '../runtime/tracing';
import type { OrderTrace } from '../workflows/trace';
import { ClaimPolicy } from './claim-policy';
import { CreditsUnderWay } from './credits-under-way';
import { ExpiryPace } from './expiry-pace';
import { describeFailure } from './relay-failure';
import { type Pause, POLL_MS, RelayLoop } from './relay-loop';
import type { RelayWindow } from './relay-window';
import { wake } from './wake';
import { WorkListener } from './work-listener';

/** The dependencies of the relay. */
export interface RelayDeps {
  readonly database: Database;
  readonly client: Client;
  /** On the connection of this process's worker, which then gets first tasks with the starts; without it none. */
  readonly eager?: Client;
  /** Prepares the server for our workflows again: without that, a server that lost its data refuses them. */
  readonly prepareServer: () => Promise<void>;
  readonly clock: () => Promise<Date>;
  readonly log: Logger;
  /** The longest pause while nothing is due, milliseconds; 500 and 250 by default. */
  readonly idlePollMs?: number;
}

/** The longest pause while nothing is due: a hint that was lost, or a row that becomes due, waits no longer. */
const IDLE_POLL_MS = { rows: 500, events: 250 };
/** The same while deposits wait for their credit: how long that takes bounds how many are sent. */
const CREDITS_POLL_MS = 200;
/** The least time between two looks that hints cause. Behind a backlog of money events are looked for more rarely. */
const BETWEEN_LOOKS_MS = { rows: 25, events: 50, eventsBehindMoney: 250 };
/** Pause after PostgreSQL did not answer. */
const DATABASE_DOWN_MS = 1_000;
/** Pause after Temporal did not accept rows. */
const SERVER_PAUSE_MS = 1_000;
/**
 * If more orders than this are expiring, money must overtake them in Temporal's queue. Below: how often they are
 * counted.
 */
const OVERTAKES = 10;
const COUNTED_EVERY_MS = 250;
/** Rows of each kind that one pass takes (`once`). */
const ONCE = 64;
const EVENTS_BATCH = 1_000;
/** Lease on claimed rows, seconds: if this relay dies, another claims them after it. */
const LEASE_SECONDS = 30;
/** Pause before a refused row is retried, seconds; doubled with each refusal, up to a minute. */
const RETRY_SECONDS = 1;
const SLOWEST_RETRY_SECONDS = 60;
/** Refusals after which a row is parked for a person. */
const REFUSALS_BEFORE_PARKING = 10;

const later = (from: Date, seconds: number): Date => new Date(from.getTime() + seconds * 1000);

/** The log fields of a row: its workflow and its order. */
function about({ key, arguments: start }: db.OutboxRow): OrderTrace & { workflowId: string } {
  const { traceId, orderNo, merchantCode } = start as OrderTrace;
  return { workflowId: key, traceId, orderNo, merchantCode };
}

type Rows = readonly [db.OutboxRow, ...db.OutboxRow[]];

/** Rows of one workflow that Temporal did not accept, and why. */
interface Failure {
  readonly same: Rows;
  readonly text: string;
  readonly serverUnavailable: boolean;
}

/**
 * Takes outbox rows to Temporal. A row wakes its workflow or starts it (signalWithStart), so neither order nor
 * repetition matters. A row is deleted once Temporal has accepted it; after a crash before that it is sent again.
 */
export class Relay {
  private readonly loops = {
    rows: new RelayLoop(
      async () => await this.survive(async () => await this.takeSome(), 'NONE'),
      () => BETWEEN_LOOKS_MS.rows,
      () => this.underWay(),
    ),
    events: new RelayLoop(
      async () => await this.survive(async () => await this.publishSome(), 'NONE'),
      () => (this.policy.backlog ? BETWEEN_LOOKS_MS.eventsBehindMoney : BETWEEN_LOOKS_MS.events),
    ),
  };
  private readonly listener: WorkListener;
  private running: Promise<void> | undefined;
  private readonly pace = new ExpiryPace();
  private readonly credits: CreditsUnderWay;
  private readonly policy: ClaimPolicy;
  private readonly numbered = { events: 0n, alerts: 0n, transfers: 0n };
  private expiring: { at: number; queued: number } = { at: -Infinity, queued: 0 };

  constructor(private readonly deps: RelayDeps) {
    this.listener = new WorkListener(deps);
    this.credits = new CreditsUnderWay(async (orderNos) => await findUncredited(deps.database, orderNos));
    this.policy = new ClaimPolicy(this.credits);
  }

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.listener.stop();
    for (const loop of Object.values(this.loops)) loop.stop();
    await this.running;
  }

  /** Something may have been committed that the relay looks for. */
  tell(): void {
    for (const loop of Object.values(this.loops)) loop.tell();
  }

  private async run(): Promise<void> {
    void this.listener.start(() => {
      this.tell();
    });
    await Promise.all(
      Object.values(this.loops).map(async (loop) => {
        await loop.run();
      }),
    );
    await Promise.all(this.underWay());
  }

  /** Waits for a hint, or a moment if no hints can arrive. @param most milliseconds */
  private untilHint(most: number): Pause {
    const { listener, deps } = this;
    return { atMostMs: listener.listening ? (deps.idlePollMs ?? most) : POLL_MS };
  }

  private underWay(): Promise<unknown>[] {
    return this.policy.windows.flatMap(({ deliveries }) => [...deliveries]);
  }

  /** Survives an outage: logs it and pauses. */
  private async survive<Result>(work: () => Promise<Result>, otherwise: Result): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      metrics.dependencyFailures.inc({ dependency: 'postgres' });
      this.deps.log.error({ err: error }, 'relay cannot reach its outbox');
      await sleep(DATABASE_DOWN_MS);
      return otherwise;
    }
  }

  /** Starts deliveries without waiting for them: slow rows delay only themselves. */
  private async takeSome(): Promise<Pause> {
    const { policy, credits, deps } = this;
    const look = await policy.look();
    if (look === null) return 'HELD_BACK';
    const claimedAt = await deps.clock();
    const rows = await this.claim(look.limits, claimedAt);
    const next = policy.claimed(look, rows, claimedAt);
    for (const window of policy.windows) this.send(rows, window);
    return next ?? this.untilHint(credits.merchants.length > 0 ? CREDITS_POLL_MS : IDLE_POLL_MS.rows);
  }

  private send(rows: readonly db.OutboxRow[], window: RelayWindow): void {
    const own = rows.filter((row) => this.policy.windowOf(row) === window);
    const deliver = async (): Promise<void> => {
      // An unavailable server gets a pause before the next rows.
      if (await this.deliver(own, window)) await sleep(SERVER_PAUSE_MS);
    };
    window.send(own, async () => await this.survive(deliver, undefined));
  }

  /**
   * Handles all due rows and all unnumbered events once.
   * @returns whether there were any
   */
  async once(): Promise<boolean> {
    const { policy } = this;
    const rows = await this.claim({ money: ONCE, rest: ONCE }, await this.deps.clock());
    for (const window of policy.windows)
      await this.deliver(
        rows.filter((row) => policy.windowOf(row) === window),
        window,
      );
    return (await this.publish()) !== null || rows.length > 0;
  }

  private async publishSome(): Promise<Pause> {
    const published = await this.publish();
    const { numbered } = this;
    let full = false;
    if (published)
      for (const kind of ['events', 'alerts', 'transfers'] as const) {
        const last = published[kind];
        if (last === null) continue;
        // Also numbers of other relays count: then this look was not needed, and finds nothing.
        full ||= last - numbered[kind] >= EVENTS_BATCH;
        numbered[kind] = last;
      }
    return full ? 'NONE' : this.untilHint(IDLE_POLL_MS.events);
  }

  private async publish(): Promise<Published | null> {
    return await publishEvents(this.deps.database, EVENTS_BATCH);
  }

  private async claim(limits: db.ClaimLimits, now: Date): Promise<db.OutboxRow[]> {
    const { database } = this.deps;
    const rows = await db.claimOutbox(database, limits, later(now, LEASE_SECONDS), now);
    metrics.relayLooks.inc();
    return rows;
  }

  /** @returns whether the server was unavailable */
  private async deliver(rows: readonly db.OutboxRow[], window: RelayWindow): Promise<boolean> {
    if (rows.length === 0) return false;
    const timed = metrics.relayBatchSeconds.startTimer();
    const byWorkflow = new Map<string, Rows>();
    for (const row of rows) {
      const same = byWorkflow.get(row.key);
      byWorkflow.set(row.key, same ? [...same, row] : [row]);
    }
    const begun = performance.now();
    const outcomes = await Promise.all(
      [...byWorkflow.values()].map(async (same) => {
        const error = await this.wake(same);
        return { same, error, took: performance.now() - begun };
      }),
    );
    const { database, clock } = this.deps;
    const taken = outcomes.filter(({ error }) => error === undefined).flatMap(({ same }) => same);
    await db.deleteOutbox(database, taken);
    await failpoint('outbox.deleted');
    const now = await clock();
    for (const { noun, createdAt, startAt } of taken) {
      metrics.outboxDelivered.inc({ noun });
      // A start that has nothing to do yet waits on purpose.
      if (startAt !== null) continue;
      const waited = Math.max(0, now.getTime() - createdAt.getTime()) / 1000;
      metrics.outboxDeliverySeconds.observe({ noun }, waited);
    }
    const failures = outcomes.flatMap(({ same, error }) =>
      error === undefined ? [] : [{ same, ...describeFailure(error) }],
    );
    for (const { same, serverUnavailable } of failures)
      for (const { noun } of same)
        metrics.outboxFailures.inc({ noun, cause: serverUnavailable ? 'unavailable' : 'refused' });
    const unavailable = failures.filter(({ serverUnavailable }) => serverUnavailable);
    window.answered(taken.length, {
      late: unavailable.length > 0,
      meanMs: outcomes.reduce((sum, { took }) => sum + took, 0) / outcomes.length,
    });
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

  private async wake(rows: Rows): Promise<unknown> {
    const [row] = rows;
    const { client, clock, eager, log } = this.deps;
    const words = () =>
      ({
        name: `temporal wake ${row.noun}`,
        kind: 'producer',
        attributes: { 'temporal.workflow': row.key },
      }) as const;
    try {
      await failpoint('outbox.claimed', row.key);
      const now = await clock();
      const overtakes = row.rank === OUTBOX_RANK.money && (await this.countExpiring(now)) > OVERTAKES;
      await inTrace(about(row).traceId, words, async () => {
        await wake(client, { rows, now, overtakes, pace: this.pace, eager });
      });
      await failpoint('outbox.signalled', row.key);
      log.info(about(row), 'workflow signalled');
      return undefined;
    } catch (error) {
      return error ?? new Error('unknown');
    }
  }

  /** How many orders are expiring, counted up to OVERTAKES + 1: their tasks are queued ahead of those of money. */
  private async countExpiring(now: Date): Promise<number> {
    const { expiring, pace } = this;
    if (performance.now() - expiring.at > COUNTED_EVERY_MS) {
      expiring.at = performance.now();
      const delayed = pace.countHeldBack(now);
      const most = OVERTAKES + 1 + delayed;
      expiring.queued = (await countExpiring(this.deps.database, most, now)) - delayed;
    }
    return expiring.queued;
  }

  /** Temporal refuses these rows: retries each later than before, and finally parks it. */
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
