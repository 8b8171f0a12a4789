import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { operatorPasskeys, passkeyChallenges } from '../schema/operators';

/** A passkey of an operator. */
export type PasskeyRow = RowOf<typeof operatorPasskeys>;

/** The purpose of a challenge. */
export type ChallengePurpose = RowOf<typeof passkeyChallenges>['purpose'];

/** Stores a challenge, and deletes the operator's expired ones. */
export async function insertChallenge(
  { sql }: Database,
  challenge: RowOf<typeof passkeyChallenges>,
  now: Date,
): Promise<void> {
  await sql`
    with ended as (
      delete from passkey_challenges
      where operator_id = ${challenge.operatorId} and expires_at <= ${now})
    insert into passkey_challenges (challenge, operator_id, purpose, expires_at)
    values (${challenge.challenge}, ${challenge.operatorId}, ${challenge.purpose}, ${challenge.expiresAt})`;
}

/** Uses a challenge, once. @returns false if there is none for this purpose, or it was used before or has expired */
export async function takeChallenge(
  { sql }: Database,
  challenge: string,
  operatorId: string,
  purpose: ChallengePurpose,
  now: Date,
): Promise<boolean> {
  const { count } = await sql`
    delete from passkey_challenges
    where challenge = ${challenge} and operator_id = ${operatorId} and purpose = ${purpose}
      and expires_at > ${now}`;
  return count > 0;
}

/** Adds a passkey. @returns false if the device's credential is registered already */
export async function insertPasskey(tx: Transaction, passkey: Omit<PasskeyRow, 'lastUsedAt'>): Promise<boolean> {
  const { count } = await tx`
    insert into operator_passkeys (id, operator_id, credential_id, public_key, counter, transports, label,
      created_at)
    values (${passkey.id}, ${passkey.operatorId}, ${passkey.credentialId}, ${passkey.publicKey},
      ${passkey.counter}, ${[...passkey.transports]}, ${passkey.label}, ${passkey.createdAt})
    on conflict (credential_id) do nothing`;
  return count > 0;
}

/** The passkeys of operators, oldest first. */
export const findPasskeysOf = async ({ sql }: Database, operatorIds: readonly string[]): Promise<PasskeyRow[]> =>
  (
    await sql<(Omit<PasskeyRow, 'counter'> & { counter: string })[]>`
    select id, operator_id, credential_id, public_key, counter, transports, label, created_at, last_used_at
    from operator_passkeys where operator_id = any(${[...operatorIds]}::uuid[])
    order by created_at, id`
  ).map((row) => ({ ...row, counter: Number(row.counter) }));

/** Records a use. @returns false if the count is not higher than at the previous use: the key may have been copied */
export async function usePasskey({ sql }: Database, id: string, counter: number, now: Date): Promise<boolean> {
  const { count } = await sql`
    update operator_passkeys set counter = ${counter}::int8, last_used_at = ${now}
    where id = ${id} and (counter < ${counter}::int8 or (counter = 0 and ${counter}::int8 = 0))`;
  return count > 0;
}

/** Renames an operator's passkey. @returns false if it has none with this id */
export async function renamePasskey(tx: Transaction, id: string, operatorId: string, label: string): Promise<boolean> {
  const { count } = await tx`
    update operator_passkeys set label = ${label} where id = ${id} and operator_id = ${operatorId}`;
  return count > 0;
}

/** Removes an operator's passkey. @returns false if it has none with this id */
export async function deletePasskey(tx: Transaction, id: string, operatorId: string): Promise<boolean> {
  const { count } = await tx`
    delete from operator_passkeys where id = ${id} and operator_id = ${operatorId}`;
  return count > 0;
}
