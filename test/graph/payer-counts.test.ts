import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { randomBytes } from 'node:crypto';
import { blindIndexes } from '../../crypto/blind-index';
import { KeyRing, platformKey } from '../../crypto/key-ring';
import { createLookup } from '../../crypto/lookup';
import { sealPayer } from '../../crypto/personal';
import { createSealer } from '../../crypto/seal';
import { countPayerOrders } from '../../db/payers/rules';
import { money } from '../../domain/money';
import { TRAIT_FORMS, traitsOf } from '../../domain/payer-lists';
import { VELOCITY_TRAITS, type VelocityRule } from '../../domain/payer-rules';
import { Tenant } from '../support/tenant';

/** Rows while `keys:rotate` runs. */
const [OLD, CURRENT] = ['OLD', 'CURRENT'] as const;

describe('the orders of a payer', () => {
  const [old, current] = [platformKey(randomBytes(32)), platformKey(randomBytes(32))];
  const sealsOf = (ring: KeyRing) => ({ sealer: createSealer(ring), lookup: createLookup(ring) });
  const SEALS = {
    OLD: sealsOf(new KeyRing([old])),
    CURRENT: sealsOf(new KeyRing([current])),
  };
  const lookup = createLookup(new KeyRing([current, old]));
  let tenant: Tenant;
  let accountId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    accountId = await tenant.account();
  });
  afterAll(async () => {
    await tenant.close();
  });

  it('have the same counts in SQL and in a model, sealed by which key', async () => {
    const { sql } = tenant.database;
    const now = new Date();
    const says = fc.record({
      userId: fc.constantFrom(null, 'u5', 'u6'),
      email: fc.constantFrom(null, 'a@x.example', ' A@X.example', 'b@x.example'),
      mobile: fc.constantFrom(null, '081-2345', '0812345', '0998877'),
      accountNo: fc.constantFrom(null, '12-345678', '０12345678', '87654321', 'ab-1234'),
    });
    const order = fc.record({
      said: says,
      age: fc.integer({ min: 0, max: 120 }),
      amount: fc.integer({ min: 1, max: 9 }),
      status: fc.constantFrom('PENDING', 'EXPIRED', 'CANCELLED', 'FAILED'),
      sealed: fc.constantFrom(OLD, CURRENT),
    });
    const keysOf = (said: { userId: string | null } & Record<string, string | null>) =>
      Object.fromEntries(
        traitsOf({
          USER: said['userId'],
          EMAIL: said['email'],
          MOBILE: said['mobile'],
          ACCOUNT: said['accountNo'],
        }).map(({ trait, key }) => [trait, key]),
      );
    const indexesOf = (keys: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(TRAIT_FORMS).flatMap(([trait, form]) => {
          const key = keys[trait];
          return key === undefined ? [] : [[trait, blindIndexes(lookup, form, key)]];
        }),
      );
    await fc.assert(
      fc.asyncProperty(
        fc.array(order, { maxLength: 12 }),
        says,
        fc.integer({ min: 1, max: 120 }),
        async (orders, payer, minutes) => {
          const one = await tenant.merchant();
          for (const { said, age, amount, status, sealed } of orders) {
            const id = uuidv7();
            const at = new Date(now.getTime() - age * 60_000);
            const kept = sealPayer(SEALS[sealed], {
              merchantId: one.id,
              merchantOrderNo: id,
              payerAccountNo: said.accountNo,
              payerEmail: said.email,
              payerMobile: said.mobile,
              payerName: null,
            });
            await sql`
                insert into merchant_order_numbers (merchant_id, merchant_order_no, noun, order_id)
                values (${one.id}, ${id}, 'deposit', ${id})`;
            await sql`
                insert into deposit_orders (id, order_no, merchant_id, merchant_order_no, order_type, account_id,
                  requested_amount, amount, fee, actual_amount, currency_code, expected_remark, status, expire_at,
                  user_id, payer_email, payer_email_index, payer_mobile, payer_mobile_index, payer_account_no,
                  payer_account_index, payment_snapshot, created_at, updated_at)
                values (${id}, ${id}, ${one.id}, ${id}, 'DIRECT', ${accountId}, ${amount}, ${amount}, 0, 0, 'THB',
                  ${id}, ${status}, ${at}, ${said.userId}, ${kept.payerEmail}, ${kept.payerEmailIndex},
                  ${kept.payerMobile}, ${kept.payerMobileIndex}, ${kept.payerAccountNo}, ${kept.payerAccountIndex},
                  '{}', ${at}, ${at})`;
          }
          const asked: VelocityRule[] = VELOCITY_TRAITS.map((by) => ({
            by,
            counts: 'ATTEMPTS',
            minutes,
            above: money('1'),
            outcome: 'WATCH',
          }));
          const keys: Record<string, string> = keysOf(payer);
          const counted = await countPayerOrders(
            tenant.database,
            { merchantId: one.id, currencyCode: 'THB', keys, indexes: indexesOf(keys) },
            asked,
            now,
          );
          const expected = VELOCITY_TRAITS.map((by) => {
            const key = keys[by];
            if (key === undefined) return null;
            const same = orders.filter(({ said, age }) => age < minutes && keysOf(said)[by] === key);
            return {
              orders: same.length,
              amount: String(same.reduce((sum, { amount }) => sum + amount, 0)),
              failed: same.filter(({ status }) => status !== 'PENDING').length,
            };
          });
          expect(counted.map((count) => count && { ...count, amount: count.amount.toFixed() })).toEqual(expected);
        },
      ),
      { numRuns: 15, seed: 1 },
    );
  });
});
