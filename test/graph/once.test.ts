import { uuidv7 } from 'uuidv7';
import { parse } from 'graphql';
import pino from 'pino';
import { Tenant, type TestMerchant } from '../support/tenant';

const MATCH =
  parse(`mutation ($transferId: ID!, $orderNo: String!, $reason: String!, $idempotencyKey: String) {
  matchTransfer(transferId: $transferId, orderNo: $orderNo, reason: $reason, idempotencyKey: $idempotencyKey) {
    id orderNo
  }
}`);

describe('idempotencyKey', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let accountId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    accountId = await tenant.account();
    merchant = await tenant.merchant();
  });
  afterAll(async () => {
    await tenant.close();
  });

  const unmatched = async (): Promise<string> =>
    (await tenant.notify({ accountId, memo: 'nothing', bankReference: uuidv7() })).transfer.id;

  const match = async (variables: Record<string, unknown>): Promise<unknown> =>
    await tenant.graph.execute(
      MATCH as never,
      { reason: 'test', ...variables },
      tenant.operator,
      pino({ level: 'silent' }),
    );

  const allocations = async (): Promise<number> => {
    const [row] = await tenant.database.sql<{ count: number }[]>`
      select count(*)::int as count from transfer_allocations where released_at is null`;
    return row?.count ?? 0;
  };

  it('does one thing once, and answers the same', async () => {
    const { orderNo } = await tenant.deposit(merchant);
    const transferId = await unmatched();
    const before = await allocations();
    const variables = { transferId, orderNo, idempotencyKey: uuidv7() };
    const first = await match(variables);
    expect(first).toEqual({ matchTransfer: { id: transferId, orderNo } });
    expect(await match(variables)).toEqual(first);
    expect(await allocations()).toBe(before + 1);
    await expect(match({ transferId, orderNo })).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
  });

  it('refuses a key that was used for something else', async () => {
    const { orderNo } = await tenant.deposit(merchant);
    const other = await tenant.deposit(merchant);
    const transferId = await unmatched();
    const idempotencyKey = uuidv7();
    await match({ transferId, orderNo, idempotencyKey });
    const another = { transferId: await unmatched(), orderNo: other.orderNo, idempotencyKey };
    await expect(match(another)).rejects.toMatchObject({
      kind: 'CONFLICT',
      message: 'idempotencyKey was used for something else',
    });
  });

  it('leaves a key free where nothing was done', async () => {
    const { orderNo } = await tenant.deposit(merchant);
    const transferId = await unmatched();
    const idempotencyKey = uuidv7();
    await expect(match({ transferId: uuidv7(), orderNo, idempotencyKey })).rejects.toMatchObject({
      kind: 'NOT_FOUND',
    });
    expect(await match({ transferId, orderNo, idempotencyKey })).toEqual({
      matchTransfer: { id: transferId, orderNo },
    });
  });

  it('has one effect where the same is sent many times at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { orderNo } = await tenant.deposit(merchant);
      const transferId = await unmatched();
      const before = await allocations();
      const variables = { transferId, orderNo, idempotencyKey: uuidv7() };
      const answers = await Promise.all(
        Array.from({ length: 8 }, async () => await match(variables)),
      );
      for (const answer of answers)
        expect(answer).toEqual({ matchTransfer: { id: transferId, orderNo } });
      expect(await allocations()).toBe(before + 1);
    }
  });

  it.each(['', 'x'.repeat(129)])('takes no key of %j', async (idempotencyKey) => {
    await expect(
      match({ transferId: uuidv7(), orderNo: 'D1', idempotencyKey }),
    ).rejects.toMatchObject({ kind: 'INVALID_FIELD' });
  });
});
