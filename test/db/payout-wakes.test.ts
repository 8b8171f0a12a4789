import { uuidv7 } from 'uuidv7';
import { money } from '../../domain/money';
import { recordChannelMessage } from '../../db/channels/channel-messages';
import { wakeDoubtedPayouts } from '../../db/overdue';
import { markSent, notePayout, openTransferTask, preparePayout, unsendPayout } from '../../db/payouts/payouts';
import { registry } from '../../runtime/metrics';
import { createSweepActivities } from '../../temporal/activities/sweeps';
import { simulatedChannel, type TestChannel } from '../support/channel-tenant';
import { quietActivities } from '../support/quiet-activities';
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
      timeoutSeconds: 10,
      failureFinalDelaySeconds: 3_600,
    });
  });
  afterAll(async () => {
    await tenant.close();
  });
  afterEach(async () => {
    const { sql } = tenant.database;
    await sql`delete from outbox`;
    await sql`update payout_attempts set status = 'REFUSED', doubted_at = null, finished_at = ${BEGAN}
      where method = 'CHANNEL' and finished_at is null`;
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
  const sweepsAt = (seconds: number) =>
    createSweepActivities({
      database: tenant.database,
      clock: () => Promise.resolve(at(seconds)),
    });
  /** Runs `payoutSweep` or `reconcile` at this time. @returns what it woke, as if the relay had delivered it */
  async function swept(
    seconds: number,
    sweep: 'wakeSilentPayouts' | 'wakeOverdue' = 'wakeSilentPayouts',
  ): Promise<string[]> {
    await quietActivities().run(async () => await sweepsAt(seconds)[sweep]());
    const rows = await tenant.database.sql<{ key: string }[]>`
      delete from outbox where due_at <= ${at(seconds)} returning key`;
    return rows.map(({ key }) => key);
  }
  /** Whether the sweep at this time wakes the order. */
  const woken = async (orderNo: string, seconds: number): Promise<boolean> =>
    (await swept(seconds)).includes(`withdrawal:${orderNo}`);
  const counted = async (): Promise<number> => {
    const metric = await registry.getSingleMetric('causeway_overdue_found_total')?.get();
    const found = metric?.values.find(({ labels }) => labels['kind'] === 'withdrawal_not_moved');
    return found?.value ?? 0;
  };

  it('is woken 35 s after its attempt was prepared, and not sooner', async () => {
    const { orderNo } = await prepared();
    expect(await woken(orderNo, 34)).toBe(false);
    const before = await counted();
    expect(await woken(orderNo, 35)).toBe(true);
    expect(await counted()).toBe(before + 1);
    expect(await woken(orderNo, 69)).toBe(false);
    expect(await woken(orderNo, 70)).toBe(true);
  });

  it('is woken once it has not queried for longer than usual', async () => {
    const { orderNo, attemptId } = await sent();
    expect(await woken(orderNo, 44)).toBe(false);
    expect(await woken(orderNo, 45)).toBe(true);
    const about = { channelOrderNo: 'C1', reason: null, intervene: null };
    await notePayout(tenant.database, attemptId, 'ACCEPTED', about, at(60));
    expect(await woken(orderNo, 104)).toBe(false);
    expect(await woken(orderNo, 105)).toBe(true);
    await notePayout(tenant.database, attemptId, 'UNKNOWN', { ...about, reason: 'no' }, at(110));
    expect(await woken(orderNo, 154)).toBe(false);
    expect(await woken(orderNo, 155)).toBe(true);
  });

  it('raises one alert an hour', async () => {
    await prepared();
    for (const seconds of [40, 80, 3_640]) await swept(seconds);
    const alerts = await tenant.database.sql<{ key: string }[]>`
      select key from alerts where kind = 'OVERDUE' and key < 'overdue:withdrawal_not_moved:2026-01-02T05' order by key`;
    expect(alerts.map(({ key }) => key)).toEqual([
      'overdue:withdrawal_not_moved:2026-01-02T03',
      'overdue:withdrawal_not_moved:2026-01-02T04',
    ]);
  });

  it('is not woken or counted while it queries, also if no query is answered', async () => {
    const { attemptId, orderNo } = await sent();
    const about = { channelOrderNo: null, reason: 'no answer', intervene: null };
    const before = await counted();
    // Each query waits for the channel's whole timeout, and the next follows 30 s later.
    for (let seconds = 0; seconds <= 400; seconds++) {
      if (seconds % 40 === 10) await notePayout(tenant.database, attemptId, 'UNKNOWN', about, at(seconds));
      if (seconds % 15 === 0) expect(await woken(orderNo, seconds)).toBe(false);
    }
    expect(await counted()).toBe(before);
  });

  it('is not woken or counted while its send is taken back and tried again', async () => {
    const { database } = tenant;
    const { attemptId, orderNo } = await prepared();
    for (let seconds = 0; seconds <= 320; seconds++) {
      if (seconds % 32 === 0) await markSent(database, attemptId, at(seconds));
      if (seconds % 32 === 2) await unsendPayout(database, attemptId, at(seconds - 2), 'no marker', at(seconds));
      expect(await woken(orderNo, seconds)).toBe(false);
    }
  });

  it('is not woken until a failure may be final', async () => {
    const { orderNo, attemptId } = await sent();
    const about = { channelOrderNo: null, reason: 'failed', intervene: null };
    await notePayout(tenant.database, attemptId, 'FAILED', about, at(1));
    expect(await woken(orderNo, 3_601 + 44)).toBe(false);
    expect(await woken(orderNo, 3_601 + 45)).toBe(true);
  });

  it('is woken once an hour while a person has to resolve it, and not counted', async () => {
    const { orderNo, attemptId } = await sent();
    const about = { channelOrderNo: null, reason: 'silent', intervene: 'silent' };
    await notePayout(tenant.database, attemptId, 'UNKNOWN', about, at(1));
    expect(await woken(orderNo, 3_600)).toBe(false);
    const before = await counted();
    expect(await woken(orderNo, 3_601)).toBe(true);
    expect(await counted()).toBe(before);
    expect(await woken(orderNo, 7_200)).toBe(false);
    expect(await woken(orderNo, 7_201)).toBe(true);
  });

  it('is not woken by an outbox row twice', async () => {
    const { orderNo } = await prepared();
    const { sql } = tenant.database;
    await sql`select wake_withdrawal(w, ${at(35)}) from withdrawal_orders w where order_no = ${orderNo}`;
    await quietActivities().run(async () => await sweepsAt(35).wakeSilentPayouts());
    expect(await sql`select from outbox where key = ${`withdrawal:${orderNo}`}`).toHaveLength(1);
  });

  it('is not woken by reconcile, which wakes what has no attempt, and only that', async () => {
    const unsent = await prepared();
    const asked = await sent();
    const unrouted = await approvedWithdrawal(tenant, merchant);
    const byHand = await approvedWithdrawal(tenant, merchant);
    await openTransferTask(tenant.database, uuidv7(), byHand.id, BEGAN);
    await tenant.database.sql`delete from outbox`;
    const keys = ({ orderNo }: { orderNo: string }): string => `withdrawal:${orderNo}`;
    expect(await swept(59, 'wakeOverdue')).not.toContain(keys(unrouted));
    const byReconcile = await swept(60, 'wakeOverdue');
    expect(byReconcile).toContain(keys(unrouted));
    const bySweep = await swept(60);
    expect(bySweep).toEqual(expect.arrayContaining([keys(unsent), keys(asked)]));
    expect(bySweep.filter((key) => byReconcile.includes(key))).toEqual([]);
    for (const found of [byReconcile, bySweep]) expect(found).not.toContain(keys(byHand));
    expect(bySweep).not.toContain(keys(unrouted));
  });

  it('is woken less often when nothing changes for a long time', async () => {
    const { orderNo } = await prepared();
    let wakes = 0;
    for (let minute = 1; minute <= 24 * 60; minute++) if (await woken(orderNo, minute * 60)) wakes++;
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
      const step = { parkedAfter: at(0), limit: 100, now };
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
          id: uuidv7(),
          channelId: channel.id,
          messageId: `m-${n}`,
          reference,
          reported: 'ACCEPTED',
          headers: {},
          body: Buffer.from('{}'),
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
