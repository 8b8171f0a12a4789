import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { CatalogueError, notFound } from '../domain/errors';
import type { Logger } from '../log';
import { metrics } from '../metrics';
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
  metrics.refusals.inc({ kind: error.kind });
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** The answer has not gone out whole, or its request has not come in whole. */
const isOpen = (response: ServerResponse): boolean =>
  !response.writableFinished || !response.req.complete;

/** Keeps the answers of Node's own HTTP server inside the envelope. */
export class Connections {
  /** The open exchanges of each connection. */
  private readonly exchanges = new Map<Duplex, readonly ServerResponse[]>();
  private closing = false;

  constructor(private readonly log: Logger) {}

  watch(server: Server): void {
    server.on('connection', (socket) => {
      if (this.closing) {
        socket.destroy();
        return;
      }
      // Each request of a pipeline listens for the connection's end.
      socket.setMaxListeners(0);
      this.exchanges.set(socket, []);
      socket.once('close', () => this.exchanges.delete(socket));
    });
    server.prependListener('request', ({ socket }, response) => {
      this.exchanges.set(socket, [...this.openOf(socket), response]);
    });
    // Node would answer 417 itself; the request's own answer says it as well.
    server.on('checkExpectation', (request, response) => {
      server.emit('request', request, response);
    });
    server.on('connect', (_request, socket) => {
      answerOutside(socket, notFound('route'));
    });
  }

  private openOf(socket: Duplex): readonly ServerResponse[] {
    return (this.exchanges.get(socket) ?? []).filter(isOpen);
  }

  /** Ends connections on which nothing is under way: Node would wait for those that have never asked anything. */
  endIdle(): void {
    this.closing = true;
    for (const socket of this.exchanges.keys())
      if (this.openOf(socket).length === 0) socket.destroy();
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
