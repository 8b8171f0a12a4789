import { uuidv7 } from 'uuidv7';
import { depositCredit } from '../../domain/ledger';
import { money, ZERO } from '../../domain/money';
import { proposeCloses } from '../../db/closes/closes';
import { markDepositSent, matchChannelDeposit, prepareChannelDeposit } from '../../db/deposits/channel-deposits';
import { creditDeposit } from '../../db/deposits/credits';
import { expireDeposit, findDepositCase } from '../../db/deposits/deposits';
import { purgeBatch } from '../../db/sandbox/purge';
import { makeFixture, newMerchant } from '../../chaos/ledger/fixture';
import { PlatformLedger } from '../../chaos/ledger/platform';
import { runLedger } from '../../chaos/ledger/run';
import type { Step } from '../../chaos/ledger/steps';
import { createTestChannel } from './channel-tenant';
import { createTestDatabase } from './database';
import { creditedDeposit, matchedDeposit } from './deposits';
import { StatementFiles } from './statement-files';
import { lateDeposit } from './late-money';
import { Tenant } from './tenant';
import { transferUnderWay } from './withdrawals';

/** Cases of the ledger's model: enough for every type of posting. */
const CASES = 16;

/**
 * Books with every kind of row about money: those that the ledger's model makes, and those that it lacks, such as
 * open orders, amounts given out, quotas, a settlement and debits.
 */
export async function tenantWithBooks(): Promise<Tenant> {
  const made = await createTestDatabase();
  const { violations } = await runLedger(made.url, { cases: CASES, seed: 20_260_203 });
  if (violations.length > 0) throw new Error(violations.join('\n'));
  const tenant = await Tenant.create(made);
  const channelId = await addPayouts(tenant);
  await addDeposits(tenant);
  await addSettlement(tenant);
  await addOperatorPostings(tenant, channelId);
  await addReturns(tenant);
  await addParts(tenant);
  await addStatements(tenant);
  await addLateMoney(tenant, channelId);
  await addChannelDays(tenant);
  await addBook(tenant);
  await addFees(tenant);
  await addVolumes(tenant);
  await addPrepaid(tenant);
  await addCommissions(tenant);
  return tenant;
}

/** Payouts by a channel: paid, returned, and paid after all. @returns the channel, which owes one of them */
async function addPayouts({ database }: Tenant): Promise<string> {
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
    withdrawn,
    { act: 'approve', order: 3 },
    { act: 'send', order: 3 },
    { act: 'refuse', order: 3 },
    { act: 'succeedLate', order: 3 },
  ];
  for (const step of steps) if (!(await platform.take(step))) throw new Error(`${step.act} had no effect`);
  return fixture.channelId;
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
      accountId: ofAmounts,
      amount: '5',
      currencyCode: 'THB',
      bankReference: uuidv7(),
      memo: '',
      bankTime: tenant.now().toISOString(),
    },
  });
}

