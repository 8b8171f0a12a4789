import { uuidv7 } from 'uuidv7';
import { money } from '../../domain/money';
import { recordChannelMessage } from '../../db/channels/channel-messages';
import { wakeDoubtedPayouts, wakeOverdueWithdrawals } from '../../db/overdue';
import { markSent, notePayout, preparePayout } from '../../db/payouts/payouts';
import { simulatedChannel, type TestChannel } from '../support/channel-tenant';
import { Tenant, type TestMerchant } from '../support/tenant';
import { approvedWithdrawal, fundedMerchant } from '../support/withdrawals';

const BEGAN = new Date('2026-01-02T03:04:05.000Z');
const at = (seconds: number): Date => new Date(BEGAN.getTime() + seconds * 1000);

describe('the workflow of a payout', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let channel: TestChannel;

  beforeAll(async () => {
    tenant = await Tenant.create();
    tenant.now = () => BEGAN;
    merchant = await fundedMerchant(tenant, '10000');
    channel = await simulatedChannel(tenant, 'http://127.0.0.1:9/', {
      ...{ timeoutSeconds: 10, failureFinalDelaySeconds: 3_600 },
    });
  });
  afterAll(async () => {
    await tenant.close();
  });
  afterEach(async () => {
    await tenant.database.sql`delete from outbox`;
  });

  interface Payout {
    readonly orderNo: string;
    readonly attemptId: string;
    readonly reference: string;
  }
  /** A payout without an outbox row: its workflow was lost. */
  async function prepared(): Promise<Payout> {
    const { database } = tenant;
    const { id, orderNo } = await approvedWithdrawal(tenant, merchant);
    const attemptId = uuidv7();
    await preparePayout(database, attemptId, id, channel.id, money('1'), BEGAN);
    await database.sql`delete from outbox`;
    const reference = `${orderNo}-1-0-${channel.channelCode}`;
    return { orderNo, attemptId, reference };
  }
  async function sent(): Promise<Payout> {
    const payout = await prepared();
    await markSent(tenant.database, payout.attemptId, BEGAN);
    return payout;
  }
  /** Whether the sweep at this time wakes the order. */
  async function woken(one: string, seconds: number): Promise<boolean> {
    const now = at(seconds);
    const step = { overdueBefore: at(seconds - 60), parkedAfter: at(seconds - 3_600), now };
    const rows = await wakeOverdueWithdrawals(tenant.database, {
      ...{ ...step, after: null, limit: 100 },
    });
    // As if the relay had started them at Temporal.
    await tenant.database.sql`delete from outbox where due_at <= ${now}`;
    return rows.some(({ orderNo }) => orderNo === one);
  }

  it('is woken a minute after its attempt was prepared', async () => {
    const { orderNo } = await prepared();
    expect(await woken(orderNo, 59)).toBe(false);
    expect(await woken(orderNo, 60)).toBe(true);
    expect(await woken(orderNo, 119)).toBe(false);
    expect(await woken(orderNo, 120)).toBe(true);
  });

  it('is woken once it has not queried for longer than usual', async () => {
    const { orderNo, attemptId } = await sent();
    expect(await woken(orderNo, 54)).toBe(false);
    expect(await woken(orderNo, 55)).toBe(true);
    const about = { channelOrderNo: 'C1', reason: null, intervene: null };
    await notePayout(tenant.database, attemptId, 'ACCEPTED', about, at(60));
    expect(await woken(orderNo, 114)).toBe(false);
    expect(await woken(orderNo, 115)).toBe(true);
  });

  it('is not woken until a failure may be final', async () => {
    const { orderNo, attemptId } = await sent();
    const about = { channelOrderNo: null, reason: 'failed', intervene: null };
    await notePayout(tenant.database, attemptId, 'FAILED', about, at(1));
    expect(await woken(orderNo, 3_600)).toBe(false);
    expect(await woken(orderNo, 3_601 + 70)).toBe(true);
  });

  it('is woken once an hour while a person has to resolve it', async () => {
    const { orderNo, attemptId } = await sent();
    const about = { channelOrderNo: null, reason: 'silent', intervene: 'silent' };
    await notePayout(tenant.database, attemptId, 'UNKNOWN', about, at(1));
    expect(await woken(orderNo, 3_600)).toBe(false);
    expect(await woken(orderNo, 3_601)).toBe(true);
  });

  it('is woken less often when nothing changes for a long time', async () => {
    const { orderNo } = await prepared();
    let wakes = 0;
    for (let minute = 1; minute <= 24 * 60; minute++)
      if (await woken(orderNo, minute * 60)) wakes++;
    expect(wakes).toBeGreaterThan(100);
    expect(wakes).toBeLessThan(250);
  });

  it('is woken for a review that nothing continues', async () => {
    const { orderNo, attemptId } = await sent();
    const { sql } = tenant.database;
    await sql`
      update payout_attempts set status = 'SUCCEEDED', finished_at = ${BEGAN}, doubted_at = ${BEGAN}
      where id = ${attemptId}`;
    const reviewed = async (seconds: number): Promise<string[]> => {
      const now = at(seconds);
      const step = { overdueBefore: now, parkedAfter: at(0), after: null, limit: 100, now };
      return (await wakeDoubtedPayouts(tenant.database, step)).map((row) => row.orderNo);
    };
    expect(await reviewed(899)).toEqual([]);
    expect(await reviewed(900)).toEqual([orderNo]);
    expect(await reviewed(900)).toEqual([]);
    await sql`update payout_attempts set doubted_at = null where id = ${attemptId}`;
  });

  it('handles a flood of messages, and reads its row again after the last one', async () => {
    const { reference, orderNo } = await sent();
    const { sql } = tenant.database;
    const LAST = 3_000;
    for (let n = 0; n < LAST; n++)
      await recordChannelMessage(
        tenant.database,
        {
          ...{ id: uuidv7(), channelId: channel.id, messageId: `m-${n}`, reference },
          ...{ reported: 'ACCEPTED', headers: {}, body: Buffer.from('{}') },
        },
        // Ten messages per second, for five minutes.
        at(n / 10),
      );
    const rows = await sql<{ dueAt: Date }[]>`
      select due_at from outbox where key = ${`withdrawal:${orderNo}`} order by due_at`;
    expect(rows.length).toBeGreaterThanOrEqual(12);
    expect(rows.length).toBeLessThanOrEqual(17);
    expect(rows.at(-1)?.dueAt.getTime()).toBeGreaterThan(at((LAST - 1) / 10).getTime());
  });
});
