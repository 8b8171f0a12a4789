import { uuidv7 } from 'uuidv7';
import type { Actor } from '../../steps/access/actor';
import { verifyLedger } from '../../db/ledger/ledger';
import { findAgentKeys } from '../../db/accounts/agent-keys';
import { clockFromNoon } from '../support/clock';
import { Tenant, type TestDeposit, type TestMerchant } from '../support/tenant';

describe('a bank notification', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let accountId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    tenant.now = clockFromNoon();
    merchant = await tenant.merchant({}, [{ currencyCode: 'THB' }, { currencyCode: 'USD' }]);
    accountId = await tenant.account();
  });
  afterAll(async () => {
    expect(await verifyLedger(tenant.database)).toEqual([]);
    await tenant.close();
  });

  const statusOf = async ({ orderNo }: TestDeposit): Promise<string> =>
    (await tenant.operate<{ status: string }>('Deposit', { orderNo })).status;

  const suspense = async (): Promise<string> => {
    const accounts = await tenant.list<{ account: string; currencyCode: string; balance: string }>('TrialBalance');
    return accounts.find((a) => a.account === 'suspense' && a.currencyCode === 'THB')?.balance ?? '0.0000';
  };

  it('matches the one deposit that its memo names', async () => {
    const deposit = await tenant.deposit(merchant);
    const { transfer } = await tenant.notify({ accountId, memo: `x ${deposit.expectedRemark} y` });
    expect(transfer.unmatchedReason).toBeNull();
    expect(await statusOf(deposit)).toBe('MATCHED');
  });

  it('reported five times at once is recorded once and credits once', async () => {
    const deposit = await tenant.deposit(merchant);
    const before = Number(await suspense());
    const same = { accountId, memo: deposit.expectedRemark, bankReference: ` ab ${uuidv7()}` };
    const spelled = (n: number): string =>
      n % 2 ? same.bankReference.toUpperCase() : same.bankReference.replace(/ /g, '');
    const reported = await Promise.all(
      [0, 1, 2, 3, 4].map(async (n) => await tenant.notify({ ...same, bankReference: spelled(n) })),
    );
    expect(reported.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(new Set(reported.map(({ transfer }) => transfer.id)).size).toBe(1);
    expect(Number(await suspense()) - before).toBe(100);
  });

  it('without a reference is a repeat if all reported fields are equal', async () => {
    const reported = { accountId, memo: 'cash', bankTime: '2026-01-02T03:04:05Z', payerName: 'A' };
    const first = await tenant.notify(reported);
    expect((await tenant.notify(reported)).duplicate).toBe(true);
    const other = await tenant.notify({ ...reported, payerName: 'B' });
    expect(other.duplicate).toBe(false);
    expect(other.transfer.id).not.toBe(first.transfer.id);
  });

  describe('is never credited without a person', () => {
    it.each<[string, (now: Date) => Record<string, unknown>, string]>([
      ['one satang too little', () => ({ amount: '99.99' }), 'AMOUNT_DIFFERS'],
      ['one satang too much', () => ({ amount: '100.01' }), 'AMOUNT_DIFFERS'],
      [
        'booked before the order',
        (now) => ({ bankTime: new Date(now.getTime() - 120_000).toISOString() }),
        'TOO_EARLY',
      ],
    ])('%s', async (_name, input, reason) => {
      const now = tenant.now();
      const deposit = await tenant.deposit(merchant);
      const { transfer } = await tenant.notify({
        accountId,
        memo: deposit.expectedRemark,
        ...input(now),
      });
      expect(transfer.unmatchedReason).toBe(reason);
      expect(await statusOf(deposit)).toBe('PENDING');
    });

    it('is not even recorded in another currency than the account’s', async () => {
      const deposit = await tenant.deposit(merchant);
      const foreign = { accountId, currencyCode: 'USD', memo: deposit.expectedRemark };
      await expect(tenant.notify(foreign)).rejects.toThrow('the account is in THB');
      expect(await statusOf(deposit)).toBe('PENDING');
    });

    it('with a remark that was already paid', async () => {
      const deposit = await tenant.deposit(merchant);
      await tenant.notify({ accountId, memo: deposit.expectedRemark, bankReference: uuidv7() });
      const { transfer } = await tenant.notify({
        accountId,
        memo: deposit.expectedRemark,
        bankReference: uuidv7(),
      });
      expect(transfer.unmatchedReason).toBe('ORDER_NOT_PENDING');
    });

    it('with two remarks', async () => {
      const [a, b] = [await tenant.deposit(merchant), await tenant.deposit(merchant)];
      const { transfer } = await tenant.notify({
        accountId,
        memo: `${a.expectedRemark} ${b.expectedRemark}`,
      });
      expect(transfer.unmatchedReason).toBe('SEVERAL_REMARKS');
      expect([await statusOf(a), await statusOf(b)]).toEqual(['PENDING', 'PENDING']);
    });

    it('on another account than the order’s', async () => {
      const deposit = await tenant.deposit(merchant);
      const other = await tenant.account();
      const { transfer } = await tenant.notify({ accountId: other, memo: deposit.expectedRemark });
      expect(transfer.unmatchedReason).toBe('OTHER_ACCOUNT');
      await tenant.operate('SetBankAccountStatus', {
        id: other,
        status: 'DISABLED',
        reason: 'test',
      });
    });
  });

  it('with a known reference but another amount is recorded, and waits for a person', async () => {
    const bankReference = uuidv7();
    await tenant.notify({ accountId, memo: '', bankReference });
    const deposit = await tenant.deposit(merchant, { amount: '250.00' });
    const other = { accountId, memo: deposit.expectedRemark, amount: '250.00', bankReference };
    const { duplicate, transfer } = await tenant.notify(other);
    expect([duplicate, transfer.unmatchedReason]).toEqual([false, 'REFERENCE_REUSED']);
    expect((await tenant.notify(other)).duplicate).toBe(true);
  });

  it('reported twice by one source, with a reference and without, waits for a person', async () => {
    const deposit = await tenant.deposit(merchant, { amount: '77.00' });
    const reported = { accountId, memo: deposit.expectedRemark, amount: '77.00' };
    expect((await tenant.notify(reported)).transfer.unmatchedReason).toBeNull();
    const again = await tenant.notify({ ...reported, bankReference: uuidv7() });
    expect(again.transfer.unmatchedReason).toBe('NEAR_DUPLICATE');
  });

  it.each([
    ['in no currency', { currencyCode: 'ZZZ' }],
    ['from the future', { bankTime: '2099-01-01T00:00:00Z' }],
    ['of nothing', { amount: '0' }],
  ])('%s is refused', async (_name, input) => {
    await expect(tenant.notify({ accountId, memo: '', ...input })).rejects.toMatchObject({
      kind: 'INVALID_FIELD',
    });
  });

  it('equal to another one in every field waits for a person', async () => {
    const reported = { accountId, memo: '', amount: '77.00', bankTime: '2026-01-02T03:04:05Z' };
    const first = await tenant.notify(reported);
    const again = await Promise.all([tenant.notify(reported), tenant.notify(reported)]);
    for (const { duplicate, transfer } of again) {
      expect(duplicate).toBe(false);
      expect(transfer.unmatchedReason).toBe('NEAR_DUPLICATE');
    }
    expect(new Set([first, ...again].map(({ transfer }) => transfer.id)).size).toBe(3);
    // Fields that a statement's reader cannot misread distinguish them: a balance, or a remark.
    const balance = { ...reported, amount: '76.00', balanceAfter: '76.00' };
    await tenant.notify(balance);
    expect((await tenant.notify(balance)).duplicate).toBe(true);
  });

  it('that waits is judged again by a better report', async () => {
    const deposit = await tenant.deposit(merchant, { amount: '61.00' });
    const poor = { accountId, memo: 'TRF', amount: '61.00', bankReference: `r-${uuidv7()}` };
    const { transfer } = await tenant.notify(poor);
    expect(transfer.unmatchedReason).toBe('NO_REMARK');
    const better = { ...poor, memo: `trf ${deposit.expectedRemark}`, payerName: 'Ann' };
    const { duplicate, transfer: now } = await tenant.notify(better);
    expect([duplicate, now.id, now.unmatchedReason]).toEqual([true, transfer.id, null]);
    expect(await statusOf(deposit)).toBe('MATCHED');
    // It is the same credit: nothing more was posted.
    expect((await tenant.notify(better)).duplicate).toBe(true);
  });

  it('without the balance that its account requires waits for a person', async () => {
    const demanding = await tenant.account('USD', { balanceRequired: true });
    const deposit = await tenant.deposit(merchant, { currencyCode: 'USD' });
    const paid = { accountId: demanding, currencyCode: 'USD', memo: deposit.expectedRemark };
    const { transfer } = await tenant.notify({ ...paid, bankReference: 'b1' });
    expect(transfer.unmatchedReason).toBe('NO_BALANCE');
    // The better report has the balance.
    const better = { ...paid, bankReference: 'b1', balanceAfter: '100.00' };
    expect((await tenant.notify(better)).transfer.unmatchedReason).toBeNull();
    await tenant.operate('SetBankAccountStatus', {
      id: demanding,
      status: 'DISABLED',
      reason: 'test',
    });
  });

  it('fixes the fee at the match: a later fee does not apply', async () => {
    const fees = (percent: string, fixed: string): Record<string, unknown> => ({
      currencyCode: 'THB',
      depositFee: { percent, fixed },
    });
    const charged = await tenant.merchant({}, [fees('1.5', '0')]);
    const deposit = await tenant.deposit(charged);
    const { transfer } = await tenant.notify({ accountId, amount: '80.00', memo: 'mistyped' });
    await tenant.operate('MatchTransfer', {
      transferId: transfer.id,
      orderNo: deposit.orderNo,
      reason: 'receipt seen',
    });
    await tenant.operate('UpdateMerchant', {
      id: charged.id,
      currencies: [fees('1.5', '150')],
      reason: 'new price',
    });
    // The order shows its quote until it is completed; the match keeps the fee.
    const { fee } = await tenant.operate<{ fee: string }>('Deposit', { orderNo: deposit.orderNo });
    expect(fee).toBe('1.5000');
    const [allocation] = await tenant.database.sql<{ fee: string }[]>`
      select fee from transfer_allocations where transfer_id = ${transfer.id}`;
    expect(allocation?.fee).toBe('1.2000');
  });

  describe('that waits for a person', () => {
    it('is listed, and matched by an operator, with what arrived', async () => {
      const deposit = await tenant.deposit(merchant);
      const { transfer } = await tenant.notify({ accountId, amount: '90.00', memo: 'forgot it' });
      const listed = await tenant.list<{ id: string }>('UnmatchedTransfers');
      expect(listed.map(({ id }) => id)).toContain(transfer.id);
      const match = { transferId: transfer.id, orderNo: deposit.orderNo, reason: 'receipt seen' };
      await tenant.operate('MatchTransfer', match);
      expect(await statusOf(deposit)).toBe('MATCHED');
      const after = await tenant.list<{ id: string }>('UnmatchedTransfers');
      expect(after.map(({ id }) => id)).not.toContain(transfer.id);
      await expect(tenant.operate('MatchTransfer', match)).rejects.toThrow(
        'the bank transfer is already matched to a deposit',
      );
    });

    it('pays one deposit, although several operators match it at once', async () => {
      const deposits = await Promise.all([1, 2, 3].map(async () => await tenant.deposit(merchant)));
      const { transfer } = await tenant.notify({ accountId, memo: 'whose?' });
      const said = await Promise.allSettled(
        deposits.map(
          async ({ orderNo }) =>
            await tenant.operate('MatchTransfer', {
              transferId: transfer.id,
              orderNo,
              reason: 'mine',
            }),
        ),
      );
      expect(said.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const statuses = await Promise.all(deposits.map(statusOf));
      expect(statuses.filter((status) => status === 'MATCHED')).toHaveLength(1);
    });

    it('cannot pay a deposit in another currency', async () => {
      const usd = await tenant.account('USD');
      const deposit = await tenant.deposit(merchant);
      const { transfer } = await tenant.notify({ accountId: usd, currencyCode: 'USD', memo: '' });
      await expect(
        tenant.operate('MatchTransfer', {
          transferId: transfer.id,
          orderNo: deposit.orderNo,
          reason: 'no',
        }),
      ).rejects.toThrow('different currencies');
    });
  });

  describe('from an agent', () => {
    async function agent(input: Record<string, unknown>): Promise<Actor> {
      const { key } = await tenant.operate<{ key: { keyId: string } }>('CreateAgentKey', {
        reason: 'test',
        input: { label: 'test', accountIds: [accountId], ...input },
      });
      const found = (await findAgentKeys(tenant.database, [key.keyId])).get(key.keyId);
      if (!found) throw new Error('no key');
      return { kind: 'agent', key: found };
    }

    it('is refused outside its accounts', async () => {
      const other = await tenant.account();
      // No later deposit uses it.
      await tenant.operate('SetBankAccountStatus', {
        id: other,
        status: 'DISABLED',
        reason: 'test',
      });
      await expect(tenant.notify({ accountId: other, memo: '' }, await agent({}))).rejects.toMatchObject({
        kind: 'AUTHORIZATION_ERROR',
      });
    });

    it('above its ceiling for one credit waits for a person', async () => {
      const deposit = await tenant.deposit(merchant);
      const actor = await agent({ maxTransferAmount: '99.99' });
      const { transfer } = await tenant.notify({ accountId, memo: deposit.expectedRemark }, actor);
      expect(transfer.unmatchedReason).toBe('OVER_AGENT_LIMIT');
    });

    it('above one key’s ceiling is judged again by a report of another key within its own', async () => {
      const deposit = await tenant.deposit(merchant);
      const weak = await agent({ maxTransferAmount: '1.00' });
      const reported = { accountId, memo: deposit.expectedRemark, bankReference: `w-${uuidv7()}` };
      const { transfer } = await tenant.notify(reported, weak);
      expect(transfer.unmatchedReason).toBe('OVER_AGENT_LIMIT');
      // A repeat of the report changes nothing.
      expect((await tenant.notify(reported, weak)).transfer.unmatchedReason).toBe('OVER_AGENT_LIMIT');
      const { duplicate, transfer: now } = await tenant.notify(reported, await agent({}));
      expect([duplicate, now.id, now.unmatchedReason]).toEqual([true, transfer.id, null]);
      expect(await statusOf(deposit)).toBe('MATCHED');
    });

    it('above its ceiling for the day waits for a person', async () => {
      const actor = await agent({ maxDailyAmount: '199.99' });
      const reasons: (string | null)[] = [];
      for (let n = 0; n < 2; n++) {
        const deposit = await tenant.deposit(merchant);
        const { transfer } = await tenant.notify({ accountId, memo: deposit.expectedRemark }, actor);
        reasons.push(transfer.unmatchedReason);
      }
      expect(reasons).toEqual([null, 'OVER_AGENT_LIMIT']);
    });

    it('never exceeds the day’s ceiling in concurrent reports, on any account', async () => {
      const second = await tenant.account();
      const { key } = await tenant.operate<{ key: { keyId: string } }>('CreateAgentKey', {
        reason: 'test',
        input: { label: 'test', accountIds: [accountId, second], maxDailyAmount: '500' },
      });
      const found = (await findAgentKeys(tenant.database, [key.keyId])).get(key.keyId);
      if (!found) throw new Error('no key');
      const deposits = await Promise.all(Array.from({ length: 12 }, async () => await tenant.deposit(merchant)));
      const reasons = await Promise.all(
        deposits.map(async ({ orderNo, expectedRemark: memo }) => {
          const { account } = await tenant.operate<{ account: { id: string } }>('Deposit', {
            orderNo,
          });
          const actor: Actor = { kind: 'agent', key: found };
          const input = { accountId: account.id, memo, bankReference: orderNo };
          return (await tenant.notify(input, actor)).transfer.unmatchedReason;
        }),
      );
      expect(reasons.filter((reason) => reason === null)).toHaveLength(5);
      expect(reasons.filter((reason) => reason === 'OVER_AGENT_LIMIT')).toHaveLength(7);
      await tenant.operate('SetBankAccountStatus', {
        id: second,
        status: 'DISABLED',
        reason: 'test',
      });
    });

    it('that another source has already reported waits for a person', async () => {
      const deposit = await tenant.deposit(merchant);
      const memo = deposit.expectedRemark;
      await tenant.notify({ accountId, memo, amount: '55.00' });
      const late = await tenant.notify({ accountId, memo, amount: '55.00', bankReference: uuidv7() }, await agent({}));
      expect(late.transfer.unmatchedReason).toBe('NEAR_DUPLICATE');
    });

    it('is refused after its key is revoked, even if it was signed before', async () => {
      const actor = await agent({});
      const deposit = await tenant.deposit(merchant);
      await tenant.operate('RevokeAgentKey', {
        id: actor.kind === 'agent' ? actor.key.id : '',
        reason: 'stolen',
      });
      await expect(tenant.notify({ accountId, memo: deposit.expectedRemark }, actor)).rejects.toMatchObject({
        kind: 'INVALID_SIGNATURE',
      });
      expect(await statusOf(deposit)).toBe('PENDING');
    });

    it('is listed with all credits of its key when the key is revoked', async () => {
      const actor = await agent({});
      const deposit = await tenant.deposit(merchant);
      const { transfer } = await tenant.notify({ accountId, memo: deposit.expectedRemark }, actor);
      await tenant.notify({ accountId, memo: 'nothing' }, actor);
      const { credited } = await tenant.operate<{ credited: { id: string }[] }>('RevokeAgentKey', {
        id: actor.kind === 'agent' ? actor.key.id : '',
        reason: 'stolen',
      });
      expect(credited.map(({ id }) => id)).toEqual([transfer.id]);
    });
  });

  it('whose balance goes on from an unexplained one pauses the account', async () => {
    const paused = await tenant.account();
    const start = tenant.now().getTime();
    const reported = async (balanceAfter: string, second: number): Promise<string | null> =>
      (
        await tenant.notify({
          accountId: paused,
          memo: '',
          balanceAfter,
          bankReference: uuidv7(),
          bankTime: new Date(start + second * 1000).toISOString(),
        })
      ).transfer.unmatchedReason;
    expect(await reported('1000', 0)).toBe('NO_REMARK');
    expect(await reported('1100', 1)).toBe('NO_REMARK');
    // Booked before the first one, and one too early, whose gap the next one closes.
    expect(await reported('900', 0)).toBe('NO_REMARK');
    expect(await reported('1300', 1)).toBe('BALANCE_DIFFERS');
    expect(await reported('1200', 2)).toBe('NO_REMARK');
    const waiting = async (): Promise<number> => {
      const { sql } = tenant.database;
      const [row] = await sql<{ n: number }[]>`
        select count(*)::int as n from bank_transfers where account_id = ${paused} and unmatched_reason = 'BALANCE_DIFFERS'`;
      return row?.n ?? -1;
    };
    expect(await waiting()).toBe(0);
    expect(await reported('1450', 3)).toBe('BALANCE_DIFFERS');
    const alerts = await tenant.list<{ kind: string; about: { reason: string } }>('Alerts');
    expect(alerts[0]).toMatchObject({
      kind: 'DOUBTFUL_TRANSFER',
      about: { reason: 'BALANCE_DIFFERS' },
    });
    expect(await reported('1550', 4)).toBe('BALANCE_DIFFERS');
    expect(await waiting()).toBe(2);
    const accounts = await tenant.list<{ id: string; status: string; statusReason: string }>('BankAccounts');
    expect(accounts.find(({ id }) => id === paused)).toMatchObject({
      status: 'PAUSED',
      statusReason: 'running balance does not add up',
    });
    await tenant.operate('SetBankAccountStatus', {
      id: paused,
      status: 'DISABLED',
      reason: 'test',
    });
  });

  describe('on an account whose bank reports balances', () => {
    const at = (second: number): string => new Date(tenant.now().getTime() - 60_000 + second * 1000).toISOString();
    let own: string;
    let balance: number;
    let others: readonly string[];

    beforeAll(async () => {
      const rows = await tenant.database.sql<{ id: string }[]>`
        update bank_accounts set status = 'DISABLED' where status = 'ACTIVE' returning id`;
      others = rows.map(({ id }) => id);
    });
    afterAll(async () => {
      await tenant.database.sql`update bank_accounts set status = 'ACTIVE' where id = any(${others as string[]})`;
    });
    beforeEach(async () => {
      own = await tenant.account();
      balance = 500;
      await tenant.notify({ accountId: own, memo: '', balanceAfter: '500', bankTime: at(0) });
    });
    afterEach(async () => {
      await tenant.database.sql`update bank_accounts set status = 'DISABLED' where id = ${own}`;
    });

    /** Payments of 100.00 as their bank books them. */
    const payments = async (count: number) => {
      const deposits: TestDeposit[] = [];
      for (let n = 0; n < count; n++) deposits.push(await tenant.deposit(merchant));
      return deposits.map((deposit, n) => ({
        deposit,
        report: {
          accountId: own,
          memo: deposit.expectedRemark,
          bankReference: uuidv7(),
          bankTime: at(n + 1),
          balanceAfter: String((balance += 100)),
        },
      }));
    };
    const account = async () => {
      const { sql } = tenant.database;
      const [row] = await sql<{ status: string; balance: string }[]>`
        select status, bank_balance::text as balance from bank_accounts where id = ${own}`;
      return row;
    };

    it.each([[[2, 1, 0]], [[1, 2, 0]], [[0, 2, 1]], [[5, 3, 1, 0, 4, 2]]])(
      'is credited by itself, also if they come in the order %j',
      async (order) => {
        const paid = await payments(order.length);
        for (const n of order) await tenant.notify(paid[n]?.report ?? {});
        for (const { deposit } of paid) expect(await statusOf(deposit)).toBe('MATCHED');
        expect(await account()).toEqual({ status: 'ACTIVE', balance: `${balance}.0000` });
      },
    );

    it('is credited if many come at once, in any order', async () => {
      const paid = await payments(30);
      const mixed = paid.map((_, n) => paid[(n * 7 + 3) % 30]);
      await Promise.all(mixed.map(async (one) => await tenant.notify(one?.report ?? {})));
      for (const { deposit } of paid) expect(await statusOf(deposit)).toBe('MATCHED');
      expect(await account()).toEqual({ status: 'ACTIVE', balance: `${balance}.0000` });
    });

    it('is never credited if it contradicts them, whatever its time', async () => {
      const [forged, honest] = await payments(2);
      for (const second of [-30, 0, 1]) {
        const report = { ...forged?.report, bankReference: uuidv7(), bankTime: at(second) };
        const { transfer } = await tenant.notify({ ...report, balanceAfter: String(9 - second) });
        expect(transfer.unmatchedReason).toBe('BALANCE_DIFFERS');
      }
      await tenant.notify({ ...honest?.report, balanceAfter: '600' });
      if (!forged || !honest) throw new Error('no payments');
      expect([await statusOf(forged.deposit), await statusOf(honest.deposit)]).toEqual([...['PENDING', 'MATCHED']]);
      expect(await account()).toEqual({ status: 'ACTIVE', balance: '600.0000' });
    });

    it('waits while one is missing, and is credited when that comes', async () => {
      const [missing, ...later] = await payments(4);
      for (const { report } of later) await tenant.notify(report);
      expect(await account()).toMatchObject({ status: 'PAUSED' });
      await tenant.notify(missing?.report ?? {});
      for (const { deposit } of later) expect(await statusOf(deposit)).toBe('MATCHED');
      expect(await account()).toEqual({ status: 'ACTIVE', balance: '900.0000' });
    });

    it('waits while the account is paused for another reason, though the gap is closed', async () => {
      const [missing, ...later] = await payments(4);
      for (const { report } of later) await tenant.notify(report);
      await tenant.database.sql`
        update bank_accounts set status_reason = 'the bank called' where id = ${own}`;
      const { transfer } = await tenant.notify(missing?.report ?? {});
      expect(transfer.unmatchedReason).toBe('ACCOUNT_PAUSED');
      for (const { deposit } of later) expect(await statusOf(deposit)).toBe('PENDING');
      expect(await account()).toEqual({ status: 'PAUSED', balance: '900.0000' });
    });

    it('is one credit if it is reported twice with the same balance and text, at another time', async () => {
      const [paid] = await payments(1);
      const report = { ...paid?.report, bankReference: null };
      await tenant.notify(report);
      const again = await tenant.notify({ ...report, bankTime: at(41) });
      expect(again.duplicate).toBe(true);
      const other = { ...report, memo: 'another text', bankTime: at(42) };
      expect((await tenant.notify(other)).transfer.unmatchedReason).toBe('NEAR_DUPLICATE');
      expect(await account()).toEqual({ status: 'ACTIVE', balance: '600.0000' });
    });
  });
});
