import { randomInt } from 'node:crypto';

/** 62 characters, 5.95 bits each; no `_`, so that a bare token never looks like a prefixed one. */
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Every character is equally likely: randomInt rejects biased draws. */
const random = (characters: number): string =>
  Array.from({ length: characters }, () => BASE62.charAt(randomInt(BASE62.length))).join('');

/** 238 bits. */
const API_KEY_CHARACTERS = 40;
/** 256 bits. */
const SECRET_CHARACTERS = 43;
/** 119 bits: unique without a query. Not a secret. */
const KEY_ID_CHARACTERS = 20;

/** The prefix of sandbox keys; production keys never have it (contract, "Environments"). */
export const SANDBOX_PREFIX = 'pre_';

/** A merchant's api key, which identifies and signs. */
export const newApiKey = (environment: 'sandbox' | 'production'): string =>
  (environment === 'sandbox' ? SANDBOX_PREFIX : '') + random(API_KEY_CHARACTERS);

/** Whether the prefix of a merchant's api key fits this environment. */
export const isKeyOf = (environment: 'sandbox' | 'production', apiKey: string): boolean =>
  apiKey.startsWith(SANDBOX_PREFIX) === (environment === 'sandbox');

/** Names an agent's key (X-Agent-Key). Not a secret. */
export const newAgentKeyId = (): string => `ak_${random(KEY_ID_CHARACTERS)}`;

/** Signs an agent's notifications (HMAC-SHA256). */
export const newAgentSecret = (): string => random(SECRET_CHARACTERS);

/** Signs the requests that deliver events of the platform (HMAC-SHA256). */
export const newWebhookSecret = (): string => random(SECRET_CHARACTERS);

/** The prefix of operators' API tokens. */
export const API_TOKEN_PREFIX = 'cwt_';
/** An operator's API token. */
export const newApiToken = (): string => API_TOKEN_PREFIX + random(SECRET_CHARACTERS);

/** The secret of a link that works once. */
export const newLinkToken = (): string => random(SECRET_CHARACTERS);

/** No letters or digits that look alike: 31 characters, 4.95 bits each. */
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789';
/** 79 bits, in four groups that a person can copy. */
export const newRecoveryCode = (): string =>
  Array.from(
    { length: 16 },
    (_, i) => (i > 0 && i % 4 === 0 ? '-' : '') + READABLE.charAt(randomInt(READABLE.length)),
  ).join('');

/** An operator's Bearer token. */
export const newSessionToken = (): string => random(SECRET_CHARACTERS);

/** The last four characters, by which people tell secrets apart. */
export const secretHint = (secret: string): string => secret.slice(-4);

/** What is hashed of the token of an operator's link. */
export const linkToHash = (token: string): string => `link:${token}`;
