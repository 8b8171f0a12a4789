import { uuidv7 } from 'uuidv7';
import { expireDeposit } from '../../db/deposits/deposits';
import { makeFixture, newMerchant } from '../../chaos/ledger/fixture';
import { PlatformLedger } from '../../chaos/ledger/platform';
import { runLedger } from '../../chaos/ledger/run';
import type { Step } from '../../chaos/ledger/steps';
import { createTestDatabase } from './database';
import { creditedDeposit, matchedDeposit } from './deposits';
import { Tenant } from './tenant';

/** Cases of the ledger's model: enough for every type of posting. */
const CASES = 16;

/**
 * Books with rows of every kind that stands for money: those that the ledger's model makes, and what it has none of,
 * such as open orders, amounts given out, quotas, a settlement and debits.
 */
export async function tenantWithBooks(): Promise<Tenant> {
  const made = await createTestDatabase();
  const { violations } = await runLedger(made.url, { cases: CASES, seed: 20_260_203 });
  if (violations.length > 0) throw new Error(violations.join('\n'));
  const tenant = await Tenant.create(made);
  await addPayouts(tenant);
  await addDeposits(tenant);
  await addSettlement(tenant);
  return tenant;
}

/** Payouts by a channel: paid, returned, and paid after all. */
async function addPayouts({ database }: Tenant): Promise<void> {
  const fixture = await makeFixture(database);
  const platform = new PlatformLedger(database, fixture, await newMerchant(database, 0), false);
  const withdrawn = { act: 'withdraw', amount: 10_000n, fee: 100n } as const;
  const steps: readonly Step[] = [
    { act: 'topUp', amount: 100_000n },
    ...[0, 1, 2].flatMap((order): Step[] => [
      withdrawn,
      { act: 'approve', order },
      { act: 'send', order },
      { act: order < 2 ? 'pay' : 'fail', order },
    ]),
    { act: 'giveBack', order: 1 },
    { act: 'succeedLate', order: 2 },
  ];
  for (const step of steps)
    if (!(await platform.take(step))) throw new Error(`${step.act} had no effect`);
}

async function addDeposits(tenant: Tenant): Promise<void> {
  const { database } = tenant;
  // The accounts of the model take no further orders.
  await database.sql`update bank_accounts set status = 'DISABLED'`;
  const merchant = await tenant.merchant();
  const accountId = await tenant.account('THB', { limits: { maxDailyAmount: '100000' } });
  await creditedDeposit(tenant, merchant, accountId);
  const cancelled = await matchedDeposit(tenant, merchant, accountId);
  await tenant.operate('CancelDeposit', { orderNo: cancelled.orderNo, reason: 'test' });
  await matchedDeposit(tenant, merchant, accountId);
  await tenant.deposit(merchant);
  const { orderNo, expireAt } = await tenant.deposit(merchant);
  const [row] = await database.sql<{ id: string }[]>`
    select id from deposit_orders where order_no = ${orderNo}`;
  if (!(await expireDeposit(database, row?.id ?? '', null, new Date(expireAt))))
    throw new Error('a deposit did not expire');
  await database.sql`update bank_accounts set status = 'DISABLED'`;
  const float = { step: '1', up: '5', down: '5' };
  const ofAmounts = await tenant.account('THB', { mode: 'FLOAT', float });
  await tenant.deposit(merchant);
  await tenant.deposit(merchant);
  await tenant.operate('RecordBankDebit', {
    input: {
      ...{ accountId: ofAmounts, amount: '5', currencyCode: 'THB', bankReference: uuidv7() },
      ...{ memo: '', bankTime: tenant.now().toISOString() },
    },
  });
}

async function addSettlement(tenant: Tenant): Promise<void> {
  await tenant.operate('PutBanks', {
    ...{ currencyCode: 'THB', reason: 'test' },
    banks: [{ bankCode: 'GOODBANK', name: 'Good Bank' }],
  });
  const merchant = await tenant.merchant();
  await tenant.operate('TopUpBalance', {
    ...{ merchantId: merchant.id, currencyCode: 'THB', amount: '500', reason: 'test' },
    evidence: { text: 'test' },
  });
  await tenant.operate('CreateSettlementAccount', {
    input: {
      ...{ merchantId: merchant.id, currencyCode: 'THB', bankCode: 'GOODBANK' },
      ...{ accountNo: uuidv7(), accountHolder: 'The merchant' },
    },
    reason: 'test',
  });
  const [account] = await tenant.list<{ id: string }>('SettlementAccounts', {
    filter: { merchantId: [merchant.id] },
  });
  await tenant.operate('ProposeSettlement', {
    input: { settlementAccountId: account?.id ?? '', amount: '100', reference: 'one' },
    reason: 'test',
  });
}
