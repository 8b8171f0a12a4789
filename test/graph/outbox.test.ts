import pino from 'pino';
import { uuidv7 } from 'uuidv7';
import { claimOutbox } from '../../db/events/outbox';
import { operatorDocument, Tenant, type TestDeposit, type TestMerchant } from '../support/tenant';

interface Row {
  id: string;
  noun: string;
  orderNo: string;
  refusals: number;
  lastError: string | null;
  parkedAt: string | null;
  workflow: { id: string; url: string | null };
}

describe('parked outbox rows', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;

  beforeAll(async () => {
    tenant = await Tenant.create();
    merchant = await tenant.merchant();
    await tenant.account();
  });
  afterAll(async () => {
    await tenant.close();
  });
  beforeEach(async () => {
    await tenant.database.sql`delete from outbox`;
  });

  const parkedAt = new Date('2026-01-02T03:04:05.678Z');

  /** A deposit whose outbox row Temporal refused ten times. */
  async function parked(): Promise<TestDeposit & { id: string }> {
    const deposit = await tenant.deposit(merchant);
    const [row] = await tenant.database.sql<{ id: string }[]>`
      update outbox set parked_at = ${parkedAt}, refusals = 10, last_error = 'it said no'
      where key = ${`deposit:${deposit.orderNo}`} returning id`;
    return { ...deposit, id: row?.id ?? '' };
  }
  const list = async (variables = {}): Promise<Row[]> => await tenant.list<Row>('ParkedOutboxRows', variables);
  const release = async (id: string, reason = 'fixed'): Promise<Row> =>
    await tenant.operate<Row>('ReleaseOutboxRow', { id, reason });
  const due = async (): Promise<string[]> =>
    (await claimOutbox(tenant.database, { money: 10, rest: 10 }, new Date(), tenant.now())).map(({ id }) => id);

  it('are listed with Temporal’s error and a link to the workflow, oldest first', async () => {
    const rows = [await parked(), await parked(), await parked()];
    await tenant.deposit(merchant);
    const [first] = rows;
    const { nodes: page, pageInfo } = await tenant.operate<{
      nodes: Row[];
      pageInfo: { endCursor: string };
    }>('ParkedOutboxRows', { first: 2 });
    expect(page.map(({ id }) => id)).toEqual(rows.slice(0, 2).map(({ id }) => id));
    expect(page[0]).toMatchObject({
      id: first?.id,
      noun: 'DEPOSIT',
      orderNo: first?.orderNo,
      refusals: 10,
      lastError: 'it said no',
      parkedAt: parkedAt.toISOString(),
      workflow: { id: `deposit:${first?.orderNo ?? ''}`, url: null },
    });
    // The next page is readable after the last row of the previous page has left the list.
    await release(page[1]?.id ?? '');
    expect((await list({ after: pageInfo.endCursor })).map(({ id }) => id)).toEqual([rows[2]?.id]);
    await expect(list({ first: 201 })).rejects.toMatchObject({ kind: 'INVALID_FIELD' });
  });

  it('are delivered after a release, like new rows', async () => {
    const { id, orderNo } = await parked();
    expect(await due()).toEqual([]);
    expect(await release(id)).toMatchObject({ id, refusals: 0, parkedAt: null });
    expect(await list()).toEqual([]);
    expect(await due()).toEqual([id]);
    const [noted] = await tenant.database.sql`
      select action, subject, reason, after from audit_log order by seq desc limit 1`;
    expect(noted).toEqual({
      action: 'releaseOutboxRow',
      subject: `deposit:${orderNo}`,
      reason: 'fixed',
      after: { id },
    });
  });

  it('are released once, with a reason', async () => {
    const { id } = await parked();
    await expect(release(id, ' ')).rejects.toMatchObject({ kind: 'INVALID_FIELD' });
    await release(id);
    await expect(release(id)).rejects.toMatchObject({
      kind: 'BUSINESS_ERROR',
      message: 'the outbox row is not parked',
    });
    await expect(release(uuidv7())).rejects.toMatchObject({ kind: 'NOT_FOUND' });
    const [notes] = await tenant.database.sql<{ count: string }[]>`
      select count(*) from audit_log where after ->> 'id' = ${id} and outcome = 'OK'`;
    expect(notes?.count).toBe('1');
  });

  it('are released together, each with a result', async () => {
    const [first, second] = [await parked(), await parked()];
    await release(first.id);
    const ids = [first.id, second.id, uuidv7()];
    const results = await tenant.operate<{ row: Row | null; code: string | null }[]>('ReleaseOutboxRows', {
      ids,
      reason: 'fixed',
    });
    expect(results.map(({ row, code }) => [row?.id ?? null, code])).toEqual([
      [null, 'BUSINESS_ERROR'],
      [second.id, null],
      [null, 'NOT_FOUND'],
    ]);
  });

  it('are dropped for ever by two people, unless one was released in the meantime', async () => {
    const [row, released] = [await parked(), await parked()];
    const second = await tenant.person('second', ['approve', 'support']);
    const drop = async (id: string): Promise<{ id: string; status: string }> =>
      (
        await tenant.operate<{ change: { id: string; status: string } }>('DropOutboxRow', {
          id,
          reason: 'its workflow is of a release that is gone',
        })
      ).change;
    const decide = async (id: string): Promise<unknown> =>
      await tenant.operate('ApproveChange', { id, reason: 'agreed' }, second);
    tenant.changes.onePerson = false;
    try {
      const change = await drop(row.id);
      expect(change.status).toBe('PROPOSED');
      expect((await list()).map(({ id }) => id)).toContain(row.id);
      await expect(tenant.operate('ApproveChange', { id: change.id, reason: 'mine' })).rejects.toMatchObject({
        kind: 'AUTHORIZATION_ERROR',
      });
      await decide(change.id);
      expect((await list()).map(({ id }) => id)).not.toContain(row.id);
      const late = await drop(released.id);
      await release(released.id);
      await expect(decide(late.id)).rejects.toMatchObject({ kind: 'CONFLICT' });
      expect(await due()).toContain(released.id);
    } finally {
      tenant.changes.onePerson = true;
    }
  });

  it.each(['ParkedOutboxRows', 'ReleaseOutboxRow'])('are hidden from merchants: %s', async (name) => {
    const { id } = await parked();
    const variables = { id, reason: 'test' };
    const asked = tenant.graph.execute(operatorDocument(name), variables, merchant.actor, pino({ level: 'silent' }));
    await expect(asked).rejects.toMatchObject({ kind: 'AUTHORIZATION_ERROR' });
    expect(await list()).toHaveLength(1);
  });
});
