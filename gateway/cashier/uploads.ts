import type { FastifyReply, FastifyRequest } from 'fastify';
import { CatalogueError } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';

/** Pictures of one link that arrive at once. */
const OF_LINK = 2;
/** Those of all links in this process. Each may take 2.8 MB of memory for minutes (`arrival.ts`). */
const IN_ALL = 64;
/** When a refused payer may try again, milliseconds. */
const RETRY_AFTER_MS = 5_000;

/** Bounds how many large bodies are kept in memory at once. */
export class Uploads {
  private readonly ofLink = new Map<string, number>();
  private underWay = 0;

  constructor(private readonly most = { ofLink: OF_LINK, inAll: IN_ALL }) {}

  /** Takes a place for a body that may be large, until its request is answered. @throws RATE_LIMITED, SERVICE_UNAVAILABLE */
  take(token: string, { raw }: FastifyRequest, reply: FastifyReply): void {
    const length = raw.headers['content-length'];
    if (length !== undefined && Number(length) <= LIMITS.bodyBytes) return;
    const ofLink = this.ofLink.get(token) ?? 0;
    const again = { retryAfterMs: RETRY_AFTER_MS };
    if (ofLink >= this.most.ofLink) throw new CatalogueError('RATE_LIMITED', 'another picture is being sent', again);
    if (this.underWay >= this.most.inAll)
      throw new CatalogueError('SERVICE_UNAVAILABLE', 'too many pictures are being sent', again);
    this.underWay++;
    this.ofLink.set(token, ofLink + 1);
    reply.raw.once('close', () => {
      this.underWay--;
      const left = (this.ofLink.get(token) ?? 1) - 1;
      if (left > 0) this.ofLink.set(token, left);
      else this.ofLink.delete(token);
    });
  }
}
