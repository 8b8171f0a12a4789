import { invalidField } from '../domain/errors';

/** As many objects as a file counts for in the cost of an operation: a few at once, no page of them. */
export const FILE_COST = 1_000;

/** A file as uploaded: never decoded here. */
export interface KeptFile<Type extends string> {
  /** What its first bytes say that it is. */
  readonly type: Type;
  readonly bytes: Buffer;
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * A file that came as base64; null where none did.
 * @param rule `most` bytes; `typeOf` derives the type from the first ones, undefined for a type that is not accepted
 * @throws INVALID_FIELD
 */
export function fileOf<Type extends string>(
  base64: string | null | undefined,
  field: string,
  rule: {
    readonly most: number;
    readonly typeOf: (bytes: Uint8Array) => Type | undefined;
    /** In words. */
    readonly mustBe: string;
  },
): KeptFile<Type> | null {
  if (base64 === null || base64 === undefined || base64 === '') return null;
  if (!BASE64.test(base64)) throw invalidField(field, 'must be base64');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > rule.most)
    throw invalidField(
      field,
      `must be at most ${String(rule.most / 1024 / 1024)} MB`,
      'OUT_OF_RANGE',
    );
  const type = rule.typeOf(bytes);
  if (type === undefined) throw invalidField(field, `must be ${rule.mustBe}`);
  return { type, bytes };
}
