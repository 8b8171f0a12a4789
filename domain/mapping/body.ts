import { segmentsOf } from './document';
import type { MappedRequest } from './schema';
import type { NamedValue } from './string-to-sign';
import { fill, fillQuoted, type Variables } from './template';

/** A JSON value that is to be written: a text of JSON, or an object of them. */
type Tree = Map<string, string | Tree>;

function put(tree: Tree, segments: readonly string[], json: string): void {
  const [first = '', ...rest] = segments;
  if (rest.length === 0) {
    tree.set(first, json);
    return;
  }
  const inner = tree.get(first);
  const below: Tree = inner instanceof Map ? inner : new Map<string, string | Tree>();
  tree.set(first, below);
  put(below, rest, json);
}

const HTML: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };
const quote = (text: string, escapeHtml: boolean): string =>
  escapeHtml ? JSON.stringify(text).replace(/[<>&]/g, (one) => HTML[one] ?? one) : JSON.stringify(text);

function write(tree: Tree, request: Pick<MappedRequest, 'sortKeys' | 'escapeHtml'>): string {
  const entries = request.sortKeys === true ? [...tree].sort(([a], [b]) => (a < b ? -1 : 1)) : [...tree];
  const members = entries.map(
    ([key, value]) =>
      `${quote(key, request.escapeHtml === true)}:${value instanceof Map ? write(value, request) : value}`,
  );
  return `{${members.join(',')}}`;
}

/** What a request holds: the values that may be signed, and its body or query string. */
export interface Payload {
  /** The top-level values as texts; an object as its JSON. */
  readonly values: readonly NamedValue[];
  /** After `?`; empty where there is none. */
  readonly query: string;
  readonly body: string;
}

/**
 * Writes a request.
 * @param signature a value to add that signs the others
 */
export function payloadOf(
  request: Pick<MappedRequest, 'encoding' | 'fields' | 'sortKeys' | 'escapeHtml'>,
  variables: Variables,
  signature: NamedValue | null = null,
): Payload {
  const { encoding, fields } = request;
  const escapeHtml = request.escapeHtml === true;
  const tree: Tree = new Map();
  const texts = new Map<string, string>();
  for (const { to, value, as = 'text' } of fields) {
    const text = as === 'json' ? fillQuoted(value, variables) : fill(value, variables);
    if (text === null) continue;
    const segments = segmentsOf(to);
    put(tree, segments, as === 'text' ? quote(text, escapeHtml) : text);
    if (segments.length === 1) texts.set(segments[0] ?? '', text);
  }
  if (signature) {
    put(tree, segmentsOf(`/${signature.name}`), quote(signature.value, escapeHtml));
    texts.set(signature.name, signature.value);
  }
  const values = [...tree].map(([name, value]) => ({
    name,
    value: texts.get(name) ?? (value instanceof Map ? write(value, request) : value),
  }));
  if (encoding === 'none') return { values: [], query: '', body: '' };
  if (encoding === 'json') return { values, query: '', body: write(tree, request) };
  const form = new URLSearchParams(values.map(({ name, value }): [string, string] => [name, value])).toString();
  return encoding === 'query' ? { values, query: form, body: '' } : { values, query: '', body: form };
}
