import { Client } from '@temporalio/client';
import { uuidv7 } from 'uuidv7';
import { pruneChannelMessages } from '../../db/channels/channel-messages';
import { Simulator } from '../../simulator/server';
import { ORDERS_TASK_QUEUE } from '../../workflows/shared';
import { CHANNEL_KEY, createTestChannel, simulatedChannel } from '../support/channel-tenant';
import { type TestTemporal, timeSkipping } from '../support/temporal';
import { Tenant } from '../support/tenant';
import { startWorkers, type TestWorkers } from '../support/workers';

const DAY_MS = 86_400_000;

/** On the time-skipping server: the workflow that the schedule `channel-watch` runs each minute. */
describe('the channel watch', () => {
  let temporal: TestTemporal;
  let tenant: Tenant;
  let workers: TestWorkers;
  const upstreams: Simulator[] = [];

  beforeAll(async () => {
    [temporal, tenant] = await Promise.all([timeSkipping(), Tenant.create()]);
    workers = await startWorkers(tenant, temporal);
  });
  afterAll(async () => {
    await workers.stop();
    await Promise.all(
      upstreams.map(async (upstream) => {
        await upstream.close();
      }),
    );
    await tenant.close();
    await temporal.stop();
  });
  afterEach(async () => {
    await tenant.database.sql`update channels set enabled = false`;
  });

  /** One run. @returns how many channels are down */
  const watch = async (): Promise<unknown> =>
    await new Client({ connection: temporal.env.connection }).workflow.execute('channelWatch', {
      taskQueue: ORDERS_TASK_QUEUE,
      workflowId: `channel-watch-${uuidv7()}`,
    });
  async function upstreamWith(
    settings: Parameters<Simulator['configure']>[0] = {},
  ): Promise<{ readonly upstream: Simulator; readonly id: string }> {
    const upstream = new Simulator(CHANNEL_KEY);
    upstreams.push(upstream);
    upstream.configure(settings);
    const { id } = await simulatedChannel(tenant, await upstream.listen(), {
      currencies: ['THB', 'USD'],
    });
    return { upstream, id };
  }
  const seen = async (id: string) => {
    const [row] = await tenant.database.sql`
      select health, health_reason as reason, health_at > now() - interval '1 hour' as lately,
        array(select currency_code || ' ' || balance from channel_balances b
          where b.channel_id = c.id order by currency_code) as balances
      from channels c where id = ${id}`;
    return row;
  };

  it('records health and balances of channels, and their changes', async () => {
    const { upstream, id } = await upstreamWith({ balances: { THB: '1000.5', USD: '7' } });
    await expect(watch()).resolves.toBe(0);
    expect(await seen(id)).toEqual({
      health: 'UP',
      reason: null,
      lately: true,
      balances: ['THB 1000.5000', 'USD 7.0000'],
    });
    upstream.configure({ up: false });
    await expect(watch()).resolves.toBe(1);
    expect(await seen(id)).toMatchObject({
      health: 'DOWN',
      reason: expect.stringMatching(/\w/) as unknown,
      balances: [],
    });
    upstream.configure({ up: true, balances: { THB: '999' } });
    await expect(watch()).resolves.toBe(0);
    expect(await seen(id)).toMatchObject({
      health: 'UP',
      reason: null,
      balances: ['THB 999.0000', 'USD 7.0000'],
    });
  });

  it('records what a channel collects, and expects no balance for payouts there', async () => {
    const upstream = new Simulator(CHANNEL_KEY);
    upstreams.push(upstream);
    upstream.configure({ balances: { EUR: '3' } });
    const { id } = await createTestChannel(
      tenant,
      { kind: 'HTTP' },
      {
        address: { baseUrl: await upstream.listen(), ...CHANNEL_KEY },
        currencies: [],
        deposits: { currencies: ['EUR'] },
        lowBalance: '100',
      },
    );
    await expect(watch()).resolves.toBe(0);
    expect(await seen(id)).toMatchObject({ health: 'UP', balances: ['EUR 3.0000'] });
    expect(await tenant.database.sql`select from alerts where kind = 'LOW_BALANCE'`).toHaveLength(0);
  });

  it('checks every channel although others fail', async () => {
    const [gone, unreadable, rich, well] = [
      await upstreamWith(),
      await upstreamWith(),
      await upstreamWith({ balances: { THB: `9${'0'.repeat(30)}` } }),
      await upstreamWith({ balances: { THB: '1' } }),
    ];
    const mock = await createTestChannel(tenant, { kind: 'MOCK' });
    await gone.upstream.close();
    await tenant.database.sql`
      update channels set sealed_secret = 'of another key' where id = ${unreadable.id}`;
    await expect(watch()).resolves.toBe(2);
    expect(await seen(gone.id)).toMatchObject({ health: 'DOWN', lately: true });
    expect(await seen(unreadable.id)).toMatchObject({ health: 'DOWN', lately: true });
    expect(await seen(rich.id)).toMatchObject({ health: 'UP', balances: [] });
    expect(await seen(well.id)).toMatchObject({ health: 'UP', balances: ['THB 1.0000'] });
    expect(await seen(mock.id)).toMatchObject({ health: 'UP' });
  });

  it('skips disabled channels', async () => {
    const { id } = await upstreamWith({ up: false });
    await tenant.operate('SetChannelEnabled', { id, enabled: false, reason: 'test' });
    await expect(watch()).resolves.toBe(0);
    expect(await seen(id)).toMatchObject({ health: 'UNKNOWN' });
  });

  describe('deletes', () => {
    let channelId: string;
    beforeAll(async () => {
      ({ id: channelId } = await upstreamWith());
    });
    /** Messages received at this time, all about one payout. */
    const came = async (reference: string, at: Date, messages = 1): Promise<void> => {
      await tenant.database.sql`
        insert into channel_messages (id, channel_id, message_id, reference, told, headers, body, received_at)
        select uuidv7(), ${channelId}, ${reference} || '-' || n, ${reference}, 'COMPLETED', '{}', '\\x7b7d', ${at}
        from generate_series(1, ${messages}::int) n`;
    };
    const left = async (reference: string): Promise<number> =>
      (await tenant.database.sql`select from channel_messages where reference = ${reference}`).length;

    it('messages of channels after 90 days and not before', async () => {
      const now = (await temporal.clock()).getTime();
      // More than one statement deletes.
      await came('old', new Date(now - 90 * DAY_MS - 60_000), 2_500);
      await came('kept', new Date(now - 90 * DAY_MS + 60_000), 3);
      await came('new', new Date(now));
      await watch();
      expect([await left('old'), await left('kept'), await left('new')]).toEqual([0, 3, 1]);
    });

    it('the oldest messages first, at most one batch', async () => {
      const [old, older] = [new Date('2026-01-02T00:00:00Z'), new Date('2026-01-01T00:00:00Z')];
      await came('o2', old, 5);
      await came('o1', older, 5);
      const before = new Date('2026-01-03T00:00:00Z');
      await expect(pruneChannelMessages(tenant.database, before, 7)).resolves.toBe(7);
      expect([await left('o1'), await left('o2')]).toEqual([0, 3]);
      // Exactly at the limit: kept.
      await expect(pruneChannelMessages(tenant.database, old, 7)).resolves.toBe(0);
      await expect(pruneChannelMessages(tenant.database, before, 7)).resolves.toBe(3);
    });
  });
});
