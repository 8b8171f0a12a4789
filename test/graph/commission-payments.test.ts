import { uuidv7 } from 'uuidv7';
import type { Actor } from '../../steps/access/actor';
import { creditedDeposit } from '../support/deposits';
import { type OperatorActor, Tenant, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';

interface Posted {
  readonly change: { readonly id: string; readonly status: string } | null;
  readonly postings: readonly { readonly id: string }[];
}

const AGREED = { reason: 'test', evidence: { text: 'the contract' } };

describe('payments of commissions', () => {
  let tenant: Tenant;
  let bob: OperatorActor;
  let cy: OperatorActor;
  let accountId: string;
  let merchant: TestMerchant;
  let resellerId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    bob = await tenant.person('bob', ['approve', 'treasurer']);
    cy = await tenant.person('cy', ['reconcile']);
    accountId = await tenant.account();
  });
  beforeEach(async () => {
    merchant = await tenant.merchant();
    ({ id: resellerId } = await tenant.operate<{ id: string }>('CreateReseller', {
      name: uuidv7(),
      reason: 'test',
    }));
    await tenant.operate('PutCommissionRate', {
      input: {
        merchantId: merchant.id,
        currencyCode: 'THB',
        orderKind: 'DEPOSIT',
        resellerId,
        percent: '20',
      },
      reason: 'agreed',
    });
    const actor = await tenant.actorOf(merchant.apiKey);
    await creditedDeposit(tenant, { ...merchant, actor }, accountId, { fee: '5' });
    tenant.changes.onePerson = false;
  });
  afterEach(async () => {
    tenant.changes.onePerson = true;
    await expectWholeLedger(tenant);
  });
  afterAll(async () => {
    await tenant.close();
  });

  /** A bank debit of the account, entered by a person. */
  const left = async (amount: string): Promise<string> => {
    const { debit } = await tenant.operate<{ debit: { id: string } }>(
      'RecordBankDebit',
      {
        input: {
          accountId,
          amount,
          currencyCode: 'THB',
          bankReference: uuidv7(),
          memo: '',
          bankTime: tenant.now().toISOString(),
        },
      },
      cy,
    );
    return debit.id;
  };
  const post = async (name: string, variables: Record<string, unknown>): Promise<Posted> =>
    await tenant.operate(name, { ...AGREED, ...variables });
  const pay = async (amount: string): Promise<Posted> =>
    await post('PayCommission', { resellerId, debitId: await left(amount) });
  const approve = async ({ change }: Posted, actor: Actor = bob): Promise<unknown> =>
    await tenant.operate('ApproveChange', { id: change?.id ?? '', reason: 'seen' }, actor);
  /** `earned reversed paid owed` in THB. */
  const sums = async (): Promise<string> => {
    const { sums: all } = await tenant.operate<{ sums: Record<string, string>[] }>('Reseller', {
      id: resellerId,
    });
    return all.map((one) => ['earned', 'reversed', 'paid', 'owed'].map((of) => Number(one[of])).join(' ')).join();
  };
  const payments = async (): Promise<{ id: string; amount: string }[]> =>
    await tenant.list('OperatorPostings', { filter: { resellerId: [resellerId] } });

  it('are posted by two people who did not enter the debit, and never exceed the owed amount', async () => {
    expect(await sums()).toBe('1 0 0 1');
    const proposed = await pay('0.4');
    expect(proposed).toMatchObject({ change: { status: 'PROPOSED' }, postings: [] });
    await expect(approve(proposed, tenant.operator)).rejects.toThrow('your own change');
    const both = tenant.operatorWith(['APPROVE', 'TREASURER']) as OperatorActor;
    const enterer = { ...both, operator: { ...both.operator, id: cy.operator.id } };
    await expect(approve(proposed, enterer)).rejects.toThrow('you entered what the bank shows');
    expect(await sums()).toBe('1 0 0 1');
    await approve(proposed);
    expect(await sums()).toBe('1 0 0.4 0.6');
    expect(await payments()).toMatchObject([{ kind: 'COMMISSION_PAID', amount: '0.4000' }]);
    await expect(pay('0.61')).rejects.toThrow('only 0.6000 THB are owed');
    const another = { resellerId: uuidv7(), debitId: await left('0.1') };
    await expect(post('PayCommission', another)).rejects.toThrow('reseller');
    await expect(
      tenant.operate('PayCommission', { ...AGREED, resellerId, debitId: another.debitId }, cy),
    ).rejects.toMatchObject({ kind: 'AUTHORIZATION_ERROR' });
  });

  it('are posted once when several people pay at once', async () => {
    const proposed = await Promise.all(['0.6', '0.6', '0.6', '0.6'].map(pay));
    const done = await Promise.allSettled(proposed.map(async (one) => await approve(one)));
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await sums()).toBe('1 0 0.6 0.4');
    expect(await payments()).toHaveLength(1);
  });

  it('are owed again after a payment is reversed', async () => {
    await approve(await pay('1'));
    const [payment] = await payments();
    await approve(await post('ReversePosting', { id: payment?.id ?? '' }));
    expect(await sums()).toBe('1 0 0 1');
  });

  it('leave the reseller owing after a fee is reversed whose share was paid', async () => {
    const { transfer } = await tenant.notify({ accountId, amount: '100', memo: '', bankReference: uuidv7() }, cy);
    const late = { transferId: transfer.id, merchantId: merchant.id };
    const credit = await post('CreditLateMoney', late);
    await approve(credit);
    await approve(await pay('1.3'));
    const [row] = await tenant.database.sql<{ id: string }[]>`
      select id from operator_postings where change_id = ${credit.change?.id ?? ''}`;
    await approve(await post('ReversePosting', { id: row?.id ?? '' }));
    expect(await sums()).toBe('1.3 0.3 1.3 -0.3');
    await expect(pay('0.01')).rejects.toThrow('only -0.3000 THB are owed');
    // The next commission settles the debt first.
    const actor = await tenant.actorOf(merchant.apiKey);
    await tenant.alone(
      async () =>
        await creditedDeposit(tenant, { ...merchant, actor }, accountId, {
          amount: '200',
          fee: '5',
        }),
    );
    expect(await sums()).toBe('2.3 0.3 1.3 0.7');
  });

  it('are shown with their rates to operators of the merchant; resellers only to operators of all merchants', async () => {
    const one = { ...cy, operator: { ...cy.operator, merchantIds: [merchant.id] } };
    const other = { ...cy, operator: { ...cy.operator, merchantIds: [uuidv7()] } };
    const seen = async (actor: Actor): Promise<unknown[]> =>
      (await tenant.operate<{ nodes: unknown[] }>('Commissions', { filter: {} }, actor)).nodes;
    expect(await seen(other)).toEqual([]);
    expect(await seen(one)).toMatchObject([{ merchant: { id: merchant.id }, amount: '1.0000' }]);
    const rates = await tenant.operate<{ commissionRates: unknown[] }>(
      ...(['CommissionRates', { merchantId: merchant.id }, one] as const),
    );
    expect(rates.commissionRates).toMatchObject([{ percent: '20.0000', reseller: { id: resellerId } }]);
    for (const [name, variables] of [
      ['Resellers', {}],
      ['Reseller', { id: resellerId }],
      ['CreateReseller', { name: 'x', reason: 'test' }],
      ['PayCommission', { ...AGREED, resellerId, debitId: uuidv7() }],
    ] as const)
      await expect(tenant.operate(name, variables, one)).rejects.toMatchObject({
        kind: 'AUTHORIZATION_ERROR',
      });
    await expect(tenant.operate('CreateReseller', { name: 'x', reason: 'test' }, cy)).rejects.toMatchObject({
      kind: 'AUTHORIZATION_ERROR',
    });
  });

  it('need a reseller with a unique name', async () => {
    const create = async (name: string): Promise<unknown> =>
      await tenant.operate('CreateReseller', { name, reason: 'test' });
    const name = uuidv7();
    expect(await create(`  ${name} `)).toMatchObject({ name, sums: [] });
    await expect(create(name)).rejects.toThrow('another reseller has this name');
    for (const wrong of ['  ', 'x'.repeat(129)]) await expect(create(wrong)).rejects.toThrow('characters');
  });
});
