import { createHmac, hash, sign as signBytes, timingSafeEqual, verify } from 'node:crypto';
import { isSoundEd25519 } from '../../domain/ed25519';
import type { SignatureRule } from '../../domain/mapping/schema';
import { privateKeyOf, publicKeyOf } from './keys';

type Rule = Pick<SignatureRule, 'algorithm' | 'output'>;

/** What node:crypto calls the hash of a signature; Ed25519 has its own. */
const RSA_HASH = { RSA_SHA256: 'sha256', RSA_SHA1: 'sha1' } as const;

const write = (bytes: Buffer, output: Rule['output']): string => {
  if (output === 'base64') return bytes.toString('base64');
  const hex = bytes.toString('hex');
  return output === 'HEX' ? hex.toUpperCase() : hex;
};

function digestOf(algorithm: 'MD5' | 'HMAC_SHA256' | 'HMAC_SHA512', text: string, secret: string): Buffer {
  if (algorithm === 'MD5') return Buffer.from(hash('md5', text), 'hex');
  return createHmac(algorithm === 'HMAC_SHA256' ? 'sha256' : 'sha512', secret)
    .update(text)
    .digest();
}

/** Signs a text. @param key the secret, or the private key @throws if a private key is invalid */
export function sign({ algorithm, output }: Rule, text: string, key: string): string {
  switch (algorithm) {
    case 'MD5':
    case 'HMAC_SHA256':
    case 'HMAC_SHA512':
      return write(digestOf(algorithm, text, key), output);
    case 'RSA_SHA256':
    case 'RSA_SHA1':
      return write(signBytes(RSA_HASH[algorithm], Buffer.from(text), privateKeyOf(key)), output);
    case 'ED25519':
      return write(signBytes(null, Buffer.from(text), privateKeyOf(key)), output);
  }
}

/**
 * Whether a signature is the text's. In constant time if the key is shared.
 * @param given as the provider wrote it
 * @param key the secret, or the provider's public key
 */
export function isSignedBy({ algorithm, output }: Rule, text: string, given: string, key: string): boolean {
  const bytes = Buffer.from(given, output === 'base64' ? 'base64' : 'hex');
  // A decoder skips unknown characters: only the canonical spelling of these bytes is accepted, in any case.
  const spelled = output === 'base64' ? bytes.toString('base64') : bytes.toString('hex');
  if (spelled !== (output === 'base64' ? given : given.toLowerCase())) return false;
  switch (algorithm) {
    case 'MD5':
    case 'HMAC_SHA256':
    case 'HMAC_SHA512': {
      const expected = digestOf(algorithm, text, key);
      return bytes.length === expected.length && timingSafeEqual(bytes, expected);
    }
    case 'RSA_SHA256':
    case 'RSA_SHA1':
      return verify(RSA_HASH[algorithm], Buffer.from(text), publicKeyOf(key), bytes);
    case 'ED25519': {
      const publicKey = publicKeyOf(key);
      return (
        publicKey.asymmetricKeyType === 'ed25519' &&
        isSoundEd25519(publicKey.export({ format: 'der', type: 'spki' })) &&
        verify(null, Buffer.from(text), publicKey, bytes)
      );
    }
  }
}
