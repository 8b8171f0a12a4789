import { uuidv7 } from 'uuidv7';
import { alertPayoutsWithoutDebit, alertUnexplainedDebits } from '../../db/transfers/bank-debits';
import type { Actor } from '../../steps/access/actor';
import { Tenant, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';
import { fundedMerchant, transferUnderWay } from '../support/withdrawals';

interface Debit {
  id: string;
  attemptId: string | null;
  orderNo: string | null;
  explainedBy: string | null;
  explainedAt: string | null;
  reason: string | null;
}

describe('bank debits', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let accountId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    merchant = await fundedMerchant(tenant, '10000');
    accountId = await tenant.account();
  });
  afterAll(async () => {
    await expectWholeLedger(tenant);
    await tenant.close();
  });

  /** Records a debit, 100 THB by default, as the operator. */
  async function report(fields: Record<string, unknown> = {}, actor?: Actor): Promise<Debit> {
    const input = {
      accountId,
      amount: '100',
      currencyCode: 'THB',
      memo: '',
      bankTime: tenant.now().toISOString(),
      bankReference: uuidv7(),
      ...fields,
    };
    const { debit } = await tenant.operate<{ debit: Debit }>('RecordBankDebit', { input }, actor);
    return debit;
  }
  const underWay = async (amount?: string) =>
    await transferUnderWay(tenant, merchant, accountId, amount === undefined ? {} : { amount });
  const complete = async (orderNo: string, bankReference: string): Promise<void> => {
    await tenant.operate('CompleteTransfer', { orderNo, bankReference });
  };
  const explain = async (id: string, orderNo?: string, actor?: Actor): Promise<Debit> =>
    await tenant.operate('ExplainDebit', { id, reason: 'the bank says so', orderNo }, actor);
  const seen = async (id: string): Promise<Debit> => await tenant.operate('BankDebit', { id });

  it('that precede the completion of their task are assigned when it completes', async () => {
    const { orderNo, attemptId } = await underWay();
    const debit = await report({ bankReference: 'EARLY 1' });
    const others = [
      await report({ bankReference: 'EARLY 1', amount: '99' }),
      await report({ bankReference: 'EARLY 2' }),
    ];
    expect(debit.explainedAt).toBeNull();
    await complete(orderNo, 'early1');
    expect(await seen(debit.id)).toMatchObject({
      attemptId,
      orderNo,
      explainedBy: 'system',
      reason: null,
    });
    for (const { id } of others) expect((await seen(id)).explainedAt).toBeNull();

    const { payoutAttempts } = await tenant.operate<{
      payoutAttempts: { id: string; debit: { id: string } | null }[];
    }>('PayoutAttempts', { orderNo });
    expect(payoutAttempts).toMatchObject([{ id: attemptId, debit: { id: debit.id } }]);
  });

  it('do not match a manual payout that already has a debit', async () => {
    const { orderNo, attemptId } = await underWay();
    const first = await report({ memo: `${orderNo}-1`, bankReference: 'FIRST' });
    const second = await report({ bankReference: 'SECOND' });
    expect(first.attemptId).toBe(attemptId);
    await complete(orderNo, 'SECOND');
    expect((await seen(first.id)).attemptId).toBe(attemptId);
    expect((await seen(second.id)).attemptId).toBeNull();
  });

  it('prevent the release of a manual payout, because the money was sent', async () => {
    const tess = await tenant.person('tess', ['treasurer']);
    const { orderNo } = await underWay();
    await report({ memo: `${orderNo}-1` });
    const release = async () => await tenant.operate('ReleaseTransfer', { orderNo, reason: 'nothing went' }, tess);
    await expect(release()).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
    await complete(orderNo, uuidv7());
  });

  it('are explained by a person, once, with a row in the audit log', async () => {
    const debit = await report({ memo: 'monthly charge', amount: '15' });
    expect(await explain(debit.id)).toMatchObject({
      attemptId: null,
      reason: 'the bank says so',
      explainedBy: expect.stringMatching(/^operator:/) as unknown,
    });
    await expect(explain(debit.id)).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
    const entries = await tenant.database.sql`
      select reason from audit_log where action = 'explainDebit' and outcome = 'OK'
        and subject = ${`bank_debit:${debit.id}`}`;
    expect([...entries]).toEqual([{ reason: 'the bank says so' }]);
  });

  it('are assigned by a person to a withdrawal paid from their account', async () => {
    const { orderNo, attemptId } = await underWay('60');
    const other = await tenant.account();
    const here = await report({ amount: '60' });
    const elsewhere = await report({ amount: '60', accountId: other });
    const twice = await report({ amount: '60' });
    await expect(explain(here.id, 'W20260102AAAAAAAAAAAA')).rejects.toMatchObject({
      kind: 'NOT_FOUND',
    });
    await expect(explain(elsewhere.id, orderNo)).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
    expect(await explain(here.id, orderNo)).toMatchObject({ attemptId, orderNo });
    await expect(explain(twice.id, orderNo)).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
    await complete(orderNo, uuidv7());
    expect((await seen(twice.id)).explainedAt).toBeNull();
  });

  it('are a payout only if amount and payee agree, and not by the word of who approved or paid it', async () => {
    const { orderNo } = await underWay('61');
    const wrong = [
      [await report({ amount: '900000' }), 'the debit and the withdrawal have different amounts'],
      [
        await report({ amount: '61', payeeAccount: '0000000666' }),
        "the bank paid another account than the beneficiary's",
      ],
    ] as const;
    for (const [{ id }, message] of wrong) {
      await expect(explain(id, orderNo)).rejects.toMatchObject({ message });
      await explain(id);
    }
    const { id } = await report({ amount: '61' });
    tenant.changes.onePerson = false;
    try {
      await expect(explain(id, orderNo)).rejects.toMatchObject({
        message: 'you approved or paid this withdrawal: another person must explain its debit',
      });
      const rita = await tenant.person('rita', ['reconcile']);
      expect(await explain(id, orderNo, rita)).toMatchObject({ orderNo });
    } finally {
      tenant.changes.onePerson = true;
    }
  });

  it('require RECONCILE over all merchants', async () => {
    const { id } = await report();
    const input = {
      accountId,
      amount: '1',
      currencyCode: 'THB',
      memo: '',
      bankTime: tenant.now().toISOString(),
    };
    for (const actor of [
      tenant.operatorWith(['VIEW', 'TREASURER']),
      tenant.operatorWith(['VIEW', 'RECONCILE'], [merchant.id]),
    ]) {
      const refused = { kind: 'AUTHORIZATION_ERROR' };
      await expect(tenant.operate('ExplainDebit', { id, reason: 'mine' }, actor)).rejects.toMatchObject(refused);
      await expect(tenant.operate('RecordBankDebit', { input }, actor)).rejects.toMatchObject(refused);
    }
    const restricted = tenant.operatorWith(['VIEW'], [merchant.id]);
    await expect(tenant.operate('BankDebits', {}, restricted)).rejects.toMatchObject({
      kind: 'AUTHORIZATION_ERROR',
    });
  });

  it('are listed by account, time and whether they are explained', async () => {
    const mine = await tenant.account();
    const times = [1, 2, 3].map((hour) => new Date(Date.UTC(2026, 0, 1, hour)));
    const made: string[] = [];
    const { now } = tenant;
    for (const time of times) {
      tenant.now = () => time;
      made.push((await report({ accountId: mine, amount: '5' })).id);
    }
    tenant.now = now;
    await explain(made[1] ?? '');
    const list = async (filter: Record<string, unknown>): Promise<string[]> =>
      (await tenant.list<{ id: string }>('BankDebits', { filter })).map(({ id }) => id);
    const [first, second, third] = made;
    expect(await list({ accountId: [mine] })).toEqual([third, second, first]);
    expect(await list({ accountId: [mine], explained: false })).toEqual([third, first]);
    expect(await list({ accountId: [mine], explained: true })).toEqual([second]);
    const receivedAt = { from: times[1]?.toISOString(), to: times[2]?.toISOString() };
    expect(await list({ accountId: [mine], receivedAt })).toEqual([second]);
    expect(await list({ accountId: [mine], amount: { min: '6' } })).toEqual([]);
  });

  it('raise one alert each after an hour without an explanation', async () => {
    const { id } = await report();
    const explained = await report();
    await explain(explained.id);
    const alerts = async (debit: string): Promise<unknown[]> => [
      ...(await tenant.database.sql`
        select kind, about ->> 'reason' as reason from alerts where about ->> 'debitId' = ${debit}`),
    ];
    const before = await alertUnexplainedDebits(tenant.database, new Date(Date.now() - 3_600_000), 1_000, new Date());
    expect(await alerts(id)).toEqual([]);
    const later = new Date(Date.now() + 3_600_000);
    const waiting = await alertUnexplainedDebits(tenant.database, new Date(), 1_000, later);
    expect(waiting).toBeGreaterThan(before);
    // Repeated and concurrent sweeps raise no second alert.
    await Promise.all([1, 2].map(async () => await alertUnexplainedDebits(tenant.database, new Date(), 1_000, later)));
    expect(await alerts(id)).toEqual([{ kind: 'DEBIT_UNEXPLAINED', reason: '100.0000 THB left the account' }]);
    expect(await alerts(explained.id)).toEqual([]);
  });

  it('raise one alert when missing, for each completed manual payout', async () => {
    const { database } = tenant;
    const [seenOnce, unseen] = [await underWay(), await underWay()];
    await report({ memo: `${seenOnce.orderNo}-1` });
    await complete(seenOnce.orderNo, uuidv7());
    await complete(unseen.orderNo, uuidv7());
    const alerts = async (orderNo: string): Promise<unknown[]> => [
      ...(await database.sql`
        select about ->> 'reason' as reason from alerts
        where kind = 'PAYOUT_WITHOUT_DEBIT' and about ->> 'orderNo' = ${orderNo}`),
    ];
    const sweep = async (doneBefore: Date): Promise<void> => {
      await alertPayoutsWithoutDebit(database, doneBefore, 1_000, new Date());
    };
    await sweep(new Date(Date.now() - 3_600_000));
    expect(await alerts(unseen.orderNo)).toEqual([]);
    const later = new Date(Date.now() + 60_000);
    await Promise.all([sweep(later), sweep(later)]);
    await sweep(later);
    expect(await alerts(unseen.orderNo)).toEqual([
      { reason: '100.0000 THB is said to be paid, and no debit tells of it' },
    ]);
    expect(await alerts(seenOnce.orderNo)).toEqual([]);
    // For a payout older than a month the alert is already raised.
    await database.sql`delete from alerts where about ->> 'orderNo' = ${unseen.orderNo}`;
    await sweep(new Date(Date.now() + 31 * 86_400_000));
    expect(await alerts(unseen.orderNo)).toEqual([]);
  });
});
