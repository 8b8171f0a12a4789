import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/client';
import { listenForWork } from '../db/events/work';
import type { Logger } from '../runtime/log';

/** Pause after PostgreSQL did not answer. */
const DATABASE_DOWN_MS = 1_000;

/** Hears what other processes tell the relays. */
export class WorkListener {
  private stopping = false;
  private hears = false;

  constructor(private readonly deps: { readonly database: Database; readonly log: Logger }) {}

  /** False until the connection stands, and behind a pooler for ever: then the relay must look often. */
  get listening(): boolean {
    return this.hears;
  }

  /** @param onWork called for each hint, and whenever the connection begins again */
  async start(onWork: () => void): Promise<void> {
    const { database, log } = this.deps;
    while (!this.stopping)
      try {
        this.hears = await listenForWork(database, onWork);
        return;
      } catch (error) {
        log.warn({ err: error }, 'relay cannot listen for work');
        await sleep(DATABASE_DOWN_MS);
      }
  }

  stop(): void {
    this.stopping = true;
  }
}
