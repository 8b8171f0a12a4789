import { uuidv7 } from 'uuidv7';
import { openTransferTask } from '../../db/payouts/payouts';
import { applyDecisions, findWithdrawal } from '../../db/withdrawals/withdrawals';
import type { Actor } from '../../steps/access/actor';
import { type OperatorActor, Tenant, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';
import { fundedMerchant, postedFor, reportDebit } from '../support/withdrawals';

const HOUR = 3_600_000;

interface Account {
  readonly id: string;
  readonly usableAt: string;
}
interface Settled {
  readonly id: string;
  readonly orderNo: string;
  readonly status: string;
}
interface Row {
  readonly line: number;
  readonly outcome: string;
  readonly code: string | null;
  readonly message: string | null;
  readonly withdrawal: Settled | null;
}

describe('settlements', () => {
  let tenant: Tenant;
  let bob: OperatorActor;
  let cy: OperatorActor;
  let tess: OperatorActor;
  let merchant: TestMerchant;
  let account: Account;
  /** Pays the settlements. */
  let accountId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    bob = await tenant.person('bob', ['approve']);
    cy = await tenant.person('cy', ['approve']);
    tess = await tenant.person('tess', ['treasurer', 'approve']);
    await tenant.operate('PutBanks', {
      currencyCode: 'THB',
      reason: 'test',
      banks: [{ bankCode: 'GOODBANK', name: 'Good Bank' }],
    });
    accountId = await tenant.account();
    tenant.changes.onePerson = false;
  });
  beforeEach(async () => {
    tenant.changes.coolingMs = 0;
    tenant.now = () => new Date();
    merchant = await tenant.alone(async () => await fundedMerchant(tenant, '1000'));
    account = await registered();
  });
  afterEach(async () => {
    await expectWholeLedger(tenant);
  });
  afterAll(async () => {
    await tenant.close();
  });

  const register = async (accountNo = uuidv7()): Promise<{ change: { id: string } }> =>
    await tenant.operate('CreateSettlementAccount', {
      input: {
        merchantId: merchant.id,
        currencyCode: 'THB',
        bankCode: 'GOODBANK',
        accountNo,
        accountHolder: 'The merchant',
      },
      reason: 'their letter',
    });
  const accounts = async (): Promise<Account[]> =>
    await tenant.list('SettlementAccounts', { filter: { merchantId: [merchant.id] } });
  const registered = async (accountNo?: string): Promise<Account> => {
    const { change } = await register(accountNo);
    await tenant.operate('ApproveChange', { id: change.id, reason: 'seen' }, bob);
    const [newest] = await accounts();
    if (!newest) throw new Error('no account');
    return newest;
  };
  const settle = async (amount: string, reference = uuidv7(), to = account, actor: Actor = tess): Promise<Settled> =>
    await tenant.operate(
      'ProposeSettlement',
      { input: { settlementAccountId: to.id, amount, reference }, reason: 'of November' },
      actor,
    );
  const approve = async ({ orderNo }: Settled, actor: Actor = bob): Promise<unknown> =>
    await tenant.operate('ApproveWithdrawal', { orderNo }, actor);
  const apply = async ({ id }: Settled): Promise<boolean> => {
    const bodies = { approved: '{}', rejected: '{}', rejection: null };
    return await applyDecisions(tenant.database, id, bodies, [], tenant.now());
  };
  /** `available frozen` */
  const balance = async (): Promise<string> => {
    const [row] = await tenant.database.sql<{ all: string }[]>`
      select concat_ws(' ', trim_scale(available), trim_scale(frozen)) as all
      from merchant_balances where merchant_id = ${merchant.id}`;
    return row?.all ?? '';
  };

  it('are paid to accounts registered by two people, after the cooling time', async () => {
    tenant.changes.coolingMs = 24 * HOUR;
    const before = await accounts();
    const { change } = await register('cooling');
    expect(await accounts()).toEqual(before);
    await expect(tenant.operate('ApproveChange', { id: change.id, reason: 'mine' })).rejects.toMatchObject({
      kind: 'AUTHORIZATION_ERROR',
    });
    const start = new Date();
    tenant.now = () => start;
    await tenant.operate('ApproveChange', { id: change.id, reason: 'seen' }, bob);
    const [fresh] = await accounts();
    expect(fresh).toMatchObject({
      accountNo: 'cooling',
      usableAt: new Date(start.getTime() + 24 * HOUR).toISOString(),
    });
    tenant.now = () => new Date(start.getTime() + 24 * HOUR - 1);
    await expect(settle('1', 'cold', fresh)).rejects.toThrow('cooling period');
    tenant.now = () => new Date(start.getTime() + 24 * HOUR);
    expect(await settle('1', 'cold', fresh)).toMatchObject({ status: 'PENDING' });
    await expect(register('cooling').then(approveChange)).rejects.toMatchObject({
      kind: 'CONFLICT',
    });
  });
  const approveChange = async ({ change }: { change: { id: string } }): Promise<unknown> =>
    await tenant.operate('ApproveChange', { id: change.id, reason: 'seen' }, bob);

  it('are proposed by one person, approved by another, and paid as withdrawals', async () => {
    const settled = await settle('400.50', 'nov-1');
    expect(settled).toMatchObject({
      origin: 'SETTLEMENT',
      status: 'PENDING',
      amount: '400.5000',
      fee: '0.0000',
      beneficiaryName: 'The merchant',
      reviewReasons: [],
      settlement: {
        reference: 'nov-1',
        reason: 'of November',
        account: { id: account.id },
        proposedBy: { login: 'tess' },
      },
    });
    // The merchant's own data is not sealed.
    expect(
      await tenant.database.sql`
        select beneficiary_name from withdrawal_orders where order_no = ${settled.orderNo}`,
    ).toEqual([{ beneficiaryName: 'The merchant' }]);
    expect(await balance()).toBe('599.5 400.5');
    await expect(approve(settled, tess)).rejects.toMatchObject({
      kind: 'AUTHORIZATION_ERROR',
      message: 'you cannot approve a settlement that you proposed',
    });
    await approve(settled);
    expect(await apply(settled)).toBe(true);
    const { id, orderNo } = settled;
    expect(await findWithdrawal(tenant.database, { id })).toMatchObject({
      status: 'APPROVED',
      approverLogin: 'bob',
    });
    await openTransferTask(tenant.database, uuidv7(), id, tenant.now());
    await tenant.operate('ClaimTransfer', { orderNo, accountId }, tess);
    await tenant.operate('BeginTransfer', { orderNo }, tess);
    const bankReference = uuidv7();
    await reportDebit(tenant, { accountId, amount: '400.5', bankReference });
    await tenant.operate('CompleteTransfer', { orderNo, bankReference }, tess);
    expect(await balance()).toBe('599.5 0');
    expect(await postedFor(tenant, id)).toEqual([
      'WITHDRAWAL_PAID merchant:frozen -400.5000',
      'WITHDRAWAL_PAID bank 400.5000',
    ]);
    const callbacks = await tenant.database.sql`
      select from notification_logs where order_id = ${id}`;
    expect(callbacks).toHaveLength(0);
  });

  it('are not listed among the merchant’s withdrawals', async () => {
    const { id, orderNo } = await settle('10');
    const [row] = await tenant.database.sql<{ merchantOrderNo: string }[]>`
      select merchant_order_no from withdrawal_orders where id = ${id}`;
    const own = await tenant.withdrawal<Settled & { merchantOrderNo: string }>(merchant, {
      amount: '1.00',
    });
    const seen = async (key: Record<string, string>): Promise<unknown> =>
      await findWithdrawal(tenant.database, { ...key, merchantId: merchant.id } as never);
    expect(await seen({ orderNo: own.orderNo })).toBeDefined();
    expect(await seen({ orderNo })).toBeUndefined();
    expect(await seen({ merchantOrderNo: row?.merchantOrderNo ?? '' })).toBeUndefined();
    const days = await tenant.database.sql<{ orders: number }[]>`
      select orders from withdrawal_days where merchant_id = ${merchant.id} and beneficiary = ''`;
    expect(days).toEqual([{ orders: 1 }]);
    const listed = async (origin: string): Promise<string[]> =>
      (
        await tenant.list<Settled>('Settlements', {
          filter: { origin: [origin], merchantId: [merchant.id] },
        })
      ).map((one) => one.orderNo);
    expect(await listed('SETTLEMENT')).toEqual([orderNo]);
    expect(await listed('MERCHANT')).toEqual([own.orderNo]);
  });

  it('freeze at most the available balance, and release it when rejected', async () => {
    await expect(settle('1000.01')).rejects.toMatchObject({
      kind: 'INSUFFICIENT_MERCHANT_BALANCE',
    });
    await expect(settle('0')).rejects.toThrow('amount');
    await expect(settle('1.001')).rejects.toThrow('amount');
    await expect(settle('1', 'x'.repeat(65))).rejects.toThrow('reference');
    expect(await balance()).toBe('1000 0');
    const outcomes = await Promise.allSettled(Array.from({ length: 15 }, async () => await settle('100')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await balance()).toBe('0 1000');
  });

  it('need two people beside the proposer above the merchant’s limit', async () => {
    await tenant.alone(
      async () =>
        await tenant.operate('PutReviewRules', {
          merchantId: merchant.id,
          currencyCode: 'THB',
          reason: 'test',
          rules: { autoApproveUpTo: '1000', twoPeopleAbove: '500', decideWithinMinutes: 30 },
        }),
    );
    const small = await settle('400');
    expect(small).toMatchObject({ status: 'PENDING', reviewReasons: [] });
    await approve(small);
    expect(await apply(small)).toBe(true);
    const large = await settle('500.01');
    expect(large).toMatchObject({ reviewReasons: ['ABOVE_TWO_PEOPLE'] });
    await approve(large);
    expect(await apply(large)).toBe(false);
    await approve(large, cy);
    expect(await apply(large)).toBe(true);
  });

  it('are deduplicated by reference, also under concurrency', async () => {
    const sent = await Promise.all(Array.from({ length: 8 }, async () => await settle('10', 'one')));
    expect(new Set(sent.map(({ orderNo }) => orderNo)).size).toBe(1);
    expect(await balance()).toBe('990 10');
    await expect(settle('11', 'one')).rejects.toMatchObject({ kind: 'CONFLICT' });
    const other = await registered();
    await expect(settle('10', 'one', other)).rejects.toMatchObject({ kind: 'CONFLICT' });
  });

  it('cannot be proposed to a disabled account; one person disables it', async () => {
    const waiting = await settle('10', 'before');
    await tenant.operate('DisableSettlementAccount', { id: account.id, reason: 'closed' });
    await expect(settle('10', 'after')).rejects.toThrow('disabled');
    await expect(approve(waiting)).rejects.toMatchObject({ kind: 'CONFLICT' });
    await tenant.operate('RejectWithdrawal', { orderNo: waiting.orderNo, remarks: 'closed' }, cy);
    expect(await settle('10', 'before')).toMatchObject({ orderNo: waiting.orderNo });
  });

  it('are not approved while their account is concurrently disabled', async () => {
    const waiting = await settle('10');
    const { transaction, sql } = tenant.database;
    const approving = await transaction(async (tx) => {
      await tx`
        update settlement_accounts set disabled_at = now(), disabled_reason = 'closed'
        where id = ${account.id}`;
      const approval = approve(waiting).then(
        () => 'approved',
        (error: unknown) => (error as Error).message,
      );
      // The transaction has read the account as open, and waits for its row.
      for (let found = 0; found === 0;)
        found = (
          await sql`
            select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'
              and query like '%settlement_accounts%for share%'`
        ).length;
      return { approval };
    });
    expect(await approving.approval).toContain('disabled');
  });

  it('are proposed by a file, each row with its outcome; a repeated file has no effect', async () => {
    const code = merchant.merchantCode;
    const file = [
      'reference,merchant,currency,amount,account',
      `f1,${code},THB,100.00,`,
      `f2,${code},THB,200,${account.id}`,
      `f3,${code},THB,9999,`,
      `f4,nobody,THB,1,`,
      `f5,${code},THB,one,`,
      `f6,${code},USD,1,`,
      `f1,${code},THB,5,`,
      '',
    ].join('\n');
    const send = async (): Promise<{ results: Row[]; succeeded: number; refused: number }> =>
      await tenant.operate('ProposeSettlements', { file, reason: 'November' }, tess);
    const { results: first, succeeded, refused } = await send();
    expect([succeeded, refused]).toEqual([2, 5]);
    expect(first.map(({ line, outcome, code: why }) => [line, outcome, why])).toEqual([
      [2, 'PROPOSED', null],
      [3, 'PROPOSED', null],
      [4, 'REFUSED', 'INSUFFICIENT_MERCHANT_BALANCE'],
      [5, 'REFUSED', 'NOT_FOUND'],
      [6, 'REFUSED', 'VALIDATION_ERROR'],
      [7, 'REFUSED', 'VALIDATION_ERROR'],
      [8, 'REFUSED', 'CONFLICT'],
    ]);
    expect(await balance()).toBe('700 300');
    const { results: again } = await send();
    expect(again.slice(0, 2).map(({ outcome }) => outcome)).toEqual(['REPEATED', 'REPEATED']);
    expect(again[0]?.withdrawal?.orderNo).toBe(first[0]?.withdrawal?.orderNo);
    expect(await balance()).toBe('700 300');
    await expect(tenant.operate('ProposeSettlements', { file: 'a,b\n', reason: 'x' }, tess)).rejects.toThrow(
      'headings',
    );
  });

  it('require the permission, within the operator’s merchants', async () => {
    await expect(settle('1', 'no', account, bob)).rejects.toMatchObject({
      kind: 'AUTHORIZATION_ERROR',
    });
    const elsewhere = tenant.operatorWith(['VIEW', 'TREASURER'] as never, [uuidv7()]);
    await expect(settle('1', 'no', account, elsewhere)).rejects.toMatchObject({
      kind: 'NOT_FOUND',
    });
    expect(await tenant.operate('SettlementAccounts', {}, elsewhere)).toMatchObject({ nodes: [] });
  });
});
