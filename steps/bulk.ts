import { type CatalogueError, invalidField } from '../domain/errors';
import type { Needs } from './context';
import { refuse } from './refuse';

/** Why one of several was refused; null if it was done. */
export interface BulkRefusal {
  readonly code: CatalogueError['code'] | null;
  readonly message: string | null;
}

/** The result for one of several. */
export type BulkResult<Done> = BulkRefusal & {
  readonly value: string;
  /** Null if it was refused. */
  readonly done: Done | null;
};

/**
 * Runs the same action for several ids, once for each distinct id and each by itself: a refusal of one does not stop
 * the others.
 * @param field the argument that names them
 * @throws INVALID_FIELD for none, or too many
 */
export async function eachOf<Done>(
  { audit, log }: Needs<'audit' | 'log'>,
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
  // Each one done has its own audit entry; if none was done, one entry records the request.
  if (!audit.written) audit.note = { reason: audit.note.reason ?? null, after: { [named.field]: values } };
  return results;
}
