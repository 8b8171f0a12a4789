import type { Socket } from 'node:net';
import { Client } from 'undici';
import type { TargetPolicy } from '../../domain/callback-target';
import { AnswerHead } from './answer-head';
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

/** Headers of an answer to a notice, bytes: more are not read. */
const NOTICE_HEADERS = 256 * 1024;

/** One socket to one origin, used by one attempt at a time. */
export class Connection {
  readonly client: Client;
  /** Of a connection for notices: what is read of an answer beside the parser. */
  readonly head: AnswerHead | null;
  /** Whether its socket has already served. */
  reused = false;
  readonly #life = new AbortController();

  constructor(
    readonly key: string,
    origin: string,
    policy: Omit<TargetPolicy, 'allowedHosts'>,
    options: ConnectorOptions,
    notices: boolean,
  ) {
    this.head = notices ? new AnswerHead() : null;
    const connect = guardedConnector(
      { ...options, verifyTls: options.verifyTls && policy.verifyTls !== false },
      policy,
      this.#life.signal,
    );
    this.client = new Client(origin, {
      connect: (target, callback) => {
        connect(target, (...[error, socket]) => {
          if (error) {
            callback(error, null);
            return;
          }
          // The client also replaces a socket that closed while it was idle.
          this.reused = false;
          if (this.head) readAlong(socket, this.head);
          callback(null, socket);
        });
      },
      ...(notices && { maxHeaderSize: NOTICE_HEADERS }),
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

/** The parser reads the socket by `read`, and gets what the head passes on. */
function readAlong(socket: Socket, head: AnswerHead): void {
  const read = socket.read.bind(socket) as () => Buffer | null;
  socket.read = () => {
    for (;;) {
      const chunk = read();
      if (chunk === null) return null;
      const passed = head.pass(chunk);
      if (passed.length > 0) return passed;
    }
  };
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

  /** @param use what it is for: notices (CallbackRequest) have their own; `afresh`: no kept one */
  take(
    origin: string,
    policy: Omit<TargetPolicy, 'allowedHosts'>,
    { notices = false, afresh = false } = {},
  ): Connection {
    if (this.#closed) throw new Error('the callback sender is closed');
    const trust = policy.verifyTls === false ? 'any certificate' : 'verified';
    const kind = notices ? 'notices' : 'requests';
    const key = `${kind} ${policy.allowInsecure ? 'insecure' : 'strict'} ${trust} ${origin}`;
    // The newest, because the older ones end sooner.
    const idle = afresh ? undefined : this.#idle.get(key)?.at(-1);
    if (idle !== undefined) {
      this.#takeFromIdle(idle);
      return idle;
    }
    const connection = new Connection(key, origin, policy, this.options, notices);
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
    connection.reused = true;
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
