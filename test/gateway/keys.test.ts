import { uuidv7 } from 'uuidv7';
import { newApiKey, secretHint } from '../../crypto/tokens';
import { insertApiKey } from '../../db/merchants/api-keys';
import { depositBody, md5, type MerchantClient, Platform, signingString } from '../support/platform';

const START = Date.parse('2026-01-02T00:00:00Z');

describe('api keys over time', () => {
  let platform: Platform;
  let merchant: MerchantClient;

  beforeEach(async () => {
    platform = await Platform.open();
    platform.tenant.now = () => new Date(START);
    merchant = await platform.merchant();
  });
  afterEach(async () => {
    await platform.close();
  });

  /** Stores a key as the link to a production key does, which its owner alone sees. */
  async function keep(apiKey: string): Promise<void> {
    const { tenant } = platform;
    const { lookup, sealer } = tenant.graph.core;
    const id = uuidv7();
    await tenant.database.transaction(async (tx) => {
      await insertApiKey(tx, {
        id,
        merchantId: merchant.id,
        hint: secretHint(apiKey),
        createdAt: new Date(START),
        lookupHash: lookup(apiKey),
        sealedKey: sealer.seal(apiKey, `api_key:${id}`),
      });
    });
  }

  const refused = { status: 401, body: { code: 'INVALID_SIGNATURE', data: null } };
  const accepted = { status: 200, body: { code: 'SUCCESS' } };

  it('are accepted until their overlap ends, to the millisecond', async () => {
    const { apiKey } = await platform.tenant.operate<{ apiKey: string }>('RotateApiKey', {
      merchantId: merchant.id,
      reason: 'test',
    });
    const renewed = platform.client({ ...merchant, apiKey });
    const at = (milliseconds: number) => {
      platform.tenant.now = () => new Date(START + milliseconds);
    };
    for (const milliseconds of [0, 299_999]) {
      at(milliseconds);
      expect(await merchant.signed('GET', '/balance')).toMatchObject(accepted);
      expect(await renewed.signed('GET', '/balance')).toMatchObject(accepted);
    }
    for (const milliseconds of [300_000, 300_001, 86_400_000]) {
      at(milliseconds);
      expect(await merchant.signed('GET', '/balance')).toMatchObject(refused);
      expect(await renewed.signed('GET', '/balance')).toMatchObject(accepted);
    }
  });

  it('are refused at once after revocation', async () => {
    const { apiKeys } = await platform.tenant.operate<{ apiKeys: { id: string }[] }>('Merchant', {
      id: merchant.id,
    });
    await platform.tenant.operate('RevokeApiKey', { id: apiKeys[0]?.id, reason: 'test' });
    expect(await merchant.signed('GET', '/balance')).toMatchObject(refused);
  });

  it('are refused like a wrong signature where unknown or of another environment', async () => {
    const answers = await Promise.all([
      merchant.signed('GET', '/balance', undefined, { apiKey: 'pre_unknown' }),
      merchant.signed('GET', '/balance', undefined, { apiKey: merchant.apiKey.slice(4) }),
      merchant.signed('GET', '/balance', undefined, { signature: '0'.repeat(32) }),
      merchant.signed('GET', '/balance', undefined, { signature: 'é' }),
    ]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    for (const answer of answers) expect(answer).toMatchObject(refused);
  });

  it('of a sandbox are refused in production, and those of production in a sandbox, even if the database holds them', async () => {
    const core = platform.tenant.graph.core as { environment: 'sandbox' | 'production' };
    core.environment = 'production';
    expect(await merchant.signed('GET', '/balance')).toMatchObject(refused);
    const apiKey = newApiKey('production');
    await keep(apiKey);
    expect(apiKey).not.toMatch(/^pre_/);
    expect(await merchant.signed('GET', '/balance', undefined, { apiKey })).toMatchObject(accepted);
    core.environment = 'sandbox';
    expect(await merchant.signed('GET', '/balance', undefined, { apiKey })).toMatchObject(refused);
    expect(await merchant.signed('GET', '/balance')).toMatchObject(accepted);
  });

  it('sign in either case, and only over the parameters sent', async () => {
    const timestamp = platform.timestamp();
    const signature = md5(signingString({}, timestamp) + merchant.apiKey);
    const capitals = { timestamp, signature: signature.toUpperCase() };
    expect(await merchant.signed('GET', '/balance', undefined, capitals)).toMatchObject(accepted);
    const other = { timestamp, signature };
    expect(await merchant.signed('GET', '/balance?a=1', undefined, other)).toMatchObject(refused);
    expect(await merchant.signed('POST', '/orders/deposit', depositBody(), other)).toMatchObject(refused);
  });
});
