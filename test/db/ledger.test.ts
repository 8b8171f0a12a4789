import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import type { Sql } from 'postgres';
import { bankCredit, depositCredit, ledgerAccount } from '../../domain/ledger';
import { formatMoney, money } from '../../domain/money';
import { findBalances, postTransfer, trialBalance } from '../../db/ledger/ledger';
import { refusalOf } from '../../db/refusals';
import { balanceFaults } from '../support/whole-ledger';
import { Tenant } from '../support/tenant';

const NOW = new Date('2026-01-02T03:04:05.678Z');

describe('the ledger', () => {
  let tenant: Tenant;
  let sql: Sql;
  beforeAll(async () => {
    tenant = await Tenant.create();
    ({ sql } = tenant.database);
  });
  afterAll(async () => {
    await tenant.close();
  });

  const post = async (postings: readonly { account: string; amount: string }[], key = uuidv7()): Promise<boolean> =>
    await tenant.database.transaction(
      async (tx) =>
        await postTransfer(tx, {
          type: 'BALANCE_ADJUSTMENT',
          key: `balance-adjustment:${key}`,
          currencyCode: 'THB',
          orderId: null,
          bankTransferId: null,
          postings: postings.map(({ account, amount }) => ({ account, amount: money(amount) })),
          now: NOW,
        }),
    );

  const available = async (id: string): Promise<string> => {
    const [balance] = await findBalances(tenant.database, [id]);
    return `${formatMoney(balance?.available ?? money('-1'))} v${balance?.version ?? -1}`;
  };

  it('posts an event once', async () => {
    const { id } = await tenant.merchant();
    const lines = [
      { account: 'suspense', amount: '-5' },
      { account: ledgerAccount.merchantAvailable(id), amount: '5' },
    ];
    const key = uuidv7();
    expect(await post(lines, key)).toBe(true);
    expect(await post(lines, key)).toBe(false);
    expect(await available(id)).toBe('5.0000 v1');
  });

  it('refuses a transfer that does not sum to zero', async () => {
    await expect(
      post([
        { account: 'suspense', amount: '-5' },
        { account: 'fee_income', amount: '4.9999' },
      ]),
    ).rejects.toThrow('does not balance');
  });

  it('refuses an account that is not on the chart', async () => {
    await expect(
      post([
        { account: 'suspense', amount: '-5' },
        { account: 'my_pocket', amount: '5' },
      ]),
    ).rejects.toThrow('ledger_entries_account');
  });

  it('never lets a balance fall below zero', async () => {
    const { id } = await tenant.merchant();
    const overdraw = post([
      { account: ledgerAccount.merchantAvailable(id), amount: '-0.0001' },
      { account: 'suspense', amount: '0.0001' },
    ]);
    await expect(overdraw).rejects.toThrow();
    expect(refusalOf(await overdraw.catch((error: unknown) => error))?.code).toBe('INSUFFICIENT_MERCHANT_BALANCE');
    expect(await available(id)).toBe('0.0000 v0');
  });

  it.each(['update ledger_entries set amount = 1', 'delete from ledger_transfers', 'truncate ledger_entries'])(
    'is append-only: %s',
    async (statement) => {
      await expect(sql.unsafe(statement)).rejects.toThrow('append-only');
    },
  );

  it('has the same balances as a plain sum, for concurrent and sequential postings', async () => {
    const merchants = [await tenant.merchant(), await tenant.merchant()];
    const oracle = new Map(merchants.map(({ id }) => [id, money('0')]));
    const step = fc.record({
      who: fc.nat(merchants.length - 1),
      cents: fc.integer({ min: 1, max: 10_000_000 }),
      feeCents: fc.nat(100),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        await Promise.all(
          steps.map(async ({ who, cents, feeCents }) => {
            const id = merchants[who]?.id ?? '';
            const amount = money(`${cents + 100}`).div(100);
            const fee = money(`${feeCents}`).div(100);
            const lines = depositCredit(id, amount, fee);
            await post(lines.map(({ account, amount: a }) => ({ account, amount: a.toFixed() })));
            oracle.set(id, (oracle.get(id) ?? money('0')).plus(amount).minus(fee));
          }),
        );
        for (const { id } of merchants) {
          const [balance] = await findBalances(tenant.database, [id]);
          expect(formatMoney(balance?.available ?? money('-1'))).toBe(formatMoney(oracle.get(id) ?? money('-2')));
        }
      }),
      { numRuns: 60, seed: 4 },
    );
    expect(await balanceFaults(tenant.database)).toEqual([]);
  }, 300_000);

  it('has a trial balance that sums to zero per currency', async () => {
    await post(
      bankCredit(uuidv7(), money('12.34')).map(({ account, amount }) => ({
        account,
        amount: amount.toFixed(),
      })),
    );
    const accounts = await trialBalance(tenant.database);
    const sum = accounts.reduce((total, { balance }) => total.plus(balance), money('0'));
    expect(accounts.length).toBeGreaterThan(3);
    expect(sum.isZero()).toBe(true);
  });
});
