import { findChannelBalances, findChannels, noteChannelCheck } from '../../db/channels/channels';
import { money } from '../../domain/money';
import { createTestChannel } from '../support/channel-tenant';
import { Tenant } from '../support/tenant';

describe('the result of a channel’s check', () => {
  let tenant: Tenant;
  let checks = 0;
  /** The checks are a minute apart. */
  const next = (): Date => new Date(Date.UTC(2026, 0, 1, 0, ++checks));
  beforeAll(async () => {
    tenant = await Tenant.create();
  });
  afterAll(async () => {
    await tenant.close();
  });

  it('is kept until the next check; balances that are no longer reported are deleted', async () => {
    const { database } = tenant;
    const { id } = await createTestChannel(tenant, { kind: 'MOCK' });
    const check = async (health: 'UP' | 'DOWN', reported: Record<string, string>) => {
      const balances = Object.entries(reported).map(([currencyCode, text]) => ({
        currencyCode,
        balance: money(text),
      }));
      const reason = health === 'UP' ? null : 'away';
      await noteChannelCheck(database, id, { health, reason, balances }, next());
      const [channel] = await findChannels(database, [id]);
      const kept = await findChannelBalances(database, [id]);
      return [channel?.health, ...kept.map((b) => `${b.currencyCode} ${b.balance.toFixed(2)}`)];
    };
    expect(await check('UP', { THB: '5', VND: '7' })).toEqual(['UP', 'THB 5.00', 'VND 7.00']);
    expect(await check('UP', { THB: '4.50' })).toEqual(['UP', 'THB 4.50']);
    expect(await check('DOWN', {})).toEqual(['DOWN']);
  });

  it('raises one alert when a balance falls below its limit, and another only after it has risen', async () => {
    const { database } = tenant;
    const { id } = await createTestChannel(tenant, { kind: 'MOCK' });
    await database.sql`update channels set low_balance = 100 where id = ${id}`;
    const reported = async (...texts: string[]): Promise<(string | null)[]> => {
      for (const text of texts) {
        const balances = [{ currencyCode: 'THB', balance: money(text) }];
        await noteChannelCheck(database, id, { health: 'UP', reason: null, balances }, next());
      }
      const rows = await database.sql<{ reason: string | null }[]>`
        select about ->> 'reason' as reason from alerts
        where kind = 'LOW_BALANCE' and about ->> 'channelId' = ${id} order by raised_at`;
      return rows.map(({ reason }) => reason);
    };
    expect(await reported('100')).toEqual([]);
    const first = '99.9900 THB is less than 100.0000';
    expect(await reported('99.99', '50', '60')).toEqual([first]);
    expect(await reported('200', '5')).toEqual([first, '5.0000 THB is less than 100.0000']);
  });
});
