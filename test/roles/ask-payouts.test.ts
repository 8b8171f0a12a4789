import { uuidv7 } from 'uuidv7';
import { money } from '../../domain/money';
import { markSent, openTransferTask, preparePayout, refusePayout } from '../../db/payouts/payouts';
import { askPayouts } from '../../roles/ask-payouts';
import { Simulator } from '../../simulator/server';
import { CHANNEL_KEY, simulatedChannel, type TestChannel } from '../support/channel-tenant';
import { Tenant, type TestMerchant } from '../support/tenant';
import { approvedWithdrawal, fundedMerchant } from '../support/withdrawals';

/** Two upstreams that know more than the database, which was restored to a time before their payouts. */
describe('payouts that channels are queried for after the database was restored', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let channelA: TestChannel;
  let channelB: TestChannel;
  const [upstreamA, upstreamB] = [new Simulator(CHANNEL_KEY), new Simulator(CHANNEL_KEY)];

  beforeAll(async () => {
    tenant = await Tenant.create();
    merchant = await fundedMerchant(tenant, '10000');
    channelA = await simulatedChannel(tenant, await upstreamA.listen());
    channelB = await simulatedChannel(tenant, await upstreamB.listen());
  });
  afterAll(async () => {
    await tenant.close();
    await upstreamA.close();
    await upstreamB.close();
  });

  const asked = async () =>
    await askPayouts(
      { database: tenant.database, openChannel: tenant.graph.core.openChannel, clock: tenant.now },
      new Date(Date.now() - 3_600_000),
    );
  /** The upstream's own records. */
  const paid = (upstream: Simulator, reference: string): void => {
    upstream.payments.pay(upstream.payments.ask({ reference, amount: '100', currency: 'THB' }));
  };
  const refused = (upstream: Simulator, reference: string): void => {
    upstream.payments.ask({ reference, amount: '100', currency: 'THB' }).state = 'refused';
  };
  const prepared = async (id: string, { id: channelId }: TestChannel): Promise<string> => {
    const attemptId = uuidv7();
    await preparePayout(tenant.database, attemptId, id, channelId, money('1'), tenant.now());
    return attemptId;
  };
  const attemptsOf = async (id: string): Promise<string[]> => {
    const rows = await tenant.database.sql<{ line: string }[]>`
      select concat_ws(' ', a.number, c.channel_code, a.reference, a.status) as line
      from payout_attempts a left join channels c on c.id = a.channel_id
      where a.withdrawal_id = ${id} order by a.number`;
    return rows.map(({ line }) => line);
  };
  /** Whether another attempt at it is refused. */
  const refusesAnother = async (id: string): Promise<boolean> => {
    const before = await attemptsOf(id);
    await prepared(id, channelB);
    return (await attemptsOf(id)).join() === before.join();
  };
  const about = (lines: readonly string[], orderNo: string): string[] =>
    lines.filter((line) => line.startsWith(orderNo));

  it('are adopted as they were made, and never sent', async () => {
    const [lost, twice, marked] = [
      await approvedWithdrawal(tenant, merchant),
      await approvedWithdrawal(tenant, merchant),
      await approvedWithdrawal(tenant, merchant),
    ];
    const [a, b] = [channelA.channelCode, channelB.channelCode];
    const { epoch } = (
      await tenant.database.sql<{ epoch: number }[]>`
      select epoch from platform`
    )[0] ?? { epoch: -1 };
    paid(upstreamA, `${lost.orderNo}-1-${epoch}-${a}`);
    refused(upstreamA, `${twice.orderNo}-1-${epoch}-${a}`);
    // Like before references named the channel.
    paid(upstreamB, `${twice.orderNo}-2`);
    await prepared(marked.id, channelB);
    paid(upstreamB, `${marked.orderNo}-1-${epoch}-${b}`);

    const found = await asked();
    expect(found.unexplained).toEqual([]);
    expect(found.unanswered).toEqual([]);
    expect(await attemptsOf(lost.id)).toEqual([`1 ${a} ${lost.orderNo}-1-${epoch}-${a} SENT`]);
    expect(await attemptsOf(twice.id)).toEqual([
      `1 ${a} ${twice.orderNo}-1-${epoch}-${a} REFUSED`,
      `2 ${b} ${twice.orderNo}-2 SENT`,
    ]);
    expect(await attemptsOf(marked.id)).toEqual([`1 ${b} ${marked.orderNo}-1-${epoch}-${b} SENT`]);
    expect(about(found.adopted, twice.orderNo)).toHaveLength(2);
    // No other channel gets them: a further attempt is refused.
    for (const { id } of [lost, twice, marked]) expect(await refusesAnother(id)).toBe(true);

    const again = await asked();
    expect(again).toMatchObject({ adopted: [], unexplained: [], unanswered: [] });
    for (const upstream of [upstreamA, upstreamB])
      expect(upstream.payments.all().map((payment) => payment.asked)).not.toContain(2);
  });

  it('are left to be sent under the next epoch if no channel knows them', async () => {
    const { id, orderNo } = await approvedWithdrawal(tenant, merchant);
    const [before] = await tenant.database.sql<{ epoch: number }[]>`select epoch from platform`;
    await asked();
    expect(await attemptsOf(id)).toEqual([]);
    await prepared(id, channelA);
    const epoch = (before?.epoch ?? 0) + 1;
    expect(await attemptsOf(id)).toEqual([
      `1 ${channelA.channelCode} ${orderNo}-1-${epoch}-${channelA.channelCode} PREPARED`,
    ]);
  });

  it('are listed if a person has them, or no channel answers clearly', async () => {
    const byHand = await approvedWithdrawal(tenant, merchant);
    await openTransferTask(tenant.database, uuidv7(), byHand.id, tenant.now());
    paid(upstreamA, `${byHand.orderNo}-1`);
    const otherMoney = await approvedWithdrawal(tenant, merchant);
    const reference = `${otherMoney.orderNo}-1`;
    upstreamB.payments.ask({ reference, amount: '99', currency: 'THB' });
    const found = await asked();
    expect(about(found.unexplained, byHand.orderNo)).toEqual([
      `${byHand.orderNo} APPROVED ${byHand.orderNo}-1 COMPLETED`,
    ]);
    expect(about(found.unanswered, otherMoney.orderNo)).toEqual([expect.stringContaining('another amount') as string]);
  });

  it('are never released by a rejection', async () => {
    const { id, orderNo } = await approvedWithdrawal(tenant, merchant);
    const { sql } = tenant.database;
    // In the state before people approved it.
    await sql`
      update withdrawal_orders set status = 'PENDING', approved_at = null, approved_by = null, is_auto_approved = false,
        people_needed = 1
      where id = ${id}`;
    paid(upstreamA, `${orderNo}-1`);
    await asked();
    expect(await attemptsOf(id)).toEqual([`1 ${channelA.channelCode} ${orderNo}-1 SENT`]);
    await expect(tenant.operate('RejectWithdrawal', { orderNo, remarks: 'not wanted any more' })).rejects.toThrow(
      'cannot be rejected',
    );
    const [row] = await sql<{ status: string }[]>`
      select status from withdrawal_orders where id = ${id}`;
    expect(row?.status).toBe('PENDING');
  });

  it('are queried again if a refusal turns out to be a payment', async () => {
    const { id, orderNo } = await approvedWithdrawal(tenant, merchant);
    const attempt = await prepared(id, channelA);
    const { sql } = tenant.database;
    await markSent(tenant.database, attempt, tenant.now());
    await refusePayout(tenant.database, attempt, 'test', tenant.now());
    const [row] = await sql<{ reference: string }[]>`
      select reference from payout_attempts where id = ${attempt}`;
    paid(upstreamA, row?.reference ?? '');
    await asked();
    const [doubted] = await sql<{ is: boolean }[]>`
      select doubted_at is not null as is from payout_attempts where id = ${attempt}`;
    expect(doubted?.is).toBe(true);
    expect(orderNo).toMatch(/^W/);
  });

  it('are asked for only at channels that can have got them', async () => {
    const { orderNo } = await approvedWithdrawal(tenant, merchant);
    // Nothing listens there any more.
    const gone = await simulatedChannel(tenant, 'http://127.0.0.1:1');
    expect(about((await asked()).unanswered, orderNo).length).toBeGreaterThan(0);
    const { sql } = tenant.database;
    await sql`update channels set currencies = '{MYR}' where id = ${gone.id}`;
    expect(about((await asked()).unanswered, orderNo)).toEqual([]);
    // It takes deposits alone: it pays to no bank.
    await sql`update channels set currencies = '{THB}' where id = ${gone.id}`;
    await sql`delete from channel_banks where channel_id = ${gone.id}`;
    expect(about((await asked()).unanswered, orderNo)).toEqual([]);
  });
});
