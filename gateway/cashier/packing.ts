import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Asset } from './assets';

/** The best encoding that the browser accepts; undefined for none. */
function codingOf({ headers }: FastifyRequest): 'br' | 'gzip' | undefined {
  const accepted = headers['accept-encoding'] ?? '';
  return (['br', 'gzip'] as const).find((coding) => new RegExp(`\\b${coding}\\b`).test(accepted));
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
/** A page is compressed for one answer, so with low effort. */
const PAGE_EFFORT = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Sends a page, compressed if the browser accepts it. */
export async function sendPage(request: FastifyRequest, reply: FastifyReply, page: string): Promise<FastifyReply> {
  reply.type('text/html; charset=utf-8');
  const coding = codingOf(request);
  if (coding === undefined) return await reply.send(page);
  reply.header('content-encoding', coding);
  return await reply.send(coding === 'br' ? await brotli(page, PAGE_EFFORT) : await zip(page));
}

/** Sends an asset, cached for ever: new content has a new name. */
export async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, plain, gzip, brotli }: Asset,
): Promise<FastifyReply> {
  const coding = codingOf(request);
  if (coding !== undefined) reply.header('content-encoding', coding);
  return await reply
    .header('vary', 'accept-encoding')
    .header('cache-control', 'public, max-age=31536000, immutable')
    .type(type)
    .send(coding === 'br' ? brotli : coding === 'gzip' ? gzip : plain);
}
