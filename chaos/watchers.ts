import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import WebSocket from 'ws';
import { operationText } from '../local/operator-client';
import { Gateways } from './gateways';
import { until } from './until';

const EVERY_MS = 200;
const AGAIN_AFTER_MS = 100;
const SEEN_WITHIN_MS = 30_000;
/** A server that goes away in order (RFC 6455). */
const GOING_AWAY = 1001;

const FOLLOW = 'subscription Follow($after: Sequence) { ordersChanged(afterSeq: $after) { seq } }';

interface Message {
  readonly type: string;
  readonly payload?: { readonly data?: { readonly ordersChanged?: { readonly seq: string } } };
}

/**
 * Two operators at the graph: one reads the list of deposits again and again, the other follows every event of orders
 * over a WebSocket, and continues after the last one that it has seen wherever it is sent next.
 */
export class Watchers {
  /** Every answer to the one who reads. */
  readonly graph: Gateways;
  /** Why sockets were closed. */
  readonly closings: number[] = [];
  /** Numbers of events, as they came. */
  private readonly seen: bigint[] = [];
  /** Lists that were answered without a list. */
  failed = 0;
  private first: bigint | null = null;
  private token = '';
  private stopped = false;
  private socket: WebSocket | undefined;
  private watching: Promise<unknown> | undefined;

  constructor(
    graphqlUrl: string,
    private readonly databaseUrl: string,
  ) {
    this.graph = new Gateways([new URL(graphqlUrl).origin]);
    this.address = graphqlUrl.replace('http', 'ws');
  }

  private readonly address: string;

  async login(login: string, password: string): Promise<void> {
    const data = await this.ask('Login', { login, password });
    this.token = (data?.['login'] as { token: string }).token;
  }

  /** Reads and follows until `stop`. */
  async watch(): Promise<void> {
    const data = await this.ask('LastSeqs', {});
    this.first = BigInt(String(data?.['lastEventSeq']));
    this.watching = Promise.all([this.read(), this.follow()]);
    await this.watching;
  }

  /** Waits until the follower has seen what there is. @returns what it missed, or saw twice */
  async stop(): Promise<string[]> {
    const sql = postgres(this.databaseUrl, { max: 1 });
    try {
      const rows = await sql<{ seq: string }[]>`
        select seq::text from order_events where seq > ${String(this.first)}::bigint order by seq`;
      const due = rows.map(({ seq }) => BigInt(seq));
      const last = due.at(-1) ?? 0n;
      await until(() => (this.seen.at(-1) ?? 0n) >= last, SEEN_WITHIN_MS);
      const seen = new Set(this.seen);
      const missed = due.filter((seq) => !seen.has(seq));
      const twice = this.seen.length - seen.size;
      return [
        ...(missed.length > 0 ? [`a subscriber missed ${missed.length} events`] : []),
        ...(twice > 0 ? [`a subscriber saw ${twice} events twice`] : []),
        ...(due.length === 0 ? ['nothing happened that a subscriber could follow'] : []),
      ];
    } finally {
      this.stopped = true;
      this.socket?.terminate();
      // Its last request is answered before its connections are closed, so that it does not count as cut.
      await this.watching;
      await sql.end();
      await this.graph.close();
    }
  }

  /** How often a socket was closed in another way than that of a server that goes away. */
  get cutSockets(): number {
    return this.closings.filter((code) => code !== GOING_AWAY).length;
  }

  private async read(): Promise<void> {
    while (!this.isStopped()) {
      const data = await this.ask('Deposits', { first: 20 });
      if (!this.isStopped() && (data?.['deposits'] ?? null) === null) this.failed += 1;
      await sleep(EVERY_MS);
    }
  }

  private async follow(): Promise<void> {
    while (!this.isStopped()) {
      const socket = new WebSocket(this.address, 'graphql-transport-ws');
      this.socket = socket;
      // A connection that fails is closed next, with 1006. (`once` would reject at the error.)
      socket.on('error', () => undefined);
      const closed = new Promise<number>((resolve) => socket.on('close', resolve));
      socket.on('open', () => {
        this.send(socket, 'connection_init', { authorization: `Bearer ${this.token}` });
      });
      socket.on('message', (bytes: Buffer) => {
        this.hear(socket, JSON.parse(bytes.toString()) as Message);
      });
      const code = await closed;
      if (this.isStopped()) return;
      this.closings.push(code);
      await sleep(AGAIN_AFTER_MS);
    }
  }

  private hear(socket: WebSocket, { type, payload }: Message): void {
    const after = String(this.seen.at(-1) ?? this.first);
    if (type === 'connection_ack') this.send(socket, 'subscribe', { query: FOLLOW, variables: { after } }, 'all');
    else if (type === 'ping') this.send(socket, 'pong');
    const seq = payload?.data?.ordersChanged?.seq;
    if (seq !== undefined) this.seen.push(BigInt(seq));
  }

  private send(socket: WebSocket, type: string, payload?: object, id?: string): void {
    socket.send(JSON.stringify({ id, type, payload }));
  }

  private async ask(operationName: string, variables: object): Promise<Readonly<Record<string, unknown>> | null> {
    const authorization: Record<string, string> = this.token === '' ? {} : { authorization: `Bearer ${this.token}` };
    const body = { query: operationText(operationName), operationName, variables };
    const { data } = await this.graph.ask('POST', '/graphql', authorization, JSON.stringify(body));
    return data;
  }

  /** Read again after a wait: another step may have set it. */
  private isStopped(): boolean {
    return this.stopped;
  }
}
