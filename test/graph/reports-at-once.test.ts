import { uuidv7 } from 'uuidv7';
import { findAgentKeys } from '../../db/accounts/agent-keys';
import { openDatabase, type Transaction } from '../../db/client';
import { prove } from '../../db/proof/prove';
import type { Actor } from '../../steps/access/actor';
import { clockFromNoon } from '../support/clock';
import { createTestDatabase } from '../support/database';
import { rowsRead } from '../support/rows-read';
import { Tenant, type TestMerchant } from '../support/tenant';

/** Calls of one turn of the event loop form one batch (db/transfers/report-batches.ts). */
describe('bank notifications of one batch', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let accountId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    tenant.now = clockFromNoon();
    merchant = await tenant.merchant();
    accountId = await tenant.account();
  });
  afterAll(async () => {
    expect((await tenant.database.transaction(prove)).discrepancies).toEqual([]);
    await tenant.close();
  });

  const atOnce = async (inputs: readonly Record<string, unknown>[], actors: readonly Actor[] = []) =>
    await Promise.all(
      inputs.map(async (input, n) => await tenant.notify({ accountId, memo: '', ...input }, actors[n])),
    );
  const reasonsOf = (answers: Awaited<ReturnType<typeof atOnce>>): (string | null)[] =>
    answers.map(({ transfer }) => transfer.unmatchedReason);

  const agent = async (accountIds: readonly string[]): Promise<Actor> => {
    const { key } = await tenant.operate<{ key: { keyId: string } }>('CreateAgentKey', {
      reason: 'test',
      input: { label: uuidv7(), accountIds },
    });
    const found = (await findAgentKeys(tenant.database, [key.keyId])).get(key.keyId);
    if (!found) throw new Error('no key');
    return { kind: 'agent', key: found };
  };

  it('are each recorded, posted and matched with the own deposit', async () => {
    const deposits = await Promise.all(Array.from({ length: 40 }, async () => await tenant.deposit(merchant)));
    const answers = await atOnce(
      deposits.map(({ orderNo, expectedRemark }) => ({
        memo: expectedRemark,
        bankReference: orderNo,
      })),
    );
    expect(new Set(reasonsOf(answers))).toEqual(new Set([null]));
    const paid = await tenant.database.sql<{ orderNo: string; id: string; lines: string }[]>`
      select d.order_no, a.transfer_id as id, (
        select string_agg(e.account || ' ' || e.amount, ', ' order by e.line)
        from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
        where t.bank_transfer_id = a.transfer_id) as lines
      from deposit_orders d join transfer_allocations a on a.deposit_id = d.id
      where d.status = 'MATCHED'`;
    const lines = `bank:${accountId} -100.0000, suspense 100.0000`;
    const byOrder = (a: { orderNo: string }, b: { orderNo: string }) => (a.orderNo < b.orderNo ? -1 : 1);
    expect([...paid].sort(byOrder)).toEqual(
      deposits.map(({ orderNo }, n) => ({ orderNo, id: answers[n]?.transfer.id, lines })).sort(byOrder),
    );
  });

  it('read none of the many credits of the same amount that the same source reported', async () => {
    const { database } = tenant;
    const amount = '71.00';
    await atOnce(Array.from({ length: 400 }, () => ({ amount, bankReference: uuidv7() })));
    await database.sql`analyze bank_transfers`;
    const read = await database.transaction(async (tx) => {
      const [{ row } = { row: {} }] = await tx<{ row: object }[]>`
        select to_jsonb(b) as row from bank_transfers b
        where b.account_id = ${accountId} and b.amount = ${amount} limit 1`;
      const report = {
        ...row,
        id: uuidv7(),
        dedupe_key: 'another',
        near_seconds: 86_400,
        remarks: [],
      };
      return await rowsRead(tx, 'bank_transfers', async () => {
        const [{ facts } = { facts: {} }] = await tx<{ facts: { alike?: unknown } }[]>`
          select transfer_facts(jsonb_populate_record(null::transfer_report, ${tx.json(report)}::jsonb)) as facts`;
        expect(facts.alike).toEqual([]);
      });
    });
    expect(read).toBeLessThan(5);
  });

  it('read no other credits of the account by a plan that was made when there were none', async () => {
    const other = uuidv7();
    /** Looks up the facts of one report. */
    const lookUp = async (sql: Transaction): Promise<unknown> =>
      await sql`
        select transfer_facts(jsonb_populate_record(null::transfer_report, ${sql.json({
          id: uuidv7(),
          account_id: other,
          amount: '5',
          currency_code: 'THB',
          source: 'one',
          dedupe_key: 'another',
          bank_time: new Date(),
          received_at: new Date(),
          memo: '',
          near_seconds: 86_400,
          remarks: [],
        })}::jsonb))`;
    const empty = await createTestDatabase();
    const database = openDatabase({ url: empty.url, applicationName: 'test' });
    try {
      const read = await database.transaction(async (tx) => {
        await tx`set local session_replication_role = replica`;
        for (let n = 0; n < 12; n++) await lookUp(tx);
        await tx`
          insert into bank_transfers (id, account_id, direction, amount, currency_code, dedupe_key, bank_time, memo, source, received_at)
          select uuidv7(), ${other}, 'CREDIT', n, 'THB', 'key ' || n, now(), '', 'one', now()
          from generate_series(1000, 1400) n`;
        await lookUp(tx);
        return await rowsRead(tx, 'bank_transfers', async () => await lookUp(tx));
      });
      expect(read).toBeLessThan(5);
    } finally {
      await database.close();
      await empty.drop();
    }
  });

  it('are recorded once if they are the same', async () => {
    const bankReference = uuidv7();
    const answers = await atOnce([{ bankReference }, { bankReference }, { bankReference }]);
    expect(answers.map(({ duplicate }) => duplicate).sort()).toEqual([false, true, true]);
    expect(new Set(answers.map(({ transfer }) => transfer.id)).size).toBe(1);
  });

  it('pay a deposit once if both name it', async () => {
    const { expectedRemark: memo } = await tenant.deposit(merchant);
    const answers = await atOnce([
      { memo, bankReference: uuidv7() },
      { memo, bankReference: uuidv7() },
    ]);
    expect(reasonsOf(answers).sort()).toEqual(['ORDER_NOT_PENDING', null]);
  });

  it('pay a deposit once if two agents report the same credit', async () => {
    const { expectedRemark: memo } = await tenant.deposit(merchant);
    const actors = [await agent([accountId]), await agent([accountId])];
    const answers = await atOnce([{ memo, bankReference: uuidv7() }, { memo }], actors);
    expect(reasonsOf(answers).filter((reason) => reason === null)).toHaveLength(1);
    expect(reasonsOf(answers)).toContain('NEAR_DUPLICATE');
  });

  it('keep an account open whose balances add up, and pause one that goes on after a gap', async () => {
    const [good, bad] = [await tenant.account('USD'), await tenant.account('USD')];
    const usd = { currencyCode: 'USD', amount: '10.00' };
    const at = (second: number) => new Date(tenant.now().getTime() - 60_000 + second * 1000).toISOString();
    const credit = (id: string, n: number, balanceAfter: string) => ({
      ...usd,
      accountId: id,
      bankReference: `${id} ${n}`,
      bankTime: at(n),
      balanceAfter,
    });
    await atOnce([
      ...[credit(good, 1, '10.00'), credit(bad, 1, '10.00')],
      ...[credit(good, 2, '20.00'), credit(bad, 2, '25.00')],
    ]);
    await atOnce([credit(good, 3, '30.00'), credit(bad, 3, '35.00')]);
    const statuses = await tenant.database.sql<{ id: string; status: string }[]>`
      select id, status from bank_accounts where id = any(${[good, bad]})`;
    expect(Object.fromEntries(statuses.map(({ id, status }) => [id, status]))).toEqual({
      [good]: 'ACTIVE',
      [bad]: 'PAUSED',
    });
  });

  it('do not fail with one that is refused', async () => {
    const { expectedRemark: memo } = await tenant.deposit(merchant);
    const answers = await Promise.allSettled([
      tenant.notify({ accountId: 'no uuid', memo: '' }),
      tenant.notify({ accountId: uuidv7(), memo: '' }),
      tenant.notify({ accountId, memo, bankReference: uuidv7() }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });
});
