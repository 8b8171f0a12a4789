import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CatalogueError } from '../domain/errors';
import { decodeUtf8Strict, type JsonValue, parseStrictObject, type StrictObject } from '../domain/strict-json';
import { singleHeader } from './headers';

/** application/json with any parameters. */
const JSON_TYPE = /^application\/json[ \t]*(;.*)?$/i;

/** No coding. */
const IDENTITY = /^(identity)?$/i;

const OPAQUE = 'application/octet-stream';

const malformed = (message: string): CatalogueError => new CatalogueError('MALFORMED_REQUEST', message);

/**
 * Takes every body as bytes, whatever its type, up to the limit. Fastify would check the content type before the size
 * and the signature. We check it after both, so it is hidden from Fastify and read from the raw headers.
 */
export function takeBodiesRaw(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(OPAQUE, { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.addHook('onRequest', (request, _reply, done) => {
    request.raw.headers['content-type'] = OPAQUE;
    done();
  });
}

/** A coding that we do not decode: the bytes are not those that were signed. */
const isEncoded = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.some(
    (name, i) => i % 2 === 0 && name.toLowerCase() === 'content-encoding' && !IDENTITY.test(rawHeaders[i + 1] ?? ''),
  );

/** A JSON body, with its text. */
export interface JsonBody extends StrictObject {
  readonly text: string;
}

/**
 * Reads the body.
 * @throws UNSUPPORTED_MEDIA_TYPE, MALFORMED_REQUEST
 */
export function jsonBody(request: FastifyRequest): JsonBody {
  if (!JSON_TYPE.test(singleHeader(request.raw, 'content-type') ?? ''))
    throw new CatalogueError('UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json');
  if (isEncoded(request.raw)) throw new CatalogueError('UNSUPPORTED_MEDIA_TYPE', 'Content-Encoding must be identity');
  const text = request.body instanceof Buffer ? decodeUtf8Strict(request.body) : '';
  if (text === undefined) throw malformed('the body must be UTF-8');
  const parsed = parseStrictObject(text);
  if ('problem' in parsed) throw malformed(`the body ${parsed.problem}`);
  return { ...parsed, text };
}

/** The fields that are not null, for the route's schema: null means absent. */
export const presentFields = (fields: ReadonlyMap<string, JsonValue>): Record<string, Exclude<JsonValue, null>> =>
  Object.fromEntries([...fields].filter((field): field is [string, Exclude<JsonValue, null>] => field[1] !== null));
