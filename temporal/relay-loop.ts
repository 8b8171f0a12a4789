import { setTimeout as sleep } from 'node:timers/promises';
import { News } from './news';

/**
 * What follows a look: another one at once, one as soon as something under way has ended or a moment has passed (what is
 * due is held back), or one after a hint, at the latest after these milliseconds.
 */
export type Pause = 'NONE' | 'HELD_BACK' | { readonly atMostMs: number };

/** Pause after a look while due rows are held back. */
export const POLL_MS = 50;

/** Looks for work again and again: after a hint, or by itself. */
export class RelayLoop {
  private readonly news = new News();
  private stopping = false;

  /**
   * @param leastMs between the beginnings of two looks that hints cause, now
   * @param underWay what ends a wait for rows that are held back
   */
  constructor(
    private readonly look: () => Promise<Pause>,
    private readonly leastMs: () => number,
    private readonly underWay: () => readonly Promise<unknown>[] = () => [],
  ) {}

  /** There may be something to find. */
  tell(): void {
    this.news.tell();
  }

  stop(): void {
    this.stopping = true;
    this.tell();
  }

  async run(): Promise<void> {
    while (!this.stopping) {
      const began = performance.now();
      this.news.lookingNow();
      const pause = await this.look();
      if (pause === 'HELD_BACK') await Promise.race([sleep(POLL_MS), ...this.underWay()]);
      else if (pause !== 'NONE') {
        await this.news.within(pause.atMostMs);
        const rest = began + this.leastMs() - performance.now();
        if (rest > 0) await sleep(rest);
      }
    }
  }
}