async function addSettlement(tenant: Tenant): Promise<void> {
  await tenant.operate('PutBanks', {
    currencyCode: 'THB',
    reason: 'test',
    banks: [{ bankCode: 'GOODBANK', name: 'Good Bank' }],
  });
  const merchant = await tenant.merchant();
  await tenant.operate('TopUpBalance', {
    merchantId: merchant.id,
    currencyCode: 'THB',
    amount: '500',
    reason: 'test',
    evidence: { text: 'test' },
  });
  await tenant.operate('CreateSettlementAccount', {
    input: {
      merchantId: merchant.id,
      currencyCode: 'THB',
      bankCode: 'GOODBANK',
      accountNo: uuidv7(),
      accountHolder: 'The merchant',
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

const AGREED = { reason: 'test', evidence: { text: 'test' } };

/** What a bank reports on an account. */
const cameTo = async (tenant: Tenant, accountId: string, amount: string): Promise<string> =>
  (await tenant.notify({ accountId, amount, memo: '', bankReference: uuidv7() })).transfer.id;
const leftFrom = async (tenant: Tenant, accountId: string, amount: string): Promise<string> => {
  const { debit } = await tenant.operate<{ debit: { id: string } }>('RecordBankDebit', {
    input: {
      accountId,
      amount,
      currencyCode: 'THB',
      bankReference: uuidv7(),
      memo: '',
      bankTime: tenant.now().toISOString(),
    },
  });
  return debit.id;
};

/** Every kind of posting by operators, one of them taken back. */
async function addOperatorPostings(tenant: Tenant, channelId: string): Promise<void> {
  const merchant = await tenant.merchant();
  const [accountId, otherId] = [await tenant.account(), await tenant.account()];
  const came = async (amount: string): Promise<string> => await cameTo(tenant, accountId, amount);
  const left = async (amount: string): Promise<string> => await leftFrom(tenant, accountId, amount);
  const post = async (name: string, variables: Record<string, unknown>): Promise<string> => {
    const { postings } = await tenant.operate<{ postings: { id: string }[] }>(name, {
      ...AGREED,
      ...variables,
    });
    return postings[0]?.id ?? '';
  };
  const merchantId = merchant.id;
  const channel = { channelId, currencyCode: 'THB' };
  await post('OpenBook', { accountId, amount: '1000' });
  await post('CorrectBook', { accountId, amount: '-1' });
  await post('CreditLateMoney', { transferId: await came('100'), merchantId });
  const wrong = await post('CreditLateMoney', { transferId: await came('50'), merchantId });
  await post('ReversePosting', { id: wrong });
  await post('CreditTopUp', { transferId: await came('20'), merchantId });
  await post('WriteOffMoney', { transferId: await came('30'), amount: '10' });
  const twice = { transferId: await came('21'), sameAs: await came('21') };
  await post('DismissDuplicate', twice);
  await post('PostInterest', { transferId: await came('3') });
  await post('PostBankCharge', { debitId: await left('5'), amount: '4' });
  await post('TakeProfit', { debitId: await left('1') });
  const transferId = await cameTo(tenant, otherId, '70');
  await post('MoveOwnMoney', { input: { debitId: await left('70'), transferId } });
  await post('MoveOwnMoney', { input: { debitId: await left('60'), toChannelId: channelId } });
  await post('MoveOwnMoney', {
    input: { fromChannelId: channelId, amount: '9', currencyCode: 'THB' },
  });
  await post('PostChannelCharge', { ...channel, amount: '2' });
  await post('SettleChannelClaim', { ...channel, amount: '6' });
  await post('SettleChannelClaim', { ...channel, amount: '7', transferId: await came('7') });
  await post('WriteOffChannelClaim', { ...channel, amount: '8' });
  const [paid] = await tenant.database.sql<{ orderNo: string; amount: string }[]>`
    select order_no, amount::text from withdrawal_orders
    where status = 'COMPLETED' and account_id is not null order by id limit 1`;
  if (!paid) throw new Error('the model has no manual payout');
  const { orderNo, amount } = paid;
  await post('ReturnPayout', { orderNo, transferId: await came(amount) });
}

/** Money of another payer than announced, which the merchant's rules return. */
async function sendBackByRules(tenant: Tenant): Promise<void> {
  const merchant = await tenant.merchant();
  await tenant.operate('PutPayerRules', {
    merchantId: merchant.id,
    currencyCode: 'THB',
    rules: { comparison: 'RETURN' },
    reason: 'test',
  });
  const actor = await tenant.actorOf(merchant.apiKey);
  const { orderNo } = await tenant.deposit({ ...merchant, actor }, { accountHolder: 'Ann Lee' });
  const [order] = await tenant.database.sql<{ accountId: string; amount: string; memo: string }[]>`
    select account_id, amount::text, coalesce(expected_remark, '') as memo from deposit_orders
    where order_no = ${orderNo}`;
  const { transfer } = await tenant.notify({
    ...order,
    bankReference: uuidv7(),
    payerName: 'Bob Ray',
    payerAccount: '55-667788',
  });
  if (transfer.unmatchedReason !== null) throw new Error('the money of another payer stays');
}

/** Refunds and returns to payers: paid, cancelled and open, from waiting money and from deposits. */
async function addReturns(tenant: Tenant): Promise<void> {
  const merchant = await tenant.merchant();
  const accountId = await tenant.account();
  const payee = { name: 'The payer', account: '123' };
  const open = async (name: string, variables: Record<string, unknown>): Promise<string> => {
    const { payerReturn } = await tenant.operate<{ payerReturn: { id: string } }>(name, {
      ...AGREED,
      payee,
      ...variables,
    });
    return payerReturn.id;
  };
  const pay = async (id: string): Promise<void> => {
    await tenant.operate('BeginReturn', { id, accountId });
    await tenant.operate('CompleteReturn', { id, bankReference: uuidv7() });
  };
  const transferId = await cameTo(tenant, accountId, '100');
  await pay(await open('ReturnMoney', { transferId, amount: '60' }));
  await sendBackByRules(tenant);
  const { orderNo } = await creditedDeposit(tenant, merchant, accountId);
  await pay(await open('RefundDeposit', { orderNo, amount: '30' }));
  await tenant.operate('CancelReturn', {
    id: await open('RefundDeposit', { orderNo, amount: '20' }),
    reason: 'test',
  });
  await open('RefundDeposit', { orderNo, amount: '10' });
}

/** Money that a channel received too late: one used in parts, one that was there when its order was cancelled. */
async function addLateMoney(tenant: Tenant, channelId: string): Promise<void> {
  const merchant = await tenant.merchant();
  // An account of mode FLOAT would ask for another amount than comes.
  await tenant.database.sql`update bank_accounts set status = 'DISABLED'`;
  await tenant.account();
  const orderNo = await lateDeposit(tenant, merchant, channelId);
  await tenant.operate('ReturnLateMoney', { orderNo, amount: '30', ...AGREED });
  await tenant.operate('WriteOffMoney', { orderNo, amount: '20', ...AGREED });
  await tenant.operate('CreditLateMoney', { orderNo, ...AGREED });
  await lateDeposit(tenant, merchant, channelId, true);
}

/** A channel with limits: it has the money of an order, and another one is open there. */
async function addChannelDays(tenant: Tenant): Promise<void> {
  const { database } = tenant;
  const merchant = await tenant.merchant({}, [{ currencyCode: 'USD' }]);
  const deposits = { currencies: ['USD'], maxDailyAmount: '1000' };
  const { id } = await createTestChannel(tenant, { kind: 'MOCK' }, { currencies: [], deposits });
  const core = tenant.graph.core as { openWithinMs?: number };
  core.openWithinMs = 0;
  for (const amount of ['100', '50'])
    await tenant.deposit(merchant, { amount, currencyCode: 'USD' }).catch(() => undefined);
  delete core.openWithinMs;
  const [order] = await database.sql<{ id: string }[]>`
    select id from deposit_orders where channel_id = ${id} and amount = 100`;
  const [attemptId, now] = [uuidv7(), tenant.now()];
  await prepareChannelDeposit(database, attemptId, order?.id ?? '', id, ZERO, now);
  await markDepositSent(database, attemptId, now);
  const receipt = { received: money('100'), charge: ZERO, cost: ZERO };
  await matchChannelDeposit(database, attemptId, 'C1', receipt, null, now);
}

/** Two credits that pay one order together, and one that pays two orders and is more than they ask for. */
async function addParts(tenant: Tenant): Promise<void> {
  const { database } = tenant;
  const merchant = await tenant.merchant();
  const accountId = await tenant.account();
  const asked = { reason: 'test', evidence: { text: 'test' } };
  const matched: string[] = [];
  const order = async (amount: string): Promise<string> => {
    const { orderNo } = await tenant.deposit(merchant, { amount });
    matched.push(orderNo);
    return orderNo;
  };
  const came = async (amount: string): Promise<string> => await cameTo(tenant, accountId, amount);
  await tenant.operate('CombineTransfers', {
    transferIds: [await came('60'), await came('40')],
    orderNo: await order('100'),
    ...asked,
  });
  const parts = [
    { orderNo: await order('30'), amount: '30' },
    { orderNo: await order('50'), amount: '55' },
  ];
  await tenant.operate('SplitTransfer', { transferId: await came('100'), parts, ...asked });
  for (const orderNo of matched) {
    const [row] = await database.sql<{ id: string }[]>`
      select id from deposit_orders where order_no = ${orderNo}`;
    const deposit = await findDepositCase(database, row?.id ?? '');
    if (!deposit?.received || !deposit.charge) throw new Error('a deposit has no parts');
    const { id: depositId, merchantId, received: actual, charge: fee } = deposit;
    const postings = depositCredit(merchantId, actual, fee);
    const now = tenant.now();
    await creditDeposit(database, {
      depositId,
      merchantId,
      actual,
      fee,
      postings,
      callbackBody: '{}',
      now,
    });
  }
}

/** A fee schedule of two versions. */
async function addFees(tenant: Tenant): Promise<void> {
  const { id: merchantId } = await tenant.merchant();
  for (const percent of ['1', '2'])
    await tenant.operate('PutFeeSchedule', {
      input: {
        merchantId,
        currencyCode: 'THB',
        orderKind: 'DEPOSIT',
        percent,
        tiers: [{ from: '1000', percent: '0.5', fixed: '1' }],
      },
      reason: 'test',
    });
}

/** A merchant whose fees go by the volume of the month, with completed deposits. */
async function addVolumes(tenant: Tenant): Promise<void> {
  await tenant.database.sql`update bank_accounts set status = 'DISABLED'`;
  const accountId = await tenant.account();
  const merchant = await tenant.merchant();
  await tenant.operate('PutFeeSchedule', {
    input: {
      merchantId: merchant.id,
      currencyCode: 'THB',
      orderKind: 'DEPOSIT',
      percent: '1',
      tierBy: 'MONTH_VOLUME',
      tiers: [{ from: '100', percent: '0.5' }],
    },
    reason: 'test',
  });
  await creditedDeposit(tenant, merchant, accountId);
  await creditedDeposit(tenant, merchant, accountId, { amount: '200' });
}

/** Deposits of a merchant that prepays: open, paid, and one that ended without money. */
async function addPrepaid(tenant: Tenant): Promise<void> {
  // An account of mode FLOAT would ask for another amount than comes.
  await tenant.database.sql`update bank_accounts set status = 'DISABLED'`;
  const accountId = await tenant.account();
  const merchant = await tenant.merchant({}, [{ currencyCode: 'THB', depositFee: { percent: '1.5' }, prepaid: true }]);
  await tenant.operate('TopUpBalance', {
    merchantId: merchant.id,
    currencyCode: 'THB',
    amount: '10',
    ...AGREED,
  });
  await creditedDeposit(tenant, merchant, accountId);
  await creditedDeposit(tenant, merchant, accountId, { amount: '200', fee: '3.5' });
  const { orderNo } = await tenant.deposit(merchant);
  await tenant.operate('CancelDeposit', { orderNo, reason: 'test' });
  await tenant.deposit(merchant);
}

/**
 * Shares of fees that a reseller earned: of a deposit, of a payout whose return was revoked, and of late money; one taken
 * back, one paid.
 */
async function addCommissions(tenant: Tenant): Promise<void> {
  await tenant.database.sql`update bank_accounts set status = 'DISABLED'`;
  const accountId = await tenant.account();
  const merchant = await tenant.merchant({ canWithdraw: true, returnsPayoutFee: true });
  await tenant.operate('TopUpBalance', {
    merchantId: merchant.id,
    currencyCode: 'THB',
    amount: '1000',
    ...AGREED,
  });
  const { id: resellerId } = await tenant.operate<{ id: string }>('CreateReseller', {
    name: 'The reseller',
    reason: 'test',
  });
  const put = async (orderKind: string, percent: string): Promise<string> => {
    const { rate } = await tenant.operate<{ rate: { id: string } }>('PutCommissionRate', {
      input: {
        merchantId: merchant.id,
        currencyCode: 'THB',
        resellerId,
        orderKind,
        percent,
      },
      reason: 'test',
    });
    return rate.id;
  };
  await put('DEPOSIT', '9');
  await put('DEPOSIT', '20');
  const commissionRateId = await put('WITHDRAWAL', '10');
  const actor = await tenant.actorOf(merchant.apiKey);
  await creditedDeposit(tenant, { ...merchant, actor }, accountId);
  const late = { merchantId: merchant.id, ...AGREED };
  const post = async (name: string, variables: Record<string, unknown>): Promise<string> => {
    const { postings } = await tenant.operate<{ postings: { id: string }[] }>(name, variables);
    return postings[0]?.id ?? '';
  };
  await post('CreditLateMoney', { ...late, transferId: await cameTo(tenant, accountId, '1000') });
  const { orderNo } = await transferUnderWay(tenant, merchant, accountId, { commissionRateId });
  await tenant.operate('CompleteTransfer', { orderNo, bankReference: uuidv7() });
  const returned = await post('ReturnPayout', {
    orderNo,
    transferId: await cameTo(tenant, accountId, '100'),
    ...AGREED,
  });
  await post('ReversePosting', { id: returned, ...AGREED });
  await post('PayCommission', {
    debitId: await leftFrom(tenant, accountId, '0.2'),
    resellerId,
    ...AGREED,
  });
}

/** A statement whose lines were reported, are new, are explained by a rule, or known from before; and all days closed. */
async function addStatements(tenant: Tenant): Promise<void> {
  const files = await StatementFiles.create(tenant);
  const accountId = await tenant.account();
  const limits = { maxAmount: '10', maxDayAmount: '100' };
  await tenant.operate('PutStatementRule', {
    input: {
      name: 'charges',
      action: 'BANK_CHARGE',
      direction: 'DEBIT',
      memoPattern: 'fee',
      currencyCode: 'THB',
      accountId,
      ...limits,
    },
    reason: 'test',
  });
  await tenant.notify({ accountId, amount: '40', memo: '', bankReference: 'paired' });
  const yesterday = files.at(24 * 60);
  const rows = [
    ...[`${yesterday},40.00,,paired,40.00`, `${yesterday},60.00,one,,100.00`],
    ...[`${yesterday},60.00,two,,160.00`, `${yesterday},-3.00,fee,F1,157.00`],
    ...[`${yesterday},-4.00,a payment,F2,153.00`, `${yesterday},x,broken,,`],
  ];
  await files.take(accountId, rows);
  await files.take(accountId, rows);
  await proposeCloses(tenant.database, 1_000, tenant.now());
  for (const { id } of await tenant.list<{ id: string }>('DayCloses', {
    first: 100,
    sort: 'DAY_ASC',
  }))
    await tenant.operate('CloseDay', { id, reason: 'test' });
}

/** A book that a purge has opened: of one of a merchant's two credits, on an account with a quota. */
async function addBook(tenant: Tenant): Promise<void> {
  const { database } = tenant;
  const merchant = await tenant.merchant();
  const accountId = await tenant.account('THB', { limits: { maxDailyAmount: '100000' } });
  const { id } = await creditedDeposit(tenant, merchant, accountId);
  await creditedDeposit(tenant, merchant, accountId);
  const [before] = await database.sql<{ id: string }[]>`
    select id from deposit_orders where id < ${id} order by id desc limit 1`;
  await endWork(tenant);
  const now = new Date(Date.now() + 1_000);
  const { gone } = await purgeBatch(database, 'deposits', {
    before: now,
    after: before?.id ?? '',
    limit: 1,
    now,
  });
  if (gone !== 1) throw new Error(`the purge took ${gone} deposits`);
}

/** As if every workflow had been started and every callback delivered. */
export async function endWork({ database: { sql } }: Tenant): Promise<void> {
  await sql`delete from outbox`;
  await sql`
    update notification_logs set status = 'SUCCESS', next_attempt_at = null, lease_until = null
    where status in ('SENDING', 'WAITING_RETRY')`;
}
