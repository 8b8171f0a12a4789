import { invalidField } from '../domain/errors';
import type { GraphContext } from './context';
import type { ErrorCode } from './error-codes';
import { refuse } from './errors';

/** Of one among several that was refused; null where it was done. */
export interface BulkRefusal {
  readonly code: ErrorCode | null;
  readonly message: string | null;
}

/** What became of one among several. */
export type BulkResult<Done> = BulkRefusal & {
  readonly value: string;
  /** Null where it was refused. */
  readonly done: Done | null;
};

/**
 * Does the same to several things, each once however often it is named, and each by itself: a refusal of one stops no
 * other.
 * @param field the argument that names them
 * @throws INVALID_FIELD for none, or too many
 */
export async function eachOf<Done>(
  { audit, log }: GraphContext,
  named: { readonly field: string; readonly values: readonly string[]; readonly most: number },
  mutation: string,
  act: (value: string) => Promise<Done>,
): Promise<BulkResult<Done>[]> {
  const values = [...new Set(named.values)];
  if (values.length === 0 || values.length > named.most)
    throw invalidField(named.field, `must be 1-${named.most}`, 'OUT_OF_RANGE');
  const results = await Promise.all(
    values.map(async (value) => {
      try {
        return { value, done: await act(value), code: null, message: null };
      } catch (error) {
        const { code, message } = refuse(error, log, mutation);
        return { value, done: null, code, message };
      }
    }),
  );
  // Each that was done is in the audit log by itself; without any, one entry says what was asked for.
  if (!audit.written)
    audit.note = { reason: audit.note.reason ?? null, after: { [named.field]: values } };
  return results;
}
