import { readFileSync } from 'node:fs';
import path from 'node:path';
import { uuidv7 } from 'uuidv7';
import { createChannels } from '../../channels';
import { seeDevice } from '../../db/texts/texts';
import { claimTrial } from '../../db/health/health';
import { findHealthOf } from '../../db/routing/replay';
import { Simulator } from '../../simulator/server';
import { createChannelActivities } from '../../temporal/activities/channels';
import { createPayoutActivities, type PayoutStep } from '../../temporal/activities/payouts';
import { createCallbackSender } from '../../temporal/http/callback-sender';
import { CHANNEL_KEY, createTestChannel, simulatedChannel } from '../support/channel-tenant';
import { quietActivities } from '../support/quiet-activities';
import { Tenant, type TestMerchant } from '../support/tenant';
import { approvedWithdrawal, fundedMerchant } from '../support/withdrawals';

/** The database, the graph, an HTTP upstream, and a clock that the test sets. */
describe('the health of channels and accounts', () => {
  const begun = new Date();
  let now = begun;
  let tenant: Tenant;
  let merchant: TestMerchant;
  const upstreams: Simulator[] = [];
  const sender = createCallbackSender({ webhookSslVerify: true });

  beforeAll(async () => {
    tenant = await Tenant.create();
    tenant.now = () => now;
    // A create does not wait for the channel's answer.
    (tenant.graph.core as { openWithinMs?: number }).openWithinMs = 0;
    merchant = await fundedMerchant(tenant, '100000');
  });
  beforeEach(async () => {
    now = begun;
    await tenant.database.sql`update channels set enabled = false`;
  });
  afterAll(async () => {
    await Promise.all(
      upstreams.map(async (upstream) => {
        await upstream.close();
      }),
    );
    sender.close();
    await tenant.close();
  });

  const next = (time: Date): Date => new Date(time.getTime() + 1);
  const wait = (seconds: number): void => {
    now = new Date(now.getTime() + seconds * 1_000);
  };
  const activities = (environment: 'sandbox' | 'production' = 'sandbox') => {
    const openChannel = createChannels({
      environment: 'sandbox',
      sealer: tenant.sealer,
      clock: () => new Date(),
      post: async (request, signal) =>
        await sender.post({ ...request, policy: { allowInsecure: true, allowedHosts: null } }, signal),
    });
    const { database } = tenant;
    const clock = async (): Promise<Date> => await Promise.resolve(now);
    return {
      ...createChannelActivities({ database, clock, openChannel, environment }),
      ...createPayoutActivities({ database, clock, openChannel, ...tenant.seals }),
    };
  };
  /** The steps that the schedule runs each minute. */
  const watch = async (environment?: 'production'): Promise<unknown> =>
    await quietActivities().run(async () => await activities(environment).checkChannels());
  const channel = async (
    settings: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly upstream: Simulator; readonly id: string }> => {
    const upstream = new Simulator(CHANNEL_KEY);
    upstreams.push(upstream);
    const { id } = await simulatedChannel(tenant, await upstream.listen(), settings);
    return { upstream, id };
  };
  /** One payout, routed and sent. @returns the channel that it went to; null: to a person */
  const pay = async (): Promise<string | null> => {
    const { id } = await approvedWithdrawal(tenant, merchant, { amount: '10', fee: '0' });
    const steps = activities();
    const step = await quietActivities().run<[], PayoutStep, () => Promise<PayoutStep>>(
      async () => await steps.routePayout(id),
    );
    if (step.kind === 'SEND')
      await quietActivities().run(async () => {
        await steps.sendPayout(step.attemptId);
      });
    const [row] = await tenant.database.sql<{ channelId: string | null }[]>`
      select channel_id from withdrawal_orders where id = ${id}`;
    return row?.channelId ?? null;
  };
  const standing = async (id: string): Promise<Record<string, unknown>> => await tenant.operate('Channel', { id });
  const alerts = async (id: string): Promise<(string | null)[]> =>
    (
      await tenant.database.sql<{ reason: string | null }[]>`
        select about ->> 'reason' as reason from alerts
        where kind = 'PASSED_OVER' and coalesce(about ->> 'channelId', about ->> 'accountId') = ${id}`
    ).map(({ reason }) => reason);

  /** The reasons for skipping it, change by change, as a replay of that time reads them. */
  const played = async (id: string, from: Date, until: Date): Promise<(string | null)[]> =>
    (await findHealthOf(tenant.database, [id], { from, to: next(until) })).map(({ refusal }) => refusal);
  const audited = async (subject: unknown): Promise<{ actions: string[] }> => ({
    actions: (
      await tenant.database.sql<{ action: string }[]>`
        select action from audit_log where subject like ${`%${String(subject)}`} order by seq`
    ).map(({ action }) => action),
  });

  it('skips a channel that answers 500, and tries it again with one order at a time', async () => {
    const first = await channel({
      priority: 1,
      breaker: { failuresInRow: 2, pauseSeconds: 60 },
    });
    const second = await channel({ priority: 2 });
    await watch();
    expect(await pay()).toBe(first.id);
    first.upstream.configure({ faults: { errorRate: 1 } });
    wait(10);
    expect([await pay(), await pay()]).toEqual([first.id, first.id]);
    await watch();
    expect(await standing(first.id)).toMatchObject({
      health: 'UP',
      breakerState: 'DOWN',
      breakerReason: expect.stringContaining('2 orders failed one after another') as unknown,
    });
    expect(await alerts(first.id)).toHaveLength(1);
    // Skipped until its pause ends; then one order goes there, and the next one to the other channel.
    wait(59);
    expect(await pay()).toBe(second.id);
    wait(1);
    expect([await pay(), await pay()]).toEqual([first.id, second.id]);
    await watch();
    expect(await standing(first.id)).toMatchObject({ breakerState: 'DOWN' });
    // It still answers 500: the pause doubles.
    wait(119);
    expect(await pay()).toBe(second.id);
    first.upstream.configure({ faults: { errorRate: 0 } });
    wait(1);
    expect([await pay(), await pay()]).toEqual([first.id, second.id]);
    expect(await standing(first.id)).toMatchObject({ breakerState: 'TRIAL' });
    await watch();
    expect(await standing(first.id)).toMatchObject({ breakerState: 'HEALTHY' });
    // Failures from before the trial do not open the breaker again.
    await watch();
    expect([await pay(), await pay()]).toEqual([first.id, first.id]);

    const states = await tenant.database.sql<{ state: string }[]>`
      select state from health_changes where channel_id = ${first.id} and cause = 'BREAKER' order by position`;
    expect(states.map(({ state }) => state)).toEqual([...['DOWN', 'TRIAL', 'DOWN', 'TRIAL', 'HEALTHY']]);
    expect(await played(first.id, begun, now)).toEqual([...Array.from({ length: 4 }, () => 'UNHEALTHY'), null]);
    await expect(tenant.database.sql`update health_changes set state = 'HEALTHY'`).rejects.toMatchObject({
      code: 'CW001',
    });
  });

  interface Fields {
    operations: { sendPayout: { path: string; fields: unknown[] } };
  }
  /** A channel with a documented mapping that is changed, in force as an older release put it there. */
  async function mappedChannel(change: (mapping: Fields) => void, bankCode = '004') {
    const { sql } = tenant.database;
    const { id } = await createTestChannel(
      tenant,
      { kind: 'HTTP', mapped: true },
      {
        address: { baseUrl: 'http://127.0.0.1:9', ...CHANNEL_KEY },
        banks: [{ currencyCode: 'THB', bankCode: 'KBANK', channelBankCode: bankCode }],
        priority: 1,
        breaker: { failuresInRow: 1, pauseSeconds: 60 },
      },
    );
    const file = path.join(__dirname, '../../docs/mappings/hmac-json.json');
    const mapping = JSON.parse(readFileSync(file, 'utf8')) as Fields;
    change(mapping);
    await sql`
      insert into channel_mappings (channel_id, version, mapping, note, created_by, created_at)
      select ${id}, 1, ${sql.json(mapping as never)}, 'old', id, ${now} from operators limit 1`;
    await sql`
      update channels set mapping_version = 1, enabled = true, confirm_refusals = true where id = ${id}`;
    return id;
  }
  const unsentAlerts = async (id: string) =>
    await tenant.database.sql<{ about: Record<string, string> }[]>`
      select about from alerts where kind = 'REQUEST_NOT_SENT' and about ->> 'channelId' = ${id}
      order by raised_at`;
  /** Routes and sends a payout twice. @returns its attempts */
  async function payTwice(): Promise<readonly Record<string, string>[]> {
    const { id } = await approvedWithdrawal(tenant, merchant, { amount: '10', fee: '0' });
    const steps = activities();
    for (let n = 0; n < 2; n++) {
      const step = await quietActivities().run<[], PayoutStep, () => Promise<PayoutStep>>(
        async () => await steps.routePayout(id),
      );
      if (step.kind === 'SEND')
        await quietActivities().run(async () => {
          await steps.sendPayout(step.attemptId);
        });
    }
    return await tenant.database.sql<Record<string, string>[]>`
      select channel_id, status, last_error from payout_attempts
      where withdrawal_id = ${id} order by number`;
  }

  it('sends nothing by a stored mapping that text of others could change, and tells people', async () => {
    const at = '/operations/sendPayout/fields/5/value';
    const id = await mappedChannel(({ operations: { sendPayout } }) => {
      sendPayout.fields.push({ to: '/no', value: '{beneficiary_account}', as: 'number' });
    });
    const other = await channel({ priority: 2 });
    // Before the first watch an order still goes there: it is refused before anything leaves, and the next channel pays.
    const [refused, next] = await payTwice();
    expect(refused).toMatchObject({ channelId: id, status: 'REFUSED' });
    expect(next?.['channelId']).toBe(other.id);
    expect(await unsentAlerts(id)).toMatchObject([{ about: { reason: expect.stringContaining(at) as string } }]);
    wait(3_600);
    await watch();
    // What we refuse ourselves tells nothing about the channel: its breaker stays closed.
    expect(await standing(id)).toMatchObject({
      health: 'DOWN',
      breakerState: 'HEALTHY',
      healthReason: expect.stringContaining(at) as string,
    });
    expect(await unsentAlerts(id)).toHaveLength(2);
    expect(await pay()).toBe(other.id);
  });

  it('sends no request that would go to another path, and needs no answer to know it', async () => {
    const id = await mappedChannel(({ operations: { sendPayout } }) => {
      sendPayout.path = '/v1/banks/{bank_code}/payouts';
    }, '..');
    const other = await channel({ priority: 2 });
    const [refused, next] = await payTwice();
    expect(refused).toMatchObject({
      channelId: id,
      status: 'REFUSED',
      lastError: 'not sent: a segment of the path would be empty, or lead to another path',
    });
    expect(next?.['channelId']).toBe(other.id);
    expect(await unsentAlerts(id)).toHaveLength(1);
    await tenant.database.sql`update channels set enabled = false where id = ${id}`;
  });

  it('skips no channel without a breaker, for any answer', async () => {
    const { upstream, id } = await channel({ priority: 1 });
    await channel({ priority: 2 });
    upstream.configure({ faults: { errorRate: 1 } });
    for (let n = 0; n < 3; n++) expect(await pay()).toBe(id);
    await watch();
    expect(await pay()).toBe(id);
    expect(await standing(id)).toMatchObject({ breakerState: 'HEALTHY' });
  });

  it('gives a channel on trial one of many concurrent orders', async () => {
    const { id } = await createTestChannel(tenant, { kind: 'MOCK' }, { breaker: { failuresInRow: 1 } });
    await tenant.database.sql`
      update channels set breaker_state = 'DOWN', breaker_since = ${now}, breaker_paused_for = 60,
        breaker_trial_at = ${now} where id = ${id}`;
    const orders = Array.from({ length: 8 }, () => uuidv7());
    const taken = await Promise.all(orders.map(async (order) => await claimTrial(tenant.database, id, order, now)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    // The order on trial keeps its channel.
    const again = await Promise.all(orders.map(async (order) => await claimTrial(tenant.database, id, order, now)));
    expect(again).toEqual(taken);
    // If an order fails, the next one replaces it after its time has passed.
    wait(80);
    expect(await claimTrial(tenant.database, id, uuidv7(), now)).toBe(true);
  });

  it('sends a deposit to a channel on trial once, and then to another channel', async () => {
    const take = (currency: string) => ({ currencies: [], deposits: { currencies: [currency] } });
    const make = async (priority: number): Promise<string> =>
      (await createTestChannel(tenant, { kind: 'MOCK' }, { ...take('USD'), priority, breaker: { failuresInRow: 1 } }))
        .id;
    const [trial, well] = [await make(1), await make(2)];
    const payer = await tenant.merchant({}, [{ currencyCode: 'USD', depositFee: { percent: '1' } }]);
    const deposit = async (): Promise<string | null> => {
      const merchantOrderNo = uuidv7();
      await tenant.deposit(payer, { merchantOrderNo, currencyCode: 'USD' }).catch(() => undefined);
      const [row] = await tenant.database.sql<{ channelId: string | null }[]>`
        select channel_id from deposit_orders where merchant_order_no = ${merchantOrderNo}`;
      return row?.channelId ?? null;
    };
    expect(await deposit()).toBe(trial);
    const refusals = async (): Promise<unknown[]> =>
      (
        await tenant.operate<{ channel: { id: string }; refusal: unknown }[]>('DepositChannelRoute', {
          currencyCode: 'USD',
          amount: '100',
        })
      ).map(({ channel: found, refusal }) => [found.id === trial, refusal]);
    expect(await refusals()).toEqual([
      [true, null],
      [false, null],
    ]);
    await tenant.database.sql`
      update channels set breaker_state = 'DOWN', breaker_since = ${now}, breaker_paused_for = 60,
        breaker_trial_at = ${new Date(now.getTime() + 60_000)} where id = ${trial}`;
    expect(await refusals()).toEqual([
      [false, null],
      [true, 'UNHEALTHY'],
    ]);
    wait(60);
    const went = [await deposit(), await deposit(), await deposit()];
    expect(went).toEqual([trial, well, well]);
  });

  describe('of an account', () => {
    const refusal = async (id: string): Promise<unknown> => {
      const options = await tenant.operate<{ refusal: unknown; account: { id: string } }[]>('DepositRoute', {
        currencyCode: 'THB',
        amount: '10',
      });
      return options.find(({ account }) => account.id === id)?.refusal;
    };
    const beat = async (keyId: string, deviceId = 'phone'): Promise<void> => {
      await seeDevice(
        tenant.database,
        {
          id: uuidv7(),
          agentKeyId: keyId,
          deviceId,
          label: null,
          version: null,
          battery: null,
          waiting: null,
        },
        now,
      );
    };
    const withAgent = async (input: Record<string, unknown> = {}): Promise<[string, string]> => {
      const id = await tenant.account('THB', input);
      await tenant.operate('CreateAgentKey', {
        reason: 'test',
        input: { label: 'agent', accountIds: [id] },
      });
      const [key] = await tenant.database.sql<{ id: string }[]>`
        select agent_key_id as id from agent_key_accounts where account_id = ${id}`;
      return [id, key?.id ?? ''];
    };

    it('is not affected by an agent that has never sent a heartbeat', async () => {
      const [id] = await withAgent({ silentMinutes: 5 });
      wait(3_600);
      await watch('production');
      expect(await refusal(id)).toBeNull();
    });

    it('skips an account whose agent is silent, until its next heartbeat', async () => {
      const [id, key] = await withAgent({ silentMinutes: 5 });
      await beat(key);
      wait(299);
      await watch();
      expect(await refusal(id)).toBeNull();
      wait(1);
      await watch();
      expect(await refusal(id)).toBe('AGENT_SILENT');
      expect(await alerts(id)).toHaveLength(1);
      await watch();
      await beat(key);
      await watch();
      expect(await refusal(id)).toBeNull();
      expect(await played(id, begun, now)).toEqual(['AGENT_SILENT', null]);
    });

    it('needs one heartbeat of two agents, and does not count an unpaired one', async () => {
      const [id, key] = await withAgent({ silentMinutes: 5 });
      await beat(key, 'old');
      wait(200);
      await beat(key, 'new');
      wait(200);
      await watch();
      expect(await refusal(id)).toBeNull();
      wait(200);
      await watch();
      expect(await refusal(id)).toBe('AGENT_SILENT');
      await tenant.database.sql`
        update agent_devices set unpaired_at = ${now} where agent_key_id = ${key}`;
      await watch();
      expect(await refusal(id)).toBeNull();
    });

    it('skips a silent agent’s account by default in production only', async () => {
      const [id, key] = await withAgent();
      const [never, other] = await withAgent({ silentMinutes: 0 });
      await beat(key);
      await beat(other);
      wait(601);
      await watch();
      expect(await refusal(id)).toBeNull();
      await watch('production');
      expect([await refusal(id), await refusal(never)]).toEqual(['AGENT_SILENT', null]);
    });

    it('resets its time when null is given, and keeps it when it is not given', async () => {
      const [id, key] = await withAgent({ silentMinutes: 5 });
      const update = async (input: Record<string, unknown>): Promise<number | null> => {
        const { account } = await tenant.operate<{ account: { silentMinutes: number | null } }>('UpdateBankAccount', {
          id,
          input,
          reason: 'test',
        });
        return account.silentMinutes;
      };
      expect(await update({ name: 'Renamed' })).toBe(5);
      expect(await update({ silentMinutes: null })).toBeNull();
      await beat(key);
      wait(301);
      await watch();
      expect(await refusal(id)).toBeNull();
    });

    it('shows outages of its bank while they last', async () => {
      const id = await tenant.account('THB', { bankCode: 'OUTBANK' });
      const at = (seconds: number): Date => new Date(begun.getTime() + seconds * 1_000);
      const out = async (from: number, to: number | null, ended: number | null = null) => {
        now = begun;
        const outage = await tenant.operate<{ id: string }>('EnterOutage', {
          input: { bankCode: 'OUTBANK', beginsAt: at(from), endsAt: to === null ? null : at(to) },
          reason: 'test',
        });
        if (ended === null) return;
        now = at(ended);
        await tenant.operate('EndOutage', { id: outage.id, reason: 'test' });
      };
      await out(100, 200);
      await out(300, null, 400);
      // Ended before it began.
      await out(500, 600, 450);
      const seen: unknown[] = [];
      for (const seconds of [99, 100, 199, 200, 300, 399, 400, 550]) {
        now = at(seconds);
        seen.push(await refusal(id));
      }
      const [no, yes] = [null, 'OUTAGE'];
      expect(seen).toEqual([no, yes, yes, no, yes, yes, no, no]);
      // A replay of a past day uses these outages, without the one that never began.
      expect(await played(id, at(150), at(1_000))).toEqual(['OUTAGE', null, 'OUTAGE', null]);
    });
  });

  describe('outages', () => {
    it('belong to a bank or a channel, end after they begin, and end once', async () => {
      const { id: channelId } = await channel({ priority: 1 });
      const { id: other } = await channel({ priority: 2 });
      const enter = async (input: Record<string, unknown>): Promise<Record<string, unknown>> =>
        await tenant.operate('EnterOutage', { input, reason: 'maintenance' });
      for (const input of [
        {},
        { channelId, bankCode: 'TESTBANK' },
        { bankCode: 'NOBANK' },
        { channelId: uuidv7() },
        { channelId, endsAt: now },
        { channelId, beginsAt: new Date(now.getTime() + 2), endsAt: new Date(now.getTime() + 1) },
      ])
        await expect(enter(input)).rejects.toMatchObject({
          kind: expect.stringMatching(/INVALID_FIELD|NOT_FOUND/) as unknown,
        });
      const outage = await enter({ channelId });
      expect(outage).toMatchObject({ inForce: true, enteredBy: { label: 'admin' }, endedAt: null });
      expect(await pay()).toBe(other);
      expect(await standing(channelId)).toMatchObject({ health: 'UNKNOWN' });
      const open = async (): Promise<unknown[]> =>
        (
          await tenant.list<{ id: string }>('Outages', {
            filter: { open: true, channelId: [channelId] },
          })
        ).map((o) => o.id);
      expect(await open()).toEqual([outage['id']]);
      const end = { id: outage['id'], reason: 'it works' };
      expect(await tenant.operate('EndOutage', end)).toMatchObject({ inForce: false });
      await expect(tenant.operate('EndOutage', end)).rejects.toMatchObject({
        kind: 'BUSINESS_ERROR',
      });
      expect(await open()).toEqual([]);
      expect(await pay()).toBe(channelId);
      const { actions } = await audited(outage['id']);
      // Including the refused one.
      expect(actions).toEqual(['enterOutage', 'endOutage', 'endOutage']);
    });

    it('need one person, who configures or moves money, and is not restricted to merchants', async () => {
      const input = { bankCode: 'WATCHED' };
      await tenant.account('THB', { bankCode: 'WATCHED' });
      tenant.changes.onePerson = false;
      for (const [role, allowed] of [
        ['configure', true],
        ['treasurer', true],
        ['support', false],
      ] as const) {
        const who = await tenant.person(`of-${role}`, [role]);
        const entered = tenant.operate<{ id: string }>('EnterOutage', { input, reason: 'test' }, who);
        if (!allowed) {
          await expect(entered).rejects.toMatchObject({ kind: 'AUTHORIZATION_ERROR' });
          continue;
        }
        const { id } = await entered;
        await tenant.operate('EndOutage', { id, reason: 'test' }, who);
      }
      await expect(
        tenant.operate(
          'EnterOutage',
          { input, reason: 'test' },
          tenant.operatorWith(['VIEW', 'CONFIGURE'], [merchant.id]),
        ),
      ).rejects.toMatchObject({ kind: 'AUTHORIZATION_ERROR' });
      tenant.changes.onePerson = true;
    });
  });

  describe('deposits that wait at a channel', () => {
    interface Board {
      readonly nodes: readonly {
        readonly id: string;
        readonly passedOver: { readonly refusal: string } | null;
        readonly orders: Record<string, unknown>;
        readonly waiting: readonly Record<string, unknown>[];
      }[];
    }
    const shown = async (id: string) => (await tenant.operate<Board>('HealthBoard')).nodes.find((one) => one.id === id);
    const move = async (channelId: string): Promise<unknown> =>
      await tenant.operate('MoveWaiting', { channelId, reason: 'they are out' });

    it('are shown, and moved if they were never sent to the channel', async () => {
      const first = await channel({ priority: 1 });
      const second = await channel({ priority: 2 });
      const steps = activities();
      const prepared = async (): Promise<{ id: string; attemptId: string }> => {
        const { id } = await approvedWithdrawal(tenant, merchant, { amount: '10', fee: '0' });
        const step = await quietActivities().run<[], PayoutStep, () => Promise<PayoutStep>>(
          async () => await steps.routePayout(id),
        );
        if (step.kind !== 'SEND') throw new Error('it was not routed');
        return { id, attemptId: step.attemptId };
      };
      const [unsent, sent, taken] = [await prepared(), await prepared(), await prepared()];
      const send = async ({ attemptId }: { attemptId: string }): Promise<void> => {
        await quietActivities().run(async () => {
          await steps.sendPayout(attemptId);
        });
      };
      await send(taken);
      wait(1);
      first.upstream.configure({ faults: { errorRate: 1 } });
      await send(sent);
      await expect(move(first.id)).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
      await tenant.operate('SetChannelEnabled', {
        id: first.id,
        enabled: false,
        reason: 'test',
      });
      expect(await shown(first.id)).toMatchObject({
        orders: { succeeded: 1, failed: 1, failedInRow: 1, successPercent: 50 },
        waiting: [
          { kind: 'PAYOUT_SENT', currencyCode: 'THB', count: 2, amount: '20.0000' },
          { kind: 'PAYOUT_UNSENT', currencyCode: 'THB', count: 1, amount: '10.0000' },
        ],
      });
      expect(await move(first.id)).toEqual({ payouts: 1, deposits: 0 });
      expect(await move(first.id)).toEqual({ payouts: 0, deposits: 0 });
      // An order that was possibly sent stays; the other one was not sent there, and never will be.
      await send(unsent);
      const step = await quietActivities().run<[], PayoutStep, () => Promise<PayoutStep>>(
        async () => await steps.routePayout(unsent.id),
      );
      expect(step.kind).toBe('SEND');
      const attempts = await tenant.database.sql<{ channelId: string; status: string }[]>`
        select channel_id, status from payout_attempts
        where withdrawal_id = any(${[unsent.id, sent.id]}) order by withdrawal_id, number`;
      expect(attempts).toEqual([
        { channelId: first.id, status: 'REFUSED' },
        { channelId: second.id, status: 'PREPARED' },
        { channelId: first.id, status: 'UNKNOWN' },
      ]);
      expect(first.upstream.payments.all()).toHaveLength(1);
      const { actions } = await audited(first.id);
      // Including the refused one.
      expect(actions.filter((action) => action === 'moveWaiting')).toHaveLength(3);
    });

    it('are not moved in a recovery, nor if they were prepared before one', async () => {
      const { id } = await channel({ priority: 1 });
      const withdrawal = await approvedWithdrawal(tenant, merchant, { amount: '10', fee: '0' });
      const steps = activities();
      await quietActivities().run(async () => {
        await steps.routePayout(withdrawal.id);
      });
      await tenant.operate('SetChannelEnabled', { id, enabled: false, reason: 'test' });
      await tenant.database.sql`select raise_epoch()`;
      expect(await move(id)).toEqual({ payouts: 0, deposits: 0 });
    });
  });
});
