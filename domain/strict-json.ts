import { visit } from 'jsonc-parser';
import { LIMITS } from './limits';
import type { SignedParameters } from './signing';

/** A parsed JSON value. An object may have an own key `__proto__`: never copy one by assignment or merge. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** The body of a signed request. */
export interface StrictObject {
  /** The top-level values. A number has lost how it was written: read amounts from `texts`. */
  readonly fields: ReadonlyMap<string, JsonValue>;
  /**
   * What the signature covers: strings by decoded value; numbers, booleans, arrays and objects as the exact slice
   * of the body's text; null dropped.
   */
  readonly texts: SignedParameters;
}

/** Breaks off the visit at the first problem. */
class Refusal extends Error {}
const refuse = (problem: string): never => {
  throw new Refusal(problem);
};

const NOT_JSON = 'must be JSON';
const BAD_TEXT = 'must not hold NUL characters or lone surrogates';

/** Neither PostgreSQL nor UTF-8 can carry these. With the u flag a surrogate matches only when it is alone. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** The keys of an array. */
const NO_KEYS = new Set<string>();

/** Walks a text that JSON.parse took, refusing what JSON.parse lets pass, and cuts the signing texts out of it. */
function signingTexts(text: string): SignedParameters {
  const texts = new Map<string, string>();
  /** For each array and object open now: the keys seen so far. */
  const open: Set<string>[] = [];
  let field = '';
  let start = 0;

  const begin = (keys: Set<string>, offset: number): void => {
    // jsonc-parser recurses: this also keeps a hostile body from using up the stack.
    if (open.length === LIMITS.jsonDepth)
      refuse(`must not nest more than ${LIMITS.jsonDepth} levels deep`);
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
        if (UNSTORABLE.test(key)) refuse(BAD_TEXT);
        const keys = open.at(-1);
        if (keys?.has(key)) refuse('must not name a key twice');
        keys?.add(key);
        if (open.length === 1) field = key;
      },
      onLiteralValue: (value: unknown, offset, length) => {
        if (typeof value === 'string' && UNSTORABLE.test(value)) refuse(BAD_TEXT);
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
 * Parses a signed body: one JSON object, as strict as JSON.parse, and besides no key twice at any depth, at most
 * LIMITS.jsonDepth arrays and objects open at once, no NUL character and no lone surrogate, escaped or not.
 * Takes time linear in the text.
 * @returns the object, or what is wrong with the text
 */
export function parseStrictObject(text: string): StrictObject | { problem: string } {
  if (UNSTORABLE.test(text)) return { problem: BAD_TEXT };
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
 * The text of UTF-8 bytes, or undefined where they are not UTF-8. A byte order mark stays in the text, where
 * parseStrictObject refuses it.
 */
export function decodeUtf8Strict(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
