import { setTimeout as sleep } from 'node:timers/promises';

const SHORTEST_MS = 200;
const LONGEST_MS = 2_000;

/** A client's pauses between attempts, each a little longer than the previous one. */
export class Patience {
  private pauseMs = SHORTEST_MS;
  private readonly deadline: number;

  /** @param forMs after this it gives up */
  constructor(forMs: number) {
    this.deadline = Date.now() + forMs;
  }

  get isOver(): boolean {
    return Date.now() > this.deadline;
  }

  async pause(): Promise<void> {
    await sleep(this.pauseMs);
    this.pauseMs = Math.min(this.pauseMs * 1.5, LONGEST_MS);
  }
}
