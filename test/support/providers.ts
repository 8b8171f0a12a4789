import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hmacJsonStyle } from '../../simulator/styles/hmac-json';
import { md5QueryStyle } from '../../simulator/styles/md5-query';
import { rsaSortedStyle } from '../../simulator/styles/rsa-sorted';
import type { Style } from '../../simulator/style';

/** A provider that a simulator plays, and its mapping. */
export interface Provider {
  readonly name: string;
  readonly style: Style;
  /** As in docs/mappings. */
  readonly mapping: unknown;
  readonly currency: string;
  readonly keyId: string;
  /** As an operator enters it. */
  readonly secret: string;
  readonly anotherSecret: string;
}

const mappingOf = (name: string): unknown =>
  JSON.parse(readFileSync(join(__dirname, '../../docs/mappings', `${name}.json`), 'utf8'));

/** A mapping of docs/mappings. */
export interface DocumentedMapping {
  readonly settings: { readonly sandbox: { readonly values: Readonly<Record<string, string>> } };
}

const keyPair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
const [ours, theirs, strangers] = [keyPair(), keyPair(), keyPair()];

/** The mapping with this provider's key, as its sandbox would issue one. */
function withProviderKey(mapping: unknown): unknown {
  const { settings, ...rest } = mapping as DocumentedMapping;
  const values = { ...settings.sandbox.values, provider_key: theirs.publicKey };
  return { ...rest, settings: { ...settings, sandbox: { values } } };
}

/** One provider of each style. */
export const PROVIDERS: readonly Provider[] = [
  {
    name: 'MD5 over a query string',
    style: md5QueryStyle({ platformId: 'PF0001', key: 'a key of the tests', token: 'a token' }),
    mapping: mappingOf('md5-query'),
    currency: 'THB',
    keyId: 'PF0001',
    secret: JSON.stringify({ sign: 'a key of the tests', token: 'a token' }),
    anotherSecret: JSON.stringify({ sign: 'another key', token: 'a token' }),
  },
  {
    name: 'HMAC over JSON',
    style: hmacJsonStyle({ apiKey: 'an api key', secret: 'a secret of the tests' }),
    mapping: mappingOf('hmac-json'),
    currency: 'THB',
    keyId: 'an api key',
    secret: 'a secret of the tests',
    anotherSecret: 'another secret of the tests',
  },
  {
    name: 'RSA over sorted fields',
    style: rsaSortedStyle({
      token: 'a token',
      merchantKey: ours.publicKey,
      providerKey: theirs.privateKey,
      strangersKey: strangers.privateKey,
    }),
    mapping: withProviderKey(mappingOf('rsa-sorted')),
    currency: 'MYR',
    keyId: 'unused',
    secret: JSON.stringify({ sign: ours.privateKey, token: 'a token' }),
    anotherSecret: JSON.stringify({ sign: strangers.privateKey, token: 'a token' }),
  },
];
