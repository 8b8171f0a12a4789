import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { CatalogueError, notFound } from '../domain/errors';
import type { Logger } from '../runtime/log';
import { metrics } from '../runtime/metrics';
import { failure } from './envelope';

/** What Node's HTTP parser and its clocks refuse, by their error codes. */
const REFUSALS: Readonly<Record<string, CatalogueError>> = {
  HPE_HEADER_OVERFLOW: new CatalogueError(
    'PAYLOAD_TOO_LARGE',
    'request line and headers are too large',
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new CatalogueError(
    'PAYLOAD_TOO_LARGE',
    'chunk extensions are too large',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new CatalogueError(
    'MALFORMED_REQUEST',
    'the request took too long to arrive',
  ),
};
const MALFORMED = new CatalogueError('MALFORMED_REQUEST', 'the request must be HTTP');

/** Requests of one connection that wait for their answers: no client of ours sends so many ahead. */
const MOST_PIPELINED = 20;

/** Writes the envelope where there is no request to answer, and ends the connection. */
function answerOutside(socket: Duplex, error: CatalogueError): void {
  const body = JSON.stringify(failure(error));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  metrics.requests.inc({ route: 'unknown', code: error.code });
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** The answer has not gone out whole, or its request has not come in whole. */
const isOpen = (response: ServerResponse): boolean =>
  !response.writableFinished || !response.req.complete;

/** Keeps the answers of Node's own HTTP server inside the envelope, and what a client may hold within bounds. */
export class Connections {
  /**
   * The exchanges of each connection, the oldest first. Connections that have asked nothing yet stand before those
   * that have, and among these the one that asked last is last.
   */
  private readonly silent = new Map<Duplex, ServerResponse[]>();
  private readonly asked = new Map<Duplex, ServerResponse[]>();
  private closing = false;

  /** @param most connections at once; for one more, another that asks nothing is ended */
  constructor(
    private readonly log: Logger,
    private readonly most: number,
  ) {}

  /**
   * Stands between a server and the handlers that it has by now. Of one connection's requests one is under way, in the
   * order in which they were sent; who sends many more ahead is not heard.
   */
  watch(server: Server): void {
    server.on('connection', (socket) => {
      if (this.closing || !this.makeRoom()) {
        socket.destroy();
        return;
      }
      this.silent.set(socket, []);
      socket.once('close', () => {
        this.silent.delete(socket);
        this.asked.delete(socket);
      });
    });
    const handlers = server.listeners('request') as RequestListener[];
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (!this.note(request.socket, response)) return;
      this.inTurn(response, () => {
        for (const handle of handlers) handle.call(server, request, response);
      });
    });
    // Node would answer 417 itself; the request's own answer says it as well.
    server.on('checkExpectation', (request, response) => {
      server.emit('request', request, response);
    });
    server.on('connect', (_request, socket) => {
      answerOutside(socket, notFound('route'));
    });
  }

  /**
   * Connections whose requests ask for another protocol (upgrade.ts) are another's from then on: he bounds and ends
   * them, and no answer of ours goes out on them.
   */
  handOver(
    server: Server,
    accept: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
  ): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const open = this.openOf(socket).length > 0;
      this.silent.delete(socket);
      this.asked.delete(socket);
      // The answers to what it asked before are still under way: no client of ours does that.
      if (this.closing || open) socket.destroy();
      else accept(request, socket, head);
    });
  }

  /** Takes note of a request. @returns false for one that nobody would hear the answer to */
  private note(socket: Duplex, response: ServerResponse): boolean {
    if (socket.destroyed) return false;
    const open = this.openOf(socket);
    open.push(response);
    this.silent.delete(socket);
    this.asked.delete(socket);
    this.asked.set(socket, open);
    if (open.length > MOST_PIPELINED) socket.destroy();
    return !socket.destroyed;
  }

  /** Calls back when the exchanges before this one are over; not at all if the connection ends before that. */
  private inTurn(response: ServerResponse, begin: () => void): void {
    const { socket } = response.req;
    if (socket.destroyed) return;
    const open = this.openOf(socket);
    const before = open[open.indexOf(response) - 1];
    if (!before) begin();
    else
      before.once('close', () => {
        this.inTurn(response, begin);
      });
  }

  /** The open exchanges of a connection. Answers go out in order, so what is done stands in front. */
  private openOf(socket: Duplex): ServerResponse[] {
    const exchanges = this.asked.get(socket) ?? this.silent.get(socket) ?? [];
    const first = exchanges.findIndex(isOpen);
    exchanges.splice(0, first < 0 ? exchanges.length : first);
    return exchanges;
  }

  /** Whoever holds connections and asks nothing keeps nobody else out. @returns false where all are busy */
  private makeRoom(): boolean {
    if (this.silent.size + this.asked.size < this.most) return true;
    for (const sockets of [this.silent.keys(), this.asked.keys()])
      for (const socket of sockets)
        if (this.openOf(socket).length === 0) {
          socket.destroy();
          return true;
        }
    return false;
  }

  /** Ends connections on which nothing is under way: Node would wait for those that have never asked anything. */
  endIdle(): void {
    this.closing = true;
    for (const sockets of [this.silent.keys(), this.asked.keys()])
      for (const socket of sockets) if (this.openOf(socket).length === 0) socket.destroy();
  }

  /** Answers what the parser could not read, or what did not arrive in time. */
  readonly onClientError = (error: Error & { code?: string }, socket: Duplex): void => {
    const { code = '' } = error;
    if (code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    // An answer now would be taken for that of a whole request before it, or be the second to this one.
    const last = this.openOf(socket).findLast(
      ({ req, headersSent }) => req.complete || headersSent,
    );
    if (last) {
      endAfter(socket, last);
      return;
    }
    const refusal = REFUSALS[code] ?? MALFORMED;
    this.log.info(
      { cause: code, code: refusal.code, status: refusal.status },
      'request unreadable',
    );
    answerOutside(socket, refusal);
  };
}

/** Whole requests that came before have their answers; nothing more is read meanwhile. */
function endAfter(socket: Duplex, last: ServerResponse): void {
  if (last.writableFinished) {
    socket.destroy();
    return;
  }
  socket.pause();
  last.once('close', () => socket.destroy());
}
