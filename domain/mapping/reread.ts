import type { Payload } from './body';
import { type Leaf, leavesOf, segmentsOf } from './document';
import { JSON_NUMBER, othersIn, partsOfPath, STRUCTURE } from './leaks';
import type { MappedRequest, SignatureRule, SignedFieldsRule } from './schema';
import type { NamedValue } from './string-to-sign';
import { fill, fillQuoted, literalsOf, type Variables, variablesOf } from './template';
import { parseStrictObject } from '../strict-json';

/*
 * A request as its provider reads it, compared with what was asked. Text of merchants and payers is in it; none of it may
 * become another value, another field or another path. Reasons name places only: values may be secret.
 */

type Field = MappedRequest['fields'][number];

const textOf = ({ value, as }: Field, variables: Variables): string | null =>
  as === 'json' ? fillQuoted(value, variables) : fill(value, variables);

/** The leaves that the declared fields ask for. */
const askedLeaves = ({ to, as = 'text' }: Field, text: string): Leaf[] =>
  as === 'json' ? leavesOf(text, to) : [{ at: to, type: as === 'number' ? 'number' : 'string', text }];

/** What differs between two lists of places, or null. */
function difference(asked: readonly Leaf[], found: readonly Leaf[]): string | null {
  const left = new Map(found.map((leaf) => [leaf.at, leaf]));
  for (const { at, type, text } of asked) {
    const leaf = left.get(at);
    if (leaf?.type !== type || leaf.text !== text) return `${at} would not say what was asked`;
    left.delete(at);
  }
  const [added] = left.keys();
  if (added !== undefined) return `${added.slice(0, 64)} would be added`;
  return found.length === asked.length ? null : 'a value would come twice';
}

const pairLeaves = (pairs: Iterable<readonly [string, string]>): Leaf[] =>
  Array.from(pairs, ([name, text]) => ({ at: `/${name}`, type: 'string', text }));

/** Whether text of others could end its part of a joined text: it has a separator that the template has too. */
function isAmbiguous(template: string, variables: Variables): boolean {
  const separators = literalsOf(template).join('').match(STRUCTURE) ?? [];
  return othersIn(template).some((name) => separators.some((one) => variables[name]?.includes(one) === true));
}

/** What is wrong with the fields of a built request, or null. @param signature the value that signs the others */
export function problemOfPayload(
  request: MappedRequest,
  variables: Variables,
  { body, query }: Payload,
  signature: NamedValue | null,
): string | null {
  const asked: Leaf[] = [];
  for (const field of request.fields) {
    const text = textOf(field, variables);
    if (text === null) continue;
    if (field.as === 'number' && !JSON_NUMBER.test(text)) return `${field.to} is no number`;
    if (isAmbiguous(field.value, variables)) return `${field.to} has a separator in its text`;
    asked.push(
      ...(request.encoding === 'json'
        ? askedLeaves(field, text)
        : [{ at: `/${segmentsOf(field.to).join('/')}`, type: 'string', text }]),
    );
  }
  if (signature) asked.push({ at: `/${signature.name}`, type: 'string', text: signature.value });
  switch (request.encoding) {
    case 'none':
      return null;
    case 'query':
      return difference(asked, pairLeaves(new URLSearchParams(query)));
    case 'form':
      return difference(asked, pairLeaves(new URLSearchParams(body)));
    case 'json': {
      const parsed = parseStrictObject(body);
      if ('problem' in parsed) return `the body ${parsed.problem}`;
      return difference(asked, asked.length === 0 && body === '{}' ? [] : leavesOf(body));
    }
  }
}

/** The most layers of percent-encoding that are looked through. */
const MOST_LAYERS = 4;

/** Decodes as the most lenient server does: what is not UTF-8 stays, and ASCII may be written in two bytes. */
function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    const byte = (hex: string): number => parseInt(hex, 16);
    return text
      .replace(/%([0-7][0-9a-f])/gi, (_all, one: string) => String.fromCharCode(byte(one)))
      .replace(/%c([01])%([89ab][0-9a-f])/gi, (_all, high: string, low: string) =>
        String.fromCharCode((byte(high) << 6) | (byte(low) & 63)),
      );
  }
}

