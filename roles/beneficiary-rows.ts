import { blindIndex } from '../crypto/blind-index';
import type { KeyRing } from '../crypto/key-ring';
import { createLookup } from '../crypto/lookup';
import { openBeneficiary } from '../crypto/personal';
import type { Sealer } from '../crypto/seal';
import { beneficiaryAccountOf } from '../domain/sealed-for';
import { BENEFICIARY_ACCOUNT } from '../domain/search-forms';
import type { Database } from '../db/client';
import * as db from '../db/platform/beneficiary-keys';
import type { KeyUse } from '../db/platform/sealed-rows';

type Reader = Pick<Database, 'sql'>;

/** A value before every id. */
const NONE = '00000000-0000-0000-0000-000000000000';
const WHAT = 'beneficiaries of withdrawals';

/** The withdrawals that are not counted under the current key, in batches. */
async function* otherBeneficiaries(database: Reader, ring: KeyRing): AsyncGenerator<readonly db.OtherBeneficiary[]> {
  const { id, named } = ring.current;
  for (let after: string | null = NONE; after !== null;) {
    const { found, last }: db.OtherBeneficiaries = await db.findOtherBeneficiaries(database, after, named ? id : '');
    if (found.length > 0) yield found;
    after = last;
  }
}

/** Rows by their balance: one statement locks one. */
function byBalance<Row extends db.OtherBeneficiary>(rows: readonly Row[]): Iterable<Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const balance = `${row.merchantId} ${row.currencyCode}`;
    groups.set(balance, [...(groups.get(balance) ?? []), row]);
  }
  return groups.values();
}

/**
 * Counts what is paid to beneficiaries under the current key, with all that is counted under older ones. @param unopened
 * gets the accounts that do not open @returns how many rows were changed
 */
export async function rekeyBeneficiaries(
  database: Reader,
  ring: KeyRing,
  sealer: Sealer,
  unopened: Set<string>,
): Promise<number> {
  const lookup = createLookup(ring);
  const keyOf = (account: string): string => blindIndex(lookup, BENEFICIARY_ACCOUNT, account);
  let changed = 0;
  for await (const found of otherBeneficiaries(database, ring)) {
    const rows = found.flatMap((row) => {
      try {
        return [{ ...row, newKey: keyOf(openBeneficiary(sealer, row)) }];
      } catch {
        unopened.add(beneficiaryAccountOf(row.orderNo));
        return [];
      }
    });
    for (const group of byBalance(rows)) changed += await db.rekeyWithdrawals(database, group);
  }
  return changed;
}

/** What counts beneficiaries under older keys. It reads every withdrawal. */
export async function findBeneficiaryUses(database: Reader, ring: KeyRing): Promise<readonly KeyUse[]> {
  const counts = new Map<string, number>();
  for await (const found of otherBeneficiaries(database, ring))
    for (const { accountKey } of found) {
      const keyId = accountKey.includes('.') ? accountKey.slice(0, accountKey.indexOf('.')) : '';
      counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
    }
  return [...counts].map(([keyId, count]) => ({
    keyId,
    count,
    what: WHAT,
    renewable: true,
    endsAt: null,
  }));
}
