import type { FastifyInstance } from 'fastify';
import { CatalogueError } from '../domain/errors';
import { namesOneHost, NO_ONE_HOST } from '../runtime/one-host';

const VERSIONS: ReadonlySet<string> = new Set(['1.0', '1.1']);

/**
 * Refuses framing that a proxy before us may read differently from Node's parser: a request line without a version or
 * with another one, a transfer coding that we do not decode, chunks in HTTP/1.0. Where two sides disagree on where a
 * request ends, one can hide a second request in it; so the connection ends, too.
 */
export function refuseDoubtfulFraming(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, reply, done) => {
    const { httpVersion, headers } = raw;
    const coding = headers['transfer-encoding'];
    const chunked = coding?.toLowerCase() === 'chunked' && httpVersion === '1.1';
    const isHttp = VERSIONS.has(httpVersion) && (coding === undefined || chunked);
    if (isHttp && namesOneHost(raw)) {
      done();
      return;
    }
    reply.header('connection', 'close');
    const message = isHttp ? NO_ONE_HOST : 'the request must be HTTP/1.1';
    done(new CatalogueError('MALFORMED_REQUEST', message));
  });
}
