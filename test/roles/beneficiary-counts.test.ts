import { randomBytes } from 'node:crypto';
import { type KeyRing, type PlatformKey, platformKey } from '../../crypto/key-ring';
import { readDayLimits } from '../../domain/authority/day-amounts';
import { accountNumberKey } from '../../domain/account-number';
import { COUNTS } from '../../db/proof/checks/counts';
import { rotateKeys, type RotationDeps } from '../../roles/key-rotation';
import { newKeys, type OperatorActor, Tenant, type TestMerchant } from '../support/tenant';
import { fundedMerchant } from '../support/withdrawals';

const fresh = (): PlatformKey => platformKey(randomBytes(32));
/** How one beneficiary's number is written, in turn. */
const SPELT = ['001-234-5678', '0012345678', '１２３４５６７８', '12 345 678'];
const [NUMBER = ''] = SPELT;

interface Created {
  readonly orderNo: string;
  readonly isAutoApproved: boolean;
}

describe('counts of a beneficiary', () => {
  const keys = newKeys();
  const ring: KeyRing = keys.ring;
  let tenant: Tenant;
  let merchant: TestMerchant;
  let bob: OperatorActor;
  let made = 0;

  beforeAll(async () => {
    tenant = await Tenant.create(undefined, { keys });
    bob = await tenant.person('bob', ['approve']);
    await tenant.operate('PutBanks', {
      currencyCode: 'THB',
      reason: 'test',
      banks: [{ bankCode: 'GOODBANK', name: 'Good Bank' }],
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
  const create = async (account = SPELT[made++ % SPELT.length]): Promise<Created> =>
    await tenant.withdrawal<Created>(merchant, { amount: '10', beneficiaryAccount: account });
  /** Rules under which a rule approves so many withdrawals to one beneficiary a day. */
  const limit = async (beneficiaryDayOrders: number): Promise<void> => {
    merchant = await fundedMerchant(tenant);
    await tenant.operate('PutReviewRules', {
      merchantId: merchant.id,
      currencyCode: 'THB',
      reason: 'test',
      rules: { autoApproveUpTo: '1000', newBeneficiary: false, beneficiaryDayOrders },
    });
  };
  /** The rows of the merchant's day, of the beneficiary. */
  const days = async (): Promise<{ beneficiary: string; orders: number }[]> =>
    await tenant.database.sql`
      select beneficiary, orders from withdrawal_days
      where merchant_id = ${merchant.id} and beneficiary <> '' order by 1`;
  /** The proof of the books finds that the days are what the orders say. */
  const expectProven = async (): Promise<void> => {
    const check = COUNTS.find(({ name }) => name.startsWith("a merchant's day"));
    expect(await tenant.database.sql.unsafe(check?.faults ?? '')).toEqual([]);
  };
  const subjects = async (): Promise<{ subject: string; orders: number }[]> =>
    await tenant.database.sql`
      select subject, orders from day_amounts where counter = 'BENEFICIARY' order by 1`;
  const approve = async (): Promise<number> => {
    const { orderNo } = await create();
    await tenant.operate('ApproveWithdrawal', { orderNo }, bob);
    const { peopleNeeded } = await tenant.operate<{ peopleNeeded: number }>('Withdrawal', {
      orderNo,
    });
    return peopleNeeded;
  };
  const alerts = async (): Promise<{ subject: string }[]> =>
    await tenant.database.sql`
      select about ->> 'subject' as subject from alerts
      where kind = 'DAY_AMOUNT_PASSED' and about ->> 'counter' = 'BENEFICIARY'`;
  /** Another key is current, as a process notices it before keys:rotate came to any row. */
  const turn = (key: PlatformKey): void => {
    ring.learn([key]);
    ring.use(key.id);
  };

  it('are of one number however it is written', () => {
    const forms = {
      '001-234-5678': '0012345678',
      '１２３４５６７８': '12345678',
      '12 345 678': '12345678',
      'ab-666': 'AB666',
      ＡＢ６６６: 'AB666',
      'a\u200bb666': 'AB666',
      'ab\u0301666': 'AB666',
      '-': '-',
      '--': '--',
      'ß-9': 'SS9',
      ﬃ1: 'FFI1',
      '٣٤-x': '٣٤X',
      ǆ: 'DŽ',
      '١': '١',
      Ⅷ: 'VIII',
      '²': '2',
      'ä\u00ad1': 'Ä1',
    };
    for (const [number, form] of Object.entries(forms))
      expect([number, accountNumberKey(number)]).toEqual([number, form]);
  });

  it('go on while the key is rotated, and name no number', async () => {
    await limit(4);
    expect((await create()).isAutoApproved).toBe(true);
    turn(fresh());
    expect((await create()).isAutoApproved).toBe(true);
    expect(await days()).toHaveLength(2);
    expect(await rotateKeys(rotation(), ring.current.id)).toBe(true);
    expect(await days()).toEqual([
      {
        beneficiary: expect.stringMatching(`^GOODBANK:${ring.current.id}\\.[0-9a-f]{32}$`) as unknown,
        orders: 2,
      },
    ]);
    turn(fresh());
    expect((await create()).isAutoApproved).toBe(true);
    expect((await create()).isAutoApproved).toBe(true);
    // The fifth of the day.
    expect((await create()).isAutoApproved).toBe(false);
    await expectProven();
    expect(await rotateKeys(rotation(), ring.current.id)).toBe(true);
    expect(await days()).toMatchObject([{ orders: 5 }]);
    await expectProven();
  }, 60_000);

  it('of what was approved on a day go on too', async () => {
    await limit(0);
    tenant.changes.dayLimits = readDayLimits('THB=9:9999999:9999999:40');
    turn(fresh());
    expect(await approve()).toBe(1);
    expect(await subjects()).toEqual([
      { subject: expect.stringMatching(`^GOODBANK:${ring.current.id}\\.`) as unknown, orders: 1 },
    ]);
    turn(fresh());
    expect(await approve()).toBe(1);
    turn(fresh());
    expect(await approve()).toBe(1);
    expect(await subjects()).toHaveLength(3);
    expect(await rotateKeys(rotation(), ring.current.id)).toBe(true);
    expect(await subjects()).toEqual([
      { subject: expect.stringMatching(`^GOODBANK:${ring.current.id}\\.`) as unknown, orders: 3 },
    ]);
    turn(fresh());
    expect(await approve()).toBe(1);
    expect(await approve()).toBe(2);
    expect(await alerts()).toEqual([{ subject: 'GOODBANK:•••5678' }]);
    expect(await rotateKeys(rotation(), ring.current.id)).toBe(true);
    expect(await approve()).toBe(2);
    // The alert moved with what it is about.
    expect(await alerts()).toHaveLength(1);
    tenant.changes.dayLimits = null;
  }, 60_000);

  it('of decisions at one time miss none, whatever key each process uses', async () => {
    await limit(0);
    tenant.changes.dayLimits = readDayLimits('THB=9:9999999:9999999:40');
    const orders: string[] = [];
    for (let n = 0; n < 8; n++) {
      turn(n % 2 === 0 ? fresh() : ring.current);
      orders.push((await create(`77-${NUMBER}`)).orderNo);
    }
    await Promise.all(orders.map(async (orderNo) => await tenant.operate('ApproveWithdrawal', { orderNo }, bob)));
    const [row] = await tenant.database.sql<{ two: number }[]>`
      select count(*)::int as two from withdrawal_orders where people_needed = 2 and order_no = any(${orders})`;
    expect(row?.two).toBe(4);
    tenant.changes.dayLimits = null;
  }, 60_000);
});
