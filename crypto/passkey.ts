import { randomBytes } from 'node:crypto';
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';

/** 256 bits for a device to sign, base64url. */
export const newChallenge = (): string => randomBytes(32).toString('base64url');

/** What a browser passes on when a device has made a passkey. All base64url. */
export interface NewPasskey {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly attestationObject: string;
}

/** What a browser passes on when a device has signed a challenge. All base64url. */
export interface PasskeyAnswer {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
}

/** What a device's answer must be about. */
export interface PasskeyPlace {
  readonly challenge: string;
  /** The page that asked, such as `https://ops.example.com`. */
  readonly origin: string;
  /** Its host: a passkey is good there alone. */
  readonly rpId: string;
}

/** What is kept of a passkey. */
export interface KeptPasskey {
  readonly credentialId: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  readonly counter: number;
}

/** The challenge that an answer says it signs; undefined where it says none. Proves nothing by itself. */
export function challengeOf(clientDataJSON: string): string | undefined {
  try {
    const data = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as {
      challenge?: unknown;
    } | null;
    return typeof data?.challenge === 'string' ? data.challenge : undefined;
  } catch {
    return undefined;
  }
}

/** What must be kept of a new passkey; undefined where the answer is about something else, or malformed. */
export async function readNewPasskey(
  { id, clientDataJSON, attestationObject }: NewPasskey,
  { challenge, origin, rpId }: PasskeyPlace,
): Promise<KeptPasskey | undefined> {
  // The library throws a different error for each reason; the caller treats them equally.
  const { registrationInfo } = await verifyRegistrationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON, attestationObject },
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: false,
  }).catch(() => ({ registrationInfo: undefined }));
  if (!registrationInfo) return undefined;
  const { credential } = registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
  };
}

/**
 * The device's count after an answer that this passkey has signed, about this place; undefined where it has not, or
 * where the count went back, as that of a copy does.
 */
export async function countOfAnswer(
  { id, clientDataJSON, authenticatorData, signature }: PasskeyAnswer,
  { challenge, origin, rpId }: PasskeyPlace,
  kept: KeptPasskey,
): Promise<number | undefined> {
  const answer = await verifyAuthenticationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON, authenticatorData, signature },
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: {
      id: kept.credentialId,
      publicKey: new Uint8Array(Buffer.from(kept.publicKey, 'base64url')),
      counter: kept.counter,
    },
    requireUserVerification: false,
  }).catch(() => undefined);
  return answer?.verified ? answer.authenticationInfo.newCounter : undefined;
}

/** How browsers reach devices, as far as they say so. */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

/** Those that are known, each once. */
export const knownTransports = (given: readonly string[]): string[] =>
  TRANSPORTS.filter((transport) => given.includes(transport));
