import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { type Credit, creditDeposit, creditDeposits } from '../../db/deposits/credits';
import { brokenConstraint } from '../../db/refusals';
import { depositCredit, ledgerAccount, type Posting } from '../../domain/ledger';
import { money } from '../../domain/money';
import { balanceFaults } from '../support/whole-ledger';
import { Tenant, type TestMerchant } from '../support/tenant';

const NOW = new Date('2026-01-02T03:04:05.678Z');

/** The state of an order before it is credited. */
const STATUSES = ['MATCHED', 'PENDING', 'CANCELLED'] as const;
/** The fault in the lines, if any. */
const LINES = {
  right: (lines: readonly Posting[]) => lines,
  lopsided: (lines: readonly Posting[]) => lines.slice(1),
  'of another account': (lines: readonly Posting[]) =>
    lines.map((line) => ({ ...line, account: line.account.replace('fee_income', 'nowhere') })),
};

/** A drawn credit. */
interface Step {
  readonly status: (typeof STATUSES)[number];
  readonly lines: keyof typeof LINES;
  /** Out of 100.00 received; a fee that is not lower is refused. */
  readonly fee: string;
  readonly callback: boolean;
  /** Credits the previous order again. */
  readonly again: boolean;
  /** The ledger already has the order's transfer. */
  readonly posted: boolean;
  readonly seconds: number;
}

/** The merchant to credit. */
interface Merchant {
  readonly owes: string | null;
  readonly holdDays: number;
}

const rarely = fc.nat(9).map((n) => n === 0);
const step: fc.Arbitrary<Step> = fc.record({
  status: fc.constantFrom(...STATUSES, 'MATCHED', 'MATCHED', 'MATCHED'),
  lines: fc.constantFrom('right', 'right', 'right', 'right', 'lopsided', 'of another account'),
  fee: fc.constantFrom('0', '1.5', '1.5', '99.99', '100'),
  callback: fc.boolean(),
  again: rarely,
  posted: rarely,
  seconds: fc.nat(5),
});
const kind: fc.Arbitrary<Merchant> = fc.record({
  owes: fc.constantFrom(null, null, '60', '500'),
  holdDays: fc.constantFrom(0, 0, 2),
});

