import { Client } from 'undici';
import type { TargetPolicy } from '../../domain/callback-target';
import { type ConnectorOptions, guardedConnector } from './guarded-connector';

/** Idle connections kept for one origin under one policy. The worker's slots limit those in use. */
const MAX_IDLE = 32;

/**
 * Shorter than the idle limits of common servers, the shortest of which is 2 s: a request must not race the server's
 * close.
 */
const IDLE_MS = 1_500;

/** A busy connection ends after this many requests, so that a changed DNS answer is seen. */
const MAX_REQUESTS = 100;

/** One socket to one origin, used by one attempt at a time. */
export class Connection {
  readonly client: Client;
  readonly #life = new AbortController();

  constructor(
    readonly key: string,
    origin: string,
    policy: Omit<TargetPolicy, 'allowedHosts'>,
    options: ConnectorOptions,
  ) {
    this.client = new Client(origin, {
      connect: guardedConnector(
        { ...options, verifyTls: options.verifyTls && policy.verifyTls !== false },
        policy,
        this.#life.signal,
      ),
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      maxRequestsPerClient: MAX_REQUESTS,
      // The attempt's own deadline is the only timeout.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Ends the socket at once, even while it is still connecting. */
  end(): void {
    void this.client.destroy();
    this.#life.abort();
  }
}

/**
 * Connections kept alive between attempts. The policy is part of the key: a connection opened under a looser policy is
 * never reused under a stricter one. undici's own Pool cannot end the socket that an abandoned attempt is still
 * connecting.
 */
export class Connections {
  readonly #open = new Set<Connection>();
  readonly #idle = new Map<string, Connection[]>();
  #closed = false;

  constructor(private readonly options: ConnectorOptions) {}

  /** Connections in use or idle. */
  get size(): number {
    return this.#open.size;
  }

  take(origin: string, policy: Omit<TargetPolicy, 'allowedHosts'>): Connection {
    if (this.#closed) throw new Error('the callback sender is closed');
    const trust = policy.verifyTls === false ? 'any certificate' : 'verified';
    const key = `${policy.allowInsecure ? 'insecure' : 'strict'} ${trust} ${origin}`;
    // The newest, because the older ones end sooner.
    const idle = this.#idle.get(key)?.at(-1);
    if (idle !== undefined) {
      this.#takeFromIdle(idle);
      return idle;
    }
    const connection = new Connection(key, origin, policy, this.options);
    this.#open.add(connection);
    connection.client.on('disconnect', () => {
      if (this.#takeFromIdle(connection)) this.end(connection);
    });
    return connection;
  }

  /** Returns a connection after an answer that ended cleanly. */
  giveBack(connection: Connection): void {
    const idle = this.#idle.get(connection.key) ?? [];
    if (this.#closed || idle.length >= MAX_IDLE || !connection.client.stats.connected) {
      this.end(connection);
      return;
    }
    this.#idle.set(connection.key, [...idle, connection]);
  }

  /** Ends a connection after anything else: bytes left on the socket would corrupt the next attempt. */
  end(connection: Connection): void {
    this.#open.delete(connection);
    connection.end();
  }

  /** Ends every socket; attempts in flight reject. */
  close(): void {
    this.#closed = true;
    this.#idle.clear();
    for (const connection of this.#open) this.end(connection);
  }

  /** @returns whether it was idle */
  #takeFromIdle(connection: Connection): boolean {
    const idle = this.#idle.get(connection.key) ?? [];
    if (!idle.includes(connection)) return false;
    const others = idle.filter((other) => other !== connection);
    if (others.length === 0) this.#idle.delete(connection.key);
    else this.#idle.set(connection.key, others);
    return true;
  }
}
