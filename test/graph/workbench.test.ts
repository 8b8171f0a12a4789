import { uuidv7 } from 'uuidv7';
import { LIMITS } from '../../domain/limits';
import { verifyLedger } from '../../db/ledger/ledger';
import { alertOverdueCredits } from '../../db/transfers/credit-work';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createDepositActivities } from '../../temporal/activities/deposits';
import { clockFromNoon } from '../support/clock';
import { type OperatorActor, Tenant, type TestDeposit, type TestMerchant } from '../support/tenant';

interface Credit {
  readonly id: string;
  readonly unmatchedReason: string | null;
  readonly rest: string;
  readonly note: string | null;
  readonly owner: { readonly login: string } | null;
  readonly dueAt: string | null;
  readonly pays: readonly { readonly orderNo: string; readonly amount: string }[];
}
interface Answer {
  readonly change: { readonly id: string; readonly status: string };
}

describe('waiting money', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let accountId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    tenant.now = clockFromNoon();
    merchant = await tenant.merchant();
    accountId = await tenant.account();
  });
  afterAll(async () => {
    expect(await verifyLedger(tenant.database)).toEqual([]);
    await tenant.close();
  });

  const evidence = { text: 'the payer sent both receipts' };
  const came = async (amount: string, memo = uuidv7()): Promise<string> =>
    (await tenant.notify({ accountId, memo, amount, bankReference: uuidv7() })).transfer.id;
  const credit = async (id: string): Promise<Credit> => await tenant.operate<Credit>('BankTransfer', { id });
  const waiting = async (): Promise<number> =>
    (await tenant.list<{ id: string }>('UnmatchedTransfers', { first: 200 })).length;
  const orderOf = async ({ orderNo }: TestDeposit) =>
    await tenant.operate<{ status: string; actualAmount: string; fee: string }>('Deposit', {
      orderNo,
    });

  /** Credits matched money, as the order's workflow does. */
  async function settle({ orderNo }: TestDeposit): Promise<void> {
    const { database } = tenant;
    const clock = (): Promise<Date> => Promise.resolve(tenant.now());
    const [row] = await database.sql<{ id: string }[]>`
      select id from deposit_orders where order_no = ${orderNo}`;
    const steps = createDepositActivities({ database, clock });
    await new MockActivityEnvironment().run(async () => await steps.settleDeposit(row?.id ?? ''));
  }
  const combine = async (ids: readonly string[], { orderNo }: TestDeposit, who?: OperatorActor) =>
    await tenant.operate<Answer>(
      'CombineTransfers',
      { transferIds: ids, orderNo, reason: 'paid in parts', evidence },
      who,
    );
  const split = async (
    transferId: string,
    parts: readonly (readonly [TestDeposit, string])[],
    fields: Record<string, unknown> = {},
    who?: OperatorActor,
  ): Promise<Answer> =>
    await tenant.operate<Answer>(
      'SplitTransfer',
      {
        transferId,
        reason: 'paid at once',
        evidence,
        ...fields,
        parts: parts.map(([{ orderNo }, amount]) => ({ orderNo, amount })),
      },
      who,
    );

  it('of several credits pays one order, which is credited with their sum', async () => {
    const order = await tenant.deposit(merchant);
    const before = await waiting();
    const ids = [await came('60.00'), await came('40.00')];
    expect(await waiting()).toBe(before + 2);
    expect((await combine(ids, order)).change.status).toBe('APPLIED');
    expect(await orderOf(order)).toMatchObject({ status: 'MATCHED' });
    for (const id of ids)
      expect(await credit(id)).toMatchObject({
        unmatchedReason: null,
        rest: '0.0000',
        dueAt: null,
        pays: [{ orderNo: order.orderNo }],
      });
    await settle(order);
    // Exactly the order's amount: the fee is the quote.
    expect(await orderOf(order)).toMatchObject({
      status: 'COMPLETED',
      actualAmount: '100.0000',
      fee: '1.5000',
    });
    expect(await waiting()).toBe(before);
    await expect(combine(ids, await tenant.deposit(merchant))).rejects.toThrow('does not wait');
  });

  it('of one credit pays several orders, and its unused part is credited late', async () => {
    const [first, second] = [
      await tenant.deposit(merchant, { amount: '30.00' }),
      await tenant.deposit(merchant, { amount: '50.00' }),
    ];
    const id = await came('100.00');
    await expect(split(id, [[first, '100.01']])).rejects.toThrow('more than what is left');
    await split(id, [
      [first, '30.00'],
      [second, '50.00'],
    ]);
    expect(await credit(id)).toMatchObject({ rest: '20.0000', pays: [{}, {}] });
    expect((await credit(id)).unmatchedReason).not.toBeNull();
    await settle(first);
    // Cancelling one part releases that part only.
    await tenant.operate('CancelDeposit', { orderNo: second.orderNo, reason: 'test' });
    expect(await credit(id)).toMatchObject({ rest: '70.0000', unmatchedReason: 'REOPENED' });
    const rest = {
      transferId: id,
      orderNo: second.orderNo,
      reason: 'the payer wants it',
      evidence,
    };
    await tenant.operate('CreditLateMoney', rest);
    expect(await credit(id)).toMatchObject({ rest: '0.0000', unmatchedReason: null });
    expect(await orderOf(first)).toMatchObject({ status: 'COMPLETED', actualAmount: '30.0000' });
  });

  it.each([
    ['at once by one person', true],
    ['by two people', false],
  ])('of one credit pays an order, and the excess is returned to its payer: %s', async (_how, one) => {
    const [ann, ben] = [
      await tenant.person('ann', ['reconcile', 'approve']),
      await tenant.person('ben', ['reconcile', 'approve']),
    ];
    const order = await tenant.deposit(merchant, { amount: '30.00' });
    const id = await came('50.00');
    const rest = { returnRestTo: { name: 'Somchai', account: '12-34' } };
    await expect(split(id, [[order, '50.00']], rest)).rejects.toThrow('leave nothing to return');
    tenant.changes.onePerson = one;
    try {
      const { change } = await split(id, [[order, '30.00']], rest, ann);
      if (!one) {
        expect(change.status).toBe('PROPOSED');
        expect(await credit(id)).toMatchObject({ rest: '50.0000' });
        await tenant.operate('ApproveChange', { id: change.id, reason: 'seen' }, ben);
      }
      expect(await credit(id)).toMatchObject({
        rest: '0.0000',
        unmatchedReason: null,
        pays: [{ amount: '30.0000' }],
        returns: [{ status: 'OPEN', amount: '20.0000', payeeName: 'Somchai' }],
      });
      expect(await orderOf(order)).toMatchObject({ status: 'MATCHED' });
    } finally {
      tenant.changes.onePerson = true;
    }
    await settle(order);
    expect(await orderOf(order)).toMatchObject({ status: 'COMPLETED', actualAmount: '30.0000' });
    expect(await verifyLedger(tenant.database)).toEqual([]);
    // The returned amount is the one that was approved.
    const { sql } = tenant.database;
    const put = async (amount: string): Promise<unknown> =>
      await sql`update payer_returns set amount = ${amount} where bank_transfer_id = ${id}`;
    await put('19');
    const found = (await verifyLedger(tenant.database)).map((one) => JSON.stringify(one));
    expect(found.filter((one) => /return .* SPLIT_TRANSFER/.test(one))).toHaveLength(1);
    await put('20');
  });

  it('raises one alert each after the waiting time', async () => {
    const id = await came('6.00');
    const { dueAt } = await credit(id);
    const due = new Date(dueAt ?? 0);
    const sweep = async (now: Date): Promise<number> =>
      await alertOverdueCredits(
        tenant.database,
        new Date(now.getTime() - LIMITS.creditDueHours * 3_600_000),
        1_000,
        now,
      );
    const alerts = async (): Promise<unknown[]> => [
      ...(await tenant.database.sql`
        select about ->> 'accountId' as account from alerts
        where kind = 'CREDIT_OVERDUE' and about ->> 'transferId' = ${id}`),
    ];
    await sweep(new Date(due.getTime() - 1));
    expect(await alerts()).toEqual([]);
    expect(await sweep(due)).toBeGreaterThan(0);
    await Promise.all([sweep(due), sweep(due)]);
    expect(await alerts()).toEqual([{ account: accountId }]);
    const waited = await sweep(due);
    await tenant.operate('WriteOffMoney', { transferId: id, reason: 'test', evidence });
    expect(await sweep(due)).toBe(waited - 1);
  });

  it('is used once under concurrent splits', async () => {
    const id = await came('100.00');
    const orders = await Promise.all([0, 1, 2, 3].map(async () => await tenant.deposit(merchant, { amount: '40.00' })));
    const said = await Promise.allSettled(orders.map(async (order) => await split(id, [[order, '40.00']])));
    expect(said.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await credit(id)).toMatchObject({ rest: '20.0000' });
    // Split money is never matched as a whole.
    const { orderNo } = await tenant.deposit(merchant, { amount: '20.00' });
    await expect(tenant.operate('MatchTransfer', { transferId: id, orderNo, reason: 'test' })).rejects.toThrow();
  });

  it('takes two people where two are required, neither of whom entered it', async () => {
    const [treasurer, approver] = [
      await tenant.person('ann', ['reconcile', 'approve']),
      await tenant.person('ben', ['reconcile', 'approve']),
    ];
    const order = await tenant.deposit(merchant);
    const ids = [await came('60.00'), await came('40.00')];
    tenant.changes.onePerson = false;
    try {
      await expect(combine(ids, order)).rejects.toThrow('you entered');
      const { change } = await combine(ids, order, treasurer);
      expect(change.status).toBe('PROPOSED');
      expect(await orderOf(order)).toMatchObject({ status: 'PENDING' });
      await tenant.operate('ApproveChange', { id: change.id, reason: 'seen' }, approver);
      expect(await orderOf(order)).toMatchObject({ status: 'MATCHED' });
    } finally {
      tenant.changes.onePerson = true;
    }
  });

  it('has an owner, a note and a deadline', async () => {
    const id = await came('5.00');
    await tenant.operate('NoteTransfer', { transferId: id, mine: true });
    await tenant.operate('NoteTransfer', { transferId: id, note: 'asked the bank' });
    const { owner, note, dueAt } = await credit(id);
    expect(owner?.login).toBe('admin');
    expect(note).toBe('asked the bank');
    expect(new Date(dueAt ?? 0).getTime()).toBeGreaterThan(tenant.now().getTime());
    await tenant.operate('NoteTransfer', { transferId: id, mine: false });
    expect(await credit(id)).toMatchObject({ owner: null, note: 'asked the bank' });
  });

  it('of a second report is not money: its posting is reversed', async () => {
    const [sameAs, other, transferId] = [await came('8.00'), await came('9.00'), await came('8.00')];
    const asked = { transferId, reason: 'the statement has it once', evidence };
    await expect(tenant.operate('DismissDuplicate', { ...asked, sameAs: other })).rejects.toThrow('different amounts');
    const { change } = await tenant.operate<Answer>('DismissDuplicate', { ...asked, sameAs });
    expect(change.status).toBe('APPLIED');
    expect(await credit(transferId)).toMatchObject({ rest: '0.0000', unmatchedReason: null });
    expect(await credit(sameAs)).toMatchObject({ rest: '8.0000' });
  });
});