describe('crediting a deposit', () => {
  let tenant: Tenant;
  let accountId: string;
  beforeAll(async () => {
    tenant = await Tenant.create();
    tenant.now = () => NOW;
    accountId = await tenant.account();
  });
  afterAll(async () => {
    await tenant.close();
  });

  /** A merchant with this debt. */
  async function merchantOf({ owes, holdDays }: Merchant): Promise<TestMerchant> {
    const merchant = await tenant.merchant({ holdDays });
    if (owes !== null)
      await tenant.database.sql`
        select post_transfer('BALANCE_ADJUSTMENT', ${`balance-adjustment:${uuidv7()}`}, 'THB', null, null, ${NOW},
          ${[ledgerAccount.merchantReceivable(merchant.id), ledgerAccount.suspense()]},
          ${[`-${owes}`, owes]}::numeric[])`;
    return merchant;
  }

  /** An order as its bank credit leaves it; crediting does not read the bank credit. */
  async function order(merchantId: string, { status, callback, posted }: Step): Promise<string> {
    const { sql } = tenant.database;
    const id = uuidv7();
    const url = callback ? 'https://merchant.example/callbacks' : null;
    await sql`
      with number as (
        insert into merchant_order_numbers (merchant_id, merchant_order_no, noun, order_id)
        values (${merchantId}, ${id}, 'deposit', ${id})
      )
      insert into deposit_orders
        (id, order_no, merchant_id, merchant_order_no, order_type, account_id, requested_amount, amount,
         fee, actual_amount, currency_code, status, expire_at, matched_at, callback_url,
         payment_snapshot, created_at, updated_at)
      values (${id}, ${id}, ${merchantId}, ${id}, 'DIRECT', ${accountId}, 100, 100, 1, 0, 'THB', ${status},
        ${NOW}, ${status === 'MATCHED' ? NOW : null}, ${url}, '{}', ${NOW}, ${NOW})`;
    if (posted)
      await sql`
        select post_transfer('DEPOSIT_CREDIT', ${`deposit-credit:${id}`}, 'THB', ${id}, null, ${NOW},
          ${[ledgerAccount.bank(accountId), ledgerAccount.suspense()]}, ${['-1', '1']}::numeric[])`;
    return id;
  }

  /** Every row that crediting a merchant has written, without random ids. */
  async function written(merchantId: string, ids: readonly string[]): Promise<unknown> {
    const { sql } = tenant.database;
    const place = new Map(ids.map((id, n) => [id, `order ${n}`]));
    const plain = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value)
          .replaceAll(merchantId, 'merchant')
          .replace(/[0-9a-f-]{36}/g, (id) => place.get(id) ?? 'an id'),
      );
    return plain({
      balance: await sql`
        select available, frozen, receivable, version, updated_at from merchant_balances
        where merchant_id = ${merchantId}`,
      orders: await sql`
        select * from deposit_orders where merchant_id = ${merchantId} order by id`,
      lines: await sql`
        select t.type, t.key, t.at, t.order_id, e.line, e.account, e.amount, e.balance_before,
          e.balance_after, e.version
        from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
        where t.order_id = any(${ids as string[]}::uuid[]) or e.account like ${`merchant%:${merchantId}%`}
        order by t.key, e.line`,
      events: await sql`
        select order_id, noun, type, actor, detail, at from order_events
        where order_id = any(${ids as string[]}::uuid[]) order by order_id, position`,
      callbacks: await sql`
        select order_id, order_no, notification_type, target_url, request_body, status, attempt_count,
          generation, next_attempt_at, created_at, updated_at
        from notification_logs where merchant_id = ${merchantId} order by order_id`,
      outbox: await sql`
        select noun, key, arguments - 'merchantCode' as arguments, due_at, created_at from outbox
        where key = any(${ids.map((id) => `callback:${id}:deposit_completed`)}) order by key`,
      held: await sql`
        select deposit_id, amount, held_at, release_at from held_credits
        where merchant_id = ${merchantId} order by deposit_id`,
    });
  }

  /** The outcome: credited or not, or the constraint that refused it. */
  const verdict = async (credit: Promise<boolean | undefined>): Promise<unknown> => {
    try {
      return await credit;
    } catch (error) {
      return brokenConstraint(error) ?? (error as { code?: string }).code;
    }
  };

  it('has the same effect alone and in a batch of one, for any order and merchant', async () => {
    const bodies = [
      async (credit: Credit) => await creditDeposit(tenant.database, credit),
      async (credit: Credit) => (await creditDeposits(tenant.database, [credit]))[0],
    ];
    const seen = new Map<unknown, number>();
    const credits = fc.array(step, { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(kind, credits, async (of, steps) => {
        const worlds = [];
        for (const body of bodies) {
          const { id } = await merchantOf(of);
          const ids: string[] = [];
          const verdicts = [];
          for (const { again, ...drawn } of steps) {
            if (!again || ids.length === 0) ids.push(await order(id, { again, ...drawn }));
            const [actual, fee] = [money('100'), money(drawn.fee)];
            const credit = {
              depositId: ids.at(-1) ?? '',
              merchantId: id,
              actual,
              fee,
              postings: LINES[drawn.lines](depositCredit(id, actual, fee)),
              callbackBody: '{}',
              now: new Date(NOW.getTime() + drawn.seconds * 1_000),
            };
            verdicts.push(await verdict(body(credit)));
          }
          worlds.push({ verdicts, written: await written(id, ids) });
        }
        const [alone, ofMany] = worlds;
        expect(alone).toEqual(ofMany);
        for (const one of alone?.verdicts ?? []) seen.set(one, (seen.get(one) ?? 0) + 1);
      }),
      { numRuns: 40, seed: 7 },
    );
    expect([...seen.keys()].sort()).toEqual([
      ...['CW002', 'CW003', 'deposit_orders_completed', false, 'ledger_entries_account', true],
    ]);
    expect(seen.get(true)).toBeGreaterThan(30);
    expect(await balanceFaults(tenant.database)).toEqual([]);
  }, 120_000);
});
