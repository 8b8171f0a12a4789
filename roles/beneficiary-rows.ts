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
async function* otherBeneficiaries(
  database: Reader,
  ring: KeyRing,
): AsyncGenerator<readonly db.OtherBeneficiary[]> {
  const { id, named } = ring.current;
  for (let after: string | null = NONE; after !== null;) {
    const { found, last }: db.OtherBeneficiaries = await db.findOtherBeneficiaries(
      database,
      after,
      named ? id : '',
    );
    if (found.length > 0) yield found;
    after = last;
  }
}

/** The beneficiaries of day's amounts in clear, in batches. */
async function* clearSubjects(database: Reader): AsyncGenerator<readonly string[]> {
  for (let after = ''; ;) {
    const found = await db.findClearSubjects(database, after);
    const last = found.at(-1);
    if (last === undefined) return;
    yield found;
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
 * Counts what is paid to beneficiaries under the current key, with all that is counted under older ones, or in clear, if
 * personal columns are sealed. @param unopened gets the accounts that do not open @returns how many rows were changed
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
    const rows = found
      .filter(({ accountKey }) => accountKey !== null || ring.indexesPersonal)
      .flatMap((row) => {
        try {
          return [{ ...row, newKey: keyOf(openBeneficiary(sealer, row)) }];
        } catch {
          unopened.add(beneficiaryAccountOf(row.orderNo));
          return [];
        }
      });
    for (const group of byBalance(rows)) changed += await db.rekeyWithdrawals(database, group);
  }
  if (!ring.indexesPersonal) return changed;
  for await (const subjects of clearSubjects(database)) {
    const moves = subjects.map((from) => {
      const colon = from.lastIndexOf(':');
      return { from, to: from.slice(0, colon + 1) + keyOf(from.slice(colon + 1)) };
    });
    changed += await db.moveDayAmounts(database, moves);
  }
  return changed;
}

/** What counts beneficiaries under older keys, and how much in clear. It reads every withdrawal. */
export async function findBeneficiaryUses(
  database: Reader,
  ring: KeyRing,
): Promise<{ readonly uses: readonly KeyUse[]; readonly clear: number }> {
  const counts = new Map<string, number>();
  let clear = 0;
  for await (const found of otherBeneficiaries(database, ring))
    for (const { accountKey } of found)
      if (accountKey === null) clear++;
      else {
        const keyId = accountKey.includes('.') ? accountKey.slice(0, accountKey.indexOf('.')) : '';
        counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
      }
  for await (const subjects of clearSubjects(database)) clear += subjects.length;
  const uses = [...counts].map(([keyId, count]) => ({
    ...{ keyId, count, what: WHAT, renewable: true, endsAt: null },
  }));
  return { uses, clear };
}
