import { generateKeyPairSync } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { uuidv7 } from 'uuidv7';
import { readDayLimits } from '../../domain/authority/day-amounts';
import { MONEY_STEPS, type MoneyStepName } from '../../domain/authority/table';
import { PERMISSIONS } from '../../domain/permissions';
import { openTransferTask } from '../../db/payouts/payouts';
import { contextFor } from '../../graph';
import type { Actor } from '../../steps/access/actor';
import { createDepositActivities } from '../../temporal/activities/deposits';
import { StatementFiles } from '../support/statement-files';
import { type OperatorActor, Tenant, type TestMerchant } from '../support/tenant';
import { approvedWithdrawal, fundedMerchant } from '../support/withdrawals';
import { expectWholeLedger } from '../support/whole-ledger';

interface Change {
  id: string;
  kind: string;
  status: string;
  after: Record<string, unknown>;
}
interface Answered {
  id: string;
  orderNo: string | null;
  unmatchedReason: string | null;
  change: Change | null;
}

const REASON = 'the payer called';

/** One or two dishonest operators where two people are required. */
describe('an insider', () => {
  let tenant: Tenant;
  let accountId: string;
  let evil: TestMerchant;
  let agent: Actor;
  let rita: OperatorActor;
  let ron: OperatorActor;
  let ann: OperatorActor;
  let tess: OperatorActor;

  beforeAll(async () => {
    tenant = await Tenant.create();
    [rita, ron, ann, tess] = await Promise.all([
      tenant.person('rita', ['reconcile']),
      tenant.person('ron', ['reconcile']),
      tenant.person('ann', ['approve']),
      tenant.person('tess', ['treasurer']),
    ]);
    accountId = await tenant.account();
    evil = await fundedMerchant(tenant, '100000');
    await tenant.operate('PutBanks', {
      currencyCode: 'THB',
      reason: 'test',
      banks: [{ bankCode: 'GOODBANK', name: 'Good Bank' }],
    });
    await tenant.operate('CreateAgentKey', {
      reason: 'test',
      input: { label: 'agent', accountIds: [accountId] },
    });
    const [key] = await tenant.database.sql<{ id: string }[]>`select id from agent_keys`;
    agent = {
      kind: 'agent',
      key: {
        id: key?.id ?? '',
        label: 'agent',
        accountIds: [accountId],
        maxTransferAmount: null,
        maxDailyAmount: null,
        worksSince: new Date(),
      },
    } as unknown as Actor;
    tenant.changes.onePerson = false;
  });
  beforeEach(() => {
    tenant.changes.dayLimits = null;
  });
  afterAll(async () => {
    await expectWholeLedger(tenant);
    await tenant.close();
  });

  /** A bank credit that an agent reports. */
  const credit = async (fields: Record<string, unknown>, by: Actor = agent): Promise<string> => {
    const { transfer } = await tenant.notify({ accountId, bankReference: uuidv7(), memo: '', ...fields }, by);
    return transfer.id;
  };
  const match = async (transferId: string, orderNo: string, by: Actor = rita): Promise<Answered> =>
    await tenant.operate('MatchTransfer', { transferId, orderNo, reason: REASON }, by);
  const decide = async (change: Change | null, by: Actor = ann): Promise<Change> =>
    await tenant.operate('ApproveChange', { id: change?.id ?? '', reason: 'looked' }, by);
  const statusOf = async (orderNo: string): Promise<string> => {
    const [row] = await tenant.database.sql<{ status: string }[]>`
      select status from deposit_orders where order_no = ${orderNo}`;
    return row?.status ?? '';
  };

  describe('who matches by hand (matchTransfer)', () => {
    it.each([
      ['another amount', { amount: '900000.00' }, {}],
      ['no data that names the order', {}, {}],
      ['a name that was not given at creation', { payerName: 'Somchai Jaidee' }, {}],
      [
        'an order created after the money arrived',
        { payerName: 'Somchai Jaidee', bankTime: new Date(Date.now() - 30_000).toISOString() },
        { accountHolder: 'Somchai Jaidee' },
      ],
    ])('moves no money alone: %s', async (_what, transfer, order) => {
      const transferId = await credit(transfer);
      const { orderNo } = await tenant.deposit(evil, order);
      const answered = await match(transferId, orderNo);
      expect(answered).toMatchObject({ id: transferId, orderNo: null });
      expect(answered.change).toMatchObject({ kind: 'MATCH_TRANSFER', status: 'PROPOSED' });
      expect(answered.change?.after['findings']).not.toEqual([]);
      expect(await statusOf(orderNo)).toBe('PENDING');
      await expect(decide(answered.change, rita)).rejects.toMatchObject({
        kind: 'AUTHORIZATION_ERROR',
      });
    });

    it('gives the credit to no other merchant than its remark’s, even for the same amount', async () => {
      const victim = await tenant.alone(async () => await tenant.merchant());
      const { expectedRemark, orderNo: owner } = await tenant.deposit(victim);
      const { orderNo } = await tenant.deposit(evil);
      await tenant.operate('SetBankAccountStatus', {
        id: accountId,
        status: 'PAUSED',
        reason: 'held',
      });
      const transferId = await credit({ memo: expectedRemark });
      await tenant.alone(
        async () =>
          await tenant.operate('SetBankAccountStatus', {
            id: accountId,
            status: 'ACTIVE',
            reason: 'goes on',
          }),
      );
      const { change } = await match(transferId, orderNo);
      expect(change?.after['findings']).toEqual(['the memo names an order of another merchant']);
      // The remark's owner needs one person only, as the automatic rule needs none.
      expect(await match(transferId, owner)).toMatchObject({ orderNo: owner, change: null });
      expect(await statusOf(owner)).toBe('MATCHED');
    });

    it('lets two people match, and the second only within their limit', async () => {
      const role = { name: 'small', permissions: ['APPROVE'] };
      await tenant.alone(
        async () =>
          await tenant.operate('CreateRole', {
            reason: 'test',
            input: { ...role, approveLimits: [{ currencyCode: 'THB', amount: '10' }] },
          }),
      );
      const sam = await tenant.person('sam', ['view', 'small']);
      const transferId = await credit({ amount: '70.00' });
      const { orderNo } = await tenant.deposit(evil);
      const { change } = await match(transferId, orderNo);
      await expect(decide(change, sam)).rejects.toMatchObject({
        message: '70 THB is above your limit',
      });
      expect(await decide(change)).toMatchObject({ status: 'APPLIED' });
      expect(await statusOf(orderNo)).toBe('MATCHED');
    });

    it('sums small matches per day: above the limit a second person decides', async () => {
      tenant.changes.dayLimits = readDayLimits('THB=250:9999999:9999999:9999999');
      const answers: Answered[] = [];
      for (let n = 0; n < 4; n++) {
        const { orderNo } = await tenant.deposit(evil, { accountHolder: 'Nok Dee' });
        const bankTime = new Date(Date.now() + 1_000).toISOString();
        answers.push(await match(await credit({ payerName: 'Nok Dee', bankTime }), orderNo, ron));
      }
      const beyond = ["it exceeds the day's amount that one person may match alone"];
      expect(answers.map(({ change }) => change?.after['findings'] ?? null)).toEqual([...[null, null, beyond, beyond]]);
    });

    it('cannot match a credit that he or his approver entered', async () => {
      const transferId = await credit({ amount: '99999.00' }, rita);
      const { orderNo } = await tenant.deposit(evil);
      await expect(match(transferId, orderNo, rita)).rejects.toMatchObject({
        kind: 'AUTHORIZATION_ERROR',
      });
      // Two people with RECONCILE create no money without an approver.
      const { change } = await match(transferId, orderNo, ron);
      expect(change?.after['findings']).toContain(
        'a person entered it, and neither an agent nor a statement has reported it',
      );
      for (const thief of [rita, ron])
        await expect(decide(change, thief)).rejects.toMatchObject({ kind: 'AUTHORIZATION_ERROR' });
      const both = tenant.operatorWith(['APPROVE', 'RECONCILE']) as OperatorActor;
      const enterer = { ...both, operator: { ...both.operator, id: rita.operator.id } };
      await expect(decide(change, enterer)).rejects.toMatchObject({
        message: 'you entered this credit: another person decides',
      });
    });

    it('waits with an entered credit until an agent reports it', async () => {
      const { orderNo, expectedRemark } = await tenant.deposit(evil);
      const bankReference = uuidv7();
      const transferId = await credit({ bankReference, memo: expectedRemark }, rita);
      expect((await match(transferId, orderNo, ron)).change?.status).toBe('PROPOSED');
      // The agent's report is judged as if it came first: no person is needed.
      expect(await statusOf(orderNo)).toBe('PENDING');
      expect(await credit({ bankReference, memo: expectedRemark })).toBe(transferId);
      expect(await statusOf(orderNo)).toBe('MATCHED');
      // No longer provisional. The order's workflow, which this test does not run, credits it.
      const { sql } = tenant.database;
      const [row] = await sql<{ id: string; confirmed: boolean }[]>`
        select d.id, t.confirmed_at is not null as confirmed
        from deposit_orders d join transfer_allocations a on a.deposit_id = d.id
        join bank_transfers t on t.id = a.transfer_id where d.order_no = ${orderNo}`;
      expect(row?.confirmed).toBe(true);
      const clock = (): Promise<Date> => Promise.resolve(tenant.now());
      const steps = createDepositActivities({ database: tenant.database, clock });
      await new MockActivityEnvironment().run(async () => await steps.settleDeposit(row?.id ?? ''));
      expect(await statusOf(orderNo)).toBe('COMPLETED');
    });

    describe('with a file of his own', () => {
      let files: StatementFiles;
      const BANK_BALANCE = '123456.00';
      const fileOf = (remark: string, amount = '900.00'): readonly string[] => [
        `${files.at(0)},${amount},${remark},E-${remark},${BANK_BALANCE}`,
      ];
      const take = async (rows: readonly string[], by: Actor): Promise<string> => {
        const { id } = await files.take(accountId, rows, by);
        return id;
      };
      const confirm = async (id: string, by: Actor): Promise<unknown> =>
        await tenant.operate('ConfirmStatement', { id, reason: 'compared' }, by);
      const enter = async (remark: string, by: Actor): Promise<string> =>
        await credit({ amount: '900.00', memo: remark, bankReference: `E-${remark}` }, by);
      const bankBalance = async (): Promise<string | null> => {
        const [row] = await tenant.database.sql<{ balance: string | null }[]>`
          select bank_balance::text as balance from bank_accounts where id = ${accountId}`;
        return row?.balance ?? null;
      };
      const bothRoles = (person: OperatorActor): OperatorActor => {
        const both = tenant.operatorWith([...PERMISSIONS]) as OperatorActor;
        return { ...both, operator: { ...both.operator, id: person.operator.id } };
      };

      beforeAll(async () => {
        files = await tenant.alone(async () => await StatementFiles.create(tenant));
      });

      it('sets no balance of the bank, whatever it lacks', async () => {
        const day = files.at(0).slice(0, 10);
        const balance = (code: string): string =>
          `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="THB">654321.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
        const camt = async (...codes: string[]): Promise<void> => {
          const file = `<Document><BkToCstmrStmt><Stmt>${codes.map(balance).join('')}</Stmt></BkToCstmrStmt></Document>`;
          const input = { accountId, format: 'CAMT053', fileName: 'a.xml' };
          const { id } = await tenant.operate<{ id: string }>('BeginStatement', { input }, ron);
          const content = Buffer.from(file).toString('base64');
          await tenant.operate('AddStatementPart', { id, part: 0, content }, ron);
          await files.read(id, ron);
          await files.importIt(id, ron);
          expect(await bankBalance()).not.toBe('654321.0000');
        };
        await camt('CLBD');
        await camt('OPBD', 'CLBD');
        // Credits that an agent has reported, with balances moved alike.
        const known = uuidv7();
        await credit({ amount: '17.00', bankReference: known }, agent);
        await take([`${files.at(0)},17.00,x,${known},654321.00`], ron);
        expect(await bankBalance()).not.toBe('654321.0000');
        await take([`${files.at(0)},-18.00,x,${uuidv7()},654321.00`], ron);
        expect(await bankBalance()).not.toBe('654321.0000');
        const [{ closed } = { closed: 1 }] = await tenant.database.sql<{ closed: number }[]>`
          select count(*)::int as closed from statements s
          where s.account_id = ${accountId} and s.closing_balance = 654321 and counts_as_banks(s)`;
        expect(closed).toBe(0);
      });

      it('is no file that another person began', async () => {
        const input = { accountId, format: 'CAMT053', fileName: 'a.xml' };
        const { id } = await tenant.operate<{ id: string }>('BeginStatement', { input }, rita);
        const more = { id, part: 0, content: Buffer.from('<x/>').toString('base64') };
        await expect(tenant.operate('AddStatementPart', more, ron)).rejects.toMatchObject({
          kind: 'AUTHORIZATION_ERROR',
        });
        await tenant.operate('AddStatementPart', more, rita);
      });

      it.each([['matched by his friend'], ['matched by who entered it']])(
        'confirms nothing that he or his friend entered: %s',
        async (how) => {
          const { orderNo, expectedRemark } = await tenant.deposit(evil, { amount: '900.00' });
          const transferId = await enter(expectedRemark, rita);
          await take(fileOf(expectedRemark), ron);
          // The same file again, by the one who entered it.
          await take(fileOf(expectedRemark), rita);
          expect(await bankBalance()).not.toBe('123456.0000');
          if (how === 'matched by his friend') {
            const { change } = await match(transferId, orderNo, ron);
            expect(change?.after['findings']).toContain(
              'a person entered it, and neither an agent nor a statement has reported it',
            );
            for (const thief of [rita, ron])
              await expect(decide(change, thief)).rejects.toMatchObject({
                kind: 'AUTHORIZATION_ERROR',
              });
          } else
            await expect(match(transferId, orderNo, rita)).rejects.toMatchObject({
              kind: 'AUTHORIZATION_ERROR',
            });
          expect(await statusOf(orderNo)).toBe('PENDING');
        },
      );

      it('confirms nothing that was entered after it came', async () => {
        const { orderNo, expectedRemark } = await tenant.deposit(evil, { amount: '900.00' });
        const id = await files.upload(accountId, fileOf(expectedRemark), ron);
        await files.read(id, ron);
        const transferId = await enter(expectedRemark, rita);
        await files.importIt(id, ron);
        expect((await match(transferId, orderNo, ron)).change?.status).toBe('PROPOSED');
        // Nor is what only the file tells of more than what its importer enters.
        const alone = await tenant.deposit(evil, { amount: '901.00' });
        await take(fileOf(alone.expectedRemark, '901.00'), ron);
        const [row] = await tenant.database.sql<{ id: string }[]>`
          select id from bank_transfers where amount = 901`;
        expect((await match(row?.id ?? '', alone.orderNo, rita)).change?.status).toBe('PROPOSED');
        expect(await bankBalance()).not.toBe('123456.0000');
      });

      it('is confirmed by a third person alone, who neither brought it nor entered the credit', async () => {
        const { orderNo, expectedRemark } = await tenant.deposit(evil, { amount: '900.00' });
        const transferId = await enter(expectedRemark, rita);
        const rows = fileOf(expectedRemark);
        const id = await take(rows, ron);
        for (const thief of [rita, ron])
          await expect(confirm(id, thief)).rejects.toMatchObject({ kind: 'AUTHORIZATION_ERROR' });
        await expect(confirm(id, bothRoles(rita))).rejects.toMatchObject({
          message: 'you entered a credit that it tells of: another person confirms it',
        });
        await expect(confirm(id, bothRoles(ron))).rejects.toMatchObject({
          message: 'you brought this file: another person confirms it',
        });
        // Nor who brought the same file another time.
        await take(rows, bothRoles(ann));
        await expect(confirm(id, ann)).rejects.toMatchObject({ kind: 'AUTHORIZATION_ERROR' });
        await confirm(id, tess);
        expect(await bankBalance()).toBe('123456.0000');
        await expect(confirm(id, ann)).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
        await expect(match(transferId, orderNo, rita)).rejects.toMatchObject({
          kind: 'AUTHORIZATION_ERROR',
        });
        expect(await match(transferId, orderNo, ron)).toMatchObject({ change: null });
        expect(await statusOf(orderNo)).toBe('MATCHED');
      });

      it('is confirmed before its import too, and then not of what its confirmer enters', async () => {
        const boss = bothRoles(await tenant.person('boss', ['reconcile']));
        const { orderNo, expectedRemark } = await tenant.deposit(evil, { amount: '900.00' });
        const id = await files.upload(accountId, fileOf(expectedRemark), ron);
        await files.read(id, ron);
        await confirm(id, boss);
        const transferId = await enter(expectedRemark, boss);
        await files.importIt(id, boss);
        expect((await match(transferId, orderNo, ron)).change?.status).toBe('PROPOSED');
      });
    });

    it('cannot match by an API token', async () => {
      const { orderNo } = await tenant.deposit(evil);
      const transferId = await credit({ amount: '5555.00' });
      await expect(match(transferId, orderNo, { ...rita, via: 'token' })).rejects.toMatchObject({
        message: 'an api token holds no power over money: log in',
      });
    });
  });

  describe('who approves many small withdrawals (decideWithdrawals)', () => {
    it('is stopped by the day’s sum, and raises an alert', async () => {
      tenant.changes.dayLimits = readDayLimits('THB=9:9999999:9999999:2000');
      const orderNos: string[] = [];
      for (let n = 0; n < 40; n++) {
        const { orderNo } = await tenant.withdrawal<{ orderNo: string }>(evil, {
          amount: '1000.00',
          beneficiaryAccount: `77-${'7'.repeat(6)}`,
        });
        orderNos.push(orderNo);
      }
      await tenant.operate('DecideWithdrawals', { orderNos, verdict: 'APPROVE' }, ann);
      const [row] = await tenant.database.sql<{ enough: string; waiting: string }[]>`
        select count(*) filter (where people_needed = 1) as enough,
          count(*) filter (where people_needed = 2) as waiting
        from withdrawal_orders where order_no = any(${orderNos})`;
      expect(row).toEqual({ enough: '2', waiting: '38' });
      const alerts = await tenant.database.sql`
        select split_part(about ->> 'subject', ':', 2) as subject from alerts
        where kind = 'DAY_AMOUNT_PASSED' and about ->> 'counter' = 'BENEFICIARY'`;
      expect(alerts).toEqual([{ subject: '•••7777' }]);
    });
  });

  describe('who changes the rules (putReviewRules, listBeneficiary)', () => {
    const HOURS = 3_600_000;
    const reviewed = async (): Promise<{ orderNo: string; isAutoApproved: boolean }> =>
      await tenant.withdrawal(evil, { amount: '50.00', beneficiaryAccount: '8181' });
    const putRules = async (fields: Record<string, unknown> = {}): Promise<Change> => {
      const { change } = await tenant.operate<{ change: Change }>('PutReviewRules', {
        currencyCode: 'THB',
        reason: 'asked for',
        ...fields,
        rules: {
          autoApproveUpTo: '99999999',
          newBeneficiary: false,
          decideWithinMinutes: 30,
        },
      });
      return await decide(change);
    };

    it.each([
      ['of one merchant', () => ({ merchantId: evil.id })],
      ['of all merchants', () => ({})],
    ])('waits a day for the changes: %s', async (_what, fields) => {
      tenant.changes.coolingMs = 24 * HOURS;
      const real = tenant.now;
      try {
        // All changes of the merchant itself are older than the cooling period.
        tenant.now = () => new Date(Date.now() + 48 * HOURS);
        await putRules(fields());
        const { orderNo } = await reviewed();
        const [row] = await tenant.database.sql<{ people: number; reasons: string[] }[]>`
          select people_needed as people, review -> 'reasons' as reasons from withdrawal_orders
          where order_no = ${orderNo}`;
        expect(row).toEqual({ people: 1, reasons: ['COOLING'] });
        await expect(tenant.operate('ApproveWithdrawal', { orderNo }, ann)).rejects.toMatchObject({
          message: "you changed this merchant's keys or rules recently: another person must approve",
        });
        tenant.now = () => new Date(Date.now() + 72 * HOURS + 1_000);
        const later = await reviewed();
        const [free] = await tenant.database.sql<{ people: number }[]>`
          select people_needed as people from withdrawal_orders where order_no = ${later.orderNo}`;
        expect(free).toEqual({ people: 0 });
      } finally {
        tenant.now = real;
        tenant.changes.coolingMs = 0;
        await tenant.database.sql`truncate review_rules`;
      }
    });
  });

  describe('who adds operators (inviteOperator, setOperatorAccess)', () => {
    const invite = async (email: string, roles = ['view']): Promise<Change> =>
      (
        await tenant.operate<{ change: Change }>('InviteOperator', {
          email,
          roles,
          reason: 'new here',
        })
      ).change;
    /** Gives an operator the address of its invitation. */
    const here = async (email: string, login: string): Promise<void> => {
      await tenant.person(login, ['support']);
      await tenant.database.sql`update operators set email = ${email} where login = ${login}`;
    };

    it('adds no second operator with the same address, in any spelling', async () => {
      await here('mallory@house.example', 'mallory');
      for (const email of ['Mallory@House.example', 'mallory+2@house.example'])
        await expect(invite(email)).rejects.toMatchObject({
          message: 'an operator or an invitation has this address already',
        });
      await decide(await invite('trent@house.example'));
      await expect(invite('trent+x@house.example')).rejects.toMatchObject({
        message: 'an operator or an invitation has this address already',
      });
    });

    it('gives no one wider permissions than the approver’s', async () => {
      const limited = await tenant.person('limited', ['view', 'small']);
      const message = 'these permissions are wider than your own: another person must approve them';
      for (const roles of [['approve'], ['admin']])
        await expect(decide(await invite(`${roles[0] ?? ''}@house.example`, roles), limited)).rejects.toMatchObject({
          message,
        });
      expect(await decide(await invite('clerk@house.example', ['support']), limited)).toMatchObject({
        status: 'APPLIED',
      });
    });

    it('cannot let a new approver decide within a day', async () => {
      tenant.changes.coolingMs = 24 * 3_600_000;
      const eve = await tenant.person('eve', ['support']);
      const { change } = await tenant.operate<{ change: Change }>('SetOperatorAccess', {
        operatorId: eve.operator.id,
        roles: ['approve'],
        reason: 'promoted',
      });
      await decide(change);
      const decidesFrom = async (): Promise<string | null> =>
        (
          await tenant.operate<{ decidesFrom: string | null }>('Operator', {
            id: eve.operator.id,
          })
        ).decidesFrom;
      expect(Date.parse((await decidesFrom()) ?? '')).toBeGreaterThan(Date.now() + 23 * 3_600_000);
      const promoted = await tenant.person('eve', ['approve']);
      const { change: topUp } = await tenant.operate<{ change: Change }>('TopUpBalance', {
        merchantId: evil.id,
        currencyCode: 'THB',
        amount: '10000000',
        reason: 'prefunding',
        evidence: { text: 'wire' },
      });
      await expect(decide(topUp, promoted)).rejects.toMatchObject({
        message: expect.stringMatching(/^your permission to decide is new/) as string,
      });
      const { orderNo } = await tenant.withdrawal<{ orderNo: string }>(evil, {
        beneficiaryAccount: '991',
      });
      await expect(tenant.operate('ApproveWithdrawal', { orderNo }, promoted)).rejects.toThrow(
        'your permission to decide is new',
      );
      const real = tenant.now;
      tenant.now = () => new Date(Date.now() + 24 * 3_600_000 + 60_000);
      expect(await decide(topUp, promoted)).toMatchObject({ status: 'APPLIED' });
      expect(await decidesFrom()).toBeNull();
      tenant.now = real;
      tenant.changes.coolingMs = 0;
    });

    it('cannot disable everyone: two who decide remain, and one person disables one a day', async () => {
      const shut = async (login: string): Promise<Change> => {
        const { operator } = await tenant.person(login, ['approve']);
        const { change } = await tenant.operate<{ change: Change }>('SetOperatorDisabled', {
          operatorId: operator.id,
          disabled: true,
          reason: 'mine alone',
        });
        return change;
      };
      expect(await shut('first')).toMatchObject({ status: 'APPLIED' });
      const second = await shut('second');
      expect(second).toMatchObject({ status: 'PROPOSED' });
      await tenant.database.sql`
        update operators set disabled_at = now()
        where login not in ('admin', 'second', 'ann') and id in (
          select operator_id from operator_roles where role in ('approve', 'small'))`;
      expect(await decide(second)).toMatchObject({ status: 'APPLIED' });
      await expect(
        tenant.operate('SetOperatorDisabled', {
          operatorId: ann.operator.id,
          disabled: true,
          reason: 'the last but me',
        }),
      ).rejects.toMatchObject({
        message: 'at least 2 operators must keep APPROVE without restriction',
      });
      await tenant.database.sql`update operators set disabled_at = null`;
    });

    it('sends no outdated invitation by mail', async () => {
      const { after, id } = await decide(await invite('late@house.example'));
      expect([after['email'], id]).toEqual(['late@house.example', id]);
      await tenant.database.sql`
        update operator_links set approved_at = approved_at - interval '400 days'
        where email = 'late@house.example'`;
      const [link] = await tenant.database.sql<{ id: string }[]>`
        select id from operator_links where email = 'late@house.example'`;
      await expect(tenant.operate('ResendInvitation', { id: link?.id, reason: 'again' })).rejects.toMatchObject({
        message: 'the invitation was approved over 7 days ago: propose it again',
      });
    });

    it('creates no token with permissions over money', async () => {
      const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
      for (const scope of ['RECONCILE', 'TREASURER', 'CONFIGURE'])
        await expect(tenant.operate('CreateApiToken', { label: 'mine', scopes: [scope], expiresAt })).rejects.toThrow(
          'a token holds no power over money',
        );
    });

    it('creates no agent in production without ceilings, for several currencies, or with its secret shown', async () => {
      const create = async (more: Record<string, unknown>): Promise<{ secret: string | null; change: Change }> =>
        await tenant.operate('CreateAgentKey', {
          reason: 'test',
          input: { label: 'agent', accountIds: [accountId], ...more },
        });
      const ceilings = { maxTransferAmount: '500', maxDailyAmount: '5000' };
      tenant.changes.onePerson = true;
      const dollars = await tenant.account('USD');
      tenant.changes.onePerson = false;
      expect((await create({})).secret).not.toBeNull();
      const core = tenant.graph.core as { environment: 'sandbox' | 'production' };
      core.environment = 'production';
      try {
        for (const missing of Object.keys(ceilings))
          await expect(create({ ...ceilings, [missing]: null })).rejects.toThrow(missing);
        await expect(create({ ...ceilings, accountIds: [accountId, dollars] })).rejects.toThrow(
          'must have one currency',
        );
        await expect(create(ceilings)).rejects.toThrow('ownerEmail');
        const publicKey = generateKeyPairSync('ed25519')
          .publicKey.export({ format: 'der', type: 'spki' })
          .toString('base64');
        await expect(create({ ...ceilings, publicKey })).rejects.toThrow('ownerEmail');
        const ownerEmail = 'owner@agents.example';
        await expect(create({ ...ceilings, publicKey, ownerEmail })).rejects.toThrow('publicKey');
        await expect(create({ ...ceilings, ownerEmail: 'nobody' })).rejects.toThrow('mail address');
        const made = await create({ ...ceilings, ownerEmail });
        expect(made.secret).toBeNull();
        // The approver sees the currency of the ceilings, and the accounts by name.
        expect(made.change.after).toMatchObject({
          currencies: ['THB'],
          accounts: [expect.stringContaining('TESTBANK')],
        });
      } finally {
        core.environment = 'sandbox';
      }
    });

    it('creates tokens in production only for named addresses, and for a month', async () => {
      const create = async (days: number, allowedAddresses?: string[]): Promise<unknown> =>
        await tenant.operate('CreateApiToken', {
          label: 'mine',
          scopes: [],
          allowedAddresses,
          expiresAt: new Date(tenant.now().getTime() + days * 86_400_000).toISOString(),
        });
      await expect(create(1, ['everywhere'])).rejects.toThrow('no address');
      const core = tenant.graph.core as { environment: 'sandbox' | 'production' };
      core.environment = 'production';
      try {
        await expect(create(1)).rejects.toThrow('from where');
        await expect(create(31, ['203.0.113.0/24'])).rejects.toThrow('within 30 days');
      } finally {
        core.environment = 'sandbox';
      }
    });
  });

  it('cannot split a top-up: above the day’s sum another person decides', async () => {
    tenant.changes.dayLimits = readDayLimits('THB=9:2000:9999999:9999999');
    const outcomes: string[] = [];
    const cy = await tenant.person('cy', ['approve']);
    for (let n = 0; n < 4; n++) {
      const { change } = await tenant.operate<{ change: Change }>(
        'TopUpBalance',
        {
          merchantId: evil.id,
          currencyCode: 'THB',
          amount: '1000',
          reason: 'prefunding',
          evidence: { text: 'wire' },
        },
        tess,
      );
      outcomes.push(
        await decide(change, cy).then(
          ({ status }) => status,
          (error: unknown) => (error as Error).message,
        ),
      );
    }
    const refused = "the day's amount in THB is exceeded: a second person must decide";
    expect(outcomes).toEqual(['APPLIED', 'APPLIED', refused, refused]);
    const [alerted] = await tenant.database.sql<{ subject: string }[]>`
      select about ->> 'subject' as subject from alerts
      where kind = 'DAY_AMOUNT_PASSED' and about ->> 'counter' = 'APPROVER'`;
    expect(alerted).toEqual({ subject: cy.operator.id });
  });

  describe('who pays manually (completeTransfer)', () => {
    const tom = async (): Promise<OperatorActor> =>
      await tenant.person(`tom-${uuidv7().slice(-6)}`, ['treasurer', 'approve']);
    const underWay = async (payer: Actor): Promise<{ id: string; orderNo: string }> => {
      const order = await approvedWithdrawal(tenant, evil);
      await openTransferTask(tenant.database, uuidv7(), order.id, tenant.now());
      await tenant.operate('ClaimTransfer', { orderNo: order.orderNo, accountId }, payer);
      await tenant.operate('BeginTransfer', { orderNo: order.orderNo }, payer);
      return order;
    };
    const complete = async (
      orderNo: string,
      payer: Actor,
      bankReference = uuidv7(),
    ): Promise<{ status: string; change: Change | null }> =>
      await tenant.operate('CompleteTransfer', { orderNo, bankReference }, payer);
    const debit = async (fields: Record<string, unknown>): Promise<{ explainedAt: string | null }> =>
      (
        await tenant.operate<{ debit: { explainedAt: string | null } }>(
          'RecordBankDebit',
          {
            input: {
              accountId,
              amount: '100',
              currencyCode: 'THB',
              memo: '',
              bankTime: tenant.now().toISOString(),
              bankReference: uuidv7(),
              ...fields,
            },
          },
          agent,
        )
      ).debit;

    it('cannot have approved the withdrawal', async () => {
      const payer = await tom();
      const { orderNo } = await tenant.withdrawal<{ orderNo: string }>(evil, {});
      await tenant.operate('ApproveWithdrawal', { orderNo }, payer);
      const [order] = await tenant.database.sql<{ id: string }[]>`
        update withdrawal_orders set status = 'APPROVED', approved_at = created_at,
          approved_by = ${payer.operator.id}
        where order_no = ${orderNo} returning id`;
      await openTransferTask(tenant.database, uuidv7(), order?.id ?? '', tenant.now());
      await expect(tenant.operate('ClaimTransfer', { orderNo, accountId }, payer)).rejects.toMatchObject({
        message: 'you approved this withdrawal: another person must pay it',
      });
    });

    it('cannot invent the evidence: without a debit a second treasurer confirms', async () => {
      const payer = await tom();
      const { orderNo } = await underWay(payer);
      const { status, change } = await complete(orderNo, payer, 'NEVER-SENT');
      expect({ status, change: change?.status }).toEqual({
        status: 'APPROVED',
        change: 'PROPOSED',
      });
      for (const [thief, message] of [
        [payer, 'you cannot approve your own change'],
        [ann, 'the permission TREASURER is required'],
      ] as const)
        await expect(decide(change, thief)).rejects.toMatchObject({ message });
      expect(await decide(change, tess)).toMatchObject({ status: 'APPLIED' });
    });

    it('completes alone only what the bank has reported', async () => {
      const payer = await tom();
      const { orderNo } = await underWay(payer);
      await debit({ memo: `${orderNo}-1`, payeeAccount: 'XXX-X-X7890' });
      expect(await complete(orderNo, payer)).toMatchObject({ status: 'COMPLETED', change: null });
    });

    it('pays only the beneficiary: another payee pauses the account', async () => {
      const payer = await tom();
      const { id, orderNo } = await underWay(payer);
      const paid = await debit({ memo: `${orderNo}-1`, payeeAccount: '0000000666' });
      expect(paid.explainedAt).toBeNull();
      const [row] = await tenant.database.sql`
        select needs_manual_intervention as stopped, (select status from bank_accounts where id = ${accountId}) as account,
          (select count(*)::int from alerts where kind = 'PAYEE_DIFFERS') as alerts
        from withdrawal_orders where id = ${id}`;
      expect(row).toEqual({ stopped: true, account: 'PAUSED', alerts: 1 });
      expect((await complete(orderNo, payer)).change?.status).toBe('PROPOSED');
    });
  });

  it('reaches no mutation whose row is missing in the table', async () => {
    const { authority } = tenant.graph.core;
    const all = tenant.operatorWith(PERMISSIONS);
    const reached: string[] = [];
    for (const step of Object.keys(MONEY_STEPS) as MoneyStepName[]) {
      const { [step]: _gone, ...rest } = authority;
      Object.assign(tenant.graph.core, { authority: rest });
      const field = tenant.graph.schema.getMutationType()?.getFields()[step];
      const context = contextFor(tenant.graph.core, all);
      try {
        await (field?.resolve as (...args: unknown[]) => unknown)(null, {}, context, {
          parentType: { name: 'Mutation' },
          fieldName: step,
        });
        reached.push(step);
      } catch (error) {
        if ((error as Error).message !== `no rule of the platform allows ${step}`)
          reached.push(`${step}: ${(error as Error).message}`);
      }
      Object.assign(tenant.graph.core, { authority });
    }
    expect(reached).toEqual([]);
  });
});
