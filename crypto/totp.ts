import { generateSecret, generateURI, verifySync } from 'otplib';

/** A code is valid for its own 30 seconds, the 30 before and the 30 after, because clocks differ. */
const TOLERANCE_SECONDS = 30;

/** A secret of 160 bits for an authenticator app, base32. */
export const newTotpSecret = (): string => generateSecret();

/** The URI that an authenticator app scans. */
export const totpUri = (issuer: string, label: string, secret: string): string =>
  generateURI({ issuer, label, secret });

/**
 * The time step that a code belongs to, or undefined if it is wrong. A step must be accepted once only (RFC 6238, 5.2).
 */
export function totpStep(secret: string, code: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const result = verifySync({
    secret,
    token: code,
    epoch: Math.floor(now.getTime() / 1000),
    epochTolerance: TOLERANCE_SECONDS,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}
