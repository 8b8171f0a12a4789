import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/client';
import { tellRelays } from '../db/events/work';
import type { Logger } from '../runtime/log';

/** The least time between two hints of a process, milliseconds: a busy one costs no more than a relay that polled. */
const EVERY_MS = 25;

/** What the hints of a process stand on. */
interface RelayHintsDeps {
  readonly database: Database;
  readonly log: Logger;
}

/** Tells relays that this process has committed something: at once, and then at most once in 25 ms. */
export class RelayHints {
  private telling = false;
  private again = false;

  constructor(private readonly deps: RelayHintsDeps) {}

  /** What was committed before this call is known to the relays soon. Never throws. */
  tell(): void {
    // Behind a pooler no relay receives it, and each polls.
    if (this.deps.database.pooler) return;
    this.again = true;
    if (!this.telling) void this.run();
  }

  private async run(): Promise<void> {
    const { database, log } = this.deps;
    this.telling = true;
    while (this.again) {
      this.again = false;
      try {
        await tellRelays(database);
      } catch (error) {
        // Relays look by themselves, too.
        log.debug({ err: error }, 'relays got no hint');
      }
      await sleep(EVERY_MS);
    }
    this.telling = false;
  }
}
