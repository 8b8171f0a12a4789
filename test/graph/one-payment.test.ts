import { uuidv7 } from 'uuidv7';
import { receiveLateDeposit } from '../../db/deposits/channel-deposits';
import { money } from '../../domain/money';
import { type BoundOrder, boundOrder } from '../support/bound-order';
import { createTestChannel } from '../support/channel-tenant';
import { type OperatorActor, Tenant, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';

interface Proposed {
  readonly change: { readonly id: string; readonly status: string } | null;
}

const SAID = { reason: 'test', evidence: { text: "the bank's letter" } };
const PAYEE = { name: 'Ann', account: '1' };

/** A payment of an account order is seen by two: the bank, and the channel that reports on the account. */
describe.each([
  ['one person', true],
  ['two people', false],
])('one payment is credited once, by %s', (_mode, onePerson) => {
  let tenant: Tenant;
  let bob: OperatorActor;
  let merchant: TestMerchant;
  let other: TestMerchant;
  let accountId: string;
  let channelId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    bob = await tenant.person('bob', ['approve', 'treasurer']);
    accountId = await tenant.account();
    [merchant, other] = [await tenant.merchant(), await tenant.merchant()];
    const deposits = { currencies: ['THB'], accountId };
    ({ id: channelId } = await createTestChannel(tenant, { kind: 'MOCK' }, { deposits }));
  });
  afterEach(async () => {
    tenant.changes.onePerson = true;
    await expectWholeLedger(tenant);
  });
  afterAll(async () => {
    await tenant.close();
  });

  /** A credit that the bank's side reported. */
  async function came(memo: string, amount = '100.00'): Promise<string> {
    const { transfer } = await tenant.notify({ accountId, amount, memo, bankReference: uuidv7() });
    await tenant.database.sql`
      update bank_transfers set source = ${`agent:${uuidv7()}`} where id = ${transfer.id}`;
    tenant.changes.onePerson = onePerson;
    return transfer.id;
  }
  const propose = async (name: string, fields: Record<string, unknown>): Promise<Proposed> =>
    await tenant.operate<Proposed>(name, { ...SAID, ...fields });
  const approve = async ({ change }: Proposed): Promise<void> => {
    if (change?.status === 'PROPOSED') await tenant.operate('ApproveChange', { id: change.id, reason: 'seen' }, bob);
  };
  const done = async (name: string, fields: Record<string, unknown>): Promise<void> => {
    await approve(await propose(name, fields));
  };
  const statusOf = async ({ orderNo }: BoundOrder): Promise<string> =>
    (await tenant.operate<{ status: string }>('Deposit', { orderNo })).status;
  const held = async (): Promise<string> => {
    const [row] = await tenant.database.sql<{ sum: string }[]>`
      select trim_scale(coalesce(sum(available), 0)) as sum from merchant_balances
      where merchant_id in (${merchant.id}, ${other.id})`;
    return row?.sum ?? '';
  };
  /** How much both merchants have more after this. */
  const gained = async (work: () => Promise<unknown>): Promise<string> => {
    const before = money(await held());
    await work();
    return money(await held())
      .minus(before)
      .toString();
  };
  const order = async (): Promise<BoundOrder> => {
    tenant.changes.onePerson = true;
    return await boundOrder(tenant, merchant, channelId);
  };
  /** Every way by which a bank credit reaches a merchant, or its payer. */
  async function waysOf(transferId: string): Promise<[string, Record<string, unknown>][]> {
    const own = tenant.changes.onePerson;
    tenant.changes.onePerson = true;
    const { orderNo } = await tenant.deposit(other);
    tenant.changes.onePerson = own;
    return [
      ['CreditLateMoney', { transferId, merchantId: other.id }],
      ['CreditTopUp', { transferId, merchantId: other.id }],
      ['MatchTransfer', { transferId, orderNo }],
      ['SplitTransfer', { transferId, parts: [{ orderNo, amount: '100' }] }],
      ['ReturnMoney', { transferId, payee: PAYEE }],
    ];
  }

  it.each(['completed', 'matched'] as const)(
    'not by any way after its channel has %s the order, until its money is moved',
    async (how) => {
      const own = await order();
      expect(await own.match(how === 'completed')).toBe(true);
      if (how === 'completed') expect(await own.credit()).toBe(true);
      const transferId = await came(own.remark);
      for (const [name, fields] of await waysOf(transferId))
        await expect(propose(name, fields)).rejects.toThrow(own.orderNo);
      if (how === 'matched') return;
      await expect(propose('CreditLateMoney', { transferId, orderNo: own.orderNo })).rejects.toThrow(own.orderNo);
      const move = { input: { fromChannelId: channelId, transferId } };
      expect(
        await gained(async () => {
          await done('MoveOwnMoney', move);
        }),
      ).toBe('0');

      // The payer paid a second time: that is no late money, and goes back or is a top-up.
      const again = await came(own.remark);
      await expect(propose('CreditLateMoney', { transferId: again, merchantId: merchant.id })).rejects.toThrow(
        own.orderNo,
      );
      await done('CreditTopUp', { transferId: again, amount: '40', merchantId: merchant.id });
      await done('ReturnMoney', { transferId: again, payee: PAYEE });
    },
  );

  it('not as late money of an order that another bank credit paid', async () => {
    const own = await order();
    tenant.changes.onePerson = true;
    await came(own.remark);
    tenant.changes.onePerson = true;
    await tenant.database.sql`
      select credit_deposit(${own.id}, 100, 1.5, ${['suspense', `merchant:${merchant.id}:available`, 'fee_income']},
        ${['-100', '98.5', '1.5']}::numeric[], null, ${tenant.now()})`;
    expect(await statusOf(own)).toBe('COMPLETED');
    const again = await came(own.remark);
    await expect(propose('CreditLateMoney', { transferId: again, merchantId: other.id })).rejects.toMatchObject({
      kind: 'BUSINESS_ERROR',
      message: expect.stringContaining(own.orderNo) as string,
    });
    await done('ReturnMoney', { transferId: again, payee: PAYEE });
  });

  it('not by a proposal that is older than its channel’s report', async () => {
    if (onePerson) return;
    const own = await order();
    const transferId = await came(own.remark, '99.00');
    const late = await propose('CreditLateMoney', { transferId, merchantId: merchant.id });
    expect(late.change?.status).toBe('PROPOSED');
    expect(await own.match()).toBe(true);
    expect(await own.credit()).toBe(true);
    expect(
      await gained(async () => {
        await expect(approve(late)).rejects.toThrow(own.orderNo);
      }),
    ).toBe('0');
  });

  it('not by its channel after operators credited it as late money, until they reverse that', async () => {
    const own = await order();
    const transferId = await came(own.remark, '99.00');
    await done('CreditLateMoney', { transferId, merchantId: merchant.id });
    expect(await own.match()).toBe(true);
    expect(
      await gained(async () => {
        for (let n = 0; n < 2; n++) expect(await own.credit()).toBe(false);
      }),
    ).toBe('0');
    expect(await statusOf(own)).toBe('MATCHED');
    const alerts = await tenant.database.sql<{ kind: string }[]>`
      select kind from alerts where about ->> 'orderNo' = ${own.orderNo}`;
    expect([...alerts]).toEqual([{ kind: 'DEPOSIT_CONTRADICTED' }]);
    const [posting] = await tenant.database.sql<{ id: string }[]>`
      select id from operator_postings where bank_transfer_id = ${transferId}`;
    await done('ReversePosting', { id: posting?.id });
    expect(await own.credit()).toBe(true);
    expect(await statusOf(own)).toBe('COMPLETED');
  });

  /** An order that was cancelled, and the money that its channel then reports. */
  const cancelled = async (own: BoundOrder): Promise<void> => {
    tenant.changes.onePerson = true;
    await tenant.operate('CancelDeposit', {
      orderNo: own.orderNo,
      reason: 'test',
      moneyCame: true,
    });
    tenant.changes.onePerson = onePerson;
  };
  const receive = async ({ attemptId }: BoundOrder): Promise<boolean> => {
    const now = tenant.now();
    const late = { attemptId, doubtedAt: now, cost: money('1'), reason: 'test', now };
    return await receiveLateDeposit(tenant.database, late);
  };

  it('not from the channel after it was credited late from the bank', async () => {
    const own = await order();
    await cancelled(own);
    const transferId = await came(own.remark);
    await done('CreditLateMoney', { transferId, orderNo: own.orderNo });
    expect(await receive(own)).toBe(true);
    await expect(propose('CreditLateMoney', { orderNo: own.orderNo })).rejects.toThrow(own.orderNo);
    await done('ReturnLateMoney', { orderNo: own.orderNo });
  });

  it('not from the bank after its channel has it as late money, until that has ended', async () => {
    const own = await order();
    await cancelled(own);
    expect(await receive(own)).toBe(true);
    const transferId = await came(own.remark);
    for (const [name, fields] of await waysOf(transferId))
      await expect(propose(name, fields)).rejects.toThrow(own.orderNo);
    await done('ReturnLateMoney', { orderNo: own.orderNo });
    expect(
      await gained(async () => {
        await done('CreditLateMoney', { transferId, orderNo: own.orderNo });
      }),
    ).toBe('98.5');
  });

  it('still late, where nothing says that it was credited', async () => {
    const own = await order();
    await cancelled(own);
    const named = await came(own.remark);
    expect(
      await gained(async () => {
        await done('CreditLateMoney', { transferId: named, orderNo: own.orderNo });
      }),
    ).toBe('98.5');
    // The payer of an order that its channel completed pays another sum with the old remark for another order.
    const paid = await order();
    await paid.match();
    await paid.credit();
    tenant.changes.onePerson = true;
    const { orderNo } = await tenant.deposit(other, { amount: '70.00' });
    const transferId = await came(paid.remark, '70.00');
    await done('MatchTransfer', { transferId, orderNo });
    const unnamed = await came('');
    expect(
      await gained(async () => {
        await done('CreditLateMoney', { transferId: unnamed, merchantId: other.id });
      }),
    ).toBe('98.5');
  });
});
