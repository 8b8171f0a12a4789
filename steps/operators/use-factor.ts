import { isIP } from 'node:net';
import { challengeOf, countOfAnswer, newChallenge, type PasskeyAnswer } from '../../crypto/passkey';
import { totpStep } from '../../crypto/totp';
import { businessError } from '../../domain/errors';
import type { OperatorWithAuthority } from '../../db/operators/operators';
import {
  type ChallengePurpose,
  findPasskeysOf,
  insertChallenge,
  takeChallenge,
  usePasskey,
} from '../../db/operators/passkeys';
import { findTotp, useRecoveryCode, useStep } from '../../db/operators/second-factor';
import type { Needs } from '../context';

/** How long a challenge is valid, milliseconds. */
export const CHALLENGE_MS = 5 * 60_000;

/** The second factor that an operator shows. */
export interface ShownFactor {
  readonly code?: string | null | undefined;
  readonly passkey?: PasskeyAnswer | null | undefined;
}

/** Whether one is shown. */
export const isShown = ({ code, passkey }: ShownFactor): boolean => (code ?? '').trim() !== '' || Boolean(passkey);

/** The purpose under which a recovery code is hashed. */
export const recoveryText = (operatorId: string, code: string): string =>
  `recovery:${operatorId}:${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`;

/** Whether a code of the app, or else a recovery code, is right and unused; marks it as used. */
async function useCode(
  { database, lookup, now, sealer }: Needs<'database' | 'lookup' | 'now' | 'sealer'>,
  operatorId: string,
  code: string,
): Promise<boolean> {
  const text = code.replaceAll(' ', '');
  if (!/^\d{6}$/.test(text)) {
    const hashes = lookup.all(recoveryText(operatorId, text));
    return await useRecoveryCode(database, operatorId, hashes, now);
  }
  const totp = await findTotp(database, operatorId);
  if (!totp?.confirmedAt) return false;
  const step = totpStep(sealer.open(totp.sealedSecret, `totp:${operatorId}`), text, now);
  return step !== undefined && (await useStep(database.sql, operatorId, step));
}

/** The calling page of ours, as passkeys identify it; null if there is none, or if its host is an IP address. */
export function placeOf({ browser }: Needs<'browser'>): { readonly origin: string; readonly rpId: string } | null {
  if (!browser || !URL.canParse(browser.origin)) return null;
  const { hostname } = new URL(browser.origin);
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) return null;
  return { origin: browser.origin, rpId: hostname };
}

/** The calling page. @throws BUSINESS_ERROR if passkeys do not work there */
export function requirePlace(context: Needs<'browser'>): {
  readonly origin: string;
  readonly rpId: string;
} {
  const place = placeOf(context);
  if (place) return place;
  throw businessError(
    'NOT_ENABLED',
    'passkeys work only in the console, and only where its address is a name: on your own machine open it at localhost',
  );
}

/** A challenge for this operator and purpose. */
export async function giveChallenge(
  { database, now }: Needs<'database' | 'now'>,
  operatorId: string,
  purpose: ChallengePurpose,
): Promise<string> {
  const challenge = newChallenge();
  const expiresAt = new Date(now.getTime() + CHALLENGE_MS);
  await insertChallenge(database, { challenge, operatorId, purpose, expiresAt }, now);
  return challenge;
}

/** The challenge of an answer, if it was given to this operator for this purpose; marks it as used. */
export async function takeChallengeOf(
  { database, now }: Needs<'database' | 'now'>,
  clientDataJSON: string,
  operatorId: string,
  purpose: ChallengePurpose,
): Promise<string | undefined> {
  const challenge = challengeOf(clientDataJSON);
  if (challenge === undefined) return undefined;
  const given = await takeChallenge(database, challenge, operatorId, purpose, now);
  return given ? challenge : undefined;
}

/** Whether one of the operator's passkeys has signed its challenge for this purpose, on our page. */
async function usePasskeyOf(
  context: Needs<'browser' | 'database' | 'now'>,
  operatorId: string,
  answer: PasskeyAnswer,
  purpose: ChallengePurpose,
): Promise<boolean> {
  const { database, now } = context;
  const place = placeOf(context);
  const challenge = await takeChallengeOf(context, answer.clientDataJSON, operatorId, purpose);
  const passkeys = await findPasskeysOf(database, [operatorId]);
  const kept = passkeys.find(({ credentialId }) => credentialId === answer.id);
  if (challenge === undefined || !place || !kept) return false;
  const counter = await countOfAnswer(answer, { challenge, ...place }, kept);
  return counter !== undefined && (await usePasskey(database, kept.id, counter, now));
}

/** The factor that was shown and is right, now used; null for none. A passkey is checked before a code. */
export async function useFactor(
  context: Needs<'browser' | 'database' | 'lookup' | 'now' | 'sealer'>,
  { id }: Pick<OperatorWithAuthority, 'id'>,
  { code, passkey }: ShownFactor,
  purpose: Exclude<ChallengePurpose, 'ADD'>,
): Promise<'CODE' | 'PASSKEY' | null> {
  if (passkey) return (await usePasskeyOf(context, id, passkey, purpose)) ? 'PASSKEY' : null;
  const text = code?.trim() ?? '';
  return text !== '' && (await useCode(context, id, text)) ? 'CODE' : null;
}
