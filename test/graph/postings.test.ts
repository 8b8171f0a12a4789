import { uuidv7 } from 'uuidv7';
import type { Actor } from '../../steps/access/actor';
import { channelClaimed, channelCost } from '../../domain/ledger';
import { money } from '../../domain/money';
import { POSTING_KINDS } from '../../domain/operator-posting';
import { concludeDoubt, markSent, preparePayout, refusePayout } from '../../db/payouts/payouts';
import { creditedDeposit } from '../support/deposits';
import { createTestChannel } from '../support/channel-tenant';
import { lateDeposit } from '../support/late-money';
import { type OperatorActor, Tenant, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';
import { approvedWithdrawal, fundedMerchant, transferUnderWay } from '../support/withdrawals';

interface Posted {
  readonly change: { readonly id: string; readonly status: string } | null;
  readonly postings: readonly {
    readonly id: string;
    readonly kind: string;
    readonly fee: string;
  }[];
}
interface Return {
  readonly change: { readonly id: string; readonly status: string };
  readonly payerReturn: { readonly id: string; readonly status: string } | null;
}

const EVIDENCE = { evidence: { text: "the bank's letter" } };

describe('postings by operators', () => {
  let tenant: Tenant;
  let bob: OperatorActor;
  let cy: OperatorActor;
  let merchant: TestMerchant;
  let accountId: string;
  let channelId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    bob = await tenant.person('bob', ['approve', 'treasurer']);
    cy = await tenant.person('cy', ['reconcile']);
    accountId = await tenant.account();
    merchant = await tenant.merchant({ canWithdraw: true });
    ({ id: channelId } = await createTestChannel(tenant, { kind: 'MOCK' }));
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
    tenant.changes.onePerson = true;
    await expectWholeLedger(tenant);
  });
  afterAll(async () => {
    await tenant.close();
  });

  /** As an agent's report. */
  const confirm = async (table: 'bank_transfers' | 'bank_debits', id: string): Promise<void> => {
    const { sql } = tenant.database;
    await sql`update ${sql(table)} set source = ${`agent:${uuidv7()}`} where id = ${id}`;
  };
  /** A bank credit of the account, entered by a person. */
  const came = async (amount: string, to = accountId, by: 'person' | 'agent' = 'person'): Promise<string> => {
    const { transfer } = await tenant.notify({ accountId: to, amount, memo: '', bankReference: uuidv7() }, cy);
    if (by === 'agent') await confirm('bank_transfers', transfer.id);
    return transfer.id;
  };
  const left = async (
    amount: string,
    fields: Record<string, unknown> = {},
    by: 'person' | 'agent' = 'person',
  ): Promise<string> => {
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
          ...fields,
        },
      },
      cy,
    );
    if (by === 'agent') await confirm('bank_debits', debit.id);
    return debit.id;
  };
  const post = async (name: string, variables: Record<string, unknown>): Promise<Posted> =>
    await tenant.operate(name, { reason: 'test', ...EVIDENCE, ...variables });
  const approve = async (
    { change }: { readonly change: { readonly id: string } | null },
    actor: Actor = bob,
  ): Promise<unknown> => await tenant.operate('ApproveChange', { id: change?.id ?? '', reason: 'seen' }, actor);
  /** Posted by two people. @returns its id */
  const agreed = async (name: string, variables: Record<string, unknown>): Promise<string> => {
    const proposed = await post(name, variables);
    await approve(proposed);
    const [row] = await tenant.database.sql<{ id: string }[]>`
      select id from operator_postings where change_id = ${proposed.change?.id ?? null}`;
    return row?.id ?? '';
  };
  const waits = async (transferId: string): Promise<string | null> =>
    (await tenant.operate<{ unmatchedReason: string | null }>('BankTransfer', { id: transferId })).unmatchedReason;
  /** `available frozen receivable` */
  const balance = async ({ id }: TestMerchant): Promise<string> => {
    const [row] = await tenant.database.sql<{ all: string }[]>`
      select concat_ws(' ', trim_scale(available), trim_scale(frozen), trim_scale(receivable)) as all
      from merchant_balances where merchant_id = ${id}`;
    return row?.all ?? '';
  };
  const sumOf = async (account: string): Promise<string> => {
    const [row] = await tenant.database.sql<{ sum: string }[]>`
      select trim_scale(coalesce(sum(amount), 0)) as sum from ledger_entries where account = ${account}`;
    return row?.sum ?? '';
  };
  const fresh = async (): Promise<TestMerchant> =>
    await tenant.alone(async () => await tenant.merchant({ canWithdraw: true }));

  it('credit late money less its fee, by two people who did not enter it', async () => {
    const own = await fresh();
    const transferId = await came('100');
    const proposed = await post('CreditLateMoney', { transferId, merchantId: own.id });
    expect(proposed).toMatchObject({ change: { status: 'PROPOSED' }, postings: [] });
    await expect(approve(proposed, tenant.operator)).rejects.toThrow('your own change');
    expect(await waits(transferId)).not.toBeNull();
    await approve(proposed);
    expect(await balance(own)).toBe('98.5 0 0');
    expect(await waits(transferId)).toBeNull();
    await expect(post('CreditLateMoney', { transferId, merchantId: own.id })).rejects.toThrow(
      'nothing of this bank transfer waits',
    );
  });

  it('reverse a late credit: the money waits again, and the merchant owes the missing part', async () => {
    const own = await fresh();
    const transferId = await came('100');
    const id = await agreed('CreditLateMoney', { transferId, merchantId: own.id });
    await tenant.withdrawal(own, { amount: '60.00' });
    await approve(await post('ReversePosting', { id }));
    expect(await balance(own)).toBe('0 60 60');
    expect(await waits(transferId)).toBe('REOPENED');
    await expect(post('ReversePosting', { id })).rejects.toThrow('taken back before');
  });

  it('never use more of a bank credit than its amount, even concurrently', async () => {
    const transferId = await came('100');
    const both = [
      await post('CreditLateMoney', { transferId, merchantId: merchant.id, amount: '60' }),
      await post('WriteOffMoney', { transferId, amount: '60' }),
    ] as const;
    const done = await Promise.allSettled(both.map(async (one) => await approve(one)));
    expect(done.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(await waits(transferId)).toBe('REOPENED');
    const { orderNo } = await tenant.deposit(merchant, { amount: '100.00' });
    const match = await tenant
      .operate<{ change: { id: string } }>('MatchTransfer', {
        transferId,
        orderNo,
        reason: 'test',
        ...EVIDENCE,
      })
      .catch(String);
    expect(match).toMatch(/used already|is posted|waits/);
  });

  it('resolve late money at a channel by two people, each part once, and reverse it', async () => {
    const own = await fresh();
    const orderNo = await tenant.alone(async () => await lateDeposit(tenant, own, channelId));
    const rest = async (): Promise<string[]> =>
      (await tenant.operate<{ lateReceipts: { rest: string }[] }>('Deposit', { orderNo })).lateReceipts.map(
        (one) => one.rest,
      );
    const proposed = await post('ReturnLateMoney', { orderNo, amount: '40' });
    expect(proposed).toMatchObject({ change: { status: 'PROPOSED' }, postings: [] });
    await expect(approve(proposed, tenant.operator)).rejects.toThrow('your own change');
    expect(await rest()).toEqual(['100.0000']);
    await approve(proposed);
    expect(await rest()).toEqual(['60.0000']);
    const both = [
      await post('CreditLateMoney', { orderNo, amount: '50' }),
      await post('WriteOffMoney', { orderNo, amount: '50' }),
    ] as const;
    const done = await Promise.allSettled(both.map(async (one) => await approve(one)));
    expect(done.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(await rest()).toEqual(['10.0000']);
    const id = await agreed('CreditLateMoney', { orderNo });
    expect(await rest()).toEqual(['0.0000']);
    await approve(await post('ReversePosting', { id }));
    expect(await rest()).toEqual(['10.0000']);
    await expect(post('CreditLateMoney', { orderNo: 'D20260101AAAAAAAAAAAA' })).rejects.toThrow();
    await expect(post('WriteOffMoney', {})).rejects.toThrow('either transferId or orderNo');
  });

  it('write off unclaimed money only after its waiting time', async () => {
    const transferId = await came('5');
    tenant.changes.unclaimedAfterMs = 86_400_000;
    await expect(post('WriteOffMoney', { transferId })).rejects.toThrow('may still be claimed');
    // At once, also if the recording process's clock was ahead.
    tenant.changes.unclaimedAfterMs = 0;
    const { now } = tenant;
    tenant.now = () => new Date(now().getTime() - 1_000);
    const proposed = await post('WriteOffMoney', { transferId });
    tenant.now = now;
    await approve(proposed);
    expect(await sumOf('unclaimed')).not.toBe('0');
  });

  it('return money by a task, which a debit or another treasurer completes', async () => {
    const transferId = await came('100');
    const asked = {
      transferId,
      payee: { name: 'Ann', account: '12-34' },
      reason: 'x',
      ...EVIDENCE,
    };
    const proposed = await tenant.operate<Return>('ReturnMoney', asked);
    await approve(proposed);
    const [{ id } = { id: '' }] = await tenant.database.sql<{ id: string }[]>`
      select id from payer_returns where change_id = ${proposed.change.id}`;
    expect(await waits(transferId)).toBeNull();
    await tenant.operate('BeginReturn', { id, accountId });
    await expect(tenant.operate('ReleaseReturn', { id, reason: 'mine' })).rejects.toThrow('another person');
    const unseen = await tenant.operate<{ change: unknown; payerReturn: { status: string } }>('CompleteReturn', {
      id,
      bankReference: 'R-1',
      ...EVIDENCE,
    });
    expect(unseen).toMatchObject({
      change: { status: 'PROPOSED' },
      payerReturn: { status: 'SENDING' },
    });
    await left('100', { bankReference: 'R1', payeeAccount: '1234' });
    expect(await tenant.operate('CompleteReturn', { id, bankReference: 'R-1' })).toMatchObject({
      change: null,
      payerReturn: { status: 'COMPLETED' },
    });
    expect(await waits(transferId)).toBeNull();
  });

  it.each([
    ['another treasurer confirms it', false],
    ['one person may do everything', true],
  ])('refuse to complete a return without a debit if %s', async (_who, onePerson) => {
    const transferId = await came('70');
    const payee = { name: 'Ann', account: '12-34' };
    const asked = { transferId, payee, reason: 'x', ...EVIDENCE };
    const proposed = await tenant.operate<Return>('ReturnMoney', asked);
    await approve(proposed);
    const [{ id } = { id: '' }] = await tenant.database.sql<{ id: string }[]>`
      select id from payer_returns where change_id = ${proposed.change.id}`;
    const status = async (): Promise<unknown> =>
      (await tenant.operate<{ status: string }>('PayerReturn', { id })).status;
    tenant.changes.onePerson = onePerson;
    await tenant.operate('BeginReturn', { id, accountId });
    const complete = { id, bankReference: uuidv7() };
    if (!onePerson) await expect(tenant.operate('CompleteReturn', complete)).rejects.toThrow('evidence');
    const sent = await tenant.operate<{ change: { id: string } | null }>('CompleteReturn', {
      ...complete,
      ...EVIDENCE,
    });
    if (!onePerson) {
      expect([await status(), sent.change]).toMatchObject(['SENDING', { status: 'PROPOSED' }]);
      await expect(approve(sent, tenant.operator)).rejects.toThrow('your own change');
      await approve(sent);
    }
    expect(await status()).toBe('COMPLETED');
  });

  it('refund a deposit in parts, frozen until they are sent, and never exceed its amount', async () => {
    const own = await fresh();
    const { orderNo } = await tenant.alone(async () => await creditedDeposit(tenant, own, accountId));
    const refund = async (amount: string): Promise<Return> =>
      await tenant.operate('RefundDeposit', {
        orderNo,
        amount,
        payee: { name: 'Ann', account: '1' },
        reason: 'x',
        ...EVIDENCE,
      });
    await approve(await refund('60'));
    expect(await balance(own)).toBe('38.5 60 0');
    await expect(refund('50')).rejects.toThrow();
    await approve(await refund('30'));
    const open = await tenant.list<{ id: string }>('PayerReturns', {
      filter: { status: ['OPEN'] },
    });
    await tenant.operate('CancelReturn', { id: open[0]?.id, reason: 'not wanted' });
    expect(await balance(own)).toBe('38.5 60 0');
    await expect(tenant.operate('RecallDeposit', { orderNo, reason: 'x', ...EVIDENCE })).rejects.toThrow();
  });

  it('refund a whole deposit once; its fee stays earned', async () => {
    const own = await tenant.alone(async () => await fundedMerchant(tenant));
    const { orderNo } = await tenant.alone(async () => await creditedDeposit(tenant, own, accountId));
    const payee = { name: 'Ann', account: '12-34' };
    const asked = { orderNo, payee, reason: 'x', ...EVIDENCE };
    const proposed = await tenant.operate<Return>('RefundDeposit', asked);
    await approve(proposed);
    expect(await balance(own)).toBe('998.5 100 0');
    const [{ id } = { id: '' }] = await tenant.database.sql<{ id: string }[]>`
      select id from payer_returns where change_id = ${proposed.change.id}`;
    await tenant.operate('BeginReturn', { id, accountId });
    await left('100', { bankReference: 'R-WHOLE', payeeAccount: '1234' });
    await tenant.operate('CompleteReturn', { id, bankReference: 'R-WHOLE' });
    expect(await balance(own)).toBe('998.5 0 0');
    expect(await tenant.operate('Deposit', { orderNo })).toMatchObject({
      status: 'COMPLETED',
      refunds: [{ status: 'COMPLETED', amount: '100.0000' }],
    });
    await expect(tenant.operate('RefundDeposit', { ...asked, amount: '1' })).rejects.toThrow('less is left');
  });

  it('are shown to a restricted operator only if they concern its merchants’ balances', async () => {
    const [own, other] = [await fresh(), await fresh()];
    const ofEach = async (of: TestMerchant): Promise<readonly [string, string]> => {
      const { orderNo } = await tenant.alone(async () => await creditedDeposit(tenant, of, accountId));
      const payee = { name: 'Ann', account: '1' };
      const refund = { orderNo, amount: '60', payee, reason: 'x', ...EVIDENCE };
      const { change } = await tenant.operate<Return>('RefundDeposit', refund);
      await approve({ change });
      const [row] = await tenant.database.sql<{ id: string }[]>`
        select id from payer_returns where change_id = ${change.id}`;
      const credit = { transferId: await came('100'), merchantId: of.id };
      return [await agreed('CreditLateMoney', credit), row?.id ?? ''];
    };
    const [posting, back] = await ofEach(own);
    const [otherPosting, otherBack] = await ofEach(other);
    const ofTheHouse = await agreed('PostBankCharge', { debitId: await left('7') });
    const seen = async (
      name: string,
      merchantIds: readonly string[] | null,
      filter: Record<string, unknown> = {},
    ): Promise<readonly string[]> => {
      const actor = tenant.operatorWith(['VIEW'], merchantIds);
      const { nodes } = await tenant.operate<{ nodes: { id: string }[] }>(name, { filter }, actor);
      return nodes.map(({ id }) => id);
    };
    expect(await seen('OperatorPostings', [own.id])).toEqual([posting]);
    expect(await seen('PayerReturns', [own.id])).toEqual([back]);
    expect(await seen('OperatorPostings', [own.id], { merchantId: [other.id] })).toEqual([]);
    expect(await seen('PayerReturns', [own.id], { merchantId: [other.id] })).toEqual([]);
    expect(await seen('OperatorPostings', null, { merchantId: [other.id] })).toEqual([otherPosting]);
    expect(await seen('PayerReturns', null, { merchantId: [other.id] })).toEqual([otherBack]);
    expect(await seen('OperatorPostings', null)).toEqual(expect.arrayContaining([posting, otherPosting, ofTheHouse]));
  });

  it('post a charge of a debit by one person up to the day’s amount, and never exceed the debit', async () => {
    const debitId = await left('7', {}, 'agent');
    const charge = async (amount: string): Promise<Posted> => await post('PostBankCharge', { debitId, amount });
    expect(await charge('4')).toMatchObject({ change: null, postings: [{ kind: 'BANK_CHARGED' }] });
    expect(await tenant.operate('BankDebit', { id: debitId })).toMatchObject({ explainedAt: null });
    await expect(charge('4')).rejects.toThrow('only 3.0000 THB');
    await charge('3');
    expect(await tenant.operate('BankDebit', { id: debitId })).not.toMatchObject({
      explainedAt: null,
    });
    const byHand = await left('7');
    expect(await post('PostBankCharge', { debitId: byHand })).toMatchObject({
      change: { status: 'PROPOSED' },
    });
  });

  it('post interest by one person if the bank reported it, and else by two', async () => {
    const byAgent = await post('PostInterest', { transferId: await came('3', accountId, 'agent') });
    expect(byAgent).toMatchObject({ change: null, postings: [{ kind: 'INTEREST_RECEIVED' }] });
    const transferId = await came('4');
    await agreed('PostInterest', { transferId });
    expect(await waits(transferId)).toBeNull();
  });

  it('move a channel’s settlement to an account in two legs', async () => {
    const money = { amount: '11', currencyCode: 'THB' };
    const pairId = await agreed('MoveOwnMoney', { input: { fromChannelId: channelId, ...money } });
    expect(await sumOf('in_transit')).toBe('-11');
    const transferId = await came('11');
    const other = await came('12');
    await expect(post('MoveOwnMoney', { input: { pairId, transferId: other } })).rejects.toThrow('different amounts');
    await agreed('MoveOwnMoney', { input: { pairId, transferId } });
    expect([await sumOf('in_transit'), await waits(transferId)]).toEqual(['0', null]);
  });

  it('move own money by one person if both bank rows show it, and by two if one is missing', async () => {
    const other = await tenant.alone(async () => await tenant.account());
    const transferId = await came('50', other, 'agent');
    const whole = { debitId: await left('50', {}, 'agent'), transferId };
    expect(await post('MoveOwnMoney', { input: whole })).toMatchObject({
      change: null,
      postings: [{ kind: 'OWN_TRANSFER_OUT' }, { kind: 'OWN_TRANSFER_IN' }],
    });
    expect(await sumOf('in_transit')).toBe('0');
    const pairId = await agreed('MoveOwnMoney', { input: { debitId: await left('9') } });
    expect(await sumOf('in_transit')).toBe('-9');
    const arrived = { pairId, toChannelId: channelId };
    await agreed('MoveOwnMoney', { input: arrived });
    expect(await sumOf('in_transit')).toBe('0');
    await expect(post('ReversePosting', { id: pairId })).rejects.toThrow('its other leg holds');
    await expect(post('MoveOwnMoney', { input: arrived })).rejects.toThrow('has arrived before');
  });

  it('open and correct books, and post channel charges, by two people', async () => {
    await agreed('OpenBook', { accountId, amount: '1000' });
    await expect(post('OpenBook', { accountId, amount: '1' })).rejects.toThrow('opened before');
    await agreed('CorrectBook', { channelId, currencyCode: 'THB', amount: '-3' });
    const costs = Number(await sumOf('channel_cost'));
    await agreed('PostChannelCharge', { channelId, currencyCode: 'THB', amount: '2' });
    expect(await sumOf('equity')).toBe('997');
    expect(Number(await sumOf('channel_cost')) - costs).toBe(-2);
    const claim = { channelId, currencyCode: 'THB', amount: '1' };
    await expect(post('SettleChannelClaim', claim)).rejects.toThrow('less is left');
    await expect(post('WriteOffChannelClaim', claim)).rejects.toThrow('less is left');
  });

  /** A completed manual payout of 100 THB with a fee of 2. @returns its number */
  const paidOut = async (of: TestMerchant): Promise<string> =>
    await tenant.alone(async () => {
      const { orderNo } = await transferUnderWay(tenant, of, accountId);
      await tenant.operate('CompleteTransfer', { orderNo, bankReference: uuidv7() });
      return orderNo;
    });

  it('credit a returned payout: by one person if the bank reported it, and else by two', async () => {
    const own = await tenant.alone(async () => await fundedMerchant(tenant));
    const [first, second] = [await paidOut(own), await paidOut(own)];
    expect(await balance(own)).toBe('796 0 0');
    const byAgent = { transferId: await came('100', accountId, 'agent'), orderNo: first };
    expect(await post('ReturnPayout', byAgent)).toMatchObject({
      change: null,
      postings: [{ kind: 'PAYOUT_RETURNED' }],
    });
    expect(await balance(own)).toBe('896 0 0');
    const proposed = await post('ReturnPayout', {
      transferId: await came('99'),
      orderNo: second,
    });
    expect(proposed).toMatchObject({ change: { status: 'PROPOSED' }, postings: [] });
    const { after } = await tenant.operate<{ after: { findings: string[] } }>('ChangeRequest', {
      id: proposed.change?.id,
    });
    expect(after.findings).toEqual(['the amount is not what was paid out', 'a person entered the credit']);
    // Neither the proposer nor the person who entered the credit may decide.
    await expect(approve(proposed, tenant.operator)).rejects.toThrow('your own change');
    const both = tenant.operatorWith(['APPROVE', 'RECONCILE']) as OperatorActor;
    const enterer = { ...both, operator: { ...both.operator, id: cy.operator.id } };
    await expect(approve(proposed, enterer)).rejects.toThrow('you entered what the bank shows');
    expect(await balance(own)).toBe('896 0 0');
    await approve(proposed);
    expect(await balance(own)).toBe('995 0 0');
    const again = { transferId: await came('100', accountId, 'agent'), orderNo: second };
    await expect(post('ReturnPayout', again)).rejects.toThrow('came back before');
  });

  it('credit a returned payout by one person if one person may decide everything', async () => {
    const own = await tenant.alone(async () => await fundedMerchant(tenant));
    const orderNo = await paidOut(own);
    tenant.changes.onePerson = true;
    const returned = await post('ReturnPayout', { transferId: await came('99'), orderNo });
    expect(returned).toMatchObject({ change: null, postings: [{ kind: 'PAYOUT_RETURNED' }] });
    expect(await balance(own)).toBe('997 0 0');
  });

  /** A channel paid 100 THB for an order that another channel may still pay, so the channel owes the money. */
  const overpaid = async (): Promise<void> => {
    const { database } = tenant;
    const own = await tenant.alone(async () => await fundedMerchant(tenant));
    const { id } = await approvedWithdrawal(tenant, own);
    const [attemptId, now, cost] = [uuidv7(), new Date(), money('1')];
    await preparePayout(database, attemptId, id, channelId, cost, now);
    await markSent(database, attemptId, now);
    await refusePayout(database, attemptId, 'no', now);
    await database.sql`update payout_attempts set doubted_at = ${now} where id = ${attemptId}`;
    const posted = {
      type: 'CHANNEL_CLAIMED' as const,
      postings: channelClaimed(channelId, money('100')),
      cost: { amount: cost, postings: channelCost(channelId, cost) },
    };
    const end = { attemptId, doubtedAt: now, posted, alert: null, reason: 'it paid', now };
    expect(await concludeDoubt(database, end)).toBe(true);
  };

  it.each([
    ['by two people', false],
    ['by one if one person may do everything', true],
  ])('settle and write off a channel’s debt, %s', async (_how, onePerson) => {
    await overpaid();
    tenant.changes.onePerson = onePerson;
    const owes = async (): Promise<string> => await sumOf(`channel_claim:${channelId}`);
    const done = async (name: string, fields: Record<string, unknown>): Promise<void> => {
      const before = await owes();
      const asked = await post(name, { channelId, currencyCode: 'THB', ...fields });
      if (onePerson) return;
      expect(asked).toMatchObject({ change: { status: 'PROPOSED' }, postings: [] });
      await expect(approve(asked, tenant.operator)).rejects.toThrow('your own change');
      expect(await owes()).toBe(before);
      await approve(asked);
    };
    expect(await owes()).toBe('-100');
    expect(await tenant.operate('Channel', { id: channelId })).toMatchObject({
      claims: [{ currencyCode: 'THB', balance: '100.0000' }],
    });
    const transferId = await came('40');
    await done('SettleChannelClaim', { amount: '40', transferId });
    expect([await owes(), await waits(transferId)]).toEqual(['-60', null]);
    await done('SettleChannelClaim', { amount: '50' });
    const loss = Number(await sumOf('loss'));
    await done('WriteOffChannelClaim', { amount: '10' });
    expect([await owes(), Number(await sumOf('loss'))]).toEqual(['0', loss - 10]);
    const more = post('WriteOffChannelClaim', { channelId, currencyCode: 'THB', amount: '1' });
    await expect(more).rejects.toThrow('less is left');
  });

  it('withdraw at most the earned profit, and credit a top-up that arrived at an account', async () => {
    const own = await fresh();
    await agreed('CreditTopUp', { transferId: await came('80'), merchantId: own.id });
    expect(await balance(own)).toBe('80 0 0');
    const debitId = await left('1');
    await agreed('TakeProfit', { debitId });
    await expect(post('TakeProfit', { debitId: await left('1000') })).rejects.toThrow('was earned');
  });

  it('recall a part of a deposit, by the debit that took it', async () => {
    const own = await fresh();
    const { orderNo } = await tenant.alone(async () => await creditedDeposit(tenant, own, accountId));
    const debitId = await left('30');
    const recall = { orderNo, amount: '30', debitId, reason: 'x', ...EVIDENCE };
    await approve(await tenant.operate<Return>('RecallDeposit', recall));
    expect(await balance(own)).toBe('68.5 0 0');
    expect(await tenant.operate('BankDebit', { id: debitId })).not.toMatchObject({
      explainedAt: null,
    });
  });

  it('complete an expired order by a person’s match if its merchant’s settings allow it', async () => {
    const own = await tenant.alone(async () => await tenant.merchant({ latePayment: 'REOPEN' }));
    const strict = await fresh();
    const late = async (of: TestMerchant): Promise<{ status: string }> => {
      const { orderNo, expectedRemark } = await tenant.deposit(of);
      const { sql } = tenant.database;
      await sql`update deposit_orders set status = 'EXPIRED' where order_no = ${orderNo}`;
      const { transfer } = await tenant.notify({ accountId, memo: expectedRemark, bankReference: uuidv7() }, cy);
      expect(transfer.unmatchedReason).not.toBeNull();
      await tenant.alone(
        async () =>
          await tenant.operate('MatchTransfer', {
            transferId: transfer.id,
            orderNo,
            reason: 'late',
            ...EVIDENCE,
          }),
      );
      return await tenant.operate('Deposit', { orderNo });
    };
    expect(await late(own)).toMatchObject({ status: 'MATCHED' });
    await expect(late(strict)).rejects.toThrow('the deposit is EXPIRED');
  });

  it('of every kind can be reversed without a trace in the balances', async () => {
    tenant.changes.onePerson = true;
    const [sameAs, transferId] = [await came('13'), await came('13')];
    await post('DismissDuplicate', { transferId, sameAs });
    // The arrival is reversed before the departure.
    const held = await tenant.database.sql<{ id: string; kind: string }[]>`
      select id, kind from operator_postings where reversed_at is null order by at desc, id desc`;
    // commission-payments.test.ts pays a commission, and reverses the payment.
    const kinds = POSTING_KINDS.filter((kind) => kind !== 'COMMISSION_PAID');
    expect([...new Set(held.map(({ kind }) => kind))].sort()).toEqual([...kinds].sort());
    for (const { id } of held) await post('ReversePosting', { id });
    const accounts = ['equity', 'unclaimed', 'bank_cost', 'in_transit', 'loss'];
    expect(await Promise.all(accounts.map(sumOf))).toEqual(accounts.map(() => '0'));
  });
});
