import type { Fragment, Sql } from 'postgres';
import { type Authority, authorityOf, type Permission, readApproveLimits } from '../../domain/permissions';
import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { operators } from '../schema/operators';

/** A person who operates the platform. */
export type OperatorRow = Pick<RowOf<typeof operators>, 'id' | 'login'>;

/** An operator with its permissions. */
export interface OperatorWithAuthority extends OperatorRow, Authority {
  /** Names of roles. */
  readonly roles: readonly string[];
  readonly email: string | null;
  /** Gets mails about new alerts. */
  readonly alertMails: boolean;
  /** An authenticator app is confirmed. */
  readonly totp: boolean;
  /** The number of its recovery codes. */
  readonly passkeys: number;
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
  /** May not decide before then, because its permission to decide is new. Null: at once. */
  readonly decidesFrom?: Date | null;
}

/** An operator in the form of its columns. */
export interface AuthorityColumns extends Omit<RowOf<typeof operators>, 'passwordHash' | 'restricted'> {
  readonly roles: readonly {
    readonly name: string;
    readonly permissions: readonly Permission[];
    readonly limits: Readonly<Record<string, string>> | null;
    /** Whether it allows anything in this session. */
    readonly counts: boolean;
  }[];
  readonly merchantIds: readonly string[] | null;
  readonly totp: boolean;
  readonly passkeys: number;
}

/**
 * The columns of the operator `o` that `withAuthority` needs.
 * @param counts whether its role `r` counts; all do unless given
 */
export const authorityColumns = (sql: Sql | Transaction, counts: Fragment = sql`true`): Fragment => sql`
  o.id, o.login, o.email, o.alert_mails, o.created_at, o.disabled_at, o.decides_from,
  exists (select from operator_totp t where t.operator_id = o.id and t.confirmed_at is not null) as totp,
  (select count(*)::int from operator_passkeys p where p.operator_id = o.id) as passkeys,
  (select coalesce(jsonb_agg(jsonb_build_object(
      'name', r.name, 'permissions', r.permissions, 'limits', r.approve_limits,
      'counts', ${counts})), '[]')
    from operator_roles x join roles r on r.name = x.role where x.operator_id = o.id) as roles,
  case when o.restricted
    then array(select m.merchant_id from operator_merchants m where m.operator_id = o.id)
  end as merchant_ids`;

