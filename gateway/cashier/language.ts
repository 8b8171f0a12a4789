import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Language, languageOf, preferredLanguage } from './texts';

const COOKIE = 'cashier_language';
const YEAR_SECONDS = 31_536_000;

function chosenBefore(cookies: string): Language | undefined {
  const found = new RegExp(`(?:^|;\\s*)${COOKIE}=([a-z]{2})(?:;|$)`).exec(cookies)?.[1];
  return found === undefined ? undefined : languageOf(found);
}

/**
 * The payer's language: what he switches to now (`?lang=`), what he switched to before, what his browser prefers. A
 * switch is kept in a cookie that holds the language and nothing else.
 */
export function languageFor(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  query: URLSearchParams,
): Language {
  const chosen = languageOf(query.get('lang') ?? '');
  if (chosen)
    reply.header(
      'set-cookie',
      `${COOKIE}=${chosen}; Path=/cashier; Max-Age=${YEAR_SECONDS}; SameSite=Lax; HttpOnly`,
    );
  return (
    chosen ??
    chosenBefore(headers.cookie ?? '') ??
    preferredLanguage(headers['accept-language'] ?? '')
  );
}
