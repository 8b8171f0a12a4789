import { blindIndex } from '../crypto/blind-index';
import type { KeyRing } from '../crypto/key-ring';
import { createLookup, type Lookup } from '../crypto/lookup';
import { keyOfBody, sealBodyAgain } from '../crypto/callback-body';
import { keyOfSealed, sealedBy, type Sealer } from '../crypto/seal';
import type { Database } from '../db/client';
import {
  PERSONAL_COLUMNS,
  type PersonalColumn,
  type PersonalValue,
  type RenewedValue,
} from '../db/platform/personal-columns';
import { findBeneficiaryUses } from './beneficiary-rows';
import type { KeyUse } from '../db/platform/sealed-rows';

type Reader = Pick<Database, 'sql'>;

/** The values of a column that are not under the current key, in batches. */
async function* otherValues(
  database: Reader,
  ring: KeyRing,
  column: PersonalColumn,
): AsyncGenerator<readonly PersonalValue[]> {
  const current = sealedBy(ring.current);
  for (let after: PersonalValue['key'] | null = null; ;) {
    const { values, last } = await column.find(database, after, current);
    if (values.length > 0) yield values;
    if (last === null) return;
    after = last;
  }
}

/** The key of a value; undefined where it is not sealed, and so was changed. */
const keyOf = ({ kind }: PersonalColumn, kept: string | Buffer) =>
  typeof kept === 'string' && kind === 'BODY' ? keyOfBody(kept) : keyOfSealed(kept);

/** A value under the current key. @throws if it does not open */
function sealAgain(
  sealer: Sealer,
  lookup: Lookup,
  { kind, searched }: PersonalColumn,
  value: PersonalValue,
): RenewedValue {
  const { kept, context } = value;
  const renewedTo = (renewed: string | Buffer, index: string | null = null): RenewedValue => ({
    ...value,
    renewed,
    index,
  });
  if (typeof kept !== 'string') return renewedTo(sealer.sealBytes(sealer.openBytes(kept, context), context));
  if (kind === 'BODY') return renewedTo(sealBodyAgain(sealer, kept, context));
  const text = sealer.open(kept, context);
  return renewedTo(sealer.seal(text, context), searched && blindIndex(lookup, searched, text));
}

/**
 * Seals every personal value that is under an older key. @param unopened gets the values that do not open @returns how
 * many were changed
 */
export async function resealPersonal(
  database: Reader,
  ring: KeyRing,
  sealer: Sealer,
  unopened: Set<string>,
): Promise<number> {
  const lookup = createLookup(ring);
  let changed = 0;
  for (const column of PERSONAL_COLUMNS)
    for await (const values of otherValues(database, ring, column)) {
      const sealed = values.flatMap((value) => {
        try {
          return [sealAgain(sealer, lookup, column, value)];
        } catch {
          unopened.add(column.kind === 'BODY' ? `callback:${value.key.join()}` : value.context);
          return [];
        }
      });
      if (sealed.length > 0) changed += await column.replace(database, sealed);
    }
  return changed;
}

/** What of the personal columns needs older keys. It reads every row. */
export async function findPersonalUses(database: Reader, ring: KeyRing): Promise<readonly KeyUse[]> {
  const uses = new Map<string, KeyUse>();
  for (const column of PERSONAL_COLUMNS)
    for await (const values of otherValues(database, ring, column))
      for (const { kept } of values) {
        const key = keyOf(column, kept);
        if (!key) continue;
        const name = `${key.id ?? ''} ${column.what}`;
        const { count } = uses.get(name) ?? { count: 0 };
        const use = { what: column.what, count: count + 1, renewable: true, endsAt: null };
        uses.set(name, { keyId: key.id ?? '', ...use });
      }
  return [...uses.values(), ...(await findBeneficiaryUses(database, ring))];
}
