import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { uuidv7 } from 'uuidv7';
import { entryOfNobody } from '../../db/audit/audit-log';
import { recordChannelMessage } from '../../db/channels/channel-messages';
import { publishEvents } from '../../db/events/events';
import { dropOldRows, findOldRows } from '../../db/platform/archive';
import { prove } from '../../db/proof/prove';
import { ARCHIVED_TABLES } from '../../domain/archive';
import { archiveOnce, readArchiveSettings } from '../../roles/archive-command';
import { readDatabase } from '../../runtime/server-settings';
import { createTestChannel } from '../support/channel-tenant';
import { creditedDeposit, matchedDeposit } from '../support/deposits';
import { temporaryFolder } from '../support/temporary-folder';
import { Tenant } from '../support/tenant';
import { verifyAudit } from '../../steps/audit/verify-audit';

const DAY_MS = 86_400_000;
const CALLBACK = 'http://127.0.0.1:9/callback';
const FIRST = '00000000-0000-0000-0000-000000000000';

describe('the archive', () => {
  const folder = temporaryFolder();
  const dayN = (days: number): Date => new Date(Date.now() + days * DAY_MS);
  const later = dayN(100);
  let tenant: Tenant;
  /** Three ended orders; the callback of the last one is not done. */
  const ended: string[] = [];
  let open: string;
  let channelId: string;

  /** A channel's message, received now. */
  const message = async (messageId: string): Promise<boolean> =>
    await recordChannelMessage(
      tenant.database,
      {
        id: uuidv7(),
        channelId,
        messageId,
        reference: 'W1-1',
        reported: 'completed',
        headers: { 'x-api-key': '***' },
        body: Buffer.from([0, 255, 10, 13]),
      },
      new Date(),
    );

  beforeAll(async () => {
    tenant = await Tenant.create();
    const [merchant, account] = [await tenant.merchant(), await tenant.account()];
    const fields = { callbackUrl: CALLBACK };
    for (let n = 0; n < 3; n++) ended.push((await creditedDeposit(tenant, merchant, account, fields)).id);
    open = (await matchedDeposit(tenant, merchant, account)).id;
    const { sql } = tenant.database;
    await sql`
      insert into callback_attempts (notification_id, generation, attempt, started_at, ended_at, response_status)
      select id, 1, n, ${new Date()}, ${new Date()}, 500 + n
      from notification_logs, generate_series(1, 2) n where order_id = any(${ended})`;
    await sql`
      update notification_logs set status = 'SUCCESS', next_attempt_at = null, lease_until = null
      where order_id = any(${ended.slice(0, 2)})`;
    channelId = (await createTestChannel(tenant, { kind: 'MOCK' })).id;
    for (const messageId of ['m1', 'm2', 'm3']) await message(messageId);
    while (await publishEvents(tenant.database, 1_000)) continue;
  }, 60_000);
  afterAll(async () => {
    await tenant.close();
  });

  /** @returns its output */
  async function archive(days: number, at = later): Promise<string[]> {
    const lines: string[] = [];
    await archiveOnce(
      readDatabase({}, tenant.url),
      { days, folder, batch: 2 },
      tenant.graph.core.signer,
      (line) => lines.push(line.replace(/before=\S+ /, '')),
      async () => await Promise.resolve(at),
    );
    return lines;
  }
  const rowsOf = async (table: string): Promise<string[]> =>
    (
      await tenant.database.sql<{ line: string }[]>`
        select row_to_json(t)::text as line from ${tenant.database.sql(table)} t`
    ).map(({ line }) => line);
  const filesOf = (table: string): string[] =>
    existsSync(path.join(folder, table))
      ? readdirSync(path.join(folder, table)).map((name) => path.join(folder, table, name))
      : [];
  const linesIn = (file: string): string[] => gunzipSync(readFileSync(file)).toString().trimEnd().split('\n');

  it('requires days and an existing folder, and in production at least 90 days', () => {
    mkdirSync(folder, { recursive: true });
    const args = (days: string): string[] => ['--days', days, '--to', folder];
    expect(readArchiveSettings(args('90'), true)).toEqual({ days: 90, folder });
    expect(() => readArchiveSettings(args('89'), true)).toThrow('at least 90 days');
    expect(readArchiveSettings(args('1'), false)).toEqual({ days: 1, folder });
    for (const wrong of [[], args('0'), args('1.5'), ['--days', '9']])
      expect(() => readArchiveSettings(wrong, false)).toThrow('archive takes');
    expect(() => readArchiveSettings(['--days', '9', '--to', `${folder}-none`], false)).toThrow('there is no folder');
  });

  it('keeps younger rows', async () => {
    const before = await rowsOf('order_events');
    expect(await archive(101, dayN(79))).toEqual([
      'table=order_events rows=0 files=0',
      'table=callback_attempts rows=0 files=0',
      'table=channel_messages rows=0 files=0',
    ]);
    expect(await rowsOf('order_events')).toEqual(before);
    expect(ARCHIVED_TABLES.flatMap(filesOf)).toEqual([]);
  });

  it('deletes no row that differs from its file', async () => {
    const old = { before: later, after: FIRST, limit: 5 };
    const rows = await findOldRows(tenant.database, 'order_events', old);
    const changed = rows.map((row, n) => (n === 0 ? { ...row, line: '{}' } : row));
    const entry = entryOfNobody({
      at: later,
      action: 'archiveRows',
      subject: 'order_events',
      reason: null,
      after: {},
      traceId: 'none',
    });
    const before = await rowsOf('order_events');
    for (const wrong of [changed, rows.slice(1).concat(rows.slice(1, 2))])
      await expect(dropOldRows(tenant.database, 'order_events', wrong, entry, () => 'none')).rejects.toThrow(
        'other rows than the file',
      );
    expect(await rowsOf('order_events')).toEqual(before);
  });

  it('moves old events and attempts that are done into files, and keeps the rest', async () => {
    const { sql } = tenant.database;
    const before = Object.fromEntries(
      await Promise.all(ARCHIVED_TABLES.map(async (t) => [t, await rowsOf(t)] as const)),
    );
    const said = await archive(1);

    for (const [n, table] of ARCHIVED_TABLES.entries()) {
      const archived = filesOf(table).flatMap(linesIn);
      expect([...archived, ...(await rowsOf(table))].sort()).toEqual(before[table]?.sort());
      expect(said[n]).toBe(`table=${table} rows=${archived.length} files=${filesOf(table).length}`);
    }
    expect(filesOf('order_events').length).toBeGreaterThan(1);
    const left = await sql<{ orderId: string; type: string }[]>`
      select order_id, type from order_events order by position`;
    expect(left.map(({ orderId }) => orderId)).toEqual(left.map(() => open));
    expect(left.map(({ type }) => type)).toEqual(['created', 'matched']);
    const attempts = await sql`
      select n.order_id from callback_attempts a join notification_logs n on n.id = a.notification_id`;
    expect(attempts.map(({ orderId }) => orderId as string)).toEqual([ended[2], ended[2]]);
  });

  it('records each file in the audit log, and leaves every proof whole', async () => {
    const { database, graph } = tenant;
    const noted = await database.sql<{ after: { file: string; sha256: string } }[]>`
      select after from audit_log where action = 'archiveRows' order by seq`;
    const files = ARCHIVED_TABLES.flatMap(filesOf);
    expect(noted.map(({ after }) => path.join(folder, after.file)).sort()).toEqual(files.sort());
    for (const { after } of noted) {
      const bytes = readFileSync(path.join(folder, after.file));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(after.sha256);
    }
    expect((await verifyAudit(database, graph.core.signer, null)).faults).toEqual([]);
    const { discrepancies } = await database.transaction(async (tx) => await prove(tx));
    expect(discrepancies).toEqual([]);
  });

  it('restores rows by a statement, and numbers the next event after the last', async () => {
    const { sql } = tenant.database;
    const [last] = await sql<{ seq: string }[]>`select max(seq)::text as seq from order_events`;
    const lines = filesOf('order_events').flatMap(linesIn);
    const count = lines.length;
    await sql`
      insert into order_events overriding system value
      select r.* from unnest(${lines}::text[]) line, json_populate_record(null::order_events, line::json) r`;
    expect(await rowsOf('order_events')).toEqual(expect.arrayContaining(lines));
    await tenant.deposit(await tenant.merchant(), {});
    while (await publishEvents(tenant.database, 1_000)) continue;
    const [next] = await sql<{ seq: string }[]>`select max(seq)::text as seq from order_events`;
    expect(BigInt(next?.seq ?? 0)).toBe(BigInt(last?.seq ?? 0) + 1n);
    const [rows] = await archive(1);
    expect(rows).toContain(`rows=${count} `);
  });

  it('moves messages of channels before workers delete them, however many days it keeps the rest', async () => {
    await message('m4');
    const [before] = await rowsOf('channel_messages');
    const moved = async (day: number): Promise<string | undefined> => (await archive(400, dayN(day))).at(-1);
    expect(await moved(79)).toBe('table=channel_messages rows=0 files=0');
    expect(await moved(81)).toBe('table=channel_messages rows=1 files=1');
    expect(filesOf('channel_messages').flatMap(linesIn)).toContain(before);
  });

  it('keeps the last event, although its order has ended', async () => {
    const { sql } = tenant.database;
    const { id } = await creditedDeposit(tenant, await tenant.merchant(), await tenant.account());
    while (await publishEvents(tenant.database, 1_000)) continue;
    await archive(1);
    expect(
      await sql`
        select type, seq = (select max(seq) from order_events) as last
        from order_events where order_id = ${id}`,
    ).toEqual([{ type: 'completed', last: true }]);
  });
});
