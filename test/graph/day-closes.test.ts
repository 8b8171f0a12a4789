import { proposeCloses } from '../../db/closes/closes';
import { prove } from '../../db/proof/prove';
import { Tenant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';

interface Close {
  id: string;
  day: string;
  opening: string;
  credits: string;
  debits: string;
  closing: string;
  outside: string | null;
  outsideSource: string | null;
  difference: string;
  status: string;
  item: { id: string; amount: string; endedAt: string | null } | null;
}

describe('the daily close', () => {
  let tenant: Tenant;
  let accountId: string;
  // 06:59 in Bangkok: the day has ended there, but not in UTC.
  let now = new Date('2026-03-10T23:59:00Z');

  beforeAll(async () => {
    tenant = await Tenant.create();
    tenant.now = () => now;
    accountId = await tenant.account('THB', { timeZone: 'Asia/Bangkok' });
  });
  afterAll(async () => {
    await expectWholeLedger(tenant);
    await tenant.close();
  });

  const credit = async (amount: string, at: string, balanceAfter?: string): Promise<void> => {
    await tenant.operate('RecordBankNotification', {
      input: {
        accountId,
        amount,
        currencyCode: 'THB',
        memo: '',
        bankTime: at,
        bankReference: `${amount} ${at}`,
        balanceAfter,
      },
    });
  };
  const closes = async (): Promise<Close[]> =>
    (await tenant.operate<{ nodes: Close[] }>('DayCloses', { filter: { accountId: [accountId] } })).nodes;
  const close = async (id: string): Promise<Close> => await tenant.operate('CloseDay', { id, reason: 'compared' });

  it('proposes each day that has ended in the zone of its account', async () => {
    await credit('100', '2026-03-09T16:59:59Z');
    await credit('50', '2026-03-09T17:00:00Z', '150');
    await credit('7', '2026-03-10T17:00:00Z');
    await proposeCloses(tenant.database, 100, now);
    await proposeCloses(tenant.database, 100, now);
    expect(await closes()).toMatchObject([
      {
        day: '2026-03-10',
        opening: '100.0000',
        credits: '50.0000',
        debits: '0.0000',
        closing: '150.0000',
        outside: '150.0000',
        outsideSource: 'AGENT',
        status: 'PROPOSED',
      },
    ]);
  });

  it('keeps a closed day unchanged: later postings count for the next day', async () => {
    const [proposed] = await closes();
    const closed = await close(proposed?.id ?? '');
    expect(closed).toMatchObject({ status: 'CLOSED', difference: '0.0000', item: null });
    await expect(close(closed.id)).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
    await credit('3', '2026-03-10T10:00:00Z');
    now = new Date('2026-03-11T23:00:00Z');
    await proposeCloses(tenant.database, 100, now);
    expect(await closes()).toMatchObject([
      { day: '2026-03-11', opening: '150.0000', credits: '10.0000', closing: '160.0000' },
      { day: '2026-03-10', closing: '150.0000' },
    ]);
    const update = tenant.database.sql`update day_closes set reason = 'other' where id = ${closed.id}`;
    await expect(update).rejects.toMatchObject({ code: 'CW001' });
  });

  it('opens an item for a difference, with an owner until it is explained', async () => {
    await credit('1', '2026-03-11T12:00:00Z', '163');
    const [next] = await closes();
    const closed = await close(next?.id ?? '');
    expect(closed).toMatchObject({
      outside: '163.0000',
      difference: '2.0000',
      closing: '161.0000',
    });
    expect(closed.item).toMatchObject({ amount: '2.0000', endedAt: null });
    const id = closed.item?.id;
    await tenant.operate('TakeCloseItem', { id });
    const ended = await tenant.operate<Close>('EndCloseItem', { id, note: 'a late fee' });
    expect(ended.item?.endedAt).not.toBeNull();
    await expect(tenant.operate('EndCloseItem', { id, note: 'x' })).rejects.toMatchObject({
      kind: 'BUSINESS_ERROR',
    });
  });

  it('shows the bank’s balance next to the book’s', async () => {
    const { nodes } = await tenant.operate<{
      nodes: { id: string; bankBalance: string; bookBalance: string }[];
    }>('BankAccounts', {});
    expect(nodes.find(({ id }) => id === accountId)).toMatchObject({
      bankBalance: '163.0000',
      bookBalance: '161.0000',
    });
  });

  it('writes a journal by the operator’s own chart', async () => {
    const { csv } = await tenant.operate<{ csv: string }>('ExportJournal', {
      reason: 'the month',
      chart: [
        { account: '', code: '9999', name: 'the rest' },
        { account: 'bank', code: '1000' },
        { account: `bank:${accountId}`, code: '1010', name: 'Bangkok' },
      ],
    });
    expect(csv).toMatch(/^date_utc,document,line,text,account_code,account_name,debit,credit,/);
    expect(csv).toMatch(/,bank credit,1010,Bangkok,100\.0000,,THB,/);
    expect(csv).toMatch(/,bank credit,9999,the rest,,100\.0000,THB,/);
  });

  it('writes a journal by a saved chart only', async () => {
    const save = async (fields: Record<string, unknown>): Promise<{ id: string }> =>
      await tenant.operate('PutJournalChart', {
        input: { name: 'ours', accounts: [{ account: '', code: '9999' }], ...fields },
        reason: 'the books',
      });
    const { id } = await save({});
    await save({ id, accounts: [{ account: 'bank', code: ' 1000 ' }] });
    expect(await tenant.operate('JournalCharts', {})).toMatchObject([
      { id, name: 'ours', accounts: [{ account: 'bank', code: '1000', name: null }] },
    ]);
    await expect(save({})).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
    await expect(save({ name: 'none', accounts: [] })).rejects.toMatchObject({
      kind: 'INVALID_FIELD',
    });
    const write = async (chartId?: string): Promise<{ csv: string }> =>
      await tenant.operate('ExportJournal', { reason: 'the month', chartId });
    expect((await write(id)).csv).toMatch(/,bank credit,1000,,100\.0000,,THB,/);
    await expect(write()).rejects.toMatchObject({ kind: 'INVALID_FIELD' });
    await expect(write(accountId)).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  });

  it('counts a correction of a closed day, or its reversal, for the next day', async () => {
    const evidence = { text: 'the statement' };
    now = new Date('2026-03-12T12:00:00Z');
    const { postings } = await tenant.operate<{ postings: { id: string }[] }>('CorrectBook', {
      accountId,
      amount: '-4',
      reason: 'compared',
      evidence,
    });
    await tenant.operate('ReversePosting', {
      id: postings[0]?.id,
      reason: 'it was none',
      evidence,
    });
    await credit('2', '2026-03-09T12:00:00Z');
    now = new Date('2026-03-12T23:00:00Z');
    await proposeCloses(tenant.database, 100, now);
    expect((await closes()).slice(0, 3)).toMatchObject([
      { day: '2026-03-12', opening: '161.0000', credits: '6.0000', debits: '4.0000' },
      { day: '2026-03-11', status: 'CLOSED', closing: '161.0000' },
      { day: '2026-03-10', status: 'CLOSED', closing: '150.0000' },
    ]);
  });

  it('closes a channel in its own zone, with the balance that it reported at the end of the day', async () => {
    const made = await tenant.operate<{ channel: { id: string; timeZone: string } }>('CreateChannel', {
      input: {
        channelCode: 'dhaka',
        kind: 'MOCK',
        settings: { name: 'Dhaka', currencies: ['BDT'], timeZone: 'Asia/Dhaka' },
      },
      reason: 'test',
    });
    const { id, timeZone } = made.channel;
    expect(timeZone).toBe('Asia/Dhaka');
    const elsewhere = { id, settings: { timeZone: 'Mars' }, reason: 'test' };
    await expect(tenant.operate('UpdateChannel', elsewhere)).rejects.toMatchObject({
      kind: 'INVALID_FIELD',
    });
    const book = async (name: string, amount: string, at: string): Promise<void> => {
      now = new Date(at);
      const evidence = { text: 'their letter' };
      await tenant.operate(name, {
        channelId: id,
        currencyCode: 'BDT',
        amount,
        reason: 'test',
        evidence,
      });
    };
    await book('OpenBook', '70', '2026-03-13T17:30:00Z');
    // After midnight in Dhaka.
    await book('CorrectBook', '5', '2026-03-13T18:30:00Z');
    await tenant.database.sql`
      insert into channel_balances (channel_id, currency_code, balance, at)
      values (${id}, 'BDT', 71, ${new Date('2026-03-13T18:05:00Z')})`;
    await proposeCloses(tenant.database, 100, now);
    const { nodes } = await tenant.operate<{ nodes: (Close & { timeZone: string })[] }>('DayCloses', {
      filter: { channelId: [id] },
    });
    expect(nodes).toMatchObject([
      {
        day: '2026-03-13',
        timeZone: 'Asia/Dhaka',
        closing: '70.0000',
        difference: '1.0000',
        outside: '71.0000',
        outsideSource: 'CHANNEL',
      },
    ]);
    const held = await close(nodes[0]?.id ?? '');
    expect(held.item).toMatchObject({ amount: '1.0000', endedAt: null });
    expect(await tenant.operate('Channel', { id })).toMatchObject({
      bookBalances: [{ currencyCode: 'BDT', balance: '75.0000' }],
      balances: [{ currencyCode: 'BDT', balance: '71.0000' }],
    });
  });

  it('is proved: figures that differ from the postings are reported', async () => {
    await tenant.database
      .transaction(async (tx) => {
        await tx`set local session_replication_role = replica`;
        await tx`update day_closes set credits = credits + 1, closing = closing + 1 where account_id = ${accountId}`;
        const { discrepancies } = await prove(tx);
        expect(discrepancies.map(({ subject }) => subject).join()).toContain('close of bank');
        throw new Error('roll back');
      })
      .catch((error: unknown) => {
        if (!(error instanceof Error) || error.message !== 'roll back') throw error;
      });
  });
});
