import { uuidv7 } from 'uuidv7';
import { findDepositAttempts, markDepositSent, prepareChannelDeposit } from '../../db/deposits/channel-deposits';
import { ZERO } from '../../domain/money';
import { createChannelDepositActivities } from '../../temporal/activities/channel-deposits';
import { createTestChannel } from '../support/channel-tenant';
import { Tenant, type TestMerchant } from '../support/tenant';

/** Deposits sent to channels during an outage or on trial: what the database allows, in any order of calls. */
describe('deposits of a channel', () => {
  let tenant: Tenant;
  let payer: TestMerchant;

  beforeAll(async () => {
    tenant = await Tenant.create();
    // A create does not wait for the channel's answer.
    (tenant.graph.core as { openWithinMs?: number }).openWithinMs = 0;
    const depositFee = { percent: '1' };
    payer = await tenant.merchant({}, [
      { currencyCode: 'USD', depositFee },
      { currencyCode: 'THB', depositFee },
    ]);
  });
  beforeEach(async () => {
    await tenant.database.sql`update channels set enabled = false`;
  });
  afterAll(async () => {
    await tenant.close();
  });

  const channel = async (priority: number): Promise<string> => {
    const settings = { currencies: [], deposits: { currencies: ['USD'] }, priority };
    return (await createTestChannel(tenant, { kind: 'MOCK' }, settings)).id;
  };
  /** A deposit that waits for its channel. */
  const deposit = async (currencyCode = 'USD'): Promise<string> => {
    const merchantOrderNo = uuidv7();
    await tenant.deposit(payer, { merchantOrderNo, currencyCode }).catch(() => undefined);
    const [row] = await tenant.database.sql<{ id: string }[]>`
      select id from deposit_orders where merchant_order_no = ${merchantOrderNo}`;
    if (!row) throw new Error('no deposit');
    return row.id;
  };
  const prepare = async (depositId: string, channelId: string): Promise<string | null> => {
    const { database, now } = tenant;
    const id = uuidv7();
    return (await prepareChannelDeposit(database, id, depositId, channelId, ZERO, now())) ? id : null;
  };
  const prepared = async (channelId: string): Promise<{ id: string; attemptId: string }> => {
    const id = await deposit();
    return { id, attemptId: (await prepare(id, channelId)) ?? 'none' };
  };
  const statuses = async (id: string): Promise<unknown[]> =>
    (await findDepositAttempts(tenant.database, [id])).map((one) => [one.channelId, one.status]);
  const events = async (id: string, type: string): Promise<{ actor: string; detail: unknown }[]> =>
    await tenant.database.sql<{ actor: string; detail: unknown }[]>`
      select actor, detail from order_events where order_id = ${id} and type = ${type}`;
  const move = async (channelId: string): Promise<unknown> =>
    await tenant.operate('MoveWaiting', { channelId, reason: 'they are out' });
  const disable = async (id: string): Promise<unknown> =>
    await tenant.operate('SetChannelEnabled', { id, enabled: false, reason: 'test' });
  const onTrialFrom = async (id: string, at: Date): Promise<unknown> =>
    await tenant.database.sql`
      update channels set breaker_state = 'DOWN', breaker_since = ${tenant.now()}, breaker_paused_for = 60,
        breaker_trial_at = ${at} where id = ${id}`;

  it('are moved to the next channel if they were never sent', async () => {
    const [first, second] = [await channel(1), await channel(2)];
    const [unsent, sent, over] = [await prepared(first), await prepared(first), await prepared(first)];
    await markDepositSent(tenant.database, sent.attemptId, tenant.now());
    await tenant.database.sql`update deposit_orders set status = 'CANCELLED' where id = ${over.id}`;
    await expect(move(first)).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
    await disable(first);
    await tenant.database.sql`delete from outbox`;
    expect(await move(first)).toEqual({ payouts: 0, deposits: 1 });
    expect(await move(first)).toEqual({ payouts: 0, deposits: 0 });
    expect([await statuses(unsent.id), await statuses(sent.id), await statuses(over.id)]).toEqual([
      [[first, 'REFUSED']],
      [[first, 'SENT']],
      [[first, 'PREPARED']],
    ]);
    expect(await events(unsent.id, 'channel_moved')).toEqual([
      {
        actor: expect.stringMatching(/^operator:/) as unknown,
        detail: { channelId: first, reason: 'they are out' },
      },
    ]);
    // Its workflow continues; no other workflow does.
    const woken = await tenant.database.sql<{ key: string }[]>`select key from outbox`;
    const [order] = await tenant.database.sql<{ orderNo: string }[]>`
      select order_no from deposit_orders where id = ${unsent.id}`;
    expect(woken).toEqual([{ key: `deposit:${order?.orderNo ?? ''}` }]);
    // It is never sent to the first channel again.
    expect(await markDepositSent(tenant.database, unsent.attemptId, tenant.now())).toBe(false);
    const activities = createChannelDepositActivities({
      database: tenant.database,
      clock: async () => await Promise.resolve(tenant.now()),
      sealer: tenant.sealer,
      openChannel: () => {
        throw new Error('no channel is spoken to');
      },
    });
    const step = await activities.routeDeposit(unsent.id, tenant.now().toISOString());
    expect(step.kind).toBe('OPEN');
    expect(await statuses(unsent.id)).toEqual([
      [first, 'REFUSED'],
      [second, 'PREPARED'],
    ]);
  });

  it('are each sent or moved, but never both, under concurrency', async () => {
    const id = await channel(1);
    const waiting = await Promise.all(Array.from({ length: 16 }, async () => await prepared(id)));
    await disable(id);
    const moves = Array.from({ length: 2 }, async () => (await move(id)) as { deposits: number });
    const sends = waiting.map(async ({ attemptId }) => await markDepositSent(tenant.database, attemptId, tenant.now()));
    const sent = (await Promise.all(sends)).filter(Boolean).length;
    const moved = (await Promise.all(moves)).reduce((sum, { deposits }) => sum + deposits, 0);
    expect(sent + moved).toBe(waiting.length);
    const rows = await tenant.database.sql<{ status: string }[]>`
      select status from deposit_attempts where channel_id = ${id}`;
    expect(rows.filter(({ status }) => status === 'SENT')).toHaveLength(sent);
    expect(rows.filter(({ status }) => status === 'REFUSED')).toHaveLength(moved);
  });

  it('are sent one at a time to a channel on trial, of many at once', async () => {
    const id = await channel(1);
    const deposits = await Promise.all(Array.from({ length: 8 }, async () => await deposit()));
    await onTrialFrom(id, new Date(tenant.now().getTime() + 60_000));
    const all = async (): Promise<(string | null)[]> =>
      await Promise.all(deposits.map(async (one) => await prepare(one, id)));
    // Its pause has not ended.
    expect((await all()).filter(Boolean)).toEqual([]);
    await onTrialFrom(id, tenant.now());
    const taken = await all();
    expect(taken.filter(Boolean)).toHaveLength(1);
    const winner = deposits[taken.findIndex(Boolean)];
    const [stands] = await tenant.database.sql<{ state: string; order: string }[]>`
      select breaker_state as state, trial_order_id as order from channels where id = ${id}`;
    expect(stands).toEqual({ state: 'TRIAL', order: winner });
    // The refused orders left no rows.
    for (const one of deposits) {
      const has = one === winner ? 1 : 0;
      expect(await statuses(one)).toHaveLength(has);
      expect(await events(one, 'channel_chosen')).toHaveLength(has);
    }
  });

  it('are reported by a channel on trial when they are paid to an account', async () => {
    const id = await channel(1);
    await tenant.account('THB');
    const paidToAccount = await deposit('THB');
    await onTrialFrom(id, new Date(tenant.now().getTime() + 60_000));
    expect(await prepare(paidToAccount, id)).not.toBeNull();
    const [stands] = await tenant.database.sql<{ state: string }[]>`
      select breaker_state as state from channels where id = ${id}`;
    expect(stands).toEqual({ state: 'DOWN' });
  });

  it('stay in a recovery, as do those prepared before it', async () => {
    const id = await channel(1);
    const { id: before } = await prepared(id);
    await disable(id);
    await tenant.database.sql`select raise_epoch()`;
    expect(await move(id)).toEqual({ payouts: 0, deposits: 0 });
    expect(await statuses(before)).toEqual([[id, 'PREPARED']]);
  });
});
