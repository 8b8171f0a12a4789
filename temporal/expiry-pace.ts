/** So many orders of one relay end their delay in one second: more would hold up money that comes meanwhile. */
const PER_SECOND = 25;
/** None ends its delay later than this after its expiry, seconds. Beyond it there are more in a second. */
const LATEST_SECONDS = 45;

const secondOf = (at: Date): number => Math.floor(at.getTime() / 1000);

/**
 * Spreads the expiries of orders that were made in a burst. An order alone expires at its time; of many that expire in
 * one second, the later ones get seconds of their own. One relay's memory is enough: a restart begins with an empty one,
 * and what it had given out stays in Temporal.
 */
export class ExpiryPace {
  /** How many delays end in each second. */
  private readonly ends = new Map<number, number>();
  /** Those that end later than their order expires, in seconds. */
  private heldBack: { readonly expires: number; readonly ends: number }[] = [];
  private overflow = 0;
  private forgotten = 0;

  /** When the delay of an order ends that expires at `expireAt`: then, or up to 45 s later. */
  endOf(expireAt: Date, now: Date): Date {
    this.forget(secondOf(now));
    const expires = secondOf(expireAt);
    const ends = this.freeSecond(expires);
    this.ends.set(ends, (this.ends.get(ends) ?? 0) + 1);
    if (ends > expires) this.heldBack.push({ expires, ends });
    return new Date(expireAt.getTime() + (ends - expires) * 1000);
  }

  /** How many orders are past their expiry and still delayed: none of them waits in a queue. */
  countHeldBack(now: Date): number {
    const second = secondOf(now);
    return this.heldBack.filter(({ expires, ends }) => expires <= second && ends > second).length;
  }

  private freeSecond(expires: number): number {
    for (let late = 0; late < LATEST_SECONDS; late++)
      if ((this.ends.get(expires + late) ?? 0) < PER_SECOND) return expires + late;
    return expires + (this.overflow++ % LATEST_SECONDS);
  }

  /** Drops what is over, once in a second. */
  private forget(second: number): void {
    if (second <= this.forgotten) return;
    this.forgotten = second;
    for (const ended of this.ends.keys()) if (ended < second) this.ends.delete(ended);
    this.heldBack = this.heldBack.filter(({ ends }) => ends >= second);
  }
}
