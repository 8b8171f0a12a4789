import { uuidv7 } from 'uuidv7';
import { Tenant, type TestMerchant } from '../support/tenant';

interface Listed {
  readonly change: { readonly id: string; readonly status: string; readonly alone: string | null };
}
interface Row {
  readonly id: string;
  readonly value: string;
  readonly list: string;
}

const HOUR = 3_600_000;

describe('payers', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let accountId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    accountId = await tenant.account();
  });
  beforeEach(async () => {
    merchant = await tenant.cashierMerchant();
  });
  afterEach(async () => {
    tenant.now = () => new Date();
    await tenant.database.sql`update listed_payers set removed_at = now() where removed_at is null`;
  });
  afterAll(async () => {
    await tenant.close();
  });

  const list = async (fields: Record<string, unknown>): Promise<Listed> =>
    await tenant.operate<Listed>('ListPayer', {
      input: { list: 'DENY', trait: 'NAME', ...fields },
      reason: 'fraud in May',
    });
  const rules = async (fields: Record<string, unknown>, of: string | null = merchant.id) =>
    await tenant.operate<Listed>('PutPayerRules', {
      currencyCode: 'THB',
      merchantId: of,
      rules: fields,
      reason: 'agreed',
    });
  const deposit = async (fields: Record<string, unknown> = {}) =>
    await tenant.deposit({ ...merchant, actor: await tenant.actorOf(merchant.apiKey) }, fields);
  /** A bank credit as answered, and its payer data as operators see it: agents do not. */
  const pay = async (memo: string, fields: Record<string, unknown> = {}) => {
    const report = { accountId, memo, bankReference: uuidv7(), ...fields };
    const { transfer } = await tenant.notify(report);
    const { payerFinding } = await tenant.operate<{ payerFinding: string | null }>('BankTransfer', {
      id: transfer.id,
    });
    return { ...transfer, payerFinding };
  };
  const shown = async (orderNo: string) =>
    await tenant.operate<{
      status: string;
      payerCheck: { outcome: string; findings: string[] } | null;
    }>('Deposit', { orderNo });
  const alerts = async (orderNo: string): Promise<number> =>
    (await tenant.list<{ about: { orderNo?: string } }>('Alerts', { first: 50 })).filter(
      ({ about }) => about.orderNo === orderNo,
    ).length;

  describe('that are on a list', () => {
    it('are refused if denied, by each trait, and leave no rows', async () => {
      await list({ value: 'Ann Lee' });
      await list({ trait: 'ACCOUNT', value: '12-345678', bankCode: 'SCB' });
      await list({ trait: 'EMAIL', value: 'Bad@example.com' });
      await list({ trait: 'MOBILE', value: '+66 81 234' });
      await list({ trait: 'USER', value: 'u1', merchantId: merchant.id });
      const merchantOrderNo = uuidv7();
      for (const said of [
        { accountHolder: 'MS LEE, ANN' },
        { accountNo: '12345678', bankCode: 'SCB' },
        { accountNo: '12345678' },
        { email: 'bad@EXAMPLE.com' },
        { mobile: '6681234' },
        { userId: 'u1' },
      ])
        await expect(deposit({ merchantOrderNo, ...said })).rejects.toThrow('payer is not accepted');
      await expect(tenant.cashier(merchant, { userId: 'u1' })).resolves.toBeDefined();
      const fresh = { ...merchant, actor: await tenant.actorOf(merchant.apiKey) };
      for (const amount of [undefined, '100'])
        await expect(tenant.cashier(fresh, { userId: 'u1', amount })).rejects.toThrow('payer is not accepted');
      // The order number is unused, and another merchant's payer is another payer.
      await deposit({ merchantOrderNo, accountNo: '12345678', bankCode: 'KBANK' });
      await tenant.deposit(await tenant.merchant(), { userId: 'u1' });
    });

    it('have their bank credits wait if denied, for any order', async () => {
      const { expectedRemark, orderNo } = await deposit();
      await list({ value: 'Ann Lee' });
      const credit = await pay(expectedRemark, { payerName: 'LEE ANN' });
      expect(credit).toMatchObject({
        unmatchedReason: 'PAYER_DENIED',
        payerFinding: 'the payer’s name is on the denylist: fraud in May',
      });
      expect(await shown(orderNo)).toMatchObject({ status: 'PENDING', payerCheck: null });
    });

    it('are marked and reported if watched, when they order and when they pay', async () => {
      await list({ list: 'WATCH', value: 'Ann Lee' });
      const ordered = await deposit({ accountHolder: 'Ann Lee' });
      const finding = 'the payer’s name is on the watchlist: fraud in May';
      expect((await shown(ordered.orderNo)).payerCheck).toEqual({
        outcome: 'WATCH',
        findings: [finding],
      });
      expect(await alerts(ordered.orderNo)).toBe(1);
      const { expectedRemark, orderNo } = await deposit();
      expect(await alerts(orderNo)).toBe(0);
      const credit = await pay(expectedRemark, { payerName: 'Ann Lee' });
      expect(credit).toMatchObject({ unmatchedReason: null, orderNo, payerFinding: finding });
      expect(await alerts(orderNo)).toBe(1);
    });

    it('are on a list once, until they expire or are removed', async () => {
      const until = new Date(Date.now() + HOUR);
      const entry = { trait: 'USER', value: 'u9', expiresAt: until.toISOString() };
      expect((await list(entry)).change).toMatchObject({ status: 'APPLIED', alone: 'CLOSING' });
      await expect(list(entry)).rejects.toThrow('on a list already');
      await expect(deposit({ userId: 'u9' })).rejects.toThrow('payer is not accepted');
      tenant.now = () => until;
      await deposit({ userId: 'u9' });
      await expect(list(entry)).rejects.toThrow('still to come');
      // An expired entry allows a new one.
      await list({ trait: 'USER', value: 'u9' });
      const [row] = (await tenant.list<Row>('ListedPayers', { first: 9 })).filter(({ value }) => value === 'u9');
      await tenant.operate('UnlistPayer', { id: row?.id, reason: 'mistaken' });
      await deposit({ userId: 'u9' });
      await expect(tenant.operate('UnlistPayer', { id: row?.id, reason: 'again' })).rejects.toThrow('not found');
    });

    it.each([
      ['a part of a name', { value: 'A***' }],
      ['a part of a number', { trait: 'ACCOUNT', value: 'xx1234' }],
      ['nothing', { trait: 'EMAIL', value: ' ' }],
      ['a bank without an account', { value: 'Ann Lee', bankCode: 'SCB' }],
    ])('cannot be listed by %s', async (_what, fields) => {
      await expect(list(fields)).rejects.toMatchObject({ kind: 'INVALID_FIELD' });
    });
  });

  describe('that are compared', () => {
    it('wait for a person if the merchant requires it, and take two people to match', async () => {
      await rules({ comparison: 'WAIT' });
      const { expectedRemark, orderNo } = await deposit({ accountHolder: 'Ann Lee' });
      const credit = await pay(expectedRemark, { payerName: 'Bob Ray' });
      expect(credit).toMatchObject({
        unmatchedReason: 'PAYER_DIFFERS',
        payerFinding: 'the bank names Bob Ray, the merchant said Ann Lee',
      });
      tenant.changes.onePerson = false;
      try {
        const { change } = await tenant.operate<{ change: { after: { findings: string[] } } }>(
          'MatchTransfer',
          { transferId: credit.id, orderNo, reason: 'seen', evidence: { text: 'a letter' } },
          await tenant.person('matcher', ['reconcile']),
        );
        expect(change.after.findings).toContain('its payer is not the one that the merchant announced');
      } finally {
        tenant.changes.onePerson = true;
      }
    });

    it('get their money back if the merchant requires it, by a task that no one has claimed', async () => {
      await rules({ comparison: 'RETURN' });
      const { expectedRemark } = await deposit({ accountHolder: 'Ann Lee' });
      const sent = { payerName: 'Bob Ray', payerAccount: '55-667788' };
      const { id } = await pay(expectedRemark, sent);
      const transfer = await tenant.operate<Record<string, unknown>>('BankTransfer', { id });
      expect(transfer).toMatchObject({
        unmatchedReason: null,
        orderNo: null,
        returns: [
          expect.objectContaining({
            status: 'OPEN',
            amount: '100.0000',
            payeeName: 'Bob Ray',
            payeeAccount: '55-667788',
            // Unlike the names beside it, it is not masked.
            reason: 'the payer is not the one that the merchant announced',
          }),
        ],
      });
      // A repeated report returns the money once.
      const again = await deposit({ accountHolder: 'Ann Lee' });
      const reference = uuidv7();
      for (let times = 0; times < 2; times++)
        await tenant.notify({
          accountId,
          memo: again.expectedRemark,
          bankReference: reference,
          ...sent,
        });
      const [{ returns } = { returns: 0 }] = await tenant.database.sql<{ returns: number }[]>`
        select count(*)::int as returns from payer_returns r join bank_transfers t on t.id = r.bank_transfer_id
        where t.bank_reference = ${reference}`;
      expect(returns).toBe(1);
    });

    it('wait if the bank does not report the account that paid', async () => {
      await rules({ comparison: 'RETURN' });
      const { expectedRemark } = await deposit({ accountHolder: 'Ann Lee' });
      const credit = await pay(expectedRemark, { payerName: 'Bob Ray', payerAccount: 'xx-1234' });
      expect(credit.unmatchedReason).toBe('PAYER_DIFFERS');
    });

    it('are not compared if they are on the allowlist', async () => {
      await rules({ comparison: 'WAIT' });
      await list({ list: 'ALLOW', trait: 'USER', value: 'u7' });
      const said = { accountHolder: 'Ann Lee', userId: 'u7' };
      const { expectedRemark, orderNo } = await deposit(said);
      expect(await pay(expectedRemark, { payerName: 'Bob Ray' })).toMatchObject({
        unmatchedReason: null,
        orderNo,
        payerFinding: null,
      });
      expect((await shown(orderNo)).payerCheck?.outcome).toBe('ALLOW');
    });

    it('are judged again by a better report, which replaces all earlier findings', async () => {
      await rules({ comparison: 'WAIT' });
      const { expectedRemark, orderNo } = await deposit({
        accountHolder: 'Ann Lee',
        accountNo: '1234567890',
      });
      const reported = { bankReference: uuidv7(), payerName: 'Bob Ray' };
      expect((await pay(expectedRemark, reported)).unmatchedReason).toBe('PAYER_DIFFERS');
      // A complete account number outweighs the name.
      const better = await pay(expectedRemark, { ...reported, payerAccount: '123-4-56789-0' });
      expect(better).toMatchObject({ unmatchedReason: null, orderNo, payerFinding: null });
      // Both are sealed for the first report's row.
      const { fields } = await tenant.operate<{ fields: unknown[] }>('RevealPersonal', {
        of: 'BANK_TRANSFER',
        id: better.id,
        reason: 'test',
      });
      expect(fields).toContainEqual({ name: 'payerName', value: 'Bob Ray' });
      expect(fields).toContainEqual({ name: 'payerAccount', value: '123-4-56789-0' });
    });

    it('are judged by the default rules if the merchant has none', async () => {
      await rules({ comparison: 'WAIT' }, null);
      try {
        const { expectedRemark } = await deposit({ accountHolder: 'Ann Lee' });
        const credit = await pay(expectedRemark, { payerName: 'Bob Ray' });
        expect(credit.unmatchedReason).toBe('PAYER_DIFFERS');
        await rules({});
        const own = await deposit({ accountHolder: 'Ann Lee' });
        expect(await pay(own.expectedRemark, { payerName: 'Bob Ray' })).toMatchObject({
          orderNo: own.orderNo,
        });
      } finally {
        await rules({}, null);
      }
    });
  });

  describe('that are counted', () => {
    const velocity = (fields: Record<string, unknown>) => ({
      velocity: [
        {
          by: 'USER',
          counts: 'ATTEMPTS',
          minutes: 60,
          above: '1',
          outcome: 'REFUSE',
          ...fields,
        },
      ],
    });

    it('are refused the order above the limit, until the window has passed', async () => {
      const start = Date.now();
      tenant.now = () => new Date(start);
      await rules(velocity({}));
      await deposit({ userId: 'u2' });
      await expect(deposit({ userId: 'u2' })).rejects.toThrow('payer is not accepted');
      await deposit({ userId: 'u3' });
      await deposit();
      tenant.now = () => new Date(start + HOUR - 1);
      await expect(deposit({ userId: 'u2' })).rejects.toThrow('payer is not accepted');
      tenant.now = () => new Date(start + HOUR);
      await deposit({ userId: 'u2' });
    });

    it('wait or are watched by their amounts and unpaid orders', async () => {
      await rules(velocity({ counts: 'AMOUNT', above: '150', outcome: 'WAIT' }));
      await deposit({ userId: 'u4' });
      const { orderNo, expectedRemark } = await deposit({ userId: 'u4' });
      const finding = 'more than 150.0000 THB of one user in 1 hour';
      expect((await shown(orderNo)).payerCheck).toEqual({ outcome: 'WAIT', findings: [finding] });
      expect(await pay(expectedRemark)).toMatchObject({
        unmatchedReason: 'PAYER_WAITS',
        payerFinding: finding,
      });
      await rules(velocity({ counts: 'FAILED', above: '0', outcome: 'WATCH' }));
      expect((await shown((await deposit({ userId: 'u4' })).orderNo)).payerCheck).toBeNull();
      await tenant.operate('CancelDeposit', { orderNo, reason: 'test' });
      const watched = await deposit({ userId: 'u4' });
      expect((await shown(watched.orderNo)).payerCheck?.outcome).toBe('WATCH');
      expect(await alerts(watched.orderNo)).toBe(1);
    });

    it.each([
      ['no minutes', { minutes: 0 }],
      ['too many minutes', { minutes: 44_641 }],
      ['half an order', { above: '0.5' }],
      ['less than nothing', { above: '-1' }],
      ['a fraction of a satang', { counts: 'AMOUNT', above: '0.005' }],
    ])('cannot be counted by %s', async (_what, fields) => {
      await expect(rules(velocity(fields))).rejects.toMatchObject({ kind: 'INVALID_FIELD' });
    });
  });
});
