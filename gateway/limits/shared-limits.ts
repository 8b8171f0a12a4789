import { Buckets } from './buckets';
import { Counts } from './counts';
import type { LimitAnswer, LimitNotice, LimitQuestion } from './questions';

const keyOf = ({ name, caller }: { readonly name: string; readonly caller: string }): string => `${name} ${caller}`;

/** What the processes of one gateway may do together, in their parent. */
export class SharedLimits {
  readonly #buckets = new Map<string, Buckets>();
  /** Places taken: by all, and by each process. */
  readonly #taken = new Counts();
  readonly #takenBy = new Map<number, Counts>();

  /**
   * @param asker the process, by its id
   * @param now milliseconds, of a monotonic clock
   */
  answer(asker: number, question: LimitQuestion, now: number): LimitAnswer {
    if (question.kind === 'draw') {
      const { name, allowance, caller, need, spare } = question;
      const buckets = this.#buckets.get(name) ?? new Buckets(allowance);
      this.#buckets.set(name, buckets);
      return buckets.draw(caller, need, spare, now);
    }
    const left = question.most - this.#taken.of(keyOf(question));
    if (left <= 0) return { drawn: 0, left: 0 };
    this.#count(asker, keyOf(question), 1);
    return { drawn: 1, left: left - 1 };
  }

  note(teller: number, notice: LimitNotice, now: number): void {
    if (notice.kind === 'unused') this.#buckets.get(notice.name)?.giveBack(notice.caller, notice.tokens, now);
    else this.#count(teller, keyOf(notice), -1);
  }

  /** A process has ended, and its sockets with it. Tokens that it had drawn count as used. */
  forget(ended: number): void {
    const own = this.#takenBy.get(ended);
    if (!own) return;
    for (const key of [...own.names]) while (own.of(key) > 0) this.#count(ended, key, -1);
    this.#takenBy.delete(ended);
  }

  #count(of: number, key: string, by: 1 | -1): void {
    const own = this.#takenBy.get(of) ?? new Counts();
    this.#takenBy.set(of, own);
    own.add(key, by);
    this.#taken.add(key, by);
  }
}
