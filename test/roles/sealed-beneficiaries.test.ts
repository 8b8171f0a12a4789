import { randomBytes } from 'node:crypto';
import { parse } from 'graphql';
import pino from 'pino';
import { platformKey } from '../../crypto/key-ring';
import { soughtAccount } from '../../crypto/beneficiary';
import { findBeneficiaryPast } from '../../db/routing/routing-rules';
import { ordersOfPerson } from '../../steps/personal/orders-of-person';
import { rotateKeys, type RotationDeps } from '../../roles/key-rotation';
import { newKeys, operatorDocument, Tenant, type TestMerchant } from '../support/tenant';
import { fundedMerchant } from '../support/withdrawals';

const silent = pino({ level: 'silent' });
const ACCOUNT = '00-123-4567';
/** Another spelling: another beneficiary to a search, and to who was paid before. */
const ALIKE = '001234567';

const SIMILAR = parse(`query($o: String!) { withdrawal(orderNo: $o) {
  beneficiaryAccount similar { orderNo beneficiaryAccount } } }`);

interface Shown {
  readonly withdrawal: {
    readonly beneficiaryAccount: string;
    readonly similar: readonly { readonly orderNo: string; readonly beneficiaryAccount: string }[];
  };
}

describe('the account of a beneficiary', () => {
  const keys = newKeys();
  const { ring } = keys;
  let tenant: Tenant;
  let merchant: TestMerchant;

  beforeAll(async () => {
    tenant = await Tenant.create(undefined, { keys });
    merchant = await fundedMerchant(tenant);
    await tenant.operate('PutBanks', {
      currencyCode: 'THB',
      reason: 'test',
      banks: [{ bankCode: 'GOODBANK', name: 'Good Bank' }],
    });
    await tenant.operate('PutReviewRules', {
      merchantId: merchant.id,
      currencyCode: 'THB',
      reason: 'test',
      rules: { autoApproveUpTo: '1000', newBeneficiary: true },
    });
  }, 60_000);
  afterAll(async () => {
    await tenant.close();
  });

  const rotation = (): RotationDeps => ({
    database: tenant.database,
    ring,
    lookEveryMs: 5,
    clock: async () => await Promise.resolve(new Date()),
    say: () => undefined,
  });
  const create = async (beneficiaryAccount = ACCOUNT): Promise<{ orderNo: string; isAutoApproved: boolean }> =>
    await tenant.withdrawal(merchant, { amount: '5', beneficiaryAccount });
  const pay = async (orderNo: string): Promise<void> => {
    await tenant.database.sql`
      update withdrawal_orders set status = 'COMPLETED', actual_amount = amount, completed_at = now(),
        people_needed = 0, is_auto_approved = true, approved_at = now(), approved_by = 'system'
      where order_no = ${orderNo}`;
  };
  const kept = async (orderNo: string): Promise<unknown> => {
    const [row] = await tenant.database.sql`
      select beneficiary_account, beneficiary_account_index from withdrawal_orders where order_no = ${orderNo}`;
    return row;
  };

  /** Everything that looks for withdrawals to the account finds these, the newest first. */
  const expectFound = async (orders: readonly string[]): Promise<void> => {
    const { database, graph, operator, seals } = tenant;
    const [newest = ''] = orders;
    const filter = { beneficiaryAccount: ACCOUNT };
    const listed = await tenant.list<{ orderNo: string }>('Withdrawals', { filter });
    expect(listed.map(({ orderNo }) => orderNo)).toEqual(orders);
    const hits = await graph.execute<{ search: { found: { orderNo: string } }[] }, Record<string, unknown>>(
      operatorDocument('Search'),
      { text: ACCOUNT, first: 20 },
      operator,
      silent,
    );
    expect(hits.search.map(({ found }) => found.orderNo)).toEqual(orders);
    const { withdrawal } = await graph.execute<Shown, Record<string, unknown>>(
      SIMILAR,
      { o: newest },
      operator,
      silent,
    );
    expect(withdrawal).toEqual({
      beneficiaryAccount: ACCOUNT,
      similar: orders.slice(1).map((orderNo) => ({ orderNo, beneficiaryAccount: ACCOUNT })),
    });
    const past = await findBeneficiaryPast(database, {
      merchantId: merchant.id,
      currencyCode: 'THB',
      beneficiaryBankCode: 'GOODBANK',
      ...soughtAccount(seals.lookup, ACCOUNT),
    });
    expect(past.tier).not.toBe('NEW');
    const [{ id } = { id: '' }] = await database.sql<{ id: string }[]>`
      select id from withdrawal_orders where order_no = ${newest}`;
    expect(await ordersOfPerson(database.sql, seals, id)).toHaveLength(orders.length);
  };

  it('is found, and while keys are rotated', async () => {
    const first = await create();
    expect(first.isAutoApproved).toBe(false);
    await pay(first.orderNo);
    expect((await create(ALIKE)).isAutoApproved).toBe(false);
    // It was paid before.
    const second = await create();
    expect(second.isAutoApproved).toBe(true);
    expect(await kept(second.orderNo)).toEqual({
      beneficiaryAccount: expect.stringMatching(/^v1\./) as unknown,
      beneficiaryAccountIndex: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
    });
    await expectFound([second.orderNo, first.orderNo]);
    await tenant.database.sql`update withdrawal_orders set status = 'FAILED', completed_at = null,
      actual_amount = 0, ended_at = now() where order_no = ${first.orderNo}`;
    await pay(second.orderNo);

    const next = platformKey(randomBytes(32));
    ring.learn([next]);
    ring.use(next.id);
    const third = await create();
    expect(third.isAutoApproved).toBe(true);
    await expectFound([third.orderNo, second.orderNo, first.orderNo]);
    expect(await rotateKeys(rotation(), next.id)).toBe(true);
    for (const { orderNo } of [first, second, third])
      expect(await kept(orderNo)).toEqual({
        beneficiaryAccount: expect.stringMatching(`^v2\\.${next.id}\\.`) as unknown,
        beneficiaryAccountIndex: expect.stringMatching(`^${next.id}\\.`) as unknown,
      });
    const fourth = await create();
    expect(fourth.isAutoApproved).toBe(true);
    await expectFound([fourth, third, second, first].map(({ orderNo }) => orderNo));
    expect((await create(ALIKE)).isAutoApproved).toBe(false);
  }, 120_000);
});