/** Without what a server may drop: blanks, and characters that are not seen. */
const seen = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '').trim();

/** Whether a server could read a segment as an empty one, or as one that leads to another path. */
function isLeaving(segment: string): boolean {
  let text = segment;
  for (let layer = 0; layer < MOST_LAYERS; layer++) {
    text = text.normalize('NFKC');
    const parts = text.split(/[/\\]/).flatMap((part) => [part, part.split(/[;\0]/)[0] ?? '']);
    if (parts.some((part) => ['', '.', '..'].includes(seen(part)))) return true;
    const decoded = decodedOnce(text);
    if (decoded === text) return false;
    text = decoded;
  }
  return true;
}

/**
 * What is wrong with the address of a built request, or null.
 * @param path the filled path, as it was signed
 */
export function problemOfUrl(
  request: MappedRequest,
  variables: Variables,
  baseUrl: string,
  path: string,
  url: string,
): string | null {
  const [template = '', ...more] = request.path.split('?');
  const [plain = ''] = path.split('?');
  const segments = plain.split('/');
  const leaving = template.split('/').some((one, i) => {
    const names = variablesOf(one);
    const empty = names.some((name) => seen(variables[name] ?? '') === '');
    return names.length > 0 && (empty || isLeaving(segments[i] ?? ''));
  });
  if (leaving) return 'a segment of the path would be empty, or lead to another path';
  if (partsOfPath(request.path).some((part) => isAmbiguous(part, variables)))
    return 'the address has a separator in its text';
  if (!URL.canParse(baseUrl) || !URL.canParse(url)) return 'the address is invalid';
  const [base, sent] = [new URL(baseUrl), new URL(url)];
  const same =
    sent.origin === base.origin &&
    sent.username === base.username &&
    sent.hash === '' &&
    sent.pathname === `${base.pathname.replace(/\/+$/, '')}${plain}`;
  if (!same) return 'the path would be another one';
  if (more.length === 0) return null;
  const asked = Array.from(
    new URLSearchParams(more.join('?')),
    ([name, value]) => [name, fill(value, variables) ?? ''] as const,
  );
  return difference(pairLeaves(asked), pairLeaves(sent.searchParams));
}

/** What is wrong with a header of a request, or null. */
export const problemOfHeader = ({ name, value }: NamedValue, variables: Variables): string | null =>
  isAmbiguous(value, variables) ? `the header ${name} has a separator in its text` : null;

/**
 * Whether text of others would be read as another field of a joined text, such as `7&amount=9`; null if not. Values
 * joined with nothing between them cannot be distinguished by anybody: there the body alone says what is asked.
 */
function problemOfJoined(
  { assign, separator, encode }: SignedFieldsRule,
  fields: readonly NamedValue[],
  variables: Variables,
): string | null {
  if (encode !== 'none' || /^ *$/.test(separator)) return null;
  for (const { name, value } of fields) {
    if (othersIn(value).length === 0) continue;
    const parts = (fill(value, variables) ?? '').split(separator).slice(1);
    const shifts = assign ? parts.some((part) => part.includes(assign)) : parts.length > 0;
    if (shifts) return `${name} would be read as another field of what is signed`;
  }
  return null;
}

/** Whether text of others would shift what is signed, so that it says something else; null if not. */
export function problemOfSigned(
  { text, fields: rule }: Pick<SignatureRule, 'text' | 'fields'>,
  fields: readonly Field[],
  variables: Variables,
): string | null {
  const unclear = 'what is signed has a separator in its text';
  if (isAmbiguous(text, variables)) return unclear;
  if (rule === undefined) return null;
  const ofMessage = fields.map(({ to, value }) => ({ name: to, value }));
  const joined = rule.of === 'message' ? ofMessage : rule.of;
  if (joined.some(({ value }) => isAmbiguous(value, variables))) return unclear;
  return problemOfJoined(rule, joined, variables);
}
