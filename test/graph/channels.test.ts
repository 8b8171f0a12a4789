import { CHANNEL_KEY, createTestChannel, simulatedChannel } from '../support/channel-tenant';
import { Tenant } from '../support/tenant';

interface Channel {
  readonly id: string;
  readonly channelCode: string;
  readonly enabled: boolean;
  readonly mockOutcome: string | null;
  readonly priority: number;
  readonly banks: readonly { bankCode: string; channelBankCode: string }[];
}
interface Changed {
  readonly change: {
    readonly id: string;
    readonly status: string;
    readonly alone: string | null;
    readonly before: Record<string, unknown>;
    readonly after: Record<string, unknown>;
  };
  readonly channel: Channel | null;
}

describe('channels', () => {
  let tenant: Tenant;

  beforeAll(async () => {
    tenant = await Tenant.create();
  });
  afterAll(async () => {
    await tenant.close();
  });

  const URL = 'https://upstream.example/api';
  const reason = 'test';

  it('keep their secret sealed and never show it', async () => {
    const { id } = await simulatedChannel(tenant, URL);
    const [row] = await tenant.database.sql<{ all: string; sealed: string }[]>`
      select c::text || coalesce((select string_agg(r::text, '') from change_requests r), '')
          || coalesce((select string_agg(a::text, '') from audit_log a), '') as all,
        sealed_secret as sealed
      from channels c where id = ${id}`;
    expect(row?.all).not.toContain(CHANNEL_KEY.secret);
    expect(tenant.sealer.open(row?.sealed ?? '', `channel:${id}`)).toBe(CHANNEL_KEY.secret);
    expect(JSON.stringify(await tenant.operate('Channel', { id }))).not.toContain(row?.sealed);
  });

  it('change only in the given settings', async () => {
    const { id } = await simulatedChannel(tenant, URL);
    const { change, channel } = await tenant.operate<Changed>('UpdateChannel', {
      id,
      reason,
      settings: { priority: 5, cost: { percent: '0.5' } },
    });
    expect(change).toMatchObject({
      before: { priority: 100, cost: { percent: '0', fixed: '0' } },
      after: { priority: 5, cost: { percent: '0.5', fixed: '0' } },
    });
    expect(Object.keys(change.after).sort()).toEqual(['cost', 'priority']);
    expect(channel).toMatchObject({ priority: 5, banks: [{ bankCode: 'KBANK' }] });
    const moved = await tenant.operate<Changed>('UpdateChannel', {
      id,
      reason,
      settings: { address: { baseUrl: URL, keyId: 'test', secret: 'another secret of tests' } },
    });
    expect(moved.change.after).toEqual({ secret: 'replaced' });
  });

  it('are disabled by one person, and enabled by two', async () => {
    const { id } = await createTestChannel(tenant, { kind: 'MOCK' });
    tenant.changes.onePerson = false;
    try {
      const set = async (enabled: boolean): Promise<Changed> =>
        await tenant.operate('SetChannelEnabled', { id, enabled, reason });
      expect(await set(false)).toMatchObject({
        change: { status: 'APPLIED', alone: 'CLOSING' },
        channel: { enabled: false },
      });
      expect(await set(true)).toMatchObject({ change: { status: 'PROPOSED' }, channel: null });
    } finally {
      tenant.changes.onePerson = true;
    }
  });

  it('of kind MOCK get their outcome at once, with an audit row; others have none', async () => {
    const { id } = await createTestChannel(tenant, { kind: 'MOCK', mockOutcome: 'PENDING' });
    const set = async (channel: string): Promise<Channel> =>
      await tenant.operate('SetMockOutcome', { id: channel, outcome: 'FAILED', reason });
    expect(await set(id)).toMatchObject({ mockOutcome: 'FAILED' });
    const [row] = await tenant.database.sql`
      select outcome, after from audit_log where action = 'setMockOutcome' order by seq desc limit 1`;
    expect(row).toMatchObject({ outcome: 'OK', after: { outcome: 'FAILED' } });
    const http = await simulatedChannel(tenant, URL);
    await expect(set(http.id)).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['channelCode', { kind: 'MOCK', channelCode: 'A Code' }, {}],
    ['currencies', { kind: 'MOCK' }, { currencies: ['ABC'] }],
    ['address', { kind: 'HTTP' }, {}],
    ['address', { kind: 'MOCK' }, { address: { baseUrl: URL, ...CHANNEL_KEY } }],
    ['mockOutcome', { kind: 'HTTP', mockOutcome: 'FAILED' }, {}],
    ['baseUrl', { kind: 'HTTP' }, { address: { baseUrl: 'ftp://a.example', ...CHANNEL_KEY } }],
    ['secret', { kind: 'HTTP' }, { address: { baseUrl: URL, keyId: 'a', secret: 'short' } }],
    ['maxAmount', { kind: 'MOCK' }, { minAmount: '10', maxAmount: '9' }],
    ['weight', { kind: 'MOCK' }, { weight: 0 }],
    ['banks', { kind: 'MOCK' }, { banks: [{ currencyCode: 'USD', bankCode: 'A', channelBankCode: 'B' }] }],
  ])('need a valid %s', async (named, input, settings) => {
    await expect(createTestChannel(tenant, input, settings)).rejects.toThrow(named);
  });

  it('are listed by filters', async () => {
    const { channelCode } = await createTestChannel(tenant, { kind: 'MOCK' }, { currencies: ['VND'] });
    const found = await tenant.list<Channel>('Channels', { filter: { currencyCode: 'VND' } });
    expect(found.map((channel) => channel.channelCode)).toEqual([channelCode]);
  });
});
