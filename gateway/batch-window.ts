import { setTimeout as sleep } from 'node:timers/promises';

/** How long requests are gathered, milliseconds. */
export const WINDOW_MS = 250;

/**
 * Lets creates and bank reports in together while credits are late. Their statements then serve many of them (Batcher),
 * and what PostgreSQL and the gateway save is left to the credits. Otherwise each enters at once.
 */
export class BatchWindow {
  private open: Promise<void> | undefined;

  constructor(private readonly areCreditsLate: () => boolean) {}

  /** Resolves for all requests of a window at its end. */
  async enter(): Promise<void> {
    if (!this.areCreditsLate()) return;
    this.open ??= sleep(WINDOW_MS).then(() => {
      this.open = undefined;
    });
    await this.open;
  }
}
