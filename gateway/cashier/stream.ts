import { parseUrl } from '../../domain/url';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { CatalogueError, type ErrorKind } from '../../domain/errors';
import { networkOf } from '../../domain/lockout';
import type { Logger } from '../../runtime/log';
import { metrics } from '../../runtime/metrics';
import { namesOneHost, NO_ONE_HOST } from '../../runtime/one-host';
import type { AddressOf } from '../../runtime/client-address';
import type { GraphCalls } from '../deps';
import { failure } from '../envelope';
import { type Limits, OWN_LIMITS, type Places } from '../limits/limits';
import { CashierViewDocument } from '../generated/operations';
import { stateOf } from './scene';

/** Sockets of a gateway, of one address, of one link. A payer has a few tabs; an address may be a whole carrier's. */
const MOST = { all: 5_000, address: 2_500, token: 8 };

/** Ping interval, milliseconds; a socket without a pong by the next ping is closed. */
const HEARTBEAT_MS = 25_000;
/** The payer's script sends nothing. */
const MOST_BYTES = 256;
/** WebSocket's "going away": the script reconnects to another process. */
const GOING_AWAY = 1001;
/** How long a closing socket may take to read the close message, milliseconds. */
const LEAVE_WITHIN_MS = 1_000;

/** The operations that a socket needs. */
type StreamGraph = Pick<GraphCalls, 'authenticateCashier' | 'execute' | 'subscribe'>;

/** Answers a request that gets no socket. */
function refuse(socket: Duplex, error: CatalogueError): void {
  const body = JSON.stringify(failure(error));
  socket.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\n` +
      'Content-Type: application/json; charset=utf-8\r\nCache-Control: no-store\r\nConnection: close\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

const refusal = (kind: ErrorKind, message: string): CatalogueError => new CatalogueError(kind, message);

/** Pages of another site get no socket, even with a link. */
function isForeign({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin !== undefined && parseUrl(origin)?.host !== host;
}

/**
 * The payer's WebSocket. It first sends the page's state, so that missed changes are noticed at once, then a message
 * for each change. Messages carry no data: the script fetches the page again (cashier/live.ts), so there is one way to
 * render it.
 */
export class CashierStreams {
  private readonly server = new WebSocketServer({ noServer: true, maxPayload: MOST_BYTES });
  private readonly ofAddress: Places;
  private readonly ofToken: Places;
  /** The sockets of this process. */
  private readonly most: number;
  private readonly silent = new Set<WebSocket>();
  private readonly heartbeat: NodeJS.Timeout;
  /** Sockets that are open or about to open. */
  private held = 0;
  private closing = false;

  constructor(
    private readonly graph: StreamGraph,
    private readonly log: Logger,
    private readonly addressOf: AddressOf,
    limits: Limits = OWN_LIMITS,
  ) {
    this.most = Math.floor(MOST.all / limits.processes);
    this.ofAddress = limits.places('cashier address', MOST.address);
    this.ofToken = limits.places('cashier link', MOST.token);
    this.heartbeat = setInterval(() => {
      this.beat();
    }, HEARTBEAT_MS).unref();
  }

  /** Takes over a request for `/cashier/:token/stream` from Node. */
  readonly accept = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy());
    const token = decodeURIComponent(/^\/cashier\/([\w.-]+)\/stream/.exec(request.url ?? '')?.[1] ?? '');
    const address = networkOf(this.addressOf(request) ?? '');
    const error = this.reasonAgainst(request);
    if (error) {
      refuse(socket, error);
      return;
    }
    this.count(1);
    socket.once('close', () => {
      this.count(-1);
    });
    this.seat(socket, token, address)
      .then(async () => {
        await this.open(request, socket, head, token);
      })
      .catch((thrown: unknown) => {
        if (!(thrown instanceof CatalogueError)) this.log.error({ err: thrown }, 'a cashier stream failed');
        refuse(socket, thrown instanceof CatalogueError ? thrown : refusal('INTERNAL_ERROR', 'internal error'));
      });
  };

  /** Ends all sockets; their pages reconnect to another process. */
  close(): void {
    this.closing = true;
    clearInterval(this.heartbeat);
    for (const socket of this.server.clients) socket.close(GOING_AWAY);
    // A client that reads nothing does not read the close message either.
    setTimeout(() => {
      for (const socket of this.server.clients) socket.terminate();
    }, LEAVE_WITHIN_MS).unref();
  }

  private reasonAgainst(request: IncomingMessage): CatalogueError | undefined {
    if (this.closing) return refusal('SERVICE_UNAVAILABLE', 'closing');
    if (!namesOneHost(request)) return refusal('MALFORMED_REQUEST', NO_ONE_HOST);
    if (isForeign(request)) return refusal('AUTHORIZATION_ERROR', 'the origin of the request is another site');
    if (this.held >= this.most) return refusal('SERVICE_UNAVAILABLE', 'too many streams');
    return undefined;
  }

  private count(by: 1 | -1): void {
    this.held += by;
    metrics.cashierStreams.set(this.held);
  }

  /**
   * Takes the places of a socket, until it closes.
   * @throws RATE_LIMITED
   */
  private async seat(socket: Duplex, token: string, address: string): Promise<void> {
    const wanted = [
      [this.ofAddress, address],
      [this.ofToken, token],
    ] as const;
    for (const [places, caller] of wanted) {
      if (!(await places.take(caller))) throw refusal('RATE_LIMITED', 'too many streams');
      const leave = (): void => {
        places.leave(caller);
      };
      if (socket.destroyed) leave();
      else socket.once('close', leave);
    }
  }

  private async open(request: IncomingMessage, socket: Duplex, head: Buffer, token: string): Promise<void> {
    let webSocket: WebSocket | undefined;
    const { graph, log } = this;
    const actor = await graph.authenticateCashier(token, log);
    const changes = await graph.subscribe(actor, () => webSocket?.terminate());
    const end = (): void => void changes.return?.();
    try {
      const { cashierView } = await graph.execute(CashierViewDocument, {}, actor, log);
      const state = stateOf(cashierView);
      // The payer has left, or the process is closing.
      if (socket.destroyed || this.closing) throw refusal('SERVICE_UNAVAILABLE', 'closing');
      this.server.handleUpgrade(request, socket, head, (opened) => {
        webSocket = opened;
        opened.on('error', () => {
          opened.terminate();
        });
        opened.on('close', end);
        opened.on('pong', () => this.silent.delete(opened));
        opened.send(JSON.stringify({ state }));
        this.forward(changes, opened).catch((error: unknown) => {
          this.log.warn({ err: error }, 'a cashier stream ended');
          opened.terminate();
        });
      });
    } catch (error) {
      end();
      throw error;
    }
  }

  private async forward(changes: AsyncIterable<unknown>, socket: WebSocket): Promise<void> {
    for await (const _change of changes) socket.send('{"changed":true}');
    socket.close(GOING_AWAY);
  }

  /** Detects dead peers on both sides: browsers do not see pings, so a message goes with each. */
  private beat(): void {
    for (const socket of this.server.clients) {
      if (this.silent.has(socket)) {
        this.silent.delete(socket);
        socket.terminate();
        continue;
      }
      this.silent.add(socket);
      socket.ping();
      socket.send('{}');
    }
  }
}
