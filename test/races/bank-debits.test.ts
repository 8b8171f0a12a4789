import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { Tenant, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';
import { fundedMerchant, transferUnderWay } from '../support/withdrawals';

describe('racing bank debits', () => {
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

  const report = async (bankReference: string): Promise<{ duplicate: boolean; debit: { attemptId: string | null } }> =>
    await tenant.operate('RecordBankDebit', {
      input: {
        accountId,
        amount: '100',
        currencyCode: 'THB',
        memo: '',
        bankReference,
        bankTime: new Date().toISOString(),
      },
    });
  const debitsOf = async (bankReference: string): Promise<{ attemptId: string | null }[]> =>
    await tenant.database.sql<{ attemptId: string | null }[]>`
      select attempt_id from bank_debits where bank_reference = ${bankReference}`;

  it('are recorded once from ten concurrent reports', async () => {
    const reference = uuidv7();
    const answers = await Promise.all(Array.from({ length: 10 }, () => report(reference)));
    expect(answers.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(await debitsOf(reference)).toHaveLength(1);
  });

  it('match once when a debit and the completion of its task race', async () => {
    let earlier = 0;
    for (let n = 0; n < 25; n++) {
      const { orderNo, attemptId } = await transferUnderWay(tenant, merchant, accountId);
      const bankReference = uuidv7();
      const reported = async (): Promise<{ debit: { attemptId: string | null } }> => {
        // At a random moment of the completion.
        await sleep(n / 2);
        return await report(bankReference);
      };
      const [{ debit }] = await Promise.all([
        reported(),
        tenant.operate('CompleteTransfer', { orderNo, bankReference }),
      ]);
      if (debit.attemptId === null) earlier++;
      expect([...(await debitsOf(bankReference))]).toEqual([{ attemptId }]);
    }
    process.stdout.write(`debits: raced=25 recorded-before-completion=${earlier} matched=25\n`);
  });

  it('match one of two debits of one task, and leave the other to a person', async () => {
    const { orderNo, attemptId } = await transferUnderWay(tenant, merchant, accountId);
    const input = (bankReference: string) => ({
      accountId,
      amount: '100',
      currencyCode: 'THB',
      bankReference,
      memo: `${orderNo}-1`,
      bankTime: new Date().toISOString(),
    });
    const references = [uuidv7(), uuidv7()];
    await Promise.all(
      references.map(async (reference) => await tenant.operate('RecordBankDebit', { input: input(reference) })),
    );
    const rows = (await Promise.all(references.map(debitsOf))).flat();
    expect(rows.map((row) => row.attemptId === attemptId).sort()).toEqual([false, true]);
  });
});
