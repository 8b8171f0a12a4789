import { randomBytes } from 'node:crypto';
import { type PlatformKey, platformKey } from '../../crypto/key-ring';
import { rotateKeys, type RotationDeps } from '../../roles/key-rotation';
import { newKeys, Tenant, type TestMerchant } from '../support/tenant';
import { fundedMerchant } from '../support/withdrawals';

const fresh = (): PlatformKey => platformKey(randomBytes(32));

interface Listed {
  readonly id: string;
  readonly accountNo: string;
}

describe('beneficiaries on lists', () => {
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
      rules: { autoApproveUpTo: '1', allowlistedUpTo: '1000', newBeneficiary: false },
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
  /** Another key is current, as a process notices it before keys:rotate came to any row. */
  const turn = (): void => {
    const key = fresh();
    ring.learn([key]);
    ring.use(key.id);
  };
  const put = async (accountNo: string, list = 'DENY'): Promise<void> => {
    await tenant.operate('ListBeneficiary', {
      merchantId: merchant.id,
      bankCode: 'GOODBANK',
      accountNo,
      list,
      reason: 'test',
    });
  };
  /** How many people a withdrawal to an account needs: denied two, allowed none, others one. */
  const people = async (beneficiaryAccount: string): Promise<number> => {
    const { orderNo } = await tenant.withdrawal<{ orderNo: string }>(merchant, {
      amount: '5',
      beneficiaryAccount,
    });
    const order = await tenant.operate<{ peopleNeeded: number }>('Withdrawal', { orderNo });
    return order.peopleNeeded;
  };
  const found = async (accountNo: string): Promise<string[]> =>
    (await tenant.list<Listed>('ListedBeneficiaries', { filter: { accountNo } })).map((listed) => listed.accountNo);
  const kept = async (): Promise<{ accountNo: string; accountKey: string | null }[]> =>
    await tenant.database.sql`select account_no, account_key from listed_beneficiaries order by id`;

  const expectAll = async (): Promise<void> => {
    for (const denied of ['ab-666', 'AB666', '777-1', '7771'])
      expect([denied, await people(denied)]).toEqual([denied, 2]);
    expect(await people('44-4')).toBe(0);
    // The allowlist means the number as it is written.
    expect(await people('444')).toBe(1);
    expect(await people('ab-6660')).toBe(1);
    expect([await found('AB 666'), await found('7771'), await found('44-4')]).toEqual([
      ...[['ab-666'], ['777-1'], ['44-4']],
    ]);
    expect(await found('9')).toEqual([]);
    for (const again of ['ab-666', '777-1', '44-4'])
      await expect(put(again, 'ALLOW')).rejects.toMatchObject({ kind: 'CONFLICT' });
  };

  it('stay there while keys are rotated', async () => {
    await put('ab-666');
    await put('777-1');
    await put('44-4', 'ALLOW');
    for (const { accountNo, accountKey } of await kept())
      expect([accountNo, accountKey]).toEqual([
        expect.stringMatching(/^v1\./),
        expect.stringMatching(/^[0-9a-f]{32}$/),
      ]);
    await expectAll();
    turn();
    await expectAll();
    expect(await rotateKeys(rotation(), ring.current.id)).toBe(true);
    for (const { accountNo, accountKey } of await kept())
      expect([accountNo, accountKey]).toEqual([
        expect.stringMatching(`^v2\\.${ring.current.id}\\.`),
        expect.stringMatching(`^${ring.current.id}\\.`),
      ]);
    await expectAll();
  }, 120_000);

  it('are one entry, also of two changes at once, and may be listed again after their removal', async () => {
    const both = await Promise.allSettled([put('55-5'), put('55-5', 'ALLOW')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [entry] = await tenant.list<Listed>('ListedBeneficiaries', {
      filter: { accountNo: '555' },
    });
    await tenant.operate('UnlistBeneficiary', { id: entry?.id, reason: 'test' });
    await put('55-5');
    await put('555', 'ALLOW');
    expect(await found('55-5')).toHaveLength(2);
  }, 60_000);
});
