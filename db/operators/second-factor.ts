import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { operatorTotp } from '../schema/operators';

/** An authenticator app of an operator. */
export type TotpRow = Pick<RowOf<typeof operatorTotp>, 'sealedSecret' | 'confirmedAt'>;

/** The operator's app, confirmed or not. */
export const findTotp = async ({ sql }: Database, operatorId: string): Promise<TotpRow | undefined> =>
  (
    await sql<TotpRow[]>`
    select sealed_secret, confirmed_at from operator_totp where operator_id = ${operatorId}`
  )[0];

/** Starts or restarts an enrolment. @returns false if an app is confirmed already */
export async function putTotp({ sql }: Database, operatorId: string, sealedSecret: string): Promise<boolean> {
  const { count } = await sql`
    insert into operator_totp as t (operator_id, sealed_secret) values (${operatorId}, ${sealedSecret})
    on conflict (operator_id) do update set sealed_secret = excluded.sealed_secret, last_step = null
    where t.confirmed_at is null`;
  return count > 0;
}

/** Uses a time step, once. @returns false if it, or a later one, was used before */
export async function useStep(sql: Database['sql'] | Transaction, operatorId: string, step: number): Promise<boolean> {
  const { count } = await sql`
    update operator_totp set last_step = ${step}
    where operator_id = ${operatorId} and (last_step is null or last_step < ${step})`;
  return count > 0;
}

/** Confirms the app. @returns false if there is none to confirm */
export async function confirmTotp(tx: Transaction, operatorId: string, now: Date): Promise<boolean> {
  const { count } = await tx`
    update operator_totp set confirmed_at = ${now}
    where operator_id = ${operatorId} and confirmed_at is null`;
  return count > 0;
}

/** Removes the app; also the recovery codes, unless a passkey is left. */
export async function deleteTotp(tx: Transaction, operatorId: string): Promise<void> {
  await tx`delete from operator_totp where operator_id = ${operatorId}`;
  await dropIdleCodes(tx, operatorId);
}

/** Removes recovery codes without a second factor that they replace. */
export async function dropIdleCodes(tx: Transaction, operatorId: string): Promise<void> {
  await tx`
    delete from operator_recovery_codes where operator_id = ${operatorId}
      and not exists (select from operator_totp where operator_id = ${operatorId})
      and not exists (select from operator_passkeys where operator_id = ${operatorId})`;
}

/** Replaces all recovery codes. */
export async function replaceRecoveryCodes(
  tx: Transaction,
  operatorId: string,
  hashes: readonly string[],
): Promise<void> {
  await tx`delete from operator_recovery_codes where operator_id = ${operatorId}`;
  await tx`
    insert into operator_recovery_codes (code_hash, operator_id)
    select hash, ${operatorId} from unnest(${[...hashes]}::text[]) hash`;
}

/** Uses a recovery code, once. @returns false if there is none, or it was used before */
export async function useRecoveryCode(
  { sql }: Database,
  operatorId: string,
  codeHashes: readonly string[],
  now: Date,
): Promise<boolean> {
  const { count } = await sql`
    update operator_recovery_codes set used_at = ${now}
    where operator_id = ${operatorId} and code_hash = any(${codeHashes as string[]}) and used_at is null`;
  return count > 0;
}

/** How many codes are left, by operator. */
export async function countRecoveryCodes(
  { sql }: Database,
  operatorIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await sql<{ operatorId: string; left: number }[]>`
    select operator_id, count(*)::int as left from operator_recovery_codes
    where operator_id = any(${[...operatorIds]}::uuid[]) and used_at is null group by operator_id`;
  return new Map(rows.map(({ operatorId, left }) => [operatorId, left]));
}
