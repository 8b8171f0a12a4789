import { readEd25519Key } from '../../crypto/ed25519';
import { invalidField } from '../../domain/errors';

/** A public key as it is stored. @param given SPKI: DER in base64, or PEM @throws INVALID_FIELD if it is not one */
export function readPublicKey(given: string): string {
  try {
    return readEd25519Key(given.replaceAll(/-----[A-Z ]+-----|\s/g, ''))
      .export({ format: 'der', type: 'spki' })
      .toString('base64');
  } catch {
    throw invalidField('publicKey', 'must be a public key of Ed25519: SPKI, DER in base64');
  }
}
