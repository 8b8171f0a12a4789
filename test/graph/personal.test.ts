import { uuidv7 } from 'uuidv7';
import type { Permission } from '../../domain/permissions';
import { HIDDEN, MOST_REVEALS_AN_HOUR } from '../../domain/personal';
import type { Actor } from '../../steps/access/actor';
import { StatementFiles } from '../support/statement-files';
import { type OperatorActor, Tenant, type TestMerchant } from '../support/tenant';

const PAYER = { accountHolder: 'Somchai Jaidee', accountNo: '1234567890', mobile: '0812345678' };
const SENT = { payerName: 'Malee Suk', payerAccount: '9876543210', memo: 'for Malee' };

interface Revealed {
  readonly fields: readonly { readonly name: string; readonly value: string }[];
}

describe('data of payers and beneficiaries', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let deposit: { readonly id: string; readonly orderNo: string };
  let accountId: string;
  let transferId: string;
  let support: OperatorActor;

  beforeAll(async () => {
    tenant = await Tenant.create(undefined, { maskPersonal: true });
    accountId = await tenant.account('THB', { accountNo: '5554443332' });
    merchant = await tenant.merchant();
    const { orderNo } = await tenant.deposit(merchant, { ...PAYER, extraData: 'for Ann' });
    deposit = await tenant.operate('Deposit', { orderNo });
    ({
      transfer: { id: transferId },
    } = await tenant.notify({ accountId, ...SENT }));
    support = await tenant.person('supporter', ['support']);
  });
  afterAll(async () => {
    await tenant.close();
  });

  const withPowers = (...permissions: Permission[]): Actor => tenant.operatorWith(['VIEW', ...permissions]);
  const shown = async (actor: Actor) => {
    const transfer = await tenant.operate('BankTransfer', { id: transferId }, actor);
    const order = await tenant.operate('Deposit', { orderNo: deposit.orderNo }, actor);
    return { transfer, order };
  };
  const reveal = async (fields: Record<string, unknown> = {}, actor: Actor = support) => {
    const { fields: found } = await tenant.operate<Revealed>(
      'RevealPersonal',
      { of: 'DEPOSIT', id: deposit.id, reason: 'the payer asked', ...fields },
      actor,
    );
    return Object.fromEntries(found.map(({ name, value }) => [name, value]));
  };

  it('are masked for operators without READ_PERSONAL, but our own accounts are not', async () => {
    const { transfer, order } = await shown(withPowers('RECONCILE', 'SUPPORT', 'ADMIN'));
    expect(transfer).toMatchObject({
      payerName: `M${HIDDEN} S${HIDDEN}`,
      payerAccount: `${HIDDEN}3210`,
      memo: HIDDEN,
    });
    expect(order).toMatchObject({
      payerName: `S${HIDDEN} J${HIDDEN}`,
      account: { accountNo: '5554443332' },
    });
    // Sentences that compare the two parties name neither.
    const text = JSON.stringify([transfer, order]);
    for (const value of [...Object.values(PAYER), ...Object.values(SENT), 'Somchai', 'Malee'])
      expect(text).not.toContain(value);
  });

  it('are shown to operators with READ_PERSONAL', async () => {
    const { transfer, order } = await shown(withPowers('READ_PERSONAL'));
    expect(transfer).toMatchObject(SENT);
    expect(order).toMatchObject({ payerName: PAYER.accountHolder });
  });

  it('are masked in lines of statements', async () => {
    const files = await StatementFiles.create(tenant, true);
    const { payerName, payerAccount, memo } = SENT;
    const row = `${files.at(1)},7.00,${memo},,,${payerName},${payerAccount}`;
    const { id } = await files.take(accountId, [row]);
    const seen = async (actor: Actor) => (await files.lines(id, {}, actor))[0];
    expect(await seen(withPowers('RECONCILE'))).toMatchObject({
      partyName: `M${HIDDEN} S${HIDDEN}`,
      partyAccount: `${HIDDEN}3210`,
      memo: HIDDEN,
    });
    expect(await seen(withPowers('READ_PERSONAL'))).toMatchObject({
      partyName: payerName,
      partyAccount: payerAccount,
      memo,
    });
  });

  it('are masked in an export, too', async () => {
    const csv = async (...powers: Permission[]): Promise<string> => {
      const actor = await tenant.person(`exporter${powers.length}`, [
        ...['reconcile', ...(powers.length > 0 ? ['read_personal'] : [])],
      ]);
      return (await tenant.operate<{ csv: string }>('ExportBankTransfers', { reason: 'x' }, actor)).csv;
    };
    expect(await csv()).not.toContain(SENT.memo);
    expect(await csv('READ_PERSONAL')).toContain(SENT.memo);
  });

  it('are masked in a change for operators who may not decide it', async () => {
    await tenant.operate('ListPayer', {
      input: { list: 'DENY', trait: 'NAME', value: 'Somchai Jaidee' },
      reason: 'fraud',
    });
    // A change about money shows the bank's text.
    const memo = 'from aunt Boonsri';
    const { transfer } = await tenant.notify({ accountId, amount: '3.00', memo });
    await tenant.operate('WriteOffMoney', {
      transferId: transfer.id,
      reason: 'too little',
      evidence: { text: 'x' },
    });
    const seen = async (...powers: Permission[]): Promise<string> =>
      JSON.stringify(await tenant.operate('ChangeRequests', { first: 50 }, withPowers(...powers)));
    for (const name of ['Jaidee', 'Boonsri']) {
      expect(await seen('SUPPORT')).not.toContain(name);
      expect(await seen('APPROVE')).toContain(name);
      expect(await seen('READ_PERSONAL')).toContain(name);
    }
  });

  it('are never used as the payee in masked form', async () => {
    const payee = { name: `M${HIDDEN}`, account: '9876543210' };
    await expect(
      tenant.operate('ReturnMoney', { transferId, payee, evidence: { text: 'x' }, reason: 'x' }),
    ).rejects.toThrow('masked');
  });

  describe('that are revealed', () => {
    it('leave a row in the audit log with operator, subject, fields and reason', async () => {
      expect(await reveal()).toEqual({
        payerName: 'Somchai Jaidee',
        payerAccountNo: '1234567890',
        payerMobile: '0812345678',
        extraData: 'for Ann',
      });
      const [row] = await tenant.database.sql`
        select login, subject, reason, after, outcome from audit_log
        where action = 'revealPersonal' order by seq desc limit 1`;
      expect(row).toEqual({
        login: 'supporter',
        subject: `deposit:${deposit.id}`,
        reason: 'the payer asked',
        after: { fields: ['payerName', 'payerAccountNo', 'payerMobile', 'extraData'] },
        outcome: 'OK',
      });
    });

    it('may belong to a bank credit', async () => {
      expect(await reveal({ of: 'BANK_TRANSFER', id: transferId })).toMatchObject(SENT);
    });

    it.each<[string, () => Promise<unknown>, string]>([
      ['without a reason', async () => await reveal({ reason: ' ' }), 'reason'],
      ['for an unknown order', async () => await reveal({ id: uuidv7() }), 'not found'],
      ['for a viewer', async () => await reveal({}, withPowers()), 'not allowed'],
      ['for an API token', async () => await reveal({}, { ...support, via: 'token' }), 'logged in'],
      [
        'for an operator of other merchants',
        async () => await reveal({}, tenant.operatorWith(['VIEW', 'SUPPORT'], [uuidv7()])),
        'not found',
      ],
      [
        'for an operator of some merchants on a bank credit',
        async () =>
          await reveal(
            { of: 'BANK_TRANSFER', id: transferId },
            tenant.operatorWith(['VIEW', 'SUPPORT'], [merchant.id]),
          ),
        'not found',
      ],
    ])('are refused %s', async (_what, ask, problem) => {
      await expect(ask()).rejects.toThrow(problem);
    });

    it('are limited per hour', async () => {
      const busy = await tenant.person('busy', ['support']);
      // All at once: each request counts the others.
      const answers = await Promise.allSettled(
        Array.from({ length: MOST_REVEALS_AN_HOUR + 3 }, async () => await reveal({}, busy)),
      );
      const refused = answers.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
      expect(refused).toHaveLength(3);
      for (const why of refused) expect(why).toContain('too many');
      const { now } = tenant;
      tenant.now = () => new Date(now().getTime() + 3_600_001);
      try {
        expect(await reveal({}, busy)).toHaveProperty('payerName');
      } finally {
        tenant.now = now;
      }
    });
  });
});
