import type { ClaimLimits, OutboxRow } from '../db/events/outbox';
import { OUTBOX_RANK } from '../domain/outbox';
import type { CreditsUnderWay } from './credits-under-way';
import type { Pause } from './relay-loop';
import { RelayWindow } from './relay-window';
import { StartPace, STARTS_EVERY_MS } from './start-pace';

/** Rows of money under way. Temporal accepts more, but then has to run their workflows. */
const MONEY = { most: 64, least: 5, slowMs: 200 };
/** All other rows: this many at once while no money is under way, */
const REST = { most: 32, least: 2, slowMs: 60 };
/** and this many while some is, or was within the milliseconds below. No workflow is started while money waits here. */
const REST_BESIDE_MONEY = 1;
const MONEY_RESTS_MS = 1_000;
/** Rows claimed at once: a slow one delays the deletion of at most this many. */
const BATCH = 25;
/** While more is due than may be under way, rows of money are claimed so many at once: a claim reads all that wait. */
const CLAIM_AT_LEAST = 5;
/**
 * While no more credits may be under way: how many rows of other merchants' money, and how many payouts, are still
 * sent, and how often.
 */
const PASSES = { rows: 5, everyMs: 200 };
/**
 * A workflow that has nothing to do yet is started when its row is as old as this: an order that is paid before needs one
 * call to Temporal instead of two, and one that waits minutes for its payer loses nothing.
 */
const STARTS_AFTER_MS = 2_000;

/** What one look at the outbox may claim. */
export interface Look {
  readonly limits: ClaimLimits;
  /** Whether money was claimed within the last second: starts are paced then. */
  readonly besideMoney: boolean;
  /** Whether the pace holds back starts. */
  readonly startsRest: boolean;
  /** Whether these limits hold back what may be due. */
  readonly holdsBack: boolean;
  /** Whether no more credits may go: only payouts, and money of merchants that have no credit under way. */
  readonly passes: boolean;
}

/** Which rows a relay claims: money before all others, and no more than is done in time. */
export class ClaimPolicy {
  private readonly money = new RelayWindow(MONEY);
  private readonly rest = new RelayWindow(REST);
  private readonly startPace: StartPace;
  private moneySeenAt = -Infinity;
  private moneyWaitedAt = -Infinity;
  private passedAt = -Infinity;
  /** Whether more money may be due than the last look claimed. */
  backlog = false;

  /** @param clock milliseconds that only grow */
  constructor(
    private readonly credits: Pick<CreditsUnderWay, 'free' | 'add' | 'merchants'>,
    private readonly clock: () => number = () => performance.now(),
  ) {
    this.startPace = new StartPace(clock);
  }

  /** Money first. */
  get windows(): readonly RelayWindow[] {
    return [this.money, this.rest];
  }

  windowOf({ rank }: OutboxRow): RelayWindow {
    return rank === OUTBOX_RANK.money ? this.money : this.rest;
  }

  /** What may be claimed now; null while nothing may, or too little behind a backlog. */
  async look(): Promise<Look | null> {
    const { money, rest, credits } = this;
    const now = this.clock();
    const few = await credits.free();
    const passes = few === 0 && now - this.passedAt >= PASSES.everyMs;
    if (passes) this.passedAt = now;
    if (few === 0 || money.free() === 0) this.moneyWaitedAt = now;
    if (this.backlog && !passes && Math.min(few, money.free()) < CLAIM_AT_LEAST) return null;
    const besideMoney = now - this.moneySeenAt <= MONEY_RESTS_MS;
    // An order whose money waits is started by that row: a start of its own would be a second call.
    const moneyWaits = now - this.moneyWaitedAt <= MONEY_RESTS_MS;
    const startsRest = besideMoney && this.startPace.rests();
    const limits = {
      money: Math.min(BATCH, money.free(), passes ? PASSES.rows : few),
      heldBack: passes ? credits.merchants : [],
      rest: Math.min(BATCH, rest.free(besideMoney ? REST_BESIDE_MONEY : REST.most)),
      starts: !moneyWaits && !startsRest,
      startsAfterMs: STARTS_AFTER_MS,
    };
    if (limits.money + limits.rest === 0) return null;
    const holdsBack = moneyWaits || limits.rest === 0;
    return { limits, besideMoney, startsRest, holdsBack, passes };
  }

  /**
   * A look has claimed these rows.
   * @returns how soon the next look follows; null: after a hint
   */
  claimed(look: Look, rows: readonly OutboxRow[], claimedAt: Date): Pause | null {
    const ofMoney = rows.filter((row) => this.windowOf(row) === this.money).length;
    if (ofMoney > 0) this.moneySeenAt = this.clock();
    const start = rows.find(({ rank }) => rank === OUTBOX_RANK.start);
    if (start) this.startPace.started(claimedAt.getTime() - start.createdAt.getTime());
    this.credits.add(rows);
    const moneyFull = ofMoney === look.limits.money;
    this.backlog = moneyFull || look.passes;
    const nextRests = look.besideMoney && this.startPace.rests();
    const restFull = rows.length - ofMoney === look.limits.rest;
    const moreRest = restFull && !(start && nextRests);
    if (rows.length > 0 && (moneyFull || moreRest)) return 'NONE';
    // What the limits held back is due already.
    if (look.holdsBack) return 'HELD_BACK';
    // Money that arrives meanwhile is looked for at once.
    return look.startsRest || nextRests ? { atMostMs: STARTS_EVERY_MS } : null;
  }
}
