import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema } from 'graphql';
import { uuidv7 } from 'uuidv7';
import { expireChanges } from '../../db/changes/change-requests';
import { HARMLESS } from '../../domain/authority/harmless';
import { differences } from '../../console/format/differences';
import { MONEY_STEPS } from '../../domain/authority/table';
import { money } from '../../domain/money';
import type { Actor } from '../../steps/access/actor';
import { createTestChannel } from '../support/channel-tenant';
import { creditedDeposit } from '../support/deposits';
import { type OperatorActor, Tenant, type TestMerchant } from '../support/tenant';
import { fundedMerchant, unknownPayout } from '../support/withdrawals';
import { expectWholeLedger } from '../support/whole-ledger';

const DAY = 86_400_000;
const SDL = readFileSync(path.join(__dirname, '..', '..', 'docs', 'schema.graphql'), 'utf8');

interface Change {
  id: string;
  kind: string;
  status: string;
  alone: string | null;
  touches: string[];
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  refusal?: string | null;
  proposedBy: { login: string };
  decidedBy: { login: string } | null;
}
type Proposed = { change: Change } & Record<string, unknown>;

/** All state that a change could affect. */
const STATE = [
  ...[
    'merchants',
    'merchant_currencies',
    'api_keys',
    'bank_accounts',
    'agent_keys',
    'channels',
    'withdrawal_orders',
    'deposit_recalls',
    'settlement_accounts',
    'settlement_plans',
    'calendars',
  ],
  ...['agent_key_accounts', 'merchant_balances', 'ledger_transfers', 'ledger_entries'],
  ...[
    'text_patterns',
    'statement_rules',
    'fee_schedules',
    'commission_rates',
    'routing_rules',
    'banks',
    'review_rules',
    'listed_beneficiaries',
    'payer_rules',
    'listed_payers',
    'event_addresses',
    'pools',
    'pool_accounts',
    'pool_channels',
  ],
  ...['operators', 'roles', 'operator_roles', 'operator_merchants', 'operator_links', 'mails'],
];

/** The mutations that always begin with a proposal, by the table of authority. */
const PROPOSING = Object.entries(MONEY_STEPS)
  .filter(([, { people }]) => people === 'TWO' || people === 'TWO_UNLESS_CLOSING')
  .map(([name]) => name);

/** Postings by operators: test/graph/postings.test.ts covers them, commission-payments.test.ts payCommission. */
const PLAYED_IN_POSTINGS = [
  ...['creditLateMoney', 'returnLateMoney', 'creditTopUp', 'writeOffMoney', 'returnMoney', 'refundDeposit'],
  ...['takeProfit', 'openBook', 'correctBook', 'postChannelCharge', 'settleChannelClaim'],
  ...['writeOffChannelClaim', 'reversePosting', 'payCommission'],
];

type Fields = Readonly<Record<string, unknown>>;

