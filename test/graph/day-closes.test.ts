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
  // 06:59 in Bangkok: the day there has ended, and that of UTC has not.
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
        ...{ accountId, amount, currencyCode: 'THB', memo: '', bankTime: at },
        ...{ bankReference: `${amount} ${at}`, balanceAfter },
      },
    });
  };
  const closes = async (): Promise<Close[]> =>
    (await tenant.operate<{ nodes: Close[] }>('DayCloses', { filter: { accountId: [accountId] } }))
      .nodes;
  const close = async (id: string): Promise<Close> =>
    await tenant.operate('CloseDay', { id, reason: 'compared' });

  it('proposes each day that has ended in the zone of its account', async () => {
    await credit('100', '2026-03-09T16:59:59Z');
    await credit('50', '2026-03-09T17:00:00Z', '150');
    await credit('7', '2026-03-10T17:00:00Z');
    await proposeCloses(tenant.database, 100, now);
    await proposeCloses(tenant.database, 100, now);
    expect(await closes()).toMatchObject([
      {
        ...{ day: '2026-03-10', opening: '100.0000', credits: '50.0000', debits: '0.0000' },
        ...{ closing: '150.0000', outside: '150.0000', outsideSource: 'AGENT', status: 'PROPOSED' },
      },
    ]);
  });

  it('keeps a closed day as it is: what comes later counts for the next', async () => {
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
    const update = tenant.database
      .sql`update day_closes set reason = 'other' where id = ${closed.id}`;
    await expect(update).rejects.toMatchObject({ code: 'CW001' });
  });

  it('makes an item of a difference, which somebody owns until it is explained', async () => {
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

  it('shows the bank’s balance beside the book', async () => {
    const { nodes } = await tenant.operate<{
      nodes: { id: string; bankBalance: string; bookBalance: string }[];
    }>('BankAccounts', {});
    expect(nodes.find(({ id }) => id === accountId)).toMatchObject({
      ...{ bankBalance: '163.0000', bookBalance: '161.0000' },
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

  it('is proven: figures that no postings make are named', async () => {
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
