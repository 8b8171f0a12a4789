import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, writeCookie } from '../../runtime/cookies';
import { type Language, languageOf, preferredLanguage } from './texts';

const COOKIE = 'cashier_language';
const YEAR_SECONDS = 31_536_000;

/**
 * The payer's language: from `?lang=`, else the cookie of an earlier choice, else Accept-Language. The cookie holds the
 * language and nothing else.
 */
export function languageFor({ headers }: FastifyRequest, reply: FastifyReply, query: URLSearchParams): Language {
  const chosen = languageOf(query.get('lang') ?? '');
  if (chosen)
    reply.header(
      'set-cookie',
      writeCookie(COOKIE, chosen, {
        path: '/cashier',
        maxAgeSeconds: YEAR_SECONDS,
        sameSite: 'Lax',
        secure: false,
      }),
    );
  return (
    chosen ??
    languageOf(readCookie(headers.cookie, COOKIE) ?? '') ??
    preferredLanguage(headers['accept-language'] ?? '')
  );
}
