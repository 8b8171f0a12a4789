import type { Allowance } from './buckets';
import type { Rate } from './limits';
import type { LimitLine } from './questions';

/** Tokens that a process draws beyond its need, at most: so a busy caller costs one question in so many requests. */
const MOST_SPARE = 64;
/** Spare tokens are at most this part of a burst: what one process has, others lack. */
const SPARE_PART = 64;
/** After this without a request of the caller its unused tokens return to the parent, milliseconds. */
const KEPT_MS = 1_000;

/** What this process has of a caller's tokens. */
interface Held {
  tokens: number;
  at: number;
  /** Requests that wait for the parent's answer, in their order. */
  readonly waiting: { readonly weight: number; readonly answer: (waitMs: number) => void }[];
}

/**
 * The rate of callers over all processes of a gateway. Tokens come from the parent's buckets, so that all processes
 * together never admit more than one bucket has. Each may hold up to `spare` tokens of a caller for a second that the
 * others then lack.
 */
export class DrawnRate implements Rate {
  readonly #held = new Map<string, Held>();
  readonly spare: number;

  constructor(
    private readonly name: string,
    private readonly allowance: Allowance,
    private readonly line: LimitLine,
  ) {
    this.spare = Math.min(MOST_SPARE, Math.floor(allowance.atOnce / SPARE_PART));
  }

  take(caller: string, weight: number, now: number): number | Promise<number> {
    const held = this.#held.get(caller) ?? { tokens: 0, at: now, waiting: [] };
    this.#held.set(caller, held);
    held.at = now;
    if (held.waiting.length === 0 && held.tokens >= weight) {
      held.tokens -= weight;
      return 0;
    }
    return new Promise((answer, reject) => {
      held.waiting.push({ weight, answer });
      if (held.waiting.length === 1) this.#draw(caller, held).catch(reject);
    });
  }

  /** Returns unused tokens of callers without a request for a second to the parent. */
  giveBack(now: number): void {
    for (const [caller, { tokens, at, waiting }] of this.#held) {
      if (waiting.length > 0 || now - at < KEPT_MS) continue;
      this.#held.delete(caller);
      if (tokens > 0) this.line.tell({ kind: 'unused', name: this.name, caller, tokens });
    }
  }

  /** Asks for those that wait, all at once, until none waits. */
  async #draw(caller: string, held: Held): Promise<void> {
    const { name, allowance, spare } = this;
    while (held.waiting.length > 0) {
      const asked = held.waiting.length;
      const need = held.waiting.reduce((sum, { weight }) => sum + weight, 0) - held.tokens;
      const { drawn, left } = await this.line.ask({
        kind: 'draw',
        name,
        allowance,
        caller,
        need: Math.max(0, need),
        spare,
      });
      held.tokens += drawn;
      for (const { weight, answer } of held.waiting.splice(0, asked)) {
        const missing = weight - held.tokens;
        if (missing <= 0) held.tokens -= weight;
        answer(missing <= 0 ? 0 : ((missing - left) / allowance.perSecond) * 1000);
      }
    }
  }
}
