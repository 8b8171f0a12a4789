import type { FastifyInstance } from 'fastify';

/** RFC 9116 recommends that a file be reviewed within a year: one day less, so that no reader counts a year or more. */
const VALID_MS = 364 * 86_400_000;

/**
 * Reads SECURITY_CONTACT: addresses for reports of vulnerabilities, comma-separated, the preferred one first.
 * @throws if one is no mailto:, tel: or https: address
 */
export function readSecurityContacts(text: string | undefined): readonly string[] {
  const contacts = (text?.split(',') ?? []).map((contact) => contact.trim());
  for (const contact of contacts)
    if (!/^(mailto:|tel:|https:\/\/)[\u0021-\u007E]+$/.test(contact) || !URL.canParse(contact))
      throw new Error(
        'SECURITY_CONTACT must be addresses such as mailto:security@example.com or https://example.com/security, comma-separated',
      );
  return contacts;
}

/** The file of RFC 9116, unsigned, valid for 364 days from now. */
const securityText = (contacts: readonly string[], now: Date): string =>
  [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${new Date(now.getTime() + VALID_MS).toISOString()}`,
    'Preferred-Languages: en',
    '',
  ].join('\n');

/** Serves /.well-known/security.txt. Without a contact the path answers 404. */
export function serveSecurityText(app: FastifyInstance, contacts: readonly string[], clock: () => Date): void {
  if (contacts.length === 0) return;
  app.get(
    '/.well-known/security.txt',
    { schema: { hide: true } },
    async (_request, reply) => await reply.type('text/plain; charset=utf-8').send(securityText(contacts, clock())),
  );
}
