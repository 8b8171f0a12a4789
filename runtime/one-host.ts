import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Why a request is refused. */
export const NO_ONE_HOST = 'the request must name its host, once';

/**
 * Whether a request names its host as HTTP demands (RFC 9112, 3.2): once; HTTP/1.0 may leave it out. Two sides may
 * choose different ones of two. Node drops repetitions, so this reads the raw headers.
 */
export function namesOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
  return hosts.length === 1 || (hosts.length === 0 && httpVersion === '1.0');
}

/**
 * Refuses all other requests of an internal listener, whose `requireHostHeader` must be off: Node's own refusal has no
 * body.
 */
export function demandOneHost(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, reply, done) => {
    if (namesOneHost(raw)) {
      done();
      return;
    }
    const extensions = { code: 'VALIDATION_ERROR' };
    void reply
      .code(400)
      .header('connection', 'close')
      .send({ errors: [{ message: NO_ONE_HOST, extensions }] });
  });
}