/** The operator with the permissions and limits of all its roles. */
export const withAuthority = ({
  id,
  login,
  email,
  alertMails,
  totp,
  passkeys,
  createdAt,
  disabledAt,
  decidesFrom,
  roles,
  merchantIds,
}: AuthorityColumns): OperatorWithAuthority => ({
  id,
  login,
  email,
  alertMails,
  totp,
  passkeys,
  createdAt,
  disabledAt,
  decidesFrom,
  roles: roles.map(({ name }) => name).sort(),
  ...authorityOf(
    roles
      .filter(({ counts }) => counts)
      .map(({ name, permissions, limits }) => ({
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

/** Adds an operator. @returns false if the login is taken or a role does not exist */
export async function insertOperator(
  tx: Transaction,
  operator: OperatorRow & {
    readonly email: string;
    readonly passwordHash: string;
    readonly roles: readonly string[];
    readonly merchantIds: readonly string[] | null;
    readonly createdAt: Date;
  },
): Promise<boolean> {
  const { id, login, email, passwordHash, createdAt } = operator;
  const { count } = await tx`
    insert into operators (id, login, email, password_hash, created_at)
    values (${id}, ${login}, ${email}, ${passwordHash}, ${createdAt}) on conflict (login) do nothing`;
  return count > 0 && (await setOperatorAccess(tx, id, operator.roles, operator.merchantIds));
}

/**
 * Sets an operator's roles and merchants. An operator who loses any is logged out everywhere. @returns false if a role
 * or a merchant does not exist
 */
export async function setOperatorAccess(
  tx: Transaction,
  operatorId: string,
  roles: readonly string[],
  merchantIds: readonly string[] | null,
): Promise<boolean> {
  const wanted = [...new Set(roles)];
  const merchants = [...new Set(merchantIds ?? [])];
  await tx`update operators set restricted = ${merchantIds !== null} where id = ${operatorId}`;
  await tx`delete from operator_roles where operator_id = ${operatorId}`;
  await tx`delete from operator_merchants where operator_id = ${operatorId}`;
  const given = await tx`
    insert into operator_roles (operator_id, role)
    select ${operatorId}, name from roles where name = any(${wanted})`;
  const restricted = await tx`
    insert into operator_merchants (operator_id, merchant_id)
    select ${operatorId}, id from merchants where id = any(${merchants}::uuid[])`;
  return given.count === wanted.length && restricted.count === merchants.length;
}

/** How many enabled operators without restriction may manage operators, and how many may approve. One caller at a time. */
export async function countDeciders(tx: Transaction): Promise<{ readonly admins: number; readonly approvers: number }> {
  await tx`select pg_advisory_xact_lock(hashtext('causeway.deciders'))`;
  const [row] = await tx<{ admins: number; approvers: number }[]>`
    select count(distinct o.id) filter (where 'ADMIN' = any(r.permissions))::int as admins,
      count(distinct o.id) filter (where 'APPROVE' = any(r.permissions))::int as approvers
    from operators o join operator_roles x on x.operator_id = o.id join roles r on r.name = x.role
    where o.disabled_at is null and not o.restricted`;
  return row ?? { admins: 0, approvers: 0 };
}

/** Sets from when operators may decide, and manage operators; null: at once. */
export async function setDecidesFrom(tx: Transaction, ids: readonly string[], at: Date | null): Promise<void> {
  await tx`update operators set decides_from = ${at} where id = any(${ids as string[]}::uuid[])`;
}

/** The operators who have a role. */
export const holdersOf = async (tx: Transaction, role: string): Promise<string[]> =>
  (
    await tx<{ operatorId: string }[]>`
    select operator_id from operator_roles where role = ${role}`
  ).map(({ operatorId }) => operatorId);

/** The operator, its row locked. */
export async function lockOperator(tx: Transaction, id: string): Promise<OperatorWithAuthority | undefined> {
  await tx`select from operators where id = ${id} for update`;
  const [row] = await tx<AuthorityColumns[]>`
    select ${authorityColumns(tx)} from operators o where o.id = ${id}`;
  return row && withAuthority(row);
}

/** Disables or enables an operator. Disabling ends its sessions and tokens. */
export async function setOperatorDisabled(tx: Transaction, id: string, disabledAt: Date | null): Promise<boolean> {
  const { count } = await tx`update operators set disabled_at = ${disabledAt} where id = ${id}`;
  if (disabledAt !== null) {
    await tx`delete from operator_sessions where operator_id = ${id}`;
    await tx`update api_tokens set revoked_at = ${disabledAt} where operator_id = ${id} and revoked_at is null`;
  }
  return count > 0;
}

/** An operator as login reads it. */
export type Identified = OperatorWithAuthority & { readonly passwordHash: string };

/** An operator with the argon2 hash of the password; none that is disabled. */
export const findOperatorByLogin = async ({ sql }: Database, login: string): Promise<Identified | undefined> => {
  const [row] = await sql<(AuthorityColumns & { passwordHash: string })[]>`
    select ${authorityColumns(sql)}, o.password_hash
    from operators o where o.login = ${login} and o.disabled_at is null`;
  return row && { ...withAuthority(row), passwordHash: row.passwordHash };
};

/** The operator with this address, in lower case; none that is disabled, and none where two have it. */
export const findOperatorByAddress = async (
  { sql }: Database,
  email: string,
): Promise<OperatorWithAuthority | undefined> => {
  const rows = await sql<AuthorityColumns[]>`
    select ${authorityColumns(sql)} from operators o where lower(trim(o.email)) = ${email}`;
  const [row] = rows;
  return row && rows.length === 1 && row.disabledAt === null ? withAuthority(row) : undefined;
};

/** Operators by id, disabled ones too. */
export const findOperators = async ({ sql }: Database, ids: readonly string[]): Promise<OperatorWithAuthority[]> =>
  (
    await sql<AuthorityColumns[]>`
      select ${authorityColumns(sql)} from operators o where o.id = any(${[...ids]}::uuid[])`
  ).map(withAuthority);

/** Sets an operator's password. Ends its sessions and tokens: a holder may have known the old password. */
export async function changePassword(
  tx: Transaction,
  operatorId: string,
  passwordHash: string,
  now: Date,
): Promise<void> {
  await tx`update operators set password_hash = ${passwordHash} where id = ${operatorId}`;
  await tx`delete from operator_sessions where operator_id = ${operatorId}`;
  await tx`update api_tokens set revoked_at = ${now} where operator_id = ${operatorId} and revoked_at is null`;
}

/** Sets whether an operator gets mails about new alerts. */
export async function setAlertMails(tx: Transaction, id: string, alertMails: boolean): Promise<void> {
  await tx`update operators set alert_mails = ${alertMails} where id = ${id}`;
}
