import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { type Credit, creditDeposit, creditDeposits } from '../../db/deposits/credits';
import { findMonthVolume } from '../../db/fees/fee-schedules';
import { FEES } from '../../db/proof/checks/fees';
import { depositCredit } from '../../domain/ledger';
import { money, ZERO } from '../../domain/money';
import { dayOf } from '../../domain/zone';
import { Tenant, type TestMerchant } from '../support/tenant';
import { fundedMerchant, transferUnderWay, withdrawalNow } from '../support/withdrawals';

/** Zones far apart: one changes its clocks in the night of a month's end (Amman, 31 March 2017). */
const ZONES = ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Amman', 'Europe/Berlin'];
const HOUR = 3_600_000;
const START = Date.parse('2017-03-20T00:00:00Z');

interface Step {
  /** The zone that the merchant moves to; null: no move. */
  readonly zone: string | null;
  /** The time since the previous step. */
  readonly hours: number;
  readonly minutes: number;
  readonly amounts: readonly number[];
}
const step: fc.Arbitrary<Step> = fc.record({
  zone: fc.option(fc.constantFrom(...ZONES), { freq: 2 }),
  hours: fc.oneof(fc.nat(3), fc.nat(300)),
  minutes: fc.nat(59),
  amounts: fc.array(fc.integer({ min: 3, max: 500_000 }), { maxLength: 3 }),
});

describe("a merchant's volume of a month", () => {
  let tenant: Tenant;
  let accountId: string;
  beforeAll(async () => {
    tenant = await Tenant.create();
    tenant.now = () => new Date(START);
    accountId = await tenant.account();
  });
  afterAll(async () => {
    await tenant.close();
  });

  const agree = async (merchantId: string, orderKind: 'DEPOSIT' | 'WITHDRAWAL'): Promise<void> => {
    await tenant.operate('PutFeeSchedule', {
      input: {
        merchantId,
        currencyCode: 'THB',
        orderKind,
        percent: '2',
        tierBy: 'MONTH_VOLUME',
        tiers: [{ from: '1000', percent: '1' }],
      },
      reason: 'test',
    });
  };
  const merchantByVolume = async (): Promise<TestMerchant> => {
    const merchant = await tenant.merchant();
    await agree(merchant.id, 'DEPOSIT');
    return merchant;
  };

  /** An order as its bank credit leaves it. @param amount in hundredths */
  async function matched(merchantId: string, amount: number, now: Date): Promise<Credit> {
    const id = uuidv7();
    const actual = money(`${amount}e-2`);
    await tenant.database.sql`
      with number as (
        insert into merchant_order_numbers (merchant_id, merchant_order_no, noun, order_id)
        values (${merchantId}, ${id}, 'deposit', ${id})
      )
      insert into deposit_orders
        (id, order_no, merchant_id, merchant_order_no, order_type, account_id, requested_amount, amount,
         fee, actual_amount, currency_code, status, expire_at, matched_at, payment_snapshot, created_at, updated_at)
      values (${id}, ${id}, ${merchantId}, ${id}, 'DIRECT', ${accountId}, ${actual.toFixed()}, ${actual.toFixed()},
        0, 0, 'THB', 'MATCHED', ${now}, ${now}, '{}', ${now}, ${now})`;
    return {
      depositId: id,
      merchantId,
      actual,
      fee: ZERO,
      now,
      postings: depositCredit(merchantId, actual, ZERO),
      callbackBody: '{}',
    };
  }

  const volume = async (merchantId: string, at: Date): Promise<string> =>
    (await findMonthVolume(tenant.database, { merchantId, currencyCode: 'THB', orderKind: 'DEPOSIT' }, at)).toFixed(2);

  const faults = async (): Promise<readonly unknown[]> => {
    const ofVolumes = FEES.filter(({ name }) => /month/.test(name));
    expect(ofVolumes).toHaveLength(2);
    const found = await Promise.all(ofVolumes.map(async (check) => await tenant.database.sql.unsafe(check.faults)));
    return found.flat();
  };

  it('equals a count in whole hundredths by the calendar, through changes of its zone', async () => {
    const { database } = tenant;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
        const { id } = await merchantByVolume();
        const counted = new Map<string, number>();
        let zone = 'UTC';
        let at = new Date(START);
        for (const { hours, minutes, amounts, ...moved } of steps) {
          at = new Date(at.getTime() + hours * HOUR + minutes * 60_000);
          zone = moved.zone ?? zone;
          await database.sql`update merchants set time_zone = ${zone} where id = ${id}`;
          const credits = [];
          for (const amount of amounts) credits.push(await matched(id, amount, at));
          const [alone, ...together] = credits;
          if (alone) expect(await creditDeposit(database, alone)).toBe(true);
          if (together.length > 0) await creditDeposits(database, together);
          const month = dayOf(zone, at).slice(0, 7);
          const sum = amounts.reduce((all, amount) => all + amount, counted.get(month) ?? 0);
          counted.set(month, sum);
          expect(await volume(id, at)).toBe((sum / 100).toFixed(2));
        }
      }),
      { numRuns: 15, seed: 18 },
    );
    expect(await faults()).toEqual([]);
  });

  it('counts each order once when many are completed at once', async () => {
    const { id } = await merchantByVolume();
    const { database } = tenant;
    const at = new Date(START + HOUR);
    const credits = await Promise.all(Array.from({ length: 16 }, async () => await matched(id, 1_000, at)));
    const batches = [credits.slice(8, 12), credits.slice(12).reverse()];
    await Promise.all([
      ...credits.slice(0, 8).map(async (credit) => await creditDeposit(database, credit)),
      ...batches.map(async (batch) => await creditDeposits(database, batch)),
      // Completed again.
      creditDeposits(database, credits.slice(6, 14)),
    ]);
    expect(await volume(id, at)).toBe('160.00');
    expect(await faults()).toEqual([]);
  });

  it('counts withdrawals apart from deposits', async () => {
    const merchant = await fundedMerchant(tenant);
    await agree(merchant.id, 'WITHDRAWAL');
    const { id, orderNo } = await transferUnderWay(tenant, merchant, accountId, { amount: '70' });
    const asked = { merchantId: merchant.id, currencyCode: 'THB' } as const;
    const volumeOf = async (orderKind: 'DEPOSIT' | 'WITHDRAWAL'): Promise<string> =>
      (await findMonthVolume(tenant.database, { ...asked, orderKind }, tenant.now())).toFixed(2);
    expect(await volumeOf('WITHDRAWAL')).toBe('0.00');
    await tenant.operate('CompleteTransfer', { orderNo, bankReference: uuidv7() });
    expect(await withdrawalNow(tenant, id)).toMatchObject({ volumeMonth: '2017-03-01' });
    // A failed order does not count.
    expect([await volumeOf('WITHDRAWAL'), await volumeOf('DEPOSIT')]).toEqual(['70.00', '0.00']);
    expect(await faults()).toEqual([]);
  });

  it('is not kept unless a schedule uses it', async () => {
    const { id } = await tenant.merchant();
    expect(await creditDeposit(tenant.database, await matched(id, 100, new Date(START)))).toBe(true);
    const { sql } = tenant.database;
    expect(await sql`select from merchant_volumes where merchant_id = ${id}`).toEqual([]);
    expect(await sql`select volume_month from deposit_orders where merchant_id = ${id}`).toEqual([
      { volumeMonth: null },
    ]);
  });
});
