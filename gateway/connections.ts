import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { CatalogueError, notFound } from '../domain/errors';
import type { Logger } from '../runtime/log';
import { metrics } from '../runtime/metrics';
import { Accepting } from './accepting';
import { failure } from './envelope';

/** Refusals by Node's HTTP parser and its timeouts, by error code. */
const REFUSALS: Readonly<Record<string, CatalogueError>> = {
  HPE_HEADER_OVERFLOW: new CatalogueError('PAYLOAD_TOO_LARGE', 'request line and headers are too large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new CatalogueError('PAYLOAD_TOO_LARGE', 'chunk extensions are too large'),
  ERR_HTTP_REQUEST_TIMEOUT: new CatalogueError('MALFORMED_REQUEST', 'the request took too long to arrive'),
};
const MALFORMED = new CatalogueError('MALFORMED_REQUEST', 'the request must be HTTP');

/** The most requests of one connection that may wait for their answers; none of our clients sends so many ahead. */
const MOST_PIPELINED = 20;

/**
 * How long a refused client may go on sending before its connection is destroyed, milliseconds. Destroyed at once, it
 * could lose the refusal before it has read it.
 */
const LINGER_MS = 5_000;

/** Writes the envelope if there is no request to answer, and ends the connection. */
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
  const linger = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => {
    clearTimeout(linger);
  });
}

/** Whether the answer is not fully sent, or its request not fully received. */
const isOpen = (response: ServerResponse): boolean => !response.writableFinished || !response.req.complete;

/** Keeps the answers of Node's own HTTP server inside the envelope, and limits what one client may occupy. */
export class Connections {
  /**
   * The open exchanges of each connection, the oldest first. Connections without any request come before the others;
   * among the others the one with the latest request is last.
   */
  private readonly silent = new Map<Duplex, ServerResponse[]>();
  private readonly asked = new Map<Duplex, ServerResponse[]>();
  private readonly accepting = new Accepting();
  private closing = false;

  /** @param most connections at once; a further one ends another that is idle */
  constructor(
    private readonly log: Logger,
    private readonly most: number,
  ) {}

  /**
   * Replaces a server's handlers. Each connection has one request under way, in the order sent; a client that sends
   * many more ahead is disconnected.
   */
  watch(server: Server): void {
    // A client that has sent everything may close its side and wait for the answer.
    (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
    server.on('connection', (socket) => {
      if (this.closing || !this.makeRoom()) {
        socket.destroy();
        return;
      }
      this.accepting.accepted();
      this.silent.set(socket, []);
      socket.once('close', () => {
        this.silent.delete(socket);
        this.asked.delete(socket);
      });
    });
    server.on('timeout', (socket: Socket) => {
      if (!this.owesAnswer(socket)) socket.destroy();
    });
    const handlers = server.listeners('request') as RequestListener[];
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (!this.note(request.socket, response)) return;
      this.accepting.run(() => {
        this.inTurn(response, () => {
          for (const handle of handlers) handle.call(server, request, response);
        });
      });
    });
    // Node would answer 417 itself; the request's own answer is enough.
    server.on('checkExpectation', (request, response) => {
      server.emit('request', request, response);
    });
    server.on('connect', (_request, socket) => {
      answerOutside(socket, notFound('route'));
    });
  }

  /**
   * Hands over connections whose requests ask for another protocol (upgrade.ts). The new owner limits and ends them,
   * and we send no answer on them.
   */
  handOver(server: Server, accept: (request: IncomingMessage, socket: Duplex, head: Buffer) => void): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const open = this.openOf(socket).length > 0;
      this.silent.delete(socket);
      this.asked.delete(socket);
      // Answers to earlier requests are still under way: none of our clients does that.
      if (this.closing || open) socket.destroy();
      else accept(request, socket, head);
    });
  }

  /**
   * Records a request.
   * @returns false if nobody would receive the answer
   */
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

  /** Calls back when the exchanges before this one are over; never if the connection ends before that. */
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

  /** The open exchanges of a connection. Answers go out in order, so finished ones are at the front. */
  private openOf(socket: Duplex): ServerResponse[] {
    const exchanges = this.asked.get(socket) ?? this.silent.get(socket) ?? [];
    const first = exchanges.findIndex(isOpen);
    exchanges.splice(0, first < 0 ? exchanges.length : first);
    return exchanges;
  }

  /** Whether we are the silent side. Each request has a deadline (deadline.ts), so the answer comes. */
  private owesAnswer(socket: Duplex): boolean {
    const [first] = this.openOf(socket);
    return first !== undefined && first.req.complete && !first.headersSent;
  }

  /**
   * Ends an idle connection to make room for a new one.
   * @returns false if all are busy
   */
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

  /** Ends connections without a request under way: Node would wait for those that never sent one. */
  endIdle(): void {
    this.closing = true;
    for (const sockets of [this.silent.keys(), this.asked.keys()])
      for (const socket of sockets) if (this.openOf(socket).length === 0) socket.destroy();
  }

  /** Answers what the parser could not read, or what did not arrive in time. */
  readonly onClientError = (error: Error & { code?: string }, socket: Duplex): void => {
    const { code = '' } = error;
    // Opened ahead of use: a client's pool would take an answer for that of its next request.
    const unused = socket instanceof Socket && socket.bytesRead === 0;
    if (code === 'ECONNRESET' || unused || !socket.writable) {
      socket.destroy();
      return;
    }
    this.refuseUnread(code, socket);
  };

  /** Answers a request whose body does not arrive in time. */
  onTooSlow(socket: Duplex): void {
    if (socket.writable) this.refuseUnread('ERR_HTTP_REQUEST_TIMEOUT', socket);
  }

  /** Answers a request that cannot be read to its end, and ends its connection. */
  private refuseUnread(code: string, socket: Duplex): void {
    // An answer now would be taken for that of an earlier request, or be a second answer to this one.
    const last = this.openOf(socket).findLast(({ req, headersSent }) => req.complete || headersSent);
    if (last) {
      endAfter(socket, last);
      return;
    }
    const refusal = REFUSALS[code] ?? MALFORMED;
    this.log.info({ cause: code, code: refusal.code, status: refusal.status }, 'request unreadable');
    answerOutside(socket, refusal);
  }
}

/** Lets earlier complete requests get their answers, then ends the connection; reads nothing more meanwhile. */
function endAfter(socket: Duplex, last: ServerResponse): void {
  if (last.writableFinished) {
    socket.destroy();
    return;
  }
  socket.pause();
  last.once('close', () => socket.destroy());
}
