import postgres, { type Sql } from 'postgres';
import { findAppliedChanges } from '../../db/changes/change-requests';
import { endMail } from '../../db/mails';
import { putOperatorLinkToken } from '../../db/operators/operator-links';
import { requireRestrictedUser } from '../../db/rights';
import { createTestDatabase, type TestDatabase } from '../support/database';

const PROCESSES = ['gateway', 'graph', 'worker'] as const;
/** Tables whose rows never change, and a column of each. */
const FOR_EVER = [
  ['ledger_transfers', 'key'],
  ['ledger_entries', 'amount'],
  ['ledger_seals', 'hash'],
  ['audit_log', 'hash'],
] as const;

let database: TestDatabase;
let owner: Sql;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = postgres(database.url, { max: 1, onnotice: () => undefined });
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

/** Runs a statement as a process's database user. */
async function as<Result>(process: (typeof PROCESSES)[number], work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const sql = postgres(database.url, { max: 1, connection: { role: `causeway_${process}` } });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

describe('the rights of the processes', () => {
  it('name every table once', async () => {
    const tables = await owner<{ name: string }[]>`
      select relname as name from pg_class
      where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1`;
    const named = await owner<{ name: string }[]>`select name from process_rights() order by 1`;
    expect(named.map(({ name }) => name)).toEqual(tables.map(({ name }) => name));
  });

  it('let a process read and write the tables that they name, and no others', async () => {
    const granted = await owner<Record<string, string>[]>`
      select c.relname as name, p.process, coalesce(string_agg(x.letter, '' order by x.place)
        filter (where has_table_privilege('causeway_' || p.process, c.oid, x.privilege)), '') as letters
      from pg_class c
      cross join unnest(${PROCESSES}::text[]) as p(process)
      cross join (values ('r', 1, 'select'), ('a', 2, 'insert'), ('w', 3, 'update'), ('d', 4, 'delete'),
        ('D', 5, 'truncate'), ('x', 6, 'references'), ('t', 7, 'trigger')) as x(letter, place, privilege)
      where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
      group by c.relname, p.process`;
    const rights = await owner<Record<string, string>[]>`select * from process_rights()`;
    const wanted = new Map(rights.map((row) => [row['name'], row]));
    expect(granted.length).toBe(rights.length * PROCESSES.length);
    for (const { name, process = '', letters } of granted)
      expect([name, process, letters]).toEqual([name, process, wanted.get(name)?.[process]]);
  });

  it.each(PROCESSES)('let the %s change nothing that was posted or audited', async (process) => {
    await as(process, async (sql) => {
      for (const [table, column] of FOR_EVER)
        for (const change of [
          `update ${table} set ${column} = ${column}`,
          `delete from ${table}`,
          `truncate ${table}`,
          `alter table ${table} disable trigger all`,
        ])
          await expect(sql.unsafe(change)).rejects.toThrow(/permission denied|must be owner/);
      await expect(sql`set session_replication_role = replica`).rejects.toThrow('permission denied to set parameter');
    });
  });

  it('let the gateway read no person, permission or setting', async () => {
    await as('gateway', async (sql) => {
      for (const statement of [
        'select password_hash from operators',
        'select * from operator_totp',
        'select * from operator_passkeys',
        'select * from api_tokens',
        'select * from change_requests',
        'insert into api_keys default values',
        'update secret_links set taken_at = null',
        'update agent_keys set revoked_at = null',
        'update agent_keys set sealed_secret = key_id',
        'update agent_keys set max_transfer_amount = null',
        'update agent_keys set public_key = key_id',
        'update agent_enrolments set enrolled_at = null',
        'insert into agent_enrolments default values',
        'update api_keys set revoked_at = null',
        'update api_keys set lookup_hash = lookup_hash',
        "update bank_accounts set account_no = '1'",
        "update bank_accounts set mode = 'REMARK'",
        'insert into withdrawal_decisions default values',
        'insert into change_requests default values',
        'update merchants set enabled = true',
        'update channels set enabled = true',
        'delete from review_rules',
      ])
        await expect(sql.unsafe(statement)).rejects.toThrow('permission denied');
      await sql`select id, login from operators`;
      // What a failed note of a key's first create would hide.
      await sql`update api_keys set first_create_at = first_create_at`;
    });
  });

  it('let the worker apply decisions, but change none and create no operator', async () => {
    await as('worker', async (sql) => {
      for (const statement of [
        "update withdrawal_decisions set verdict = 'APPROVE'",
        'delete from withdrawal_decisions',
        "update operators set password_hash = ''",
        'update operators set disabled_at = null',
        'insert into operators default values',
      ])
        await expect(sql.unsafe(statement)).rejects.toThrow('permission denied');
      await sql`update withdrawal_decisions set applied_at = null`;
    });
  });

  it('let the worker note what it sees of channels and accounts, but change no setting', async () => {
    await as('worker', async (sql) => {
      for (const statement of [
        'update merchants set enabled = true',
        'update merchant_currencies set currency_code = currency_code',
        'update banks set enabled = true',
        'update channels set enabled = true',
        "update channels set base_url = ''",
        'update channels set sealed_secret = null',
        "update bank_accounts set account_no = '1'",
        'update bank_accounts set max_amount = null',
        'update change_requests set decided_by = null',
        'update change_requests set after = null',
        'insert into change_requests default values',
        'update agent_enrolments set agent_key_id = id',
        'update secret_links set taken_at = null',
      ])
        await expect(sql.unsafe(statement)).rejects.toThrow('permission denied');
      for (const statement of [
        "update channels set health = 'UP', breaker_state = 'HEALTHY'",
        'update bank_accounts set bank_balance = 1, silent_since = null',
      ])
        await sql.unsafe(`begin; ${statement}; rollback`);
    });
  });

  it('let the worker create the token of a link that it sends, but no link and no roles', async () => {
    const id = '019a0000-0000-7000-8000-000000000000';
    await as('worker', async (sql) => {
      expect(await putOperatorLinkToken({ sql }, id, 'hash')).toBe(false);
      await endMail({ sql } as never, id, 'SENT', null, new Date(0));
      for (const statement of [
        "update operator_links set roles = '{admin}'",
        "update operator_links set email = ''",
        'update operator_links set used_at = null',
        'insert into operator_links default values',
      ])
        await expect(sql.unsafe(statement)).rejects.toThrow('permission denied');
    });
  });

  it('let the gateway read which sensitive changes cool, but not what they changed', async () => {
    await as('gateway', async (sql) => {
      const none = ['019a0000-0000-7000-8000-000000000000'];
      expect(await findAppliedChanges({ sql } as never, none, new Date(0))).toEqual([]);
      for (const column of ['payload', 'before', 'after', 'reason'])
        await expect(sql.unsafe(`select ${column} from change_requests`)).rejects.toThrow('permission denied');
    });
  });

  it('are required in production: a superuser is refused, and the owner', async () => {
    const refused = 'is a superuser or owns the tables';
    const [user] = await owner<{ super: boolean }[]>`
      select rolsuper as super from pg_roles where rolname = current_user`;
    expect(user?.super).toBe(true);
    await expect(requireRestrictedUser(owner)).rejects.toThrow(refused);

    await owner.unsafe(`begin; create role own_the_ledger;
      alter table ledger_entries owner to own_the_ledger; set local role own_the_ledger`);
    await expect(requireRestrictedUser(owner)).rejects.toThrow(`own_the_ledger ${refused}`);
    await owner.unsafe('rollback');
    for (const process of PROCESSES) await as(process, requireRestrictedUser);
  });
});