describe('a change by two people', () => {
  let tenant: Tenant;
  let bob: OperatorActor;
  let cy: OperatorActor;
  let merchant: TestMerchant;
  let accountId: string;
  let channelId: string;
  let unknownOrderNo: string;
  let creditedOrderNo: string;
  let dan: OperatorActor;
  /** A beneficiary on the denylist. */
  let denied: string | undefined;
  let deniedPayer: string | undefined;
  let settlementAccountId: string;
  let resellerId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    dan = await tenant.person('dan', ['configure']);
    [bob, cy] = await Promise.all([tenant.person('bob', ['approve', 'reconcile']), tenant.person('cy', ['approve'])]);
    merchant = await tenant.merchant();
    accountId = await tenant.account();
    ({ id: channelId } = await createTestChannel(tenant, { kind: 'MOCK' }));
    const payer = await fundedMerchant(tenant);
    ({ orderNo: unknownOrderNo } = await unknownPayout(tenant, payer, channelId));
    ({ orderNo: creditedOrderNo } = await creditedDeposit(tenant, merchant, accountId));
    ({ id: resellerId } = await tenant.operate<{ id: string }>('CreateReseller', {
      name: 'ours',
      reason: 'test',
    }));
    await tenant.operate('ListBeneficiary', {
      bankCode: 'TESTBANK',
      accountNo: '666',
      list: 'DENY',
      reason: 'stolen',
    });
    [denied] = (await tenant.list<{ id: string }>('ListedBeneficiaries')).map(({ id }) => id);
    await tenant.operate('ListPayer', {
      input: { list: 'DENY', trait: 'USER', value: 'u0' },
      reason: 'stolen',
    });
    [deniedPayer] = (await tenant.list<{ id: string }>('ListedPayers')).map(({ id }) => id);
    await tenant.operate('PutBanks', {
      currencyCode: 'THB',
      reason: 'test',
      banks: [{ bankCode: 'TESTBANK', name: 'Bank of tests' }],
    });
    const { account } = await tenant.operate<{ account: { id: string } }>('CreateSettlementAccount', {
      input: {
        merchantId: merchant.id,
        currencyCode: 'THB',
        bankCode: 'TESTBANK',
        accountNo: uuidv7(),
        accountHolder: 'The merchant',
      },
      reason: 'test',
    });
    settlementAccountId = account.id;
    tenant.changes.onePerson = false;
  });
  afterAll(async () => {
    await tenant.close();
  });

  const decide = async (name: string, id: string, actor?: Actor): Promise<Change> =>
    await tenant.operate<Change>(name, { id, reason: 'looked at it' }, actor);
  const approve = async (id: string, actor: Actor = bob): Promise<Change> => await decide('ApproveChange', id, actor);
  const topUp = async (amount = '100', merchantId = merchant.id): Promise<Proposed> =>
    await tenant.operate<Proposed>('TopUpBalance', {
      merchantId,
      currencyCode: 'THB',
      amount,
      reason: 'prefunding',
      evidence: { text: 'wire of today', links: ['https://bank.example/receipts/1'] },
    });
  const adjust = async (amount: string, merchantId = merchant.id): Promise<Proposed> =>
    await tenant.operate<Proposed>('AdjustBalance', {
      merchantId,
      currencyCode: 'THB',
      amount,
      reason: 'correction',
      evidence: { text: 'counted again' },
    });
  const update = async (settings: Record<string, unknown>, id = merchant.id): Promise<Proposed> =>
    await tenant.operate<Proposed>('UpdateMerchant', { id, settings, reason: 'asked for' });
  const available = async (merchantId: string): Promise<string> => {
    const [row] = await tenant.database.sql<{ available: string }[]>`
      select available::text from merchant_balances where merchant_id = ${merchantId} and currency_code = 'THB'`;
    return row?.available ?? '';
  };
  const state = async (): Promise<Record<string, string | null>> => {
    const { sql } = tenant.database;
    const found: Record<string, string | null> = {};
    for (const table of STATE) {
      const [row] = await sql<{ all: string | null }[]>`
        select md5(string_agg(t::text, ',' order by t::text)) as all from ${sql(table)} t`;
      found[table] = row?.all ?? null;
    }
    return found;
  };

  /** One call of each proposing mutation. */
  const proposals = (): Record<string, () => Promise<Proposed>> => {
    const reason = 'test';
    const operate =
      (name: string, variables: Record<string, unknown>): (() => Promise<Proposed>) =>
      async () =>
        await tenant.operate<Proposed>(name, { reason, ...variables });
    return {
      createMerchant: operate('CreateMerchant', {
        input: { merchantCode: uuidv7(), name: 'New', currencies: [{ currencyCode: 'THB' }] },
      }),
      updateMerchant: operate('UpdateMerchant', {
        id: merchant.id,
        settings: { canWithdraw: true, callbackHosts: ['pay.example'] },
        currencies: [{ currencyCode: 'THB', depositFee: { percent: '0.5' } }],
      }),
      issueApiKey: operate('IssueApiKey', { merchantId: merchant.id }),
      rotateApiKey: operate('RotateApiKey', { merchantId: merchant.id }),
      createBankAccount: operate('CreateBankAccount', {
        input: {
          name: 'New',
          bankCode: 'TESTBANK',
          bankName: 'Test Bank',
          accountNo: uuidv7(),
          accountHolder: 'Causeway',
          currencyCode: 'THB',
        },
      }),
      updateBankAccount: operate('UpdateBankAccount', {
        id: accountId,
        input: { name: 'renamed', limits: { maxOpenDeposits: 5_000 } },
      }),
      setBankAccountStatus: operate('SetBankAccountStatus', { id: accountId, status: 'ACTIVE' }),
      createChannel: operate('CreateChannel', {
        input: {
          channelCode: `c-${uuidv7().slice(-12)}`,
          kind: 'MOCK',
          settings: { name: 'New', currencies: ['THB'] },
        },
      }),
      updateChannel: operate('UpdateChannel', {
        id: channelId,
        settings: { priority: 1 },
      }),
      setChannelEnabled: operate('SetChannelEnabled', { id: channelId, enabled: true }),
      resolvePayout: operate('ResolvePayout', {
        orderNo: unknownOrderNo,
        outcome: 'NOT_PAID',
        evidence: { text: 'they say so' },
      }),
      createSettlementAccount: operate('CreateSettlementAccount', {
        input: {
          merchantId: merchant.id,
          currencyCode: 'THB',
          bankCode: 'TESTBANK',
          accountNo: uuidv7(),
          accountHolder: 'The merchant',
        },
      }),
      createAgentKey: operate('CreateAgentKey', {
        input: {
          label: 'agent',
          accountIds: [accountId],
          maxTransferAmount: '500',
          maxDailyAmount: '5000',
        },
      }),
      topUpBalance: async () => await topUp(),
      adjustBalance: async () => await adjust('-1'),
      recallDeposit: operate('RecallDeposit', {
        orderNo: creditedOrderNo,
        evidence: { text: "the bank's letter" },
      }),
      inviteOperator: operate('InviteOperator', { email: 'eve@example.com', roles: ['support'] }),
      setOperatorAccess: operate('SetOperatorAccess', {
        operatorId: dan.operator.id,
        roles: ['configure', 'support'],
      }),
      createRole: operate('CreateRole', { input: { name: 'clerk', permissions: ['SUPPORT'] } }),
      putBanks: operate('PutBanks', {
        currencyCode: 'THB',
        banks: [{ bankCode: 'TESTBANK', name: 'Test Bank' }],
      }),
      putPool: operate('PutPool', {
        input: { name: 'ours', currencyCode: 'THB', accountIds: [], channelIds: [] },
      }),
      putRoutingRules: operate('PutRoutingRules', {
        input: {
          currencyCode: 'THB',
          orderKind: 'DEPOSIT',
          rules: [{ name: 'ours', groups: [{ targets: [{ kind: 'POOL' }] }] }],
        },
      }),
      putTextPattern: operate('PutTextPattern', {
        input: { name: 'ours', bankCode: 'TESTBANK', pattern: '(?P<amount>[0-9]+)' },
      }),
      putStatementRule: operate('PutStatementRule', {
        input: {
          name: 'ours',
          action: 'BANK_CHARGE',
          direction: 'DEBIT',
          memoPattern: 'fee',
          currencyCode: 'THB',
          maxAmount: '1',
          maxDayAmount: '2',
        },
      }),
      putFeeSchedule: operate('PutFeeSchedule', {
        input: { merchantId: merchant.id, currencyCode: 'THB', orderKind: 'DEPOSIT', percent: '2' },
      }),
      putCommissionRate: operate('PutCommissionRate', {
        input: {
          merchantId: merchant.id,
          currencyCode: 'THB',
          orderKind: 'DEPOSIT',
          resellerId,
          percent: '2',
        },
      }),
      putCalendar: operate('PutCalendar', {
        input: { name: 'ours', daysOff: [7], holidays: [] },
      }),
      putSettlementPlan: operate('PutSettlementPlan', {
        input: {
          merchantId: merchant.id,
          currencyCode: 'THB',
          settlementAccountId,
          days: { trigger: 'EVERY_DAY', time: '09:00' },
        },
      }),
      putReviewRules: operate('PutReviewRules', {
        currencyCode: 'THB',
        rules: { autoApproveUpTo: '100', decideWithinMinutes: 30 },
      }),
      listBeneficiary: operate('ListBeneficiary', {
        bankCode: 'TESTBANK',
        accountNo: '1',
        list: 'ALLOW',
      }),
      unlistBeneficiary: operate('UnlistBeneficiary', { id: denied }),
      putPayerRules: operate('PutPayerRules', {
        currencyCode: 'THB',
        rules: { comparison: 'WAIT' },
      }),
      putEventAddresses: operate('PutEventAddresses', {
        input: { event: 'alert_raised', mails: ['out@example.com'] },
      }),
      listPayer: operate('ListPayer', {
        input: { list: 'ALLOW', trait: 'USER', value: 'u1' },
      }),
      unlistPayer: operate('UnlistPayer', { id: deniedPayer }),
      updateRole: operate('UpdateRole', {
        input: { name: 'clerk', permissions: ['SUPPORT', 'RECONCILE'] },
      }),
    };
  };

  it('covers every mutation for which the table requires two people', () => {
    // Disabling an operator only closes; enabling one is proposed, and tested elsewhere. A recovery ends only after one
    // has begun: test/roles/recovery.test.ts covers it. A row is parked in test/graph/outbox.test.ts; parts and second
    // reports are in test/graph/workbench.test.ts. A mapping has to pass the kit first:
    // test/graph/channel-mappings.test.ts covers it. A person is erased in test/graph/erase-person.test.ts. A statement
    // that does not add up is in test/graph/statement-proof.test.ts.
    const some = ['setOperatorDisabled', 'endRecovery', 'explainFindings', 'dropOutboxRow', 'putChannelMapping'].concat(
      'erasePerson',
      'explainStatement',
    );
    const parts = ['combineTransfers', 'splitTransfer', 'dismissDuplicate'];
    const elsewhere = [...some, ...parts, ...PLAYED_IN_POSTINGS];
    const played = [...Object.keys(proposals()), ...elsewhere];
    expect(PROPOSING.sort()).toEqual(played.sort());
  });

  it('has a row in the table for every mutation of the schema, and no others', () => {
    const mutations = Object.keys(buildSchema(SDL).getMutationType()?.getFields() ?? {});
    const machines = ['createDeposit', 'createWithdrawal', 'createCashierSession'].concat(
      ...[['submitCashierSession', 'claimPayment', 'simulatePayment', 'recordChannelMessage']],
      ...['takeSecret', 'enrolAgent'],
      ...['recordAgentText', 'reportHeartbeat'],
    );
    const placed = [...Object.keys(MONEY_STEPS), ...Object.keys(HARMLESS)];
    expect(placed.filter((name) => !machines.includes(name)).sort()).toEqual(
      mutations.filter((name) => !machines.includes(name)).sort(),
    );
  });

  /** What an approver is shown is in words: no JSON, and no limit that is merely "not set". */
  async function expectInWords(name: string, id: string): Promise<void> {
    const [change] = await tenant.database.sql<Record<'before' | 'after', Fields>[]>`
      select before, after from change_requests where id = ${id}`;
    for (const row of differences(change?.before ?? null, change?.after ?? null))
      for (const side of [row.before, row.after]) {
        // A regular expression is shown as it is.
        if (/pattern$/i.test(row.name)) continue;
        expect([name, row.name, side?.text]).not.toEqual([
          name,
          row.name,
          expect.stringMatching(/[{}[\]"]|null|undefined|object Object/),
        ]);
        const bounds = /limit|ceiling|\bm(ax|in)(imum)?\b|amount|up to|above|orders|count$/i.test(row.name);
        if (bounds && side?.unset === true)
          expect([name, row.name, side.text]).not.toEqual([name, row.name, 'not set']);
      }
  }

  it('has no effect until a second person approves it, and then at once', async () => {
    await tenant.operate('SetBankAccountStatus', { id: accountId, status: 'PAUSED', reason: 'x' });
    await tenant.operate('SetChannelEnabled', { id: channelId, enabled: false, reason: 'x' });
    await approve((await topUp('50')).change.id);
    for (const [name, propose] of Object.entries(proposals())) {
      const before = await state();
      const { change, ...thing } = await propose();
      const made = ['merchant', 'account', 'channel', 'key', 'balance', 'invitation', 'withdrawal', 'deposit'].flatMap(
        (one) => thing[one] ?? [],
      );
      expect([name, change.status, made, await state()]).toEqual([name, 'PROPOSED', [], before]);
      await expectInWords(name, change.id);

      await expect(decide('ApproveChange', change.id)).rejects.toMatchObject({
        kind: 'AUTHORIZATION_ERROR',
        message: 'you cannot approve your own change',
      });
      expect([name, await state()]).toEqual([name, before]);

      const approved = await approve(change.id);
      expect(approved).toMatchObject({
        status: 'APPLIED',
        alone: null,
        proposedBy: { login: 'admin' },
        decidedBy: { login: 'bob' },
      });
      expect([name, await state()]).not.toEqual([name, before]);
    }
    await expectWholeLedger(tenant);
  });

  it('is applied once under concurrent approvals: one success, one refusal', async () => {
    const own = await tenant.alone(async () => await tenant.merchant());
    for (let n = 1; n <= 10; n++) {
      const { change } = await topUp('10', own.id);
      const outcomes = await Promise.allSettled([approve(change.id, bob), approve(change.id, cy)]);
      const refused = outcomes.filter((one) => one.status === 'rejected');
      expect(outcomes.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
      expect(refused.map(({ reason }) => reason as unknown)).toMatchObject([
        { kind: 'CONFLICT', message: 'the change was already approved and applied' },
      ]);
      expect(await available(own.id)).toBe(`${n * 10}.0000`);
    }
    const [rows] = await tenant.database.sql<{ approved: string }[]>`
      select count(*) filter (where outcome = 'OK') as approved from audit_log
      where action = 'approveChange' and subject = ${`merchant:${own.id}`}`;
    expect(rows?.approved).toBe('10');
    await expectWholeLedger(tenant);
  });

  it('is refused when its subject has changed since', async () => {
    const own = await tenant.alone(async () => await tenant.merchant());
    const { change } = await update({ canWithdraw: true }, own.id);
    const other = await update({ depositExpireMinutes: 30 }, own.id);
    await approve(other.change.id);
    await expect(approve(change.id)).rejects.toMatchObject({
      kind: 'CONFLICT',
      message: expect.stringContaining('depositExpireMinutes') as string,
    });
    expect(await decide('WithdrawChange', change.id)).toMatchObject({ status: 'WITHDRAWN' });
    await expect(approve(change.id)).rejects.toMatchObject({
      message: 'the change was already withdrawn by its proposer',
    });
  });

  it('rolls back when applying fails, and can be approved again', async () => {
    const input = { merchantCode: uuidv7(), name: 'Same', currencies: [{ currencyCode: 'THB' }] };
    const create = async (): Promise<Proposed> => await tenant.operate('CreateMerchant', { input, reason: 'test' });
    const [first, second] = [await create(), await create()];
    await approve(first.change.id);
    const before = await state();
    await expect(approve(second.change.id)).rejects.toMatchObject({
      kind: 'CONFLICT',
      message: 'merchant_code is already used',
    });
    expect(await state()).toEqual(before);
    expect(await tenant.operate('ChangeRequest', { id: second.change.id })).toMatchObject({
      status: 'PROPOSED',
    });
    // A change that cannot be applied now cannot be proposed.
    await expect(create()).rejects.toMatchObject({ message: 'merchant_code is already used' });
  });

  it('expires after its days and then keeps no secret', async () => {
    const { change } = await tenant.operate<Proposed>('IssueApiKey', {
      merchantId: merchant.id,
      reason: 'test',
    });
    const real = tenant.now;
    tenant.now = () => new Date(Date.now() + 7 * DAY + 1_000);
    try {
      await expect(approve(change.id)).rejects.toMatchObject({
        kind: 'CONFLICT',
        message: 'the change has expired',
      });
      const expired = await tenant.operate<{ nodes: Change[] }>('ChangeRequests', {
        filter: { status: ['EXPIRED'] },
      });
      expect(expired.nodes.map(({ id }) => id)).toContain(change.id);
      await expireChanges(tenant.database, tenant.now());
    } finally {
      tenant.now = real;
    }
    const [row] = await tenant.database.sql`
      select status, payload, decided_at = expires_at as on_time from change_requests where id = ${change.id}`;
    expect(row).toEqual({ status: 'EXPIRED', payload: null, onTime: true });
  });

  it('keeps a key invalid until its approval, and for ever after a rejection', async () => {
    const issue = async (): Promise<Proposed & { apiKey: string }> =>
      await tenant.operate('IssueApiKey', { merchantId: merchant.id, reason: 'test' });
    const [good, bad] = [await issue(), await issue()];
    await expect(tenant.actorOf(good.apiKey)).rejects.toThrow('no live key');
    await approve(good.change.id);
    await expect(tenant.actorOf(good.apiKey)).resolves.toMatchObject({ kind: 'merchant' });
    await expect(decide('RejectChange', bad.change.id)).rejects.toMatchObject({
      message: 'withdraw your own change instead',
    });
    expect(await decide('RejectChange', bad.change.id, cy)).toMatchObject({ status: 'REJECTED' });
    await expect(tenant.actorOf(bad.apiKey)).rejects.toThrow('no live key');
    const [row] = await tenant.database.sql`
      select payload from change_requests where id = ${bad.change.id}`;
    expect(row).toEqual({ payload: null });
  });

  it('is not needed for changes that only close', async () => {
    const closing = [
      await tenant.operate<Proposed>('SetBankAccountStatus', {
        id: accountId,
        status: 'PAUSED',
        reason: 'suspicious',
      }),
      await update({ enabled: false }),
      await update({ maxOpenDeposits: 10 }),
    ];
    for (const { change } of closing) expect(change).toMatchObject({ status: 'APPLIED', alone: 'CLOSING' });
    const opening = [
      await tenant.operate<Proposed>('SetBankAccountStatus', {
        id: accountId,
        status: 'ACTIVE',
        reason: 'all clear',
      }),
      await update({ enabled: true }),
      await update({ canDeposit: false, maxOpenDeposits: 11 }),
    ];
    for (const { change } of opening) expect(change.status).toBe('PROPOSED');
    for (const { change } of opening.slice(0, 2)) await approve(change.id);

    const [key] = await tenant.database.sql<{ id: string }[]>`
      select id from api_keys where merchant_id = ${merchant.id} and revoked_at is null limit 1`;
    const revoked = await tenant.operate<Proposed>('RevokeApiKey', { id: key?.id, reason: 'leak' });
    expect(revoked).toMatchObject({
      change: { status: 'APPLIED', alone: 'CLOSING' },
      key: { revokedAt: expect.anything() as unknown },
    });
  });

  it('is approved within the operator’s limit and merchants, never by a token', async () => {
    const { change } = await topUp('100.01');
    const as = async (different: Partial<typeof bob.operator>, via = bob.via): Promise<Change> =>
      await approve(change.id, { ...bob, via, operator: { ...bob.operator, ...different } });
    await expect(as({ approveLimits: { THB: money('100') } })).rejects.toThrow('above your limit');
    await expect(as({ approveLimits: { USD: money('999') } })).rejects.toThrow('above your limit');
    await expect(as({}, 'token')).rejects.toThrow('api token');
    await expect(as({ merchantIds: [uuidv7()] })).rejects.toThrow('outside your restriction');
    await expect(as({ permissions: new Set(['VIEW', 'ADMIN']) })).rejects.toMatchObject({
      kind: 'AUTHORIZATION_ERROR',
    });
    expect(await as({ approveLimits: { THB: money('100.01') }, merchantIds: [merchant.id] })).toMatchObject({
      status: 'APPLIED',
    });
  });

  it('never makes a balance negative, neither when proposed nor when approved', async () => {
    const own = await tenant.alone(async () => await tenant.merchant());
    await approve((await topUp('100', own.id)).change.id);
    await expect(adjust('-100.01', own.id)).rejects.toMatchObject({
      kind: 'INSUFFICIENT_MERCHANT_BALANCE',
    });
    const [one, two] = [await adjust('-60', own.id), await adjust('-60', own.id)];
    await approve(one.change.id);
    await expect(approve(two.change.id)).rejects.toMatchObject({
      kind: 'INSUFFICIENT_MERCHANT_BALANCE',
    });
    expect(await available(own.id)).toBe('40.0000');
    const [posted] = await tenant.database.sql`
      select string_agg(e.account || ' ' || e.amount, ', ' order by t.at, e.line) as lines
      from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
      where t.key in (${`balance-top-up:${one.change.id}`}, ${`balance-adjustment:${one.change.id}`})`;
    expect(posted).toEqual({
      lines: `adjustment 60.0000, merchant:${own.id}:available -60.0000`,
    });
    await expectWholeLedger(tenant);
  });

  it.each([
    ['evidence', { evidence: {} }],
    ['evidence.links', { evidence: { links: ['http://insecure.example/'] } }],
    ['amount', { amount: '0' }],
    ['amount', { amount: '0.001' }],
    ['currencyCode', { currencyCode: 'XXX' }],
    ['no balance in USD', { currencyCode: 'USD' }],
    ['reason', { reason: ' ' }],
  ])('requires the %s of an adjustment', async (named, wrong) => {
    const good = { merchantId: merchant.id, currencyCode: 'THB', amount: '1', reason: 'test' };
    await expect(tenant.operate('AdjustBalance', { ...good, evidence: { text: 'seen' }, ...wrong })).rejects.toThrow(
      named,
    );
  });

  it('is needed to match a credit that a person entered', async () => {
    const own = await tenant.alone(async () => await tenant.merchant());
    const account = await tenant.alone(async () => await tenant.account());
    const { orderNo, expectedRemark } = await tenant.deposit(own);
    const toIt = await tenant.database.sql<{ accountId: string }[]>`
      select account_id from deposit_orders where order_no = ${orderNo}`;
    const { transfer } = await tenant.notify({
      accountId: toIt[0]?.accountId ?? account,
      memo: expectedRemark,
    });
    expect(transfer).toMatchObject({ depositId: null, unmatchedReason: 'ENTERED_BY_PERSON' });
    const match = { transferId: transfer.id, orderNo, reason: 'on the statement' };
    await expect(tenant.operate('MatchTransfer', match)).rejects.toMatchObject({
      message: 'you cannot match a transfer that you entered',
    });
    const { change } = await tenant.operate<Proposed>('MatchTransfer', match, bob);
    expect(change).toMatchObject({ kind: 'MATCH_TRANSFER', status: 'PROPOSED' });
    await expect(approve(change.id)).rejects.toMatchObject({ kind: 'AUTHORIZATION_ERROR' });
    expect(await approve(change.id, cy)).toMatchObject({ status: 'APPLIED' });
    expect(await tenant.operate('BankTransfer', { id: transfer.id })).toMatchObject({ orderNo });
  });

  it('is shown with its changes, and with the reason why it cannot be approved', async () => {
    const { change } = await update({ canWithdraw: false, callbackHosts: ['new.example'] });
    const listed = await tenant.operate<{ nodes: Change[] }>('ChangeRequests', {
      filter: { merchantId: [merchant.id], status: ['PROPOSED'], touches: ['callbackHosts'] },
    });
    expect(listed.nodes[0]).toMatchObject({
      id: change.id,
      after: { callbackHosts: ['new.example'] },
      refusal: 'you cannot approve your own change',
    });
    const others = await tenant.operate<{ nodes: Change[] }>(
      'ChangeRequests',
      { filter: { status: ['PROPOSED'], notMine: true } },
      bob,
    );
    expect(others.nodes.find(({ id }) => id === change.id)).toMatchObject({ refusal: null });
    const { changes } = await tenant.operate<{ changes: Change[] }>('MerchantChanges', {
      id: merchant.id,
    });
    expect(changes.map(({ id }) => id)).toContain(change.id);
  });

  it('starts a cooling period for a merchant’s withdrawals after a key', async () => {
    const own = await tenant.alone(async () => await tenant.merchant());
    tenant.changes.coolingMs = DAY;
    try {
      const { coolingUntil } = await tenant.operate<{ coolingUntil: string | null }>('MerchantChanges', { id: own.id });
      const until = new Date(coolingUntil ?? 0).getTime();
      expect(until).toBeGreaterThan(Date.now());
      expect(until).toBeLessThanOrEqual(Date.now() + DAY);
    } finally {
      tenant.changes.coolingMs = 0;
    }
  });

  it('needs one person in a sandbox with the setting, who may approve it', async () => {
    await tenant.alone(async () => {
      const mine = await update({ notifyDepositExpired: true });
      expect(mine.change).toMatchObject({ status: 'APPLIED', alone: 'SANDBOX' });
      const his = await tenant.operate<Proposed>(
        'UpdateMerchant',
        { id: merchant.id, settings: { notifyDepositExpired: false }, reason: 'test' },
        dan,
      );
      expect(his.change.status).toBe('PROPOSED');
    });
  });
});
