import postgres, { type Sql } from 'postgres';
import { runInTransaction } from './migration-step';
import {
  type Environment,
  functionsOf,
  OWN_SCHEMA,
  requireCompatible,
  requireEnvironment,
  type Schema,
  schemaInForce,
} from './release';
import { applyMigrations, requireOwnJournal } from './table-migrations';
import { type DatabaseAddress, sslOf } from './tls';

/** PostgreSQL 18 brings uuidv7() and generated columns as we use them. */
const OLDEST_SERVER = 180000;
/** Key of the advisory lock of a migration: any constant. */
const MIGRATION_LOCK = 7_286_291;

/**
 * Brings the schema up to date: the migrations that are missing, then all functions if their text has changed. A schema
 * of a newer release stays as it is. Concurrent callers wait for each other. The first one sets the environment of the
 * database, which never changes. @returns the release of the schema
 * @throws if the server is older than PostgreSQL 18, if this release can neither change nor use the schema, or if the
 * database belongs to the other environment
 */
export async function migrate(
  databaseUrl: string,
  environment: Environment,
  schema: Schema = OWN_SCHEMA,
  tls: DatabaseAddress['tls'] = null,
): Promise<number> {
  const sql = postgres(databaseUrl, {
    max: 1,
    onnotice: () => undefined,
    connect_timeout: 10,
    ...sslOf({ url: databaseUrl, tls }),
  });
  try {
    const [server] = await sql<{ version: string }[]>`
      select current_setting('server_version_num') as version`;
    if (Number(server?.version) < OLDEST_SERVER)
      throw new Error(`PostgreSQL 18 or newer is needed; this server is ${server?.version ?? '?'}`);
    // The end of the session releases it.
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    return await bringUpToDate(sql, environment, schema);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function bringUpToDate(sql: Sql, environment: Environment, schema: Schema): Promise<number> {
  const inForce = await schemaInForce(sql);
  if (inForce) requireEnvironment(environment, inForce);
  if (inForce && inForce.release > schema.release) {
    requireCompatible(schema, inForce);
    return inForce.release;
  }
  await requireOwnJournal(sql, schema.migrations);
  await sql.unsafe(`
    create schema if not exists migrations;
    create table if not exists migrations.journal
      (name text primary key, hash text not null, applied_at timestamptz not null);
    create table if not exists migrations.release
      (only_row boolean primary key default true check (only_row),
       release integer not null, compatible_from integer not null, functions text not null,
       environment text not null check (environment in ('sandbox', 'production')))`);
  // None of them waits for the disk: the last transaction below waits for all. A crash may lose the latest, which are then
  // applied again.
  await sql`set synchronous_commit = off`;
  await applyMigrations(sql, schema.migrations);
  await sql`reset synchronous_commit`;
  const functions = functionsOf(schema, environment);
  // Bodies are not checked at creation: they may call functions of a later file.
  await runInTransaction(
    sql,
    `set local check_function_bodies = off;
     ${functions.hash === inForce?.functions ? '' : functions.text}
     insert into migrations.release (release, compatible_from, functions, environment)
     values (${schema.release}, ${schema.compatibleFrom}, '${functions.hash}', '${environment}')
     on conflict (only_row) do update set release = excluded.release,
       compatible_from = excluded.compatible_from, functions = excluded.functions;
     do $$ begin
       if to_regprocedure('grant_process_rights()') is not null then perform grant_process_rights(); end if;
     end $$;`,
  );
  return schema.release;
}
