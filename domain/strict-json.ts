import { visit } from 'jsonc-parser';
import { LIMITS } from './limits';
import type { SignedParameters } from './signing';
import { isStorable, MALFORMED_TEXT } from './well-formed';

/** A parsed JSON value. An object may have an own key `__proto__`: never copy one by assignment or merge. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** The body of a signed request. */
export interface StrictObject {
  /** The top-level values. A number has lost its spelling: read amounts from `texts`. */
  readonly fields: ReadonlyMap<string, JsonValue>;
  /**
   * What the signature covers: strings by their decoded value; numbers, booleans, arrays and objects as the exact slice
   * of the body; null dropped.
   */
  readonly texts: SignedParameters;
}

/** Ends the visit at the first problem. */
class Refusal extends Error {}
const refuse = (problem: string): never => {
  throw new Refusal(problem);
};

const NOT_JSON = 'must be JSON';

/** The keys of an array. */
const NO_KEYS = new Set<string>();

/** Walks a text that JSON.parse accepted, refuses what JSON.parse lets pass, and cuts out the signing texts. */
function signingTexts(text: string): SignedParameters {
  const texts = new Map<string, string>();
  /** For each open array and object: the keys seen so far. */
  const open: Set<string>[] = [];
  let field = '';
  let start = 0;

  const begin = (keys: Set<string>, offset: number): void => {
    // jsonc-parser recurses: this limit also protects the stack from a hostile body.
    if (open.length === LIMITS.jsonDepth) refuse(`must not nest more than ${LIMITS.jsonDepth} levels deep`);
    if (open.length === 1) start = offset;
    open.push(keys);
  };
  const end = (offset: number): void => {
    open.pop();
    if (open.length === 1) texts.set(field, text.slice(start, offset + 1));
  };

  visit(
    text,
    {
      onObjectBegin: (offset) => {
        begin(new Set(), offset);
      },
      onArrayBegin: (offset) => {
        begin(NO_KEYS, offset);
      },
      onObjectProperty: (key) => {
        if (!isStorable(key)) refuse(MALFORMED_TEXT);
        const keys = open.at(-1);
        if (keys?.has(key)) refuse('must not name a key twice');
        keys?.add(key);
        if (open.length === 1) field = key;
      },
      onLiteralValue: (value: unknown, offset, length) => {
        if (typeof value === 'string' && !isStorable(value)) refuse(MALFORMED_TEXT);
        if (open.length !== 1 || value === null) return;
        texts.set(field, typeof value === 'string' ? value : text.slice(offset, offset + length));
      },
      onObjectEnd: end,
      onArrayEnd: end,
      onError: () => refuse(NOT_JSON),
    },
    { disallowComments: true, allowTrailingComma: false },
  );
  return texts;
}

/**
 * Parses a signed body: one JSON object, as strict as JSON.parse, and also without a repeated key at any depth, with at
 * most LIMITS.jsonDepth arrays and objects open at once, without a NUL character and without a lone surrogate, escaped
 * or not. Takes time linear in the text.
 * @returns the object, or what is wrong with the text
 */
export function parseStrictObject(text: string): StrictObject | { problem: string } {
  if (!isStorable(text)) return { problem: MALFORMED_TEXT };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { problem: NOT_JSON };
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return { problem: 'must be a JSON object' };
  try {
    const texts = signingTexts(text);
    return { fields: new Map(Object.entries(parsed as Record<string, JsonValue>)), texts };
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.message };
    throw error;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes UTF-8, or gives undefined where the bytes are not UTF-8. A byte order mark stays in the text, where
 * parseStrictObject refuses it.
 */
export function decodeUtf8Strict(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
