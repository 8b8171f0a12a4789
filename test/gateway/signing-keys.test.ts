import { uuidv7 } from 'uuidv7';
import { findSigningKey } from '../../db/merchants/api-keys';
import { depositBody, type MerchantClient, Platform } from '../support/platform';

const START = Date.parse('2026-01-02T00:00:00Z');

const withdrawalBody = () => ({
  merchant_order_no: uuidv7(),
  amount: '10.00',
  currency_code: 'USD',
  beneficiary_name: 'Ann',
  beneficiary_account: '001',
  beneficiary_bank_code: 'GOODBANK',
});
const sessionBody = (fields: Record<string, unknown> = {}) => ({
  merchant_order_no: uuidv7(),
  currency_code: 'USD',
  ...fields,
});

/** Creates, by what they create. */
const CREATES: readonly (readonly [string, string, () => Record<string, unknown>])[] = [
  ['deposit', '/orders/deposit', depositBody],
  ['cashier session', '/orders/deposit/cashier', sessionBody],
  ['cashier session with its order', '/orders/deposit/cashier', () => sessionBody({ amount: '50.00' })],
  ['withdrawal', '/orders/withdrawal', withdrawalBody],
];

describe('the key that signs callbacks', () => {
  let platform: Platform;
  let merchant: MerchantClient;

  beforeAll(async () => {
    platform = await Platform.open();
    at(0);
    await platform.account();
    await platform.tenant.operate('PutBanks', {
      currencyCode: 'USD',
      reason: 'test',
      banks: [{ bankCode: 'GOODBANK', name: 'The Good Bank' }],
    });
  });
  beforeEach(async () => {
    at(0);
    merchant = await platform.merchant({ canWithdraw: true }, { cashierAmounts: { denominations: ['50'] } });
  });
  afterAll(async () => {
    await platform.close();
  });

  function at(milliseconds: number): void {
    platform.tenant.now = () => new Date(START + milliseconds);
  }

  /** A key of the merchant beside the others. */
  async function issued(): Promise<string> {
    const { apiKey } = await platform.tenant.operate<{ apiKey: string }>('IssueApiKey', {
      merchantId: merchant.id,
      reason: 'test',
    });
    return apiKey;
  }

  /** The key that signs the first attempt of a callback now. */
  async function signer(): Promise<string | undefined> {
    const { database, now, graph } = platform.tenant;
    const key = await findSigningKey(database, merchant.id, null, now());
    return key && graph.core.sealer.open(key.sealedKey, `api_key:${key.id}`);
  }

  const create = async (apiKey: string, body: Record<string, unknown> = depositBody()) =>
    (await merchant.signed('POST', '/orders/deposit', body, { apiKey })).status;

  it('is the oldest until another one has signed an accepted create; no query and no refused create counts', async () => {
    const renewed = await issued();
    const used = depositBody();
    expect(await create(merchant.apiKey, used)).toBe(201);
    expect(await merchant.signed('GET', '/balance', undefined, { apiKey: renewed })).toMatchObject({
      status: 200,
    });
    expect(await create(renewed, used)).toBe(409);
    expect(await create(renewed, depositBody({ amount: '0' }))).toBe(422);
    expect(await create(renewed, depositBody({ currency_code: 'XXX' }))).toBe(400);
    const poor = { ...withdrawalBody(), amount: '999' };
    expect(await merchant.signed('POST', '/orders/withdrawal', poor, { apiKey: renewed })).toMatchObject({
      body: { code: 'INSUFFICIENT_MERCHANT_BALANCE' },
    });
    expect(await signer()).toBe(merchant.apiKey);
    expect(await create(renewed)).toBe(201);
    expect(await signer()).toBe(renewed);
  });

  it('is the newest live one of those that have, whichever signed last', async () => {
    const [second, third] = [await issued(), await issued()];
    for (const apiKey of [third, second, merchant.apiKey]) {
      expect(await create(apiKey)).toBe(201);
      expect(await signer()).toBe(third);
    }
    const fourth = await issued();
    expect(await signer()).toBe(third);
    const { apiKeys } = await platform.tenant.operate<{
      apiKeys: { id: string; hint: string }[];
    }>('Merchant', { id: merchant.id });
    const idOf = (apiKey: string) => apiKeys.find(({ hint }) => apiKey.endsWith(hint))?.id;
    await platform.tenant.operate('RevokeApiKey', { id: idOf(third), reason: 'test' });
    expect(await signer()).toBe(second);
    for (const apiKey of [second, merchant.apiKey])
      await platform.tenant.operate('RevokeApiKey', { id: idOf(apiKey), reason: 'test' });
    expect(await signer()).toBe(fourth);
    await platform.tenant.operate('RevokeApiKey', { id: idOf(fourth), reason: 'test' });
    expect(await signer()).toBeUndefined();
  });

  it('stays the old one of a rotation until that retires, to the millisecond, if the new one creates nothing', async () => {
    const { apiKey: renewed } = await platform.tenant.operate<{ apiKey: string }>('RotateApiKey', {
      merchantId: merchant.id,
      overlapSeconds: 300,
      reason: 'test',
    });
    for (const [milliseconds, expected] of [
      [0, merchant.apiKey],
      [299_999, merchant.apiKey],
      [300_000, renewed],
    ] as const) {
      at(milliseconds);
      expect(await signer()).toBe(expected);
    }
  });

  it.each(CREATES)('is the one that signed a %s', async (kind, path, bodyOf) => {
    if (kind === 'withdrawal')
      await platform.tenant.operate('TopUpBalance', {
        merchantId: merchant.id,
        currencyCode: 'USD',
        amount: '1000',
        evidence: { text: 'wire' },
        reason: 'test',
      });
    const renewed = await issued();
    expect(await merchant.signed('POST', path, bodyOf(), { apiKey: renewed })).toMatchObject({
      status: 201,
    });
    expect(await signer()).toBe(renewed);
  });

  it('is found by creates of several keys at once, of which each notes its own', async () => {
    const keys = [merchant.apiKey, await issued(), await issued()];
    const statuses = await Promise.all(Array.from({ length: 24 }, async (_, n) => await create(keys[n % 3] ?? '')));
    expect(new Set(statuses)).toEqual(new Set([201]));
    const rows = await platform.tenant.database.sql`
      select from api_keys where merchant_id = ${merchant.id} and first_create_at is not null`;
    expect(rows).toHaveLength(3);
  });

  it('is noted by the next create, if that failed; no create is refused for it', async () => {
    const { sql } = platform.tenant.database;
    const renewed = await issued();
    await sql.unsafe(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
      create trigger refused before update of first_create_at on api_keys
      for each row execute function refuse()`);
    expect(await create(renewed)).toBe(201);
    expect(await signer()).toBe(merchant.apiKey);
    await sql.unsafe('drop trigger refused on api_keys; drop function refuse()');
    expect(await create(renewed)).toBe(201);
    expect(await signer()).toBe(renewed);
  });
});
