import { uuidv7 } from 'uuidv7';
import { creditDeposit } from '../../db/deposits/credits';
import { verifyLedger } from '../../db/ledger/ledger';
import { applyDecisions, findDecisions } from '../../db/withdrawals/withdrawals';
import { depositCredit, withdrawalReleased } from '../../domain/ledger';
import { money } from '../../domain/money';
import type { Actor } from '../../steps/access/actor';
import { creditedDeposit } from '../support/deposits';
import { type OperatorActor, Tenant, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';
import { eventsOf, postedFor } from '../support/withdrawals';

interface Recall {
  readonly change: { readonly id: string; readonly status: string; readonly money: unknown };
  readonly deposit: { readonly status: string } | null;
}

describe('the recall of a completed deposit', () => {
  let tenant: Tenant;
  let bob: OperatorActor;
  let cy: OperatorActor;
  let accountId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    bob = await tenant.person('bob', ['approve']);
    cy = await tenant.person('cy', ['approve']);
    accountId = await tenant.account();
    await tenant.operate('PutBanks', {
      currencyCode: 'THB',
      reason: 'test',
      banks: [{ bankCode: 'GOODBANK', name: 'Good Bank' }],
    });
  });
  beforeEach(() => {
    tenant.changes.onePerson = false;
  });
  afterEach(async () => {
    await expectWholeLedger(tenant);
  });
  afterAll(async () => {
    await tenant.close();
  });

  const merchantOf = async (): Promise<TestMerchant> =>
    await tenant.alone(async () => await tenant.merchant({ canWithdraw: true }));
  const recall = async (orderNo: string, fields: Record<string, unknown> = {}): Promise<Recall> =>
    await tenant.operate('RecallDeposit', {
      orderNo,
      reason: 'called back',
      evidence: { text: "the bank's letter" },
      ...fields,
    });
  const approve = async ({ change }: Recall, actor: Actor = bob): Promise<unknown> =>
    await tenant.operate('ApproveChange', { id: change.id, reason: 'seen' }, actor);
  const recalled = async (orderNo: string): Promise<unknown> => await approve(await recall(orderNo));
  const topUp = async ({ id }: TestMerchant, amount: string): Promise<unknown> =>
    await tenant.alone(
      async () =>
        await tenant.operate('TopUpBalance', {
          merchantId: id,
          currencyCode: 'THB',
          amount,
          reason: 'pays',
          evidence: { text: 'wire' },
        }),
    );
  /** `available frozen receivable` */
  const balance = async ({ id }: TestMerchant): Promise<string> => {
    const [row] = await tenant.database.sql<{ all: string }[]>`
      select concat_ws(' ', trim_scale(available), trim_scale(frozen), trim_scale(receivable)) as all
      from merchant_balances where merchant_id = ${id}`;
    return row?.all ?? '';
  };

  it('takes the received amount, by two people, and the order stays COMPLETED', async () => {
    const merchant = await merchantOf();
    const { id, orderNo } = await creditedDeposit(tenant, merchant, accountId);
    await topUp(merchant, '10');
    expect(await balance(merchant)).toBe('108.5 0 0');

    const proposed = await recall(orderNo);
    expect(proposed).toMatchObject({
      change: { status: 'PROPOSED', money: { amount: '-100.0000' } },
      deposit: null,
    });
    expect(await balance(merchant)).toBe('108.5 0 0');
    await expect(tenant.operate('ApproveChange', { id: proposed.change.id, reason: 'mine' })).rejects.toMatchObject({
      kind: 'AUTHORIZATION_ERROR',
    });

    await approve(proposed);
    expect(await balance(merchant)).toBe('8.5 0 0');
    expect(await tenant.operate('Deposit', { orderNo })).toMatchObject({
      status: 'COMPLETED',
      actualAmount: '100.0000',
      recall: {
        amount: '100.0000',
        fromAvailable: '100.0000',
        owed: '0.0000',
        accountId,
        changeId: proposed.change.id,
        reason: 'called back',
      },
    });
    expect(await eventsOf(tenant, id)).toEqual(['created', 'matched', 'completed', 'recalled']);
    expect((await postedFor(tenant, id)).filter((line) => line.includes('RECALL'))).toEqual([
      'DEPOSIT_RECALLED merchant:available -100.0000',
      'DEPOSIT_RECALLED bank 100.0000',
    ]);
  });

  it('uses the account of the named debit if the money arrived on several', async () => {
    const merchant = await merchantOf();
    const other = await tenant.alone(async () => await tenant.account());
    const { orderNo } = await tenant.deposit(merchant, { amount: '100' });
    const came = async (to: string, amount: string): Promise<string> => {
      const said = { accountId: to, amount, memo: '', bankReference: uuidv7() };
      return (await tenant.notify(said)).transfer.id;
    };
    const transferIds = [await came(accountId, '60'), await came(other, '40')];
    await tenant.alone(
      async () =>
        await tenant.operate('CombineTransfers', {
          transferIds,
          orderNo,
          reason: 'both',
          evidence: { text: 'seen' },
        }),
    );
    const [row] = await tenant.database.sql<{ id: string }[]>`
      select id from deposit_orders where order_no = ${orderNo}`;
    await creditDeposit(tenant.database, {
      depositId: row?.id ?? '',
      merchantId: merchant.id,
      actual: money('100'),
      fee: money('1.5'),
      postings: depositCredit(merchant.id, money('100'), money('1.5')),
      callbackBody: '{}',
      now: tenant.now(),
    });
    const { debit } = await tenant.operate<{ debit: { id: string } }>('RecordBankDebit', {
      input: {
        accountId: other,
        amount: '40',
        currencyCode: 'THB',
        memo: 'recalled',
        bankReference: uuidv7(),
        bankTime: tenant.now().toISOString(),
      },
    });
    // Neither account returns more than it received.
    await expect(recall(orderNo)).rejects.toThrow('of it 60.0000 THB to this one');
    await expect(recall(orderNo, { amount: '60.01' })).rejects.toThrow('several accounts');
    await expect(recall(orderNo, { amount: '41', debitId: debit.id })).rejects.toThrow('of it 40.0000 THB to this one');
    await approve(await recall(orderNo, { amount: '40', debitId: debit.id }));
    expect(await tenant.operate('Deposit', { orderNo })).toMatchObject({
      recall: { amount: '40.0000', accountId: other },
    });
  });

  it('turns the missing part into debt, which new credits cover first', async () => {
    const merchant = await merchantOf();
    const { orderNo } = await creditedDeposit(tenant, merchant, accountId);
    await recalled(orderNo);
    expect(await balance(merchant)).toBe('0 0 1.5');
    expect(await tenant.operate('Merchant', { id: merchant.id })).toMatchObject({
      balances: [{ available: '0.0000', receivable: '1.5000' }],
    });

    await expect(tenant.withdrawal(merchant, { amount: '1.00' })).rejects.toMatchObject({
      kind: 'INSUFFICIENT_MERCHANT_BALANCE',
    });
    await topUp(merchant, '1');
    expect(await balance(merchant)).toBe('0 0 0.5');
    await expect(tenant.withdrawal(merchant, { amount: '1.00' })).rejects.toMatchObject({
      kind: 'INSUFFICIENT_MERCHANT_BALANCE',
    });
    await creditedDeposit(tenant, merchant, accountId, { amount: '50', fee: '0' });
    expect(await balance(merchant)).toBe('49.5 0 0');
    expect(await tenant.withdrawal(merchant, { amount: '10.00' })).toMatchObject({
      status: 'PENDING',
    });
  });

  it('is covered by a rejected withdrawal’s release', async () => {
    const merchant = await merchantOf();
    const { orderNo } = await creditedDeposit(tenant, merchant, accountId, { fee: '0' });
    const { orderNo: asked } = await tenant.withdrawal<{ orderNo: string }>(merchant, {
      amount: '100.00',
    });
    await recalled(orderNo);
    expect(await balance(merchant)).toBe('0 100 100');
    const { id } = await tenant.operate<{ id: string }>('Withdrawal', { orderNo: asked });
    await tenant.operate('RejectWithdrawal', { orderNo: asked, remarks: 'no' }, bob);
    const [decision] = await findDecisions(tenant.database, [id]);
    const bodies = { approved: '{}', rejected: '{}', rejection: decision?.id ?? null };
    const release = withdrawalReleased(merchant.id, money('100'), money('0'));
    expect(await applyDecisions(tenant.database, id, bodies, release, new Date())).toBe(true);
    expect(await balance(merchant)).toBe('0 0 0');
  });

  it('happens once, although two proposals are approved concurrently', async () => {
    const merchant = await merchantOf();
    for (let round = 0; round < 10; round++) {
      const { id, orderNo } = await creditedDeposit(tenant, merchant, accountId, { fee: '0' });
      const both = [await recall(orderNo), await recall(orderNo)] as const;
      const outcomes = await Promise.allSettled([approve(both[0], bob), approve(both[1], cy)]);
      const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
      expect(refused).toMatchObject([{ kind: 'CONFLICT' }]);
      expect(await balance(merchant)).toBe('0 0 0');
      expect((await eventsOf(tenant, id)).filter((type) => type === 'recalled')).toHaveLength(1);
      await expect(recall(orderNo)).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
    }
  });

  it('and concurrent withdrawals never take the same money', async () => {
    for (let round = 0; round < 5; round++) {
      const merchant = await merchantOf();
      const { orderNo } = await creditedDeposit(tenant, merchant, accountId, { fee: '0' });
      const proposed = await recall(orderNo);
      const withdraw = async (): Promise<unknown> => await tenant.withdrawal(merchant, { amount: '10.00' });
      const [outcome, ...asked] = await Promise.allSettled([
        approve(proposed),
        ...Array.from({ length: 12 }, withdraw),
      ]);
      expect(outcome).toMatchObject({ status: 'fulfilled' });
      const accepted = asked.filter(({ status }) => status === 'fulfilled').length * 10;
      expect(await balance(merchant)).toBe(`0 ${accepted} ${accepted}`);
    }
  });

  it('is refused for a deposit that is not completed, and without evidence', async () => {
    const merchant = await merchantOf();
    const { orderNo } = await tenant.deposit(merchant);
    await expect(recall(orderNo)).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
    const done = await creditedDeposit(tenant, merchant, accountId);
    await expect(recall(done.orderNo, { evidence: { text: ' ' } })).rejects.toThrow('evidence');
    await expect(recall(done.orderNo, { reason: ' ' })).rejects.toThrow('reason');
    await expect(recall(uuidv7())).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  });

  it('is done once for one idempotencyKey', async () => {
    const merchant = await merchantOf();
    const { orderNo } = await creditedDeposit(tenant, merchant, accountId);
    const key = { idempotencyKey: uuidv7() };
    const [first, again] = [await recall(orderNo, key), await recall(orderNo, key)];
    expect(again.change.id).toBe(first.change.id);
  });

  it('is checked by the verification, which names differences', async () => {
    const merchant = await merchantOf();
    const { id, orderNo } = await creditedDeposit(tenant, merchant, accountId);
    await recalled(orderNo);
    const { sql } = tenant.database;
    const found = async (): Promise<string[]> => (await verifyLedger(tenant.database)).map(({ subject }) => subject);
    await sql`update merchant_balances set receivable = 1 where merchant_id = ${merchant.id}`;
    expect(await found()).toEqual([`balance ${merchant.id} THB`]);
    await sql`update merchant_balances set receivable = 1.5 where merchant_id = ${merchant.id}`;
    await sql`update deposit_recalls set from_available = 98, owed = 2 where deposit_id = ${id}`;
    expect(await found()).toEqual([`recall of ${orderNo}`, `account merchant_receivable:${merchant.id} THB`]);
    await sql`update deposit_recalls set from_available = 98.5, owed = 1.5 where deposit_id = ${id}`;
    await expect(sql`update merchant_balances set receivable = -1 where merchant_id = ${merchant.id}`).rejects.toThrow(
      'merchant_balances_receivable',
    );
  });

  it('appears in the trial balance by kind, which sums to zero', async () => {
    const merchant = await merchantOf();
    const { orderNo } = await creditedDeposit(tenant, merchant, accountId);
    await recalled(orderNo);
    const kinds =
      await tenant.operate<{ kind: string; credits: string; debits: string; balance: string }[]>('TrialBalanceByKind');
    const sum = (field: 'credits' | 'debits' | 'balance') =>
      kinds.reduce((total, one) => total.plus(one[field]), money('0'));
    expect(sum('balance').isZero()).toBe(true);
    expect(sum('credits').plus(sum('debits')).isZero()).toBe(true);
    expect(kinds.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['BANK', 'MERCHANT_AVAILABLE', 'MERCHANT_RECEIVABLE', 'SUSPENSE']),
    );
  });
});
