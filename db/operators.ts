import type { JSONValue } from 'postgres';
import type { Database, Transaction } from './client';

/** A person who runs the platform. */
export interface OperatorRow {
  readonly id: string;
  readonly login: string;
}

/** Adds the first operator, or leaves the one with this login as it is. */
export async function ensureOperator(
  { sql }: Database,
  operator: OperatorRow & { readonly passwordHash: string; readonly createdAt: Date },
): Promise<void> {
  await sql`
    insert into operators (id, login, password_hash, created_at)
    values (${operator.id}, ${operator.login}, ${operator.passwordHash}, ${operator.createdAt})
    on conflict (login) do nothing`;
}

/** An operator with the argon2 hash of the password. */
export const findOperatorByLogin = async (
  { sql }: Database,
  login: string,
): Promise<(OperatorRow & { passwordHash: string }) | undefined> =>
  (
    await sql<(OperatorRow & { passwordHash: string })[]>`
      select id, login, password_hash from operators where login = ${login}`
  )[0];

/** Notes a login, by the keyed hash of its token. */
export async function insertSession(
  { sql }: Database,
  session: {
    readonly tokenHash: string;
    readonly operatorId: string;
    readonly createdAt: Date;
    readonly expiresAt: Date;
  },
): Promise<void> {
  await sql`
    insert into operator_sessions (token_hash, operator_id, created_at, expires_at)
    values (${session.tokenHash}, ${session.operatorId}, ${session.createdAt}, ${session.expiresAt})`;
}

/** The operator whose live session has this token hash. */
export const findOperatorBySession = async (
  { sql }: Database,
  tokenHash: string,
  now: Date,
): Promise<OperatorRow | undefined> =>
  (
    await sql<OperatorRow[]>`
      select o.id, o.login from operator_sessions s join operators o on o.id = s.operator_id
      where s.token_hash = ${tokenHash} and s.expires_at > ${now}`
  )[0];

/** Ends a login. */
export async function deleteSession({ sql }: Database, tokenHash: string): Promise<void> {
  await sql`delete from operator_sessions where token_hash = ${tokenHash}`;
}

/** Notes what an operator did, in the transaction that does it. */
export async function insertOperatorAction(
  tx: Transaction,
  action: {
    readonly id: string;
    readonly operatorId: string;
    readonly action: string;
    readonly subject: string;
    readonly reason: string;
    readonly detail: JSONValue;
    readonly at: Date;
  },
): Promise<void> {
  await tx`
    insert into operator_actions (id, operator_id, action, subject, reason, detail, at)
    values (${action.id}, ${action.operatorId}, ${action.action}, ${action.subject}, ${action.reason},
      ${tx.json(action.detail)}, ${action.at})`;
}
