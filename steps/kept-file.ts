import { invalidField } from '../domain/errors';

/** A file as uploaded; it is never decoded here. */
export interface KeptFile<Type extends string> {
  /** The type by its first bytes. */
  readonly type: Type;
  readonly bytes: Buffer;
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * A file that was sent as base64; null if there is none.
 * @param rule `most` bytes; `typeOf` derives the type from the first bytes, undefined for a type that is not accepted
 * @throws INVALID_FIELD
 */
export function fileOf<Type extends string>(
  base64: string | null | undefined,
  field: string,
  rule: {
    readonly most: number;
    readonly typeOf: (bytes: Uint8Array) => Type | undefined;
    /** The accepted types, as text. */
    readonly mustBe: string;
  },
): KeptFile<Type> | null {
  if (base64 === null || base64 === undefined || base64 === '') return null;
  if (!BASE64.test(base64)) throw invalidField(field, 'must be base64');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > rule.most)
    throw invalidField(field, `must be at most ${String(rule.most / 1024 / 1024)} MB`, 'OUT_OF_RANGE');
  const type = rule.typeOf(bytes);
  if (type === undefined) throw invalidField(field, `must be ${rule.mustBe}`);
  return { type, bytes };
}
