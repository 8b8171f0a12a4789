import { hash } from 'node:crypto';
import { textAt, type Values, valuesOfForm, valuesOfJson } from '../../domain/mapping/document';
import type { Mapping } from '../../domain/mapping/schema';
import { type NamedValue, stringToSign } from '../../domain/mapping/string-to-sign';
import { fill, type Variables, variablesOf } from '../../domain/mapping/template';
import { decodeUtf8Strict, parseStrictObject } from '../../domain/strict-json';
import type { ChannelMessage, Webhook, WebhookReading } from '../channel';
import { MOST_TEXT } from '../http-answer';
import type { Secrets } from './keys';
import { messageVariables, secretVariables } from './signed-request';
import { isSignedBy } from './signer';

type WebhookRule = NonNullable<Mapping['webhook']>;

/** The headers that a rule reads, in lower case; they are kept beside the bytes. */
export function headersRead({ signature }: WebhookRule): string[] {
  const { text, fields, put } = signature;
  const templates = [text, ...(Array.isArray(fields?.of) ? fields.of.map((one: { value: string }) => one.value) : [])];
  const named = templates.flatMap(variablesOf).filter((name) => name.startsWith('header.'));
  return [
    ...new Set([
      ...named.map((name) => name.slice('header.'.length)),
      ...(put.in === 'header' ? [put.name.toLowerCase()] : []),
    ]),
  ];
}

/** The message's top-level values as they are signed; undefined if the text does not have the declared encoding. */
function signedValues(encoding: WebhookRule['encoding'], text: string): NamedValue[] | undefined {
  if (encoding === 'json') {
    const parsed = parseStrictObject(text);
    return 'problem' in parsed ? undefined : Array.from(parsed.texts, ([name, value]) => ({ name, value }));
  }
  return Array.from(new URLSearchParams(text), ([name, value]) => ({ name, value }));
}

/** The values of a message; a text if it is malformed. */
function parse(encoding: WebhookRule['encoding'], text: string): { values: Values; signed: NamedValue[] } | string {
  const values = encoding === 'json' ? valuesOfJson(text) : valuesOfForm(text);
  const signed = signedValues(encoding, text);
  return values === undefined || signed === undefined ? `the message is not valid ${encoding}` : { values, signed };
}

/** Verifies and reads a provider's report. */
export function readMappedWebhook(
  rule: WebhookRule,
  { keyId, secrets, values: set }: { readonly keyId: string; readonly secrets: Secrets; readonly values: Variables },
  { headers, body, query = '' }: Webhook,
): WebhookReading {
  const bytes = decodeUtf8Strict(body);
  if (bytes === undefined) return { kind: 'malformed', problem: 'the body must be UTF-8' };
  const parsed = parse(rule.encoding, rule.encoding === 'query' ? query : bytes);
  if (typeof parsed === 'string') return { kind: 'malformed', problem: parsed };
  const { values, signed } = parsed;
  const problem = forgery();
  if (problem !== null) return { kind: 'forged', problem };
  const reference = rule.reference.map((pointer) => textAt(values, pointer)).find((one) => one !== null);
  if (reference === undefined) return { kind: 'malformed', problem: 'the message names no order' };
  return { kind: 'message', message: messageOf(reference), answer: rule.answer };

  function forgery(): string | null {
    const { signature } = rule;
    const { in: place, name, prefix = '' } = signature.put;
    const given = place === 'header' ? headers[name.toLowerCase()] : textAt(values, `/${name}`);
    if (!given?.startsWith(prefix)) return 'the signature is missing';
    const variables: Variables = {
      ...set,
      ...secretVariables(secrets),
      ...Object.fromEntries(Object.entries(headers).map(([header, value]) => [`header.${header}`, value])),
      key_id: keyId,
      ...messageVariables('POST', '', '', query, bytes ?? ''),
    };
    const message = place === 'field' ? signed.filter((one) => one.name !== name) : signed;
    const text = stringToSign(signature, message, variables);
    if (text === null) return 'a signed value is missing';
    const key = signature.verifyKey === undefined ? secrets['sign'] : fill(signature.verifyKey, variables);
    try {
      if (key != null && isSignedBy(signature, text, given.slice(prefix.length), key)) return null;
    } catch {
      return "the provider's key is invalid";
    }
    return 'the signature does not match';
  }

  function messageOf(named: string): ChannelMessage {
    const status = textAt(values, rule.status) ?? '';
    const known = Object.hasOwn(rule.statuses, status) ? rule.statuses[status] : undefined;
    const id = textAt(values, rule.messageId) ?? `sha256:${hash('sha256', `${query}\n${bytes ?? ''}`)}`;
    return {
      messageId: id.slice(0, MOST_TEXT),
      reference: named.slice(0, MOST_TEXT),
      // An unknown status is still a reason to query.
      reported: (known ?? 'accepted').toUpperCase() as ChannelMessage['reported'],
    };
  }
}
