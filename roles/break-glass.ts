import { readFile } from 'node:fs/promises';
import type { Config } from '../config';
import { isSignedBy } from '../crypto/ed25519';
import { openDatabase } from '../db/client';
import { readClock } from '../db/clock';
import { BREAK_GLASS_HOLDERS, breakGlassText, readBreakGlass } from '../domain/break-glass';
import { isEmail } from '../domain/email';
import { openBreakGlass } from '../steps/operators/break-glass';
import type { Logger } from '../runtime/log';
import { useCurrentKey } from './current-key';
import { openSecrets, requireAuditKey } from './secrets';

type Settings = Pick<Config, 'breakGlassKeys' | 'database' | 'environment' | 'keys'>;

/**
 * Prints the request that the key holders sign.
 * @param args the address to invite, and the reason
 */
export function askBreakGlass({ environment }: Settings, args: readonly string[], now: Date): string {
  const [email = '', ...words] = args;
  const reason = words.join(' ').replaceAll(/\s+/g, ' ').trim();
  if (!isEmail(email) || reason === '') throw new Error('break-glass:ask takes an e-mail address and a reason');
  return breakGlassText({ environment, email, reason, askedAt: now });
}

/** The places of the keys that signed, from 1. @throws if too few different holders signed */
function holdersOf(keys: Settings['breakGlassKeys'], text: string, signatures: readonly string[]) {
  if (keys.length < BREAK_GLASS_HOLDERS) throw new Error(`BREAK_GLASS_KEYS has fewer than ${BREAK_GLASS_HOLDERS} keys`);
  const signed = keys.flatMap((key, index) =>
    signatures.some((signature) => isSignedBy(key, text, signature)) ? [index + 1] : [],
  );
  if (signed.length < BREAK_GLASS_HOLDERS)
    throw new Error(`${BREAK_GLASS_HOLDERS} different key holders must sign; ${signed.length} did`);
  return signed;
}

/**
 * Invites the person whom a signed request names.
 * @param args the request's file, and the signatures in base64
 */
export async function openBreakGlassOnce(settings: Settings, args: readonly string[], log: Logger): Promise<void> {
  const { breakGlassKeys, database: options, environment } = settings;
  requireAuditKey(settings);
  const [file = '', ...signatures] = args;
  const text = await readFile(file, 'utf8');
  const database = openDatabase({
    ...options,
    applicationName: 'causeway-break-glass',
    max: 1,
  });
  try {
    const now = await readClock(database);
    const holders = holdersOf(breakGlassKeys, text, signatures);
    const request = readBreakGlass(text, environment, now);
    const secrets = openSecrets(settings);
    await useCurrentKey(secrets.ring, database);
    const invitation = await openBreakGlass(database, secrets, { request, text, holders }, now);
    log.error({ invitation, holders }, 'key holders invited a person');
  } finally {
    await database.close();
  }
}
