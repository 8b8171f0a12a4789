import type { Database } from '../../db/client';
import { findOperatorsBySessions } from '../../db/operators/sessions';
import type { Logger } from '../../runtime/log';
import type { Actor } from '../../steps/access/actor';
import { ownerOfApiToken } from '../../steps/access/api-token-owner';
import { viewOf } from '../access/authorization';

/** An ended login is noticed after this at the latest, milliseconds, and before anything more is streamed to it. */
const LOOK_EVERY_MS = 5_000;

/** A login behind one of this process's sockets. */
interface Watched {
  readonly tokenHash: string;
  readonly via: 'session' | 'token';
  /** What it may see, as of its connection. */
  readonly view: string;
  readonly onEnd: () => void;
}

/**
 * The logins behind this process's sockets. Before events are delivered, one statement reads which of them are still
 * live and what they may see; a login that may see less now gets no later event.
 */
export class LiveLogins {
  private readonly watched = new Map<string, Set<Watched>>();
  private looking: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private next: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: () => Date,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.looking = setInterval(() => {
      this.check().catch((error: unknown) => {
        this.log.error({ err: error }, 'which logins have ended cannot be read');
      });
    }, LOOK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.looking);
  }

  /** How many sockets a login has. */
  socketsOf(tokenHash: string): number {
    return this.watched.get(tokenHash)?.size ?? 0;
  }

  /**
   * Calls back once the login has ended, or what it may see has changed.
   * @returns to be called when it is no longer needed
   */
  watch({ tokenHash, via, operator }: Extract<Actor, { kind: 'operator' }>, onEnd: () => void): () => void {
    const one: Watched = { tokenHash, via, view: viewOf(operator).key, onEnd };
    const same = this.watched.get(tokenHash) ?? new Set();
    this.watched.set(tokenHash, same.add(one));
    return () => {
      same.delete(one);
      if (same.size === 0 && this.watched.get(tokenHash) === same) this.watched.delete(tokenHash);
    };
  }

  /** Ends subscriptions of ended logins. A check already running does not count. */
  async check(): Promise<void> {
    if (this.running) {
      const after = this.running.catch(() => undefined);
      this.next ??= after.then(async () => {
        this.next = undefined;
        await this.check();
      });
      await this.next;
      return;
    }
    this.running = this.look().finally(() => {
      this.running = undefined;
    });
    await this.running;
  }

  private async look(): Promise<void> {
    const asked = [...this.watched].flatMap(([, same]) => [...same]);
    if (asked.length === 0) return;
    const hashesOf = (kind: Watched['via']): string[] => [
      ...new Set(asked.filter(({ via }) => via === kind).map(({ tokenHash }) => tokenHash)),
    ];
    const now = this.clock();
    const live = new Map(await findOperatorsBySessions(this.database, hashesOf('session'), now));
    for (const hash of hashesOf('token')) {
      const owner = await ownerOfApiToken(this.database, [hash], null, now);
      if (owner) live.set(hash, owner.operator);
    }
    const views = new Map([...live].map(([hash, operator]) => [hash, viewOf(operator).key]));
    for (const one of asked) {
      if (views.get(one.tokenHash) === one.view) continue;
      this.watched.get(one.tokenHash)?.delete(one);
      one.onEnd();
    }
  }
}
