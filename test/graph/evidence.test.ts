import { uuidv7 } from 'uuidv7';
import { verifyLedger } from '../../db/ledger/ledger';
import { clockFromNoon } from '../support/clock';
import { Tenant, type TestDeposit, type TestMerchant } from '../support/tenant';

interface Shown {
  readonly status: string;
  readonly payerName: string | null;
  readonly evidence: {
    readonly answer: string;
    readonly sentence: string;
    readonly lastReportAt: string | null;
    readonly credits: readonly {
      readonly differences: readonly string[];
      readonly amountDifference: string | null;
      readonly transfer: { readonly id: string };
    }[];
  };
}
interface Waiting {
  readonly sentence: string | null;
  readonly candidates: readonly {
    readonly differences: readonly string[];
    readonly deposit: { readonly orderNo: string; readonly payerName: string | null };
  }[];
}

describe('the evidence of an order that is not credited', () => {
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

  const shown = async ({ orderNo }: TestDeposit, who = tenant.operator): Promise<Shown> =>
    await tenant.operate<Shown>('Deposit', { orderNo }, who);
  const pay = async (memo: string, amount: string) =>
    (await tenant.notify({ accountId, memo, amount, bankReference: uuidv7() })).transfer;
  const cancel = async ({ orderNo }: TestDeposit, variables: Record<string, unknown> = {}): Promise<Shown> =>
    await tenant.operate<Shown>('CancelDeposit', { orderNo, reason: 'test', ...variables });
  const alertsOf = async (transferId: string): Promise<string[]> =>
    (
      await tenant.database.sql<{ kind: string }[]>`
        select kind from alerts where about ->> 'transferId' = ${transferId}`
    ).map(({ kind }) => kind);

  it('shows the bank credit, the difference, and the payer', async () => {
    const order = await tenant.deposit(merchant, { accountHolder: 'Alice Smith' });
    const { evidence: before } = await shown(order);
    expect(before).toMatchObject({ answer: 'ACCOUNT_SILENT', lastReportAt: null, credits: [] });
    const { id } = await pay(order.expectedRemark.toLowerCase(), '99.00');
    const { payerName, evidence } = await shown(order);
    expect(payerName).toBe('Alice Smith');
    expect(evidence.answer).toBe('MONEY_WAITS');
    expect(evidence.sentence).toMatch(/^99\.00 THB came at .* with this order's remark: 1\.00 short\.$/);
    expect(evidence.credits).toMatchObject([
      { transfer: { id }, amountDifference: '-1.0000', differences: ['1.00 short'] },
    ]);
    expect(evidence.lastReportAt).not.toBeNull();

    const waiting = await tenant.operate<Waiting>('BankTransfer', { id });
    expect(waiting.sentence).toContain(`with ${order.orderNo}'s remark: 1.00 short.`);
    expect(waiting.candidates[0]).toMatchObject({
      differences: ['1.00 short'],
      deposit: { orderNo: order.orderNo, payerName: 'Alice Smith' },
    });
    // A restricted operator sees the bank credit that names the order, and no other.
    await pay('', '100.00');
    expect((await shown(order)).evidence.credits).toHaveLength(2);
    const own = await shown(order, tenant.operatorWith(['VIEW'], [merchant.id]));
    expect(own.evidence.credits.map(({ transfer }) => transfer.id)).toEqual([id]);
  });

  it('lets a sandbox cancel an order at once whose money arrived, and shows the bank credit', async () => {
    const order = await tenant.deposit(merchant);
    const { id } = await pay(order.expectedRemark, '100.00');
    expect(await shown(order)).toMatchObject({
      status: 'MATCHED',
      evidence: { answer: 'CREDIT_FOLLOWS' },
    });
    const { status, evidence } = await cancel(order);
    expect(status).toBe('CANCELLED');
    expect(evidence.answer).toBe('MONEY_WAITS');
    expect(evidence.sentence).toContain('the order is cancelled');
    expect(evidence.credits[0]?.transfer.id).toBe(id);
    expect(await alertsOf(id)).toEqual(['MONEY_OF_CANCELLED']);
  });

  it('raises an alert if money arrives after the cancellation, or does not match before it', async () => {
    const late = await tenant.deposit(merchant, { amount: '250.00' });
    const short = await tenant.deposit(merchant);
    const { id: shortId } = await pay(short.expectedRemark, '99.00');
    await cancel(short);
    await cancel(late);
    expect((await shown(late)).evidence.credits).toEqual([]);
    const { id: lateId } = await pay(late.expectedRemark, '250.00');
    for (const id of [shortId, lateId]) expect(await alertsOf(id)).toEqual(['MONEY_OF_CANCELLED']);
    const { sentence } = await tenant.operate<Waiting>('BankTransfer', { id: lateId });
    expect(sentence).toContain(`with ${late.orderNo}'s remark: the order is cancelled.`);
  });

  it('requires a confirmation under two-person rules to cancel an order whose money arrived', async () => {
    const order = await tenant.deposit(merchant);
    await pay(order.expectedRemark, '100.00');
    tenant.changes.onePerson = false;
    try {
      await expect(cancel(order)).rejects.toThrow('its money came');
      expect(await cancel(order, { moneyCame: true })).toMatchObject({ status: 'CANCELLED' });
    } finally {
      tenant.changes.onePerson = true;
    }
  });
});
