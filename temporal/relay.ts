import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { OUTBOX_RANK } from '../domain/outbox';
import type { Database } from '../db/client';
import { countExpiring, findUncredited } from '../db/deposits/deposits';
import { type Published, publishEvents } from '../db/events/events';
import * as db from '../db/events/outbox';
import { failpoint } from '../runtime/failpoints';
import type { Logger } from '../runtime/log';
import { metrics } from '../runtime/metrics';
import { inTrace } from '../runtime/tracing';
import type { OrderTrace } from '../workflows/trace';
import { CreditsUnderWay } from './credits-under-way';
import { ExpiryPace } from './expiry-pace';
import { describeFailure } from './relay-failure';
import { type Pause, POLL_MS, RelayLoop } from './relay-loop';
import { RelayWindow } from './relay-window';
import { StartPace, STARTS_EVERY_MS } from './start-pace';
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
/** Rows of money under way. Temporal accepts more, but then has to run their workflows. */
const MONEY = { most: 64, least: 5, slowMs: 200 };
/** All other rows: this many at once while no money is under way, */
const REST = { most: 32, least: 2, slowMs: 60 };
/** and this many while some is, or was within the milliseconds below. No workflow is started while money waits here. */
const REST_BESIDE_MONEY = 1;
const MONEY_RESTS_MS = 1_000;
/**
 * A workflow that has nothing to do yet is started when its row is as old as this: an order that is paid before needs one
 * call to Temporal instead of two, and one that waits minutes for its payer loses nothing.
 */
const STARTS_AFTER_MS = 2_000;
/**
 * While no more credits may be under way: how many rows of other merchants' money, and how many payouts, are still
 * sent, and how often.
 */
const PASSES = { rows: 5, everyMs: 200 };
/**
 * If more orders than this are expiring, money must overtake them in Temporal's queue. Below: how often they are
 * counted.
 */
const OVERTAKES = 10;
const COUNTED_EVERY_MS = 250;
/** While more is due than may be under way, rows of money are claimed so many at once: a claim reads all that wait. */
const CLAIM_AT_LEAST = 5;
/** Rows claimed at once: a slow one delays the deletion of at most this many. */
const BATCH = 25;
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
      () => (this.backlog ? BETWEEN_LOOKS_MS.eventsBehindMoney : BETWEEN_LOOKS_MS.events),
    ),
  };
  private readonly listener: WorkListener;
  private running: Promise<void> | undefined;
  private readonly money = new RelayWindow(MONEY);
  private readonly rest = new RelayWindow(REST);
  private readonly pace = new ExpiryPace();
  private readonly startPace = new StartPace();
  private readonly credits: CreditsUnderWay;
  private readonly numbered = { events: 0n, alerts: 0n, transfers: 0n };
  /** Whether more money was due at the last look than it claimed. */
  private backlog = false;
  private moneySeenAt = -Infinity;
  private moneyWaitedAt = -Infinity;
  private passedAt = -Infinity;
  private expiring: { at: number; queued: number } = { at: -Infinity, queued: 0 };

  constructor(private readonly deps: RelayDeps) {
    this.listener = new WorkListener(deps);
    this.credits = new CreditsUnderWay(
      async (orderNos) => await findUncredited(deps.database, orderNos),
    );
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
    return [...this.money.deliveries, ...this.rest.deliveries];
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
    const { money, rest, credits, startPace } = this;
    const now = performance.now();
    const few = await credits.free();
    const passes = few === 0 && now - this.passedAt >= PASSES.everyMs;
    if (passes) this.passedAt = now;
    if (few === 0 || money.free() === 0) this.moneyWaitedAt = now;
    if (this.backlog && !passes && Math.min(few, money.free()) < CLAIM_AT_LEAST) return 'HELD_BACK';
    const alone = now - this.moneySeenAt > MONEY_RESTS_MS;
    // An order whose money waits is started by that row: a start of its own would be a second call.
    const moneyWaits = now - this.moneyWaitedAt <= MONEY_RESTS_MS;
    const startsRest = !alone && startPace.rests();
    const limits = {
      money: Math.min(BATCH, money.free(), passes ? PASSES.rows : few),
      heldBack: passes ? credits.merchants : [],
      rest: Math.min(BATCH, rest.free(alone ? REST.most : REST_BESIDE_MONEY)),
      starts: !moneyWaits && !startsRest,
      startsAfterMs: STARTS_AFTER_MS,
    };
    if (limits.money + limits.rest === 0) return 'HELD_BACK';
    const claimedAt = await this.deps.clock();
    const rows = await this.claim(limits, claimedAt);
    if (rows.some((row) => this.windowOf(row) === money)) this.moneySeenAt = performance.now();
    const start = rows.find(({ rank }) => rank === OUTBOX_RANK.start);
    if (start) startPace.started(claimedAt.getTime() - start.createdAt.getTime());
    credits.add(rows);
    for (const window of [money, rest]) {
      const own = rows.filter((row) => this.windowOf(row) === window);
      window.send(
        own,
        async () =>
          await this.survive(async () => {
            // An unavailable server gets a pause before the next rows.
            if (await this.deliver(own, window)) await sleep(SERVER_PAUSE_MS);
          }, undefined),
      );
    }
    const isMoney = (row: db.OutboxRow) => this.windowOf(row) === money;
    const moneyFull = rows.filter(isMoney).length === limits.money;
    this.backlog = moneyFull || passes;
    const restFull = rows.filter((row) => !isMoney(row)).length === limits.rest;
    const nextRests = !alone && startPace.rests();
    const moreRest = restFull && !(start && nextRests);
    if (rows.length > 0 && (moneyFull || moreRest)) return 'NONE';
    // What the limits held back is due already.
    const heldBack = few === 0 || limits.money === 0 || limits.rest === 0 || moneyWaits;
    if (heldBack) return 'HELD_BACK';
    // Money that arrives meanwhile is looked for at once.
    if (startsRest || nextRests) return { atMostMs: STARTS_EVERY_MS };
    return this.untilHint(credits.merchants.length > 0 ? CREDITS_POLL_MS : IDLE_POLL_MS.rows);
  }

  private windowOf({ rank }: db.OutboxRow): RelayWindow {
    return rank === OUTBOX_RANK.money ? this.money : this.rest;
  }

  /**
   * Handles all due rows and all unnumbered events once.
   * @returns whether there were any
   */
  async once(): Promise<boolean> {
    const limits = { money: MONEY.most, rest: MONEY.most, starts: true };
    const rows = await this.claim(limits, await this.deps.clock());
    for (const window of [this.money, this.rest])
      await this.deliver(
        rows.filter((row) => this.windowOf(row) === window),
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
      const overtakes =
        row.rank === OUTBOX_RANK.money && (await this.countExpiring(now)) > OVERTAKES;
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
