import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import type {
  BeginPasskeyMutation,
  NewPasskeyInput,
  PasskeyAnswerInput,
  PasskeyRequestFragment,
} from '../generated/operations';
import type { Failure } from './failure';

/** ES256, EdDSA, RS256: the algorithms of devices. */
const ALGORITHMS = [-7, -8, -257];
/** The life of a challenge, milliseconds. */
const TIMEOUT = 300_000;

/** A device's answer, or why there is none. */
export type FromDevice<Answer> =
  { readonly answer: Answer; readonly failure: null } | { readonly answer: null; readonly failure: Failure };

async function ask<Answer>(work: () => Promise<Answer>): Promise<FromDevice<Answer>> {
  try {
    return { answer: await work(), failure: null };
  } catch (error) {
    const known = error instanceof Error && error.name === 'InvalidStateError';
    const message = known
      ? 'This device already has a passkey of yours.'
      : 'The device did not answer, or you cancelled. Try again.';
    return { answer: null, failure: { kind: 'refused', message, code: null } };
  }
}

/** Makes a passkey on a device. */
export async function makePasskey(
  creation: BeginPasskeyMutation['beginPasskey'],
): Promise<FromDevice<NewPasskeyInput>> {
  const { challenge, rpId, userId, userName, excluded } = creation;
  return await ask(async () => {
    const { id, response } = await startRegistration({
      optionsJSON: {
        challenge,
        rp: { id: rpId, name: 'Causeway' },
        user: { id: userId, name: userName, displayName: userName },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: excluded.map((one) => ({ id: one, type: 'public-key' })),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
        timeout: TIMEOUT,
      },
    });
    const { clientDataJSON, attestationObject, transports = [] } = response;
    return { id, clientDataJSON, attestationObject, transports };
  });
}

/** Signs a challenge with one of the operator's devices. */
export async function askPasskey({
  challenge,
  rpId,
  allowed,
}: PasskeyRequestFragment): Promise<FromDevice<PasskeyAnswerInput>> {
  return await ask(async () => {
    const { id, response } = await startAuthentication({
      optionsJSON: {
        challenge,
        rpId,
        allowCredentials: allowed.map((one) => ({ id: one, type: 'public-key' })),
        userVerification: 'preferred',
        timeout: TIMEOUT,
      },
    });
    const { clientDataJSON, authenticatorData, signature } = response;
    return { id, clientDataJSON, authenticatorData, signature };
  });
}
