/** In each slot, one order of a relay ends its delay; milliseconds. More would delay credits that arrive meanwhile. */
const SLOT_MS = 50;
/** No delay ends later than this after its order's expiry, in slots. Beyond it orders share slots. */
const LATEST_SLOTS = 1_000;

const slotOf = (at: Date): number => Math.floor(at.getTime() / SLOT_MS);

/**
 * Spreads the expiries of orders that were created in a burst. A single order expires at its time; many that would
 * expire together do so 20 a second. Each relay keeps its own slots in memory: after a restart it begins with none, and
 * the delays that it gave stay in Temporal.
 */
export class ExpiryPace {
  /** The slots in use. */
  private readonly taken = new Set<number>();
  /** Slots of the orders whose delay ends after their expiry. */
  private heldBack: { readonly expires: number; readonly ends: number }[] = [];
  private overflow = 0;
  private forgotten = 0;

  /** When the delay of an order that expires at `expireAt` ends: then, or up to 50 s later; from now on if that has passed. */
  endOf(expireAt: Date, now: Date): Date {
    this.forget(slotOf(now));
    const expires = Math.max(slotOf(expireAt), slotOf(now));
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

  /** Deletes past slots from time to time. */
  private forget(slot: number): void {
    if (slot < this.forgotten + LATEST_SLOTS) return;
    this.forgotten = slot;
    for (const taken of this.taken) if (taken < slot) this.taken.delete(taken);
    this.heldBack = this.heldBack.filter(({ ends }) => ends >= slot);
  }
}
