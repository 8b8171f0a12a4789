import { MockActivityEnvironment } from '@temporalio/testing';
import { uuidv7 } from 'uuidv7';
import { openCards, sealCards, sealPayer } from '../../crypto/personal';
import type { CashierSessionRow } from '../../db/cashier/sessions';
import { withdrawalReleased } from '../../domain/ledger';
import type { Numbered } from '../../domain/sealed-for';
import { applyDecisions } from '../../db/withdrawals/withdrawals';
import { creditedDeposit } from '../support/deposits';
import { createDepositActivities } from '../../temporal/activities/deposits';
import { Tenant, type TestDeposit, type TestMerchant } from '../support/tenant';
import { fundedMerchant, withdrawalNow } from '../support/withdrawals';

const ERASED = '[erased]';
const MOBILE = '081 234 5678';
const PAYER = { accountHolder: 'Somchai Jaidee', accountNo: '001-234-5678', mobile: MOBILE };
const NAMES = ['Somchai', 'Jaidee', '2345678', '234 5678', 'for aunt', 'some@a.example', 'rent of May'];

interface Row {
  readonly id?: string;
}
interface Change {
  readonly id: string;
  readonly status: string;
  readonly after: unknown;
}

describe('the erasure of a person', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let other: TestMerchant;
  let accountId: string;
  let cancelled: string;
  let paid: { readonly id: string; readonly orderNo: string };
  let withdrawn: string;
  /** The hash of the beneficiary's number. */
  let key: string;
  let others: string;

  const idOf = async (orderNo: string): Promise<string> => {
    const [row] = await tenant.database.sql<{ id: string }[]>`
      select id from deposit_orders where order_no = ${orderNo}
      union all select id from withdrawal_orders where order_no = ${orderNo}`;
    return row?.id ?? '';
  };
  const ended = async (fields: Record<string, unknown>, of = merchant): Promise<string> => {
    const { orderNo } = await tenant.deposit(of, fields);
    await tenant.operate('CancelDeposit', { orderNo, reason: 'x' });
    return await idOf(orderNo);
  };
  const propose = async (orderId: string): Promise<Change> =>
    (
      await tenant.operate<{ change: Change }>('ErasePerson', {
        orderId,
        reason: 'asked for it',
        evidence: { text: 'letter of May' },
      })
    ).change;
  /** Two credits that name another payer pay an order, by hand. */
  async function paidInParts({ orderNo }: TestDeposit): Promise<void> {
    const transferIds: string[] = [];
    for (const amount of ['6.00', '4.00']) {
      const credit = {
        accountId,
        amount,
        memo: 'for aunt',
        payerName: 'Zed',
        bankReference: amount,
      };
      transferIds.push((await tenant.notify(credit)).transfer.id);
    }
    const { change } = await tenant.operate<{ change: Change }>('CombineTransfers', {
      transferIds,
      orderNo,
      reason: 'x',
      evidence: { text: 'x' },
    });
    expect(change.after).toMatchObject({
      memos: ['for aunt'],
      differences: expect.arrayContaining([`${orderNo}: from Zed, not Somchai Jaidee`]) as unknown,
    });
    const { database } = tenant;
    const steps = createDepositActivities({
      database,
      clock: async () => await Promise.resolve(tenant.now()),
    });
    const id = await idOf(orderNo);
    await new MockActivityEnvironment().run(async () => await steps.settleDeposit(id));
  }
  /** All rows of the database, except those in which another merchant's order names the same person. */
  const dump = async (): Promise<string> => {
    const tables = await tenant.database.sql<{ name: string }[]>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`;
    const texts = [];
    for (const { name } of tables) {
      const rows = await tenant.database.sql`select to_jsonb(t) as row from ${tenant.database.sql(name)} t`;
      texts.push(name + JSON.stringify(rows.filter(({ row }) => (row as Row).id !== others)));
    }
    return texts.join('\n');
  };

  beforeAll(async () => {
    tenant = await Tenant.create();
    const { sql } = tenant.database;
    merchant = await fundedMerchant(tenant);
    other = await tenant.merchant();
    accountId = await tenant.account();
    await tenant.operate('PutBanks', {
      currencyCode: 'THB',
      reason: 'test',
      banks: [{ bankCode: 'GOODBANK', name: 'Good Bank' }],
    });
    cancelled = await ended({
      ...PAYER,
      email: 'some@a.example',
      extraData: 'rent of May',
      userId: 'u1',
    });
    // As a row from before it was sealed: what is left of it anywhere is found.
    await sql`update deposit_orders set extra_data = 'rent of May' where id = ${cancelled}`;
    // The person's session that ended without an order; one of the same name at another merchant is another's.
    for (const [of, holder] of [
      [merchant, 'Somchai Jaidee'],
      [other, 'Ann Lee'],
    ] as const) {
      const merchantOrderNo = uuidv7();
      await sql`insert into merchant_order_numbers (merchant_id, merchant_order_no, noun, order_id)
        values (${of.id}, ${merchantOrderNo}, 'cashier', ${uuidv7()})`;
      const number = { merchantId: of.id, merchantOrderNo };
      const cards = sealCards(tenant.seals, number, [{ account_holder: holder }]);
      await sql`
        insert into cashier_sessions (id, merchant_id, merchant_order_no, currency_code, user_id, payer_bank_cards,
          payer_bank_cards_index, card_count, status, version, expire_at, created_at, updated_at)
        values (${uuidv7()}, ${of.id}, ${merchantOrderNo}, 'THB', 'u1', ${sql.json(cards.payerBankCards)},
          ${cards.payerBankCardsIndex}, ${cards.cardCount}, 'EXPIRED', 1, now(), now(), now())`;
    }
    // The same person at another merchant, and another person at the same merchant.
    others = await ended(PAYER, other);
    await ended({ accountHolder: 'Ann Lee', accountNo: '9', mobile: '' });
    await paidInParts(await tenant.deposit(merchant, { ...PAYER, amount: '10.00' }));
    paid = await creditedDeposit(tenant, merchant, accountId);
    const paidNumber = await sql<Numbered[]>`
      select merchant_id, merchant_order_no from deposit_orders where id = ${paid.id}`;
    for (const number of paidNumber) {
      const mobile = { ...number, payerName: null, payerEmail: null, payerAccountNo: null };
      const kept = sealPayer(tenant.seals, { ...mobile, payerMobile: '0812345678' });
      await sql`update deposit_orders set payer_mobile = ${kept.payerMobile}, payer_mobile_index = ${kept.payerMobileIndex},
        payer_name = 'S. Jaidee' where id = ${paid.id}`;
    }
    await sql`update bank_transfers set payer_name = 'Somchai', payer_account = '0012345678', memo = 'for aunt'
      from transfer_allocations a where a.transfer_id = bank_transfers.id and a.deposit_id = ${paid.id}`;
    const { orderNo } = await tenant.withdrawal<{ orderNo: string }>(merchant, {
      beneficiaryName: 'Somchai Jaidee',
      beneficiaryAccount: '001-234-5678',
    });
    await tenant.operate('RejectWithdrawal', { orderNo, remarks: 'x' });
    withdrawn = await idOf(orderNo);
    const { amount, fee } = await withdrawalNow(tenant, withdrawn);
    // As its approval counts it, beyond the limit: with an alert.
    const [counted] = await sql<{ subject: string; key: string }[]>`
      select counted_beneficiary(w) as subject, beneficiary_account_key as key from withdrawal_orders w
      where id = ${withdrawn}`;
    ({ key } = counted ?? { key: '' });
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    const counters = sql.json([
      {
        counter: 'BENEFICIARY',
        subject: counted?.subject ?? '',
        also: [],
        shown: 'GOODBANK:•••5678',
        most: '1',
      },
    ]);
    await sql`select tell_day_amounts(
      count_day_amounts(${counters}, 'THB', 10, ${tenant.now()}), ${counters}, 'THB', ${merchant.id}, ${tenant.now()})`;
    const [decision] = await sql<{ id: string }[]>`select id from withdrawal_decisions`;
    await applyDecisions(
      tenant.database,
      withdrawn,
      { approved: '{}', rejected: '{}', rejection: decision?.id ?? null },
      withdrawalReleased(merchant.id, amount, fee),
      tenant.now(),
    );
    // A return of money that two people approved.
    await tenant.operate('RefundDeposit', {
      orderNo: paid.orderNo,
      amount: '5',
      reason: 'x',
      evidence: { text: 'x' },
      payee: { name: 'Somchai Jaidee', account: '001-234-5678' },
    });
  });
  afterAll(async () => {
    await tenant.close();
  });

  it('is refused while an order or return of the person is under way', async () => {
    await expect(propose(cancelled)).rejects.toThrow('under way');
    const { sql } = tenant.database;
    await sql`update notification_logs set status = 'SUCCESS', lease_until = null, next_attempt_at = null,
      response_body = 'hello Somchai'`;
    await expect(propose(paid.id)).rejects.toThrow('under way');
    const [back] = await sql<{ id: string }[]>`select id from payer_returns`;
    await tenant.operate('CancelReturn', { id: back?.id, reason: 'x' });
    await expect(propose(uuidv7())).rejects.toThrow('not found');
  });

  it('by two people clears all orders of the merchant, and keeps the books correct', async () => {
    const { sql } = tenant.database;
    const before = await sql`select * from merchant_balances order by 1, 2`;
    const theirs = await sql`select * from deposit_orders where id = ${others}`;
    tenant.changes.onePerson = false;
    const { id, status, after } = await propose(cancelled);
    expect({ status, after }).toEqual({
      status: 'PROPOSED',
      after: { deposits: 3, withdrawals: 1 },
    });
    // Before the approval nothing is erased.
    expect(await dump()).toContain('rent of May');
    const second = await tenant.person('second', ['approve']);
    await tenant.operate('ApproveChange', { id, reason: 'read the letter' }, second);
    tenant.changes.onePerson = true;

    expect(
      await sql`select payer_name, payer_account_no, payer_mobile, payer_email, extra_data,
        num_nonnulls(payer_account_index, payer_mobile_index, payer_email_index) as indexes
      from deposit_orders where id = ${cancelled}`,
    ).toEqual([
      {
        payerName: ERASED,
        payerAccountNo: null,
        payerMobile: null,
        payerEmail: null,
        extraData: null,
        indexes: 0,
      },
    ]);
    expect(await sql`select * from deposit_orders where id = ${others}`).toEqual(theirs);
    expect(key).not.toBe('');
    const rest = (await dump())
      .split('\n')
      .filter((table) => [...NAMES, key].some((name) => table.includes(name)))
      .map((table) => table.replace(/\[.*/s, ''));
    expect(rest).toEqual([]);
    expect(await sql`select * from merchant_balances order by 1, 2`).toEqual(before);
    expect(
      await tenant.database.sql`
      select type, detail from order_events where order_id = ${withdrawn} order by id desc limit 1`,
    ).toEqual([{ type: 'person_erased', detail: {} }]);
  });

  it('makes the person impossible to find, and leaves others unchanged', async () => {
    await expect(propose(withdrawn)).rejects.toThrow('not found');
    const [kept] = await tenant.database.sql<{ n: number }[]>`
      select count(*)::int as n from deposit_orders where payer_name <> ${ERASED}`;
    expect(kept?.n).toBe(2);
    const sessions = await tenant.database.sql<CashierSessionRow[]>`select * from cashier_sessions`;
    const cards = sessions.map((session) => openCards(tenant.seals.sealer, session));
    expect(cards).toHaveLength(2);
    expect(cards).toEqual(expect.arrayContaining([[], [{ account_holder: 'Ann Lee' }]]));
  });

  it('leaves applied changes immutable', async () => {
    await expect(
      tenant.database.sql`update change_requests set summary = 'nothing' where status = 'APPLIED'`,
    ).rejects.toThrow('already');
  });
});
