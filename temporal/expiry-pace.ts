/** One order of a relay ends its delay in each slot: more would hold up money that comes meanwhile. */
const SLOT_MS = 50;
/** None ends its delay later than this after its expiry, slots. Beyond it they share slots. */
const LATEST_SLOTS = 1_000;

const slotOf = (at: Date): number => Math.floor(at.getTime() / SLOT_MS);

/**
 * Spreads the expiries of orders that were made in a burst. An order alone expires at its time; many that would expire
 * together do so 20 a second. One relay's memory is enough: a restart begins with an empty one, and what it had given
 * out stays in Temporal.
 */
export class ExpiryPace {
  /** The slots that are taken. */
  private readonly taken = new Set<number>();
  /** Orders whose delay ends later than they expire, by their slots. */
  private heldBack: { readonly expires: number; readonly ends: number }[] = [];
  private overflow = 0;
  private forgotten = 0;

  /** When the delay of an order ends that expires at `expireAt`: then, or up to 50 s later. */
  endOf(expireAt: Date, now: Date): Date {
    this.forget(slotOf(now));
    const expires = slotOf(expireAt);
    const ends = this.freeSlot(expires);
    if (ends === expires) return expireAt;
    this.heldBack.push({ expires, ends });
    return new Date(ends * SLOT_MS);
  }

  /** How many orders are past their expiry and still delayed: none of them waits in a queue. */
  countHeldBack(now: Date): number {
    const slot = slotOf(now);
    return this.heldBack.filter(({ expires, ends }) => expires <= slot && ends > slot).length;
  }

  private freeSlot(expires: number): number {
    for (let slot = expires; slot < expires + LATEST_SLOTS; slot++)
      if (!this.taken.has(slot)) {
        this.taken.add(slot);
        return slot;
      }
    return expires + (this.overflow++ % LATEST_SLOTS);
  }

  /** Drops what is over, once in a while. */
  private forget(slot: number): void {
    if (slot < this.forgotten + LATEST_SLOTS) return;
    this.forgotten = slot;
    for (const taken of this.taken) if (taken < slot) this.taken.delete(taken);
    this.heldBack = this.heldBack.filter(({ ends }) => ends >= slot);
  }
}
