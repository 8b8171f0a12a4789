import { readFileSync } from 'node:fs';
import path from 'node:path';
import { uuidv7 } from 'uuidv7';
import { alertExcessiveCost } from '../../db/channels/mappings';
import { createTestChannel } from '../support/channel-tenant';
import { Tenant } from '../support/tenant';

interface Saved {
  readonly version: number;
  readonly inForce: boolean;
  readonly trial: {
    readonly passed: boolean;
    readonly checks: { name: string; passed: boolean }[];
  } | null;
  readonly differences: { path: string; before: string | null; after: string | null }[];
}
interface Changed {
  readonly change: { readonly status: string; readonly after: Record<string, unknown> };
  readonly channel: { readonly enabled: boolean; readonly mappingVersion: number | null } | null;
}

type Json = Record<string, unknown>;
const mapping = (): Json =>
  JSON.parse(readFileSync(path.join(__dirname, '../../docs/mappings/hmac-json.json'), 'utf8')) as Json;

describe('mappings of channels', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await Tenant.create();
  });
  afterAll(async () => {
    await tenant.close();
  });

  const reason = 'test';
  const address = {
    baseUrl: 'https://provider.example',
    keyId: 'k',
    secret: 'a secret of the tests',
  };
  const mapped = async () => await createTestChannel(tenant, { kind: 'HTTP', mapped: true }, { address });
  const save = async (channelId: string, some: Json = mapping()): Promise<Saved> =>
    await tenant.operate('SaveChannelMapping', { channelId, mapping: some, note: 'the first' });
  const attempt = async (channelId: string, version: number): Promise<Saved> =>
    await tenant.operate('TryChannelMapping', { channelId, version });
  const put = async (channelId: string, version: number): Promise<Changed> =>
    await tenant.operate('PutChannelMapping', { channelId, version, reason });
  const enable = async (id: string): Promise<Changed> =>
    await tenant.operate('SetChannelEnabled', { id, enabled: true, reason });

  it('are tried before they come into force, and only then can the channel be enabled', async () => {
    const { id } = await mapped();
    const wrong = { kind: 'BUSINESS_ERROR' };
    await expect(enable(id)).rejects.toMatchObject(wrong);
    expect(await save(id)).toMatchObject({ version: 1, inForce: false, trial: null });
    await expect(put(id, 1)).rejects.toMatchObject(wrong);
    const { trial } = await attempt(id, 1);
    expect(trial?.checks.filter(({ passed }) => !passed)).toEqual([]);
    expect(await put(id, 1)).toMatchObject({ channel: { mappingVersion: 1 } });
    expect(await enable(id)).toMatchObject({ channel: { enabled: true } });

    // A version that fails the kit is stored, but does not come into force.
    const careless = mapping();
    const { signing, ...others } = careless['samples'] as { signing: Json[] };
    careless['samples'] = {
      ...others,
      signing: signing.map((one) => ({ ...one, signature: 'x' })),
    };
    const second = await save(id, careless);
    expect(second).toMatchObject({
      version: 2,
      inForce: false,
      differences: [{ path: '/samples/signing/0/signature', after: 'x' }],
    });
    expect((await attempt(id, 2)).trial).toMatchObject({ passed: false });
    await expect(put(id, 2)).rejects.toMatchObject(wrong);
  });

  it('take two people if required, with the differences shown', async () => {
    const { id } = await mapped();
    await save(id);
    await attempt(id, 1);
    tenant.changes.onePerson = false;
    try {
      const { change, channel } = await put(id, 1);
      expect(channel).toBeNull();
      expect(change.status).toBe('PROPOSED');
      expect(change.after).toMatchObject({
        version: 1,
        '/operations/sendPayout/path': '/api/v2/withdrawal/crypto',
      });
    } finally {
      tenant.changes.onePerson = true;
    }
  });

  it('are refused with all errors, each with its path', async () => {
    const { id } = await mapped();
    const wrong = { ...mapping(), money: { unit: 'cents', digits: 2 }, more: 1 };
    await expect(save(id, wrong)).rejects.toThrow(/\/money\/unit/);
    const own = await createTestChannel(tenant, { kind: 'HTTP' }, { address });
    await expect(save(own.id)).rejects.toThrow(/our own protocol/);
    await expect(createTestChannel(tenant, { kind: 'MOCK', mapped: true })).rejects.toThrow(/mapped/);
  });

  it('are refused where text of others could change a request, with the field named', async () => {
    const { id } = await mapped();
    const leaking = mapping();
    const { sendPayout } = leaking['operations'] as { sendPayout: { fields: Json[] } };
    sendPayout.fields.push({ to: '/no', value: '{beneficiary_account}', as: 'number' });
    const at = `/operations/sendPayout/fields/${sendPayout.fields.length - 1}/value`;
    await expect(save(id, leaking)).rejects.toThrow(`${at} must not be "as": "number"`);
  });

  it('raise one alert for a cost above their bound', async () => {
    const { id: channelId, channelCode } = await mapped();
    const { id: merchantId } = await tenant.merchant();
    const about = { channelId, channelCode, orderNo: 'W1', reason: 'it reports 99 THB' };
    const charged = { attemptId: uuidv7(), merchantId, ...about };
    await alertExcessiveCost(tenant.database, charged, new Date());
    await alertExcessiveCost(tenant.database, charged, new Date());
    const alerts = await tenant.database.sql`
      select about from alerts where kind = 'COST_ABOVE_BOUND' and merchant_id = ${merchantId}`;
    expect(alerts.map((alert) => alert['about'] as unknown)).toEqual([about]);
  });

  it('never change', async () => {
    const { id } = await mapped();
    await save(id);
    const { sql } = tenant.database;
    await expect(sql`update channel_mappings set note = 'x' where channel_id = ${id}`).rejects.toThrow(/append-only/);
    await expect(sql`update channels set enabled = true where id = ${id}`).rejects.toThrow(/channels_mapped/);
  });
});
