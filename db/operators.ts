import type { Fragment, Sql } from 'postgres';
import {
  type Authority,
  authorityOf,
  type Permission,
  readApproveLimits,
} from '../domain/permissions';
import type { Database } from './client';

/** A person who runs the platform. */
export interface OperatorRow {
  readonly id: string;
  readonly login: string;
}

/** An operator and all that it may. */
export type OperatorWithAuthority = OperatorRow & Authority;

interface AuthorityColumns extends OperatorRow {
  readonly roles: readonly {
    readonly name: string;
    readonly permissions: readonly Permission[];
    readonly limits: Readonly<Record<string, string>> | null;
  }[];
  readonly merchantIds: readonly string[] | null;
}

/** What `withAuthority` takes, of the operator `o`. */
const authorityColumns = (sql: Sql): Fragment => sql`
  o.id, o.login,
  (select coalesce(jsonb_agg(jsonb_build_object(
      'name', r.name, 'permissions', r.permissions, 'limits', r.approve_limits)), '[]')
    from operator_roles x join roles r on r.name = x.role where x.operator_id = o.id) as roles,
  case when o.restricted
    then array(select m.merchant_id from operator_merchants m where m.operator_id = o.id)
  end as merchant_ids`;

const withAuthority = ({
  id,
  login,
  roles,
  merchantIds,
}: AuthorityColumns): OperatorWithAuthority => ({
  id,
  login,
  ...authorityOf(
    roles.map(({ name, permissions, limits }) => ({
      name,
      permissions,
      approveLimits: readApproveLimits(limits),
    })),
    merchantIds,
  ),
});

/** Adds an operator with its roles, or leaves the one with this login as it is. */
export async function ensureOperator(
  { sql }: Database,
  operator: OperatorRow & {
    readonly passwordHash: string;
    readonly roles: readonly string[];
    readonly createdAt: Date;
  },
): Promise<void> {
  await sql`
    with added as (
      insert into operators (id, login, password_hash, created_at)
      values (${operator.id}, ${operator.login}, ${operator.passwordHash}, ${operator.createdAt})
      on conflict (login) do nothing
      returning id)
    insert into operator_roles (operator_id, role)
    select added.id, role from added, unnest(${[...operator.roles]}::text[]) role`;
}

/** An operator with the argon2 hash of the password; none that is disabled. */
export const findOperatorByLogin = async (
  { sql }: Database,
  login: string,
): Promise<(OperatorWithAuthority & { passwordHash: string }) | undefined> => {
  const [row] = await sql<(AuthorityColumns & { passwordHash: string })[]>`
    select ${authorityColumns(sql)}, o.password_hash
    from operators o where o.login = ${login} and o.disabled_at is null`;
  return row && { ...withAuthority(row), passwordHash: row.passwordHash };
};

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

/** The operator whose live session has this token hash, with what it may at this moment. */
export const findOperatorBySession = async (
  { sql }: Database,
  tokenHash: string,
  now: Date,
): Promise<OperatorWithAuthority | undefined> => {
  const [row] = await sql<AuthorityColumns[]>`
    select ${authorityColumns(sql)} from operator_sessions s join operators o on o.id = s.operator_id
    where s.token_hash = ${tokenHash} and s.expires_at > ${now} and o.disabled_at is null`;
  return row && withAuthority(row);
};

/** Ends a login. */
export async function deleteSession({ sql }: Database, tokenHash: string): Promise<void> {
  await sql`delete from operator_sessions where token_hash = ${tokenHash}`;
}

/** The names of somebody's roles. */
export async function findRoleNames(sql: Sql, operatorId: string): Promise<string[]> {
  const rows = await sql<{ role: string }[]>`
    select role from operator_roles where operator_id = ${operatorId} order by role`;
  return rows.map(({ role }) => role);
}

/** Several operators by their ids, disabled ones too. */
export const findOperators = async (
  { sql }: Database,
  ids: readonly string[],
): Promise<OperatorRow[]> =>
  await sql<OperatorRow[]>`select id, login from operators where id = any(${ids as string[]})`;
