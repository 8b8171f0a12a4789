import { EventEmitter } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Uploads } from '../../gateway/cashier/uploads';

describe('places for large bodies', () => {
  let uploads: Uploads;
  beforeEach(() => {
    uploads = new Uploads({ ofLink: 2, inAll: 3 });
  });

  /** Takes a place. @returns how to answer the request; a refusal's code */
  function take(token: string, length: number | null = 100_000): (() => void) | string {
    const headers = length === null ? {} : { 'content-length': String(length) };
    const raw = new EventEmitter();
    try {
      uploads.take(token, { raw: { headers } } as unknown as FastifyRequest, { raw } as unknown as FastifyReply);
    } catch (error) {
      return (error as { code: string }).code;
    }
    return () => raw.emit('close');
  }

  it('are two of a link and three in all, until the requests are answered', () => {
    const [first] = [take('a'), take('a')];
    expect(take('a')).toBe('RATE_LIMITED');
    expect(take('b')).toBeInstanceOf(Function);
    expect(take('c')).toBe('SERVICE_UNAVAILABLE');
    (first as () => void)();
    expect(take('a')).toBeInstanceOf(Function);
    expect(take('a')).toBe('RATE_LIMITED');
    expect(take('c')).toBe('SERVICE_UNAVAILABLE');
  });

  it('are needed by bodies of more than 64 kB, and of unknown length', () => {
    for (let n = 0; n < 9; n++) expect(take('a', 65_536)).toBeInstanceOf(Function);
    take('a', 65_537);
    take('a', null);
    expect(take('a')).toBe('RATE_LIMITED');
  });
});
