import { RECEIVED_REFUSALS } from './received-limits';
import { ACCOUNT_HEALTH_REFUSALS, CHANNEL_HEALTH_REFUSALS } from './health';

/*
 * How accounts and channels stood during a day that is replayed.
 */

/** What an order found: where it went, and what refused it, by id. */
export interface FoundWay {
  readonly went: string | null;
  readonly refused: ReadonlyMap<string, string>;
}

/** A change of the health of an account or a channel. */
export interface HealthNote {
  readonly id: string;
  /** What changed: several causes may pass it over at once. */
  readonly cause: string;
  /** Why it is passed over from then on; null: not for this cause. */
  readonly refusal: string | null;
  readonly at: Date;
}

/** Refusals that the replay finds by itself, because they depend on where other orders went. */
const REPLAYED: ReadonlySet<string> = new Set([
  ...RECEIVED_REFUSALS.filter((reason) => reason !== 'BALANCE_LIMIT'),
  'TOO_MANY_OPEN',
]);
/** Refusals that follow from the settings of today. Every other one says how something stood at that moment. */
const SETTINGS: ReadonlySet<string> = new Set([
  ...['NOT_IN_POOL', 'BELOW_MINIMUM', 'ABOVE_MAXIMUM', 'OTHER_CURRENCY', 'OTHER_WALLET'],
  ...['OF_AN_ACCOUNT', 'NOT_ITS_AMOUNT', 'BANK_NOT_SERVED', 'NO_FLOAT_SPACE', 'ACCOUNT_CHANGED'],
  ...['TRIED_BEFORE', 'LOW_BALANCE'],
]);

/** What an order without a rule finds of others' pools: a rule may name what is in them. */
const OF_POOLS = 'NOT_IN_POOL';

/** Refusals by health, of which each change is recorded. */
const HEALTH: ReadonlySet<string> = new Set([...ACCOUNT_HEALTH_REFUSALS, ...CHANNEL_HEALTH_REFUSALS, 'DOWN']);

/** How accounts and channels stood: their health as it was recorded, and all else as orders found it. */
export class Standing {
  private readonly found = new Map<string, string | null>();
  private readonly health = new Map<string, Map<string, string | null>>();

  /** Notes a change of health. */
  change({ id, cause, refusal }: HealthNote): void {
    const causes = this.health.get(id) ?? new Map<string, string | null>();
    this.health.set(id, causes.set(cause, refusal));
  }

  /** Notes what an order shows of it. */
  note({ went, refused }: FoundWay): void {
    for (const [id, reason] of refused)
      if (!REPLAYED.has(reason) && !SETTINGS.has(reason) && !HEALTH.has(reason)) this.found.set(id, reason);
    if (went !== null) this.found.set(went, null);
  }

  /**
   * Why a candidate does not take an order, without the refusals that the replay finds itself. Taken from the order's own
   * routing, else from that of earlier orders, else from its settings now; its health is the recorded one.
   * @param setUp why its settings now refuse the order
   */
  refusalOf(id: string, setUp: string | null, { went, refused }: FoundWay): string | null {
    if (id === went) return null;
    const own = refused.get(id);
    if (own !== undefined && own !== OF_POOLS && !REPLAYED.has(own)) return own;
    if (setUp !== null && SETTINGS.has(setUp)) return setUp;
    const found = this.found.get(id);
    const standing = found === undefined ? setUp : found;
    if (standing !== null && !HEALTH.has(standing)) return standing;
    for (const reason of this.health.get(id)?.values() ?? []) if (reason !== null) return reason;
    return null;
  }
}
