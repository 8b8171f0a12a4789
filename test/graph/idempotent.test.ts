import { uuidv7 } from 'uuidv7';
import { parse } from 'graphql';
import pino from 'pino';
import { type OperatorActor, Tenant, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';

const MATCH = parse(`mutation ($transferId: ID!, $orderNo: String!, $reason: String!, $idempotencyKey: String) {
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
    await tenant.graph.execute(MATCH, { reason: 'test', ...variables }, tenant.operator, pino({ level: 'silent' }));

  const allocations = async (): Promise<number> => {
    const [row] = await tenant.database.sql<{ count: number }[]>`
      select count(*)::int as count from transfer_allocations where released_at is null`;
    return row?.count ?? 0;
  };

  it('gives one effect and one answer', async () => {
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

  it('refuses a key of another request', async () => {
    const { orderNo } = await tenant.deposit(merchant);
    const other = await tenant.deposit(merchant);
    const transferId = await unmatched();
    const idempotencyKey = uuidv7();
    await match({ transferId, orderNo, idempotencyKey });
    const another = { transferId: await unmatched(), orderNo: other.orderNo, idempotencyKey };
    await expect(match(another)).rejects.toMatchObject({
      kind: 'CONFLICT',
      message: 'idempotencyKey was already used for a different request',
    });
  });

  it('leaves a key unused after a refusal', async () => {
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

  it('gives one effect under concurrent repeats', async () => {
    for (let round = 0; round < 5; round++) {
      const { orderNo } = await tenant.deposit(merchant);
      const transferId = await unmatched();
      const before = await allocations();
      const variables = { transferId, orderNo, idempotencyKey: uuidv7() };
      const answers = await Promise.all(Array.from({ length: 8 }, async () => await match(variables)));
      for (const answer of answers) expect(answer).toEqual({ matchTransfer: { id: transferId, orderNo } });
      expect(await allocations()).toBe(before + 1);
    }
  });

  describe('of proposals and decisions', () => {
    let bob: OperatorActor;
    beforeAll(async () => {
      bob = await tenant.person('bob', ['approve']);
    });
    const twoPeople = async (work: () => Promise<void>): Promise<void> => {
      tenant.changes.onePerson = false;
      await work().finally(() => {
        tenant.changes.onePerson = true;
      });
    };
    interface Posted {
      change: { id: string; status: string };
      balance: { available: string } | null;
    }
    const money = (idempotencyKey: string, amount = '25'): Record<string, unknown> => ({
      merchantId: merchant.id,
      currencyCode: 'THB',
      amount,
      reason: 'prefunding',
      evidence: { text: 'wire of today' },
      idempotencyKey,
    });
    const available = async (): Promise<number> => {
      const [row] = await tenant.database.sql<{ available: string }[]>`
        select available::text from merchant_balances
        where merchant_id = ${merchant.id} and currency_code = 'THB'`;
      return Number(row?.available);
    };
    const eight = async <Answer>(ask: () => Promise<Answer>): Promise<Answer[]> =>
      await Promise.all(Array.from({ length: 8 }, ask));

    it.each(['TopUpBalance', 'AdjustBalance'])(
      'posts %s once for any number of requests, and answers with the balance',
      async (mutation) => {
        const before = await available();
        const variables = money(uuidv7());
        const ask = async (): Promise<Posted> => await tenant.operate<Posted>(mutation, variables);
        const answers = [...(await eight(ask)), await ask()];
        expect(await available()).toBe(before + 25);
        const [first] = answers;
        expect(first?.change.status).toBe('APPLIED');
        expect(Number(first?.balance?.available)).toBe(before + 25);
        for (const answer of answers) expect(answer).toEqual(first);
        await expect(tenant.operate(mutation, { ...variables, amount: '26' })).rejects.toMatchObject({
          message: 'idempotencyKey was already used for a different request',
        });
        await expectWholeLedger(tenant);
      },
    );

    it('proposes a top-up once if two people are required', async () => {
      await twoPeople(async () => {
        const before = await available();
        const variables = money(uuidv7());
        const answers = await eight(async () => await tenant.operate<Posted>('TopUpBalance', variables));
        expect(new Set(answers.map(({ change }) => change.id)).size).toBe(1);
        for (const { change, balance } of answers) expect([change.status, balance]).toEqual(['PROPOSED', null]);
        expect(await available()).toBe(before);
      });
    });

    it.each([
      ['ApproveChange', 'APPLIED', 25],
      ['RejectChange', 'REJECTED', 0],
    ])('lets %s decide once: a repeat gets the same answer', async (mutation, status, moved) => {
      await twoPeople(async () => {
        const before = await available();
        const { change } = await tenant.operate<Posted>('TopUpBalance', money(uuidv7()));
        const variables = { id: change.id, reason: 'seen', idempotencyKey: uuidv7() };
        const decide = async (): Promise<{ id: string; status: string }> =>
          await tenant.operate(mutation, variables, bob);
        for (const decided of [...(await eight(decide)), await decide()])
          expect(decided).toMatchObject({ id: change.id, status });
        expect(await available()).toBe(before + moved);
        // Without the key it is a second decision.
        const bare = { id: change.id, reason: 'seen' };
        await expect(tenant.operate(mutation, bare, bob)).rejects.toMatchObject({
          kind: 'CONFLICT',
        });
        await expectWholeLedger(tenant);
      });
    });
  });

  it.each(['', 'x'.repeat(129)])('refuses the key %j', async (idempotencyKey) => {
    await expect(match({ transferId: uuidv7(), orderNo: 'D1', idempotencyKey })).rejects.toMatchObject({
      kind: 'INVALID_FIELD',
    });
  });
});
