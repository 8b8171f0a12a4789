import { publishEvents } from '../../db/events/events';
import { CASHIER_STATUSES, CASHIER_TRANSITIONS } from '../../domain/cashier';
import { Tenant, type TestMerchant } from '../support/tenant';

interface View {
  readonly status: string;
  readonly order: { readonly orderNo: string; readonly status: string } | null;
}

describe('cashier sessions', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let accountId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    merchant = await tenant.cashierMerchant();
    accountId = await tenant.account();
  });
  afterAll(async () => {
    await tenant.close();
  });

  it('are published to every subscriber when they and their orders change', async () => {
    const session = await tenant.cashier(merchant);
    const other = await tenant.cashier(merchant);
    const actor = await tenant.graph.authenticateCashier(session.token);
    const changes = await tenant.graph.subscribe(actor);
    const publish = async (): Promise<void> => {
      await publishEvents(tenant.database, 1_000);
    };
    const next = async (): Promise<bigint> => {
      const change = await changes.next();
      if (change.done === true) throw new Error('it ended');
      return change.value.seq;
    };
    // Events that were not yet published when the subscription began arrive, too.
    await publish();
    const created = await next();

    await tenant.asPayer(other.token, 'SubmitCashierSession', { amount: '100' });
    const view = await tenant.asPayer<View>(session.token, 'SubmitCashierSession', {
      amount: '100',
    });
    await publish();
    const [first, second] = [await next(), await next()];
    expect(first > created && second > first).toBe(true);

    await tenant.operate('CancelDeposit', { orderNo: view.order?.orderNo, reason: 'test' });
    await publish();
    expect((await next()) > second).toBe(true);
    const now = await tenant.asPayer<View>(session.token, 'CashierView');
    expect(now.order?.status).toBe('CANCELLED');
    await changes.return?.();
    expect(tenant.graph.core.cashierChanges.size).toBe(0);
  });

  it('can be followed by payers only', async () => {
    for (const actor of [tenant.operator, merchant.actor])
      await expect(tenant.graph.subscribe(actor)).rejects.toMatchObject({
        kind: 'AUTHORIZATION_ERROR',
      });
  });

  it('are listed, found and shown with all fields', async () => {
    const user = 'listed';
    const session = await tenant.cashier(merchant, { userId: user, merchantOrderNo: 'L-1' });
    const other = await tenant.cashierMerchant();
    await tenant.cashier(other, { userId: user });
    const ids = async (filter: Record<string, unknown>): Promise<string[]> =>
      (await tenant.list<{ id: string }>('CashierSessions', { filter })).map(({ id }) => id);
    expect(await ids({ merchantOrderNo: 'L-1' })).toEqual([session.sessionId]);
    expect(await ids({ userId: user })).toHaveLength(2);
    expect(await ids({ userId: user, merchantId: [merchant.id] })).toEqual([session.sessionId]);
    expect(await ids({ userId: user, merchantId: [merchant.id, other.id] })).toHaveLength(2);
    expect(await ids({ userId: user, status: ['SUBMITTED', 'EXPIRED'] })).toEqual([]);
    const [newest] = await tenant.list<{ id: string }>('CashierSessions', { first: 1 });
    expect(newest?.id).not.toBe(session.sessionId);

    await tenant.asPayer(session.token, 'SubmitCashierSession', { amount: '100' });
    const detail = await tenant.operate<Record<string, unknown>>('CashierSession', {
      id: session.sessionId,
    });
    expect(detail).toMatchObject({
      status: 'SUBMITTED',
      deposit: { status: 'PENDING', amount: '100.0000' },
      timeline: [
        { type: 'created', actor: `merchant:${merchant.id}` },
        { type: 'submitted', actor: `payer:${session.sessionId}` },
      ],
      workflow: { id: `cashier:${session.sessionId}`, waitsFor: null },
    });
  });

  it('are visible to a restricted operator for its merchants', async () => {
    const session = await tenant.cashier(merchant);
    const stranger = tenant.operatorWith(['VIEW', 'SUPPORT'], [(await tenant.merchant()).id]);
    const shown = await tenant.operate<unknown>('CashierSession', { id: session.sessionId }, stranger);
    expect(shown).toBeNull();
    const list = await tenant.operate<{ nodes: unknown[] }>('CashierSessions', {}, stranger);
    expect(list.nodes).toEqual([]);
    const revoke = tenant.operate('RevokeCashierSession', { id: session.sessionId, reason: 'x' }, stranger);
    await expect(revoke).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  });

  it('allow payers’ operations only', async () => {
    const { token } = await tenant.cashier(merchant);
    const actor = await tenant.graph.authenticateCashier(token);
    for (const [name, variables] of [
      ['Deposits', {}],
      ['CashierSessions', {}],
      ['PaymentClaims', {}],
      ['Merchants', {}],
    ] as const)
      await expect(tenant.operate(name, variables, actor)).rejects.toMatchObject({
        kind: 'AUTHORIZATION_ERROR',
      });
  });

  it('change states only as the table allows', async () => {
    const { sql } = tenant.database;
    for (const from of CASHIER_STATUSES) {
      const made = async (): Promise<string> => {
        const { sessionId, token } = await tenant.cashier(merchant);
        if (from === 'SUBMITTED') await tenant.asPayer(token, 'SubmitCashierSession', { amount: '100' });
        if (from === 'EXPIRED') await sql`select expire_cashier_session(${sessionId}, now() + interval '1 hour')`;
        return sessionId;
      };
      const may = CASHIER_TRANSITIONS.EXPIRED.includes(from);
      const [expired] = await sql<{ done: boolean }[]>`
        select expire_cashier_session(${await made()}, now() + interval '1 hour') as done`;
      const [revoked] = await sql<{ done: boolean }[]>`
        select revoke_cashier_session(${await made()}, 'test', 'test', now()) as done`;
      expect([from, expired?.done, revoked?.done]).toEqual([from, may, may]);
    }
    const [early] = await sql<{ done: boolean }[]>`
      select expire_cashier_session(${(await tenant.cashier(merchant)).sessionId}, now()) as done`;
    expect(early?.done).toBe(false);
  });

  describe('with payment claims', () => {
    it('queue by age, rank candidates, credit nothing, and leave the queue when closed', async () => {
      const claim = async (reference: string): Promise<string> => {
        const { token } = await tenant.cashier(merchant, { amount: '100' });
        const view = await tenant.asPayer<View>(token, 'ClaimPayment', { reference });
        return view.order?.orderNo ?? '';
      };
      const [first, second] = [await claim('BANK REF 001'), await claim('BANK REF 002')];
      type Row = { id: string; deposit: { orderNo: string } };
      const queue = await tenant.list<Row>('PaymentClaims', { filter: { open: true } });
      expect(queue.map(({ deposit }) => deposit.orderNo)).toEqual([first, second]);

      // The bank credit names no order; the second payer claims its reference.
      const { transfer } = await tenant.notify({
        accountId,
        amount: '101.00',
        memo: 'no remark here',
        bankReference: 'bank ref 002',
      });
      expect(transfer.depositId).toBeNull();
      const { candidates } = await tenant.operate<{
        candidates: { deposit: { orderNo: string }; reasons: string[] }[];
      }>('BankTransfer', { id: transfer.id });
      expect(candidates[0]).toMatchObject({ deposit: { orderNo: second } });
      expect(candidates[0]?.reasons).toContain('CLAIMED_REFERENCE');
      const [order] = await tenant.database.sql<{ status: string }[]>`
        select status from deposit_orders where order_no = ${second}`;
      expect(order?.status).toBe('PENDING');

      await tenant.operate('ClosePaymentClaim', { id: queue[0]?.id, reason: 'called them' });
      const rest = await tenant.list<Row>('PaymentClaims', { filter: { open: true } });
      expect(rest.map(({ deposit }) => deposit.orderNo)).toEqual([second]);
      const closed = await tenant.list<Row>('PaymentClaims', { filter: { open: false } });
      expect(closed.map(({ deposit }) => deposit.orderNo)).toEqual([first]);
      const all = await tenant.list<Row>('PaymentClaims');
      expect(all.map(({ deposit }) => deposit.orderNo)).toEqual([first, second]);
      const again = tenant.operate('ClosePaymentClaim', { id: queue[0]?.id, reason: 'again' });
      await expect(again).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
    });

    it('wait for nobody once their order is paid', async () => {
      const { sql } = tenant.database;
      const { sessionId, token } = await tenant.cashier(merchant, { amount: '100' });
      await tenant.asPayer(token, 'ClaimPayment', { reference: 'BANK REF 003' });
      const claims = async (open: boolean): Promise<number> =>
        (await tenant.list('PaymentClaims', { filter: { open } })).length;
      const [waiting, others] = [await claims(true), await claims(false)];
      await sql`
        update deposit_orders set status = 'COMPLETED', actual_amount = amount, matched_at = now(), completed_at = now()
        where cashier_session_id = ${sessionId}`;
      expect([await claims(true), await claims(false)]).toEqual([waiting - 1, others + 1]);
      // The index of those that wait does not have it.
      const rows = await sql`
        select from payment_claims c join deposit_orders d on d.id = c.deposit_id
        where d.cashier_session_id = ${sessionId} and c.closed_at is null and c.paid_at = d.completed_at`;
      expect(rows).toHaveLength(1);
    });
  });
});
