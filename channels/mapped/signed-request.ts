import { hash, randomBytes } from 'node:crypto';
import { payloadOf } from '../../domain/mapping/body';
import { problemOfHeader, problemOfPayload, problemOfSigned, problemOfUrl } from '../../domain/mapping/reread';
import type { MappedRequest, Mapping } from '../../domain/mapping/schema';
import { stringToSign } from '../../domain/mapping/string-to-sign';
import { fill, type Variables, variablesOf } from '../../domain/mapping/template';
import { writeTime } from '../../domain/mapping/times';
import type { Secrets } from './keys';
import { sign } from './signer';

/** A request, ready to be sent. */
export interface OutgoingRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The signer's key, and the provider's address. */
export interface Signing {
  readonly mapping: Mapping;
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secrets: Secrets;
  /** The settings of this environment, as `set.…`. */
  readonly values: Variables;
}

const CONTENT_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  none: null,
  query: null,
} as const;

/** Headers are sent as they are, without any quoting. */
const PRINTABLE = /^[\t\x20-\x7e]*$/;

/** The parts of a message that its signature may name. */
export const messageVariables = (
  method: string,
  path: string,
  url: string,
  query: string,
  body: string,
): Variables => ({
  method,
  method_lower: method.toLowerCase(),
  path,
  url,
  query,
  body,
  body_base64: Buffer.from(body).toString('base64'),
  body_sha256: hash('sha256', body),
  body_sha256_base64: hash('sha256', body, 'base64'),
});

/** The secrets as `secret` and `secret.…`. */
export const secretVariables = (secrets: Secrets): Variables => ({
  secret: secrets['sign'] ?? null,
  ...Object.fromEntries(Object.entries(secrets).map(([name, value]) => [`secret.${name}`, value])),
});

/** In a path a value is the text of one segment. */
const inPath = (variables: Variables): Variables =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, value === null ? null : encodeURIComponent(value)]),
  );

/**
 * Builds a request by a mapping, reads it again as its provider will, and signs it if it holds what was asked.
 * @param order the values of the order that it is about
 * @returns the request, or why it cannot be built: then nothing was sent
 */
export function signedRequest(
  { mapping, baseUrl, keyId, secrets, values }: Signing,
  request: MappedRequest,
  order: Variables,
  now: Date,
): OutgoingRequest | { readonly problem: string } {
  const { method, encoding } = request;
  const variables: Variables = {
    ...order,
    ...values,
    key_id: keyId,
    timestamp: writeTime(now, mapping.time),
    nonce: randomBytes(16).toString('hex'),
  };
  const known = { ...variables, ...secretVariables(secrets) };
  const path = fill(request.path, inPath(variables));
  if (path === null) return { problem: 'the path names a missing value' };
  const { signature: rule } = mapping;
  let payload = payloadOf(request, known);
  const base = baseUrl.replace(/\/+$/, '');
  const pathUrl = `${base}${path}`;
  const urlOf = ({ query }: typeof payload): string => (query === '' ? pathUrl : `${pathUrl}?${query}`);
  const wrong =
    problemOfUrl(request, variables, base, path, pathUrl) ?? problemOfPayload(request, known, payload, null);
  if (wrong !== null) return { problem: wrong };

  const headers = new Map<string, string>();
  const contentType = CONTENT_TYPES[encoding];
  if (contentType !== null) headers.set('content-type', contentType);
  const basic = Buffer.from(`${keyId}:${secrets['sign'] ?? ''}`).toString('base64');
  for (const { name, value } of request.headers ?? []) {
    const text = fill(value, { ...known, basic });
    const unclear = problemOfHeader({ name, value }, known);
    if (unclear !== null) return { problem: unclear };
    if (text !== null) headers.set(name.toLowerCase(), text);
    else if (variablesOf(value).some((one) => one.startsWith('secret')))
      return { problem: `the header ${name} names a secret that the channel does not have` };
  }
  for (const [name, value] of headers)
    if (!PRINTABLE.test(value)) return { problem: `the header ${name} cannot hold this text` };
  if (request.unsigned !== true) {
    const shifted = problemOfSigned(rule, request.fields, known);
    if (shifted !== null) return { problem: shifted };
    const message = messageVariables(method, path, urlOf(payload), payload.query, payload.body);
    const text = stringToSign(rule, payload.values, { ...known, ...message });
    if (text === null) return { problem: 'the signature names a missing value' };
    const { in: place, name, prefix = '' } = rule.put;
    const value = prefix + sign(rule, text, secrets['sign'] ?? '');
    if (place === 'header') {
      if (!PRINTABLE.test(value)) return { problem: `the header ${name} cannot hold this text` };
      headers.set(name.toLowerCase(), value);
    } else {
      payload = payloadOf(request, known, { name, value });
      const changed = problemOfPayload(request, known, payload, { name, value });
      if (changed !== null) return { problem: changed };
    }
  }
  return { url: urlOf(payload), method, headers: Object.fromEntries(headers), body: payload.body };
}
