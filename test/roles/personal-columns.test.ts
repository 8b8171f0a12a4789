import { randomBytes } from 'node:crypto';
import { parse } from 'graphql';
import pino from 'pino';
import { uuidv7 } from 'uuidv7';
import { KeyRing, type PlatformKey, platformKey } from '../../crypto/key-ring';
import { createSealer, sealedBy } from '../../crypto/seal';
import {
  PERSONAL_COLUMNS,
  type PersonalColumn,
  type PersonalValue,
  type RenewedValue,
  type RowKey,
} from '../../db/platform/personal-columns';
import { checkKeys, isPending, rotateKeys, type RotationDeps } from '../../roles/key-rotation';
import { blindIndex, blindIndexes } from '../../crypto/blind-index';
import { soughtTrait } from '../../crypto/listed-payer';
import { openCards, openPayer, sealCards, sealExtraData } from '../../crypto/personal';
import { openPart } from '../../crypto/statements';
import type { CashierSessionRow } from '../../db/cashier/sessions';
import { findEntriesOf } from '../../db/payers/listed';
import { countPayerOrders } from '../../db/payers/rules';
import type { KeptPerson } from '../../db/personal/erase';
import { partsOf } from '../../db/statements/statements';
import { money } from '../../domain/money';
import { type PayerTrait, traitKey, TRAIT_FORMS } from '../../domain/payer-lists';
import { ordersOfPerson } from '../../steps/personal/orders-of-person';
import { findDeposit } from '../../db/deposits/deposits';
import { depositCallbackBody } from '../../domain/callback';
import { creditedDeposit } from '../support/deposits';
import { approvedWithdrawal, fundedMerchant } from '../support/withdrawals';
import { sealedColumns } from '../support/personal-columns';
import { newKeys, Tenant } from '../support/tenant';

const silent = pino({ level: 'silent' });
const fresh = (): PlatformKey => platformKey(randomBytes(32));
const PICTURE = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(100)]);
/** Attempts of one callback, more than one statement reads. */
const MANY = 1_200;

const ORDER = parse(`query($o: String!, $w: String!, $d: ID!, $r: ID!, $t: ID!, $s: ID!) {
  deposit(orderNo: $o) {
    payerName paymentClaim { receipt } callbacks { requestBody responseBody attempts { generation responseBody } } }
  withdrawal(orderNo: $w) { beneficiaryBankBranch beneficiaryAccount beneficiaryName }
  bankTransfer(id: $t) { payerName payerAccount payerFinding memo }
  bankDebit(id: $d) { payeeName payeeAccount memo }
  payerReturn(id: $r) { payeeName payeeAccount }
  bankStatement(id: $s) { lines { memo partyName partyAccount raw } }
  agentTexts { text } }`);
const LISTED = [
  { trait: 'NAME', value: 'Mr. Somchai Jaidee', key: 'JAIDEE SOMCHAI' },
  { trait: 'MOBILE', value: '081 2345', key: '0812345' },
] as const;
const CARDS = [{ bank: 'Good Bank', account_no: '12-345678' }, { account_no: '9876543' }];
const BANK_TEXT = 'received from Somchai';
/** More parts of a statement than one statement of SQL reads. */
const PARTS = 10;
const SAID = { memo: '', partyName: 'Somchai', partyAccount: '12-34', raw: 'from Somchai' };
const ERASED = '[erased]';
/** Before an order's remark, as a bank prints it. */
const MEMO = 'from Somchai ';
/** A merchant's text that needs every escape. */
const TEXT = '"extra_data":"é\\n\u2028😀\n"';

interface Payee {
  readonly payeeName: string;
  readonly payeeAccount: string;
}

interface Shown {
  readonly deposit: {
    readonly payerName: string;
    readonly paymentClaim: { readonly receipt: string };
    readonly callbacks: readonly {
      readonly requestBody: string;
      readonly responseBody: string;
      readonly attempts: readonly { readonly responseBody: string }[];
    }[];
  };
  readonly withdrawal: {
    readonly beneficiaryBankBranch: string;
    readonly beneficiaryAccount: string;
    readonly beneficiaryName: string;
  };
  readonly bankTransfer: Readonly<Record<'payerName' | 'payerAccount' | 'payerFinding' | 'memo', string>>;
  readonly bankDebit: Payee & { readonly memo: string };
  readonly payerReturn: Payee;
  readonly bankStatement: { readonly lines: readonly unknown[] };
  readonly agentTexts: readonly { readonly text: string }[];
}

describe('personal columns', () => {
  const keys = newKeys();
  let tenant: Tenant;
  let orderNo: string;
  let withdrawn: { readonly id: string; readonly orderNo: string };
  let depositId: string;
  const debitId = uuidv7();
  const statementId = uuidv7();
  let returnId: string;
  let transferId: string;
  let remark: string;
  let body: string;
  let same: string[] = [];
  let said: string[] = [];

  beforeAll(async () => {
    tenant = await Tenant.create(undefined, { keys });
    const [merchant, account] = [await tenant.cashierMerchant(), await tenant.account()];
    const paid = await creditedDeposit(tenant, merchant, account, {
      callbackUrl: 'https://merchant.example/',
    });
    ({ orderNo, id: depositId } = paid);
    await tenant.cashier(merchant);
    withdrawn = await approvedWithdrawal(tenant, await fundedMerchant(tenant));
    const { sql } = tenant.database;
    await sql`
      insert into payment_claims (id, deposit_id, merchant_id, reference, reference_key, receipt, receipt_type, at)
      values (${uuidv7()}, ${paid.id}, ${merchant.id}, 'r', 'R', ${PICTURE}, 'image/png', now())`;
    const deposit = await findDeposit(tenant.database, { id: depositId });
    if (!deposit) throw new Error('no deposit');
    const [at, { sealer }] = [new Date(), tenant.seals];
    body = depositCallbackBody('COMPLETED', { ...deposit, extraData: TEXT }, at);
    const extraData = sealExtraData(sealer, { ...deposit, extraData: TEXT });
    const keptBody = depositCallbackBody('COMPLETED', { ...deposit, extraData }, at);
    for (const table of ['deposit_orders', 'withdrawal_orders', 'cashier_sessions'])
      await sql`update ${sql(table)} set extra_data = ${TEXT}`;
    await sql`update withdrawal_orders set beneficiary_bank_branch = 'Old Town', beneficiary_name = 'Somchai'`;
    await tenant.operate('ListBeneficiary', {
      bankCode: 'GOODBANK',
      accountNo: '66-6',
      list: 'DENY',
      reason: 'test',
    });
    for (const session of await sql<CashierSessionRow[]>`select * from cashier_sessions`) {
      const cards = sealCards(tenant.seals, session, CARDS);
      await sql`update cashier_sessions set payer_bank_cards = ${sql.json(cards.payerBankCards)},
        payer_bank_cards_index = ${cards.payerBankCardsIndex}, card_count = ${cards.cardCount} where id = ${session.id}`;
    }
    const key = uuidv7();
    await sql`insert into agent_keys (id, key_id, label, created_at) values (${key}, ${key}, 'test', now())`;
    await sql`insert into agent_devices (id, agent_key_id, device_id, label, first_seen_at, last_seen_at)
      values (${key}, ${key}, 'telephone', 'telephone', now(), now())`;
    for (const [n, text] of [BANK_TEXT, ERASED].entries())
      await sql`insert into agent_texts
        (id, device_id, account_id, sender, text, sent_at, received_at, dedupe_key, state, tried_at)
        values (${uuidv7()}, ${key}, ${account}, 'BANK', ${text}, now(), now(), ${String(n)}, 'NO_MONEY', now())`;
    await sql`insert into bank_debits (id, account_id, amount, currency_code, dedupe_key, bank_time, payee_name,
        payee_account, memo, source, received_at)
      select id, ${account}, 1, 'THB', id, now(), name, name, memo, 'operator:x', now()
      from (values (${debitId}::uuid, 'Somchai', 'to Somchai'), (${uuidv7()}, ${ERASED}, '')) v(id, name, memo)`;
    const [credit] = await sql<{ id: string; remark: string }[]>`
      update bank_transfers set payer_name = 'Somchai', payer_account = '12-34',
        payer_finding = 'the bank names Somchai', memo = ${MEMO} || expected_remark, named_remarks = array[expected_remark]
      from deposit_orders d where d.id = ${depositId} returning bank_transfers.id, expected_remark as remark`;
    ({ id: transferId, remark } = credit ?? { id: '', remark: '' });
    await sql`
      insert into statements (id, account_id, file_name, format, status, bytes, parts, read_items, through_line,
        uploaded_by, created_at)
      values (${statementId}, ${account}, 'a', 'MT940', 'READ', 1, ${PARTS}, 2, 2, 'operator:x', now())`;
    await sql`
      insert into statement_parts (statement_id, part, content)
      select ${statementId}, n, convert_to('for Somchai ' || n, 'UTF8') from generate_series(0, ${PARTS - 1}::int) n`;
    await sql`
      insert into statement_lines (statement_id, line, account_id, currency_code, state, problem, raw, direction, amount,
        day, bank_time, memo, party_name, party_account, line_key, nth)
      values (${statementId}, 1, ${account}, 'THB', 'BAD', 'x', ${SAID.raw}, null, null, null, null, null, null, null,
          null, null),
        (${statementId}, 2, ${account}, 'THB', 'NEW', null, null, 'CREDIT', 1, now(), now(), ${SAID.memo},
          ${SAID.partyName}, ${SAID.partyAccount}, 'k', 1)`;
    const payee = { name: 'x', account: 'x' };
    for (const amount of ['1', '2'])
      await tenant.operate('RefundDeposit', {
        orderNo,
        amount,
        payee,
        reason: 'x',
        evidence: { text: 'x' },
      });
    await sql`update payer_returns set payee_name = ${ERASED}, payee_account = ${ERASED}, payee_account_index = null`;
    const [back] = await sql<{ id: string }[]>`
      update payer_returns set payee_name = 'Somchai', payee_account = '12-34'
      where id = (select id from payer_returns limit 1) returning id`;
    returnId = back?.id ?? '';
    for (const { trait, value, key } of LISTED)
      await sql`insert into listed_payers (id, list, trait, value, key, reason, created_at)
        values (${uuidv7()}, 'WATCH', ${trait}, ${value}, ${key}, 'test', now())`;
    // Two orders of one payer, who writes his number and address in two ways.
    const { orderNo: again } = await tenant.deposit(merchant, {});
    await sql`update deposit_orders set payer_name = 'Somchai Jaidee'`;
    await sql`update deposit_orders set payer_account_no = '12-345678', payer_mobile = '081 2345',
        payer_email = 'A@x.example'
      where id = ${depositId}`;
    await sql`update deposit_orders set payer_mobile = '0812345', payer_account_no = '012345678', payer_email = ' a@x.example'
      where order_no = ${again}`;
    const [second] = await sql<{ id: string }[]>`select id from deposit_orders where order_no = ${again}`;
    same = [depositId, second?.id ?? ''].sort();
    await sql`update notification_logs set request_body = ${keptBody} where order_id = ${depositId}`;
    await sql`update notification_logs set response_body = 'hello Somchai'`;
    await sql`
      insert into callback_attempts (notification_id, generation, attempt, started_at, ended_at, response_body)
      select n.id, g, 1, now(), now(), 'hello Somchai ' || g
      from notification_logs n, generate_series(1, ${MANY}::int) g where n.order_id = ${paid.id}`;
    await sealAll();
    await sql`update bank_transfer_changes set seq = nextval('bank_transfer_numbers')`;
  }, 60_000);
  afterAll(async () => {
    await tenant.close();
  });

  /** Seals what was written above as text, as its writer does. */
  async function sealAll(): Promise<void> {
    const { sealer, lookup } = tenant.seals;
    const current = sealedBy(keys.ring.current);
    const sealed = ({ searched }: PersonalColumn, value: PersonalValue): RenewedValue => {
      const { kept, context } = value;
      return typeof kept === 'string'
        ? {
            ...value,
            renewed: sealer.seal(kept, context),
            index: searched && blindIndex(lookup, searched, kept),
          }
        : { ...value, renewed: sealer.sealBytes(kept, context), index: null };
    };
    for (const column of PERSONAL_COLUMNS)
      for (let after: RowKey | null = null; ;) {
        const { values, last } = await column.find(tenant.database, after, current);
        if (values.length > 0)
          await column.replace(
            tenant.database,
            values.map((value) => sealed(column, value)),
          );
        if (last === null) break;
        after = last;
      }
  }

  const rotation = (ring: KeyRing): RotationDeps => ({
    database: tenant.database,
    ring,
    lookEveryMs: 5,
    clock: async () => await Promise.resolve(new Date()),
    say: (line) => said.push(line),
  });
  const commandRing = (...more: PlatformKey[]): KeyRing => new KeyRing([...keys.ring.all, ...more]);

  const numbers = () => ({
    o: orderNo,
    w: withdrawn.orderNo,
    d: debitId,
    r: returnId,
    t: transferId,
    s: statementId,
  });
  /** What an operator sees of the order. */
  async function shown(): Promise<Shown> {
    const data = await tenant.graph.execute(ORDER, numbers(), tenant.operator, silent);
    return data as Shown;
  }
  /** The orders of one person, by each of its values. */
  async function expectFound(): Promise<void> {
    const { sql } = tenant.database;
    const seals = tenant.graph.core;
    const orders = await ordersOfPerson(sql, seals, depositId);
    expect(orders.map(({ id }) => id).sort()).toEqual(same);
    const [row] = await sql<KeptPerson[]>`select * from deposit_orders where id = ${depositId}`;
    if (!row) throw new Error('no deposit');
    expect(openPayer(seals.sealer, row)).toEqual({
      payerAccountNo: '12-345678',
      payerMobile: '081 2345',
      payerEmail: 'A@x.example',
    });
    const said = { EMAIL: 'a@X.example', MOBILE: '081-2345', ACCOUNT: '12345678' } as const;
    const counts = await Promise.all(
      Object.entries(said).map(async ([trait, value]) => {
        const form = TRAIT_FORMS[trait as PayerTrait];
        const by = trait as keyof typeof said;
        const [count] = await countPayerOrders(
          tenant.database,
          {
            merchantId: row.merchantId,
            currencyCode: 'THB',
            keys: { [by]: traitKey(by, value) ?? '' },
            indexes: { [by]: form ? blindIndexes(seals.lookup, form, value) : [] },
          },
          [{ by, counts: 'ATTEMPTS', minutes: 1440, above: money('1'), outcome: 'WATCH' }],
          tenant.now(),
        );
        return count?.orders;
      }),
    );
    expect(counts).toEqual([2, 2, 2]);
    const sought = LISTED.map((listed) => soughtTrait(seals.lookup, listed));
    const entries = await findEntriesOf(tenant.database, sought, new Date());
    expect(entries.map(({ trait, key }) => ({ trait, key }))).toEqual(LISTED.map(({ trait, key }) => ({ trait, key })));
    // Whatever its key and spelling, nobody is listed twice.
    await expect(
      tenant.operate('ListPayer', {
        input: { list: 'DENY', trait: 'MOBILE', value: '0812345' },
        reason: 'test',
      }),
    ).rejects.toThrow('on a list already');
    const sessions = await sql<CashierSessionRow[]>`select * from cashier_sessions`;
    for (const session of sessions) {
      expect(openCards(seals.sealer, session)).toEqual(CARDS);
      expect(session.cardCount).toBe(2);
    }
  }
  async function expectAllShown(): Promise<void> {
    expect(await tenant.list('ListedBeneficiaries', { filter: { accountNo: '666' } })).toMatchObject([
      { accountNo: '66-6' },
    ]);
    const all = await shown();
    const { deposit, withdrawal, bankTransfer, bankDebit, payerReturn, agentTexts } = all;
    const { raw, ...read } = SAID;
    expect(all.bankStatement.lines).toEqual([
      { memo: null, partyName: null, partyAccount: null, raw },
      { ...read, raw: null },
    ]);
    let part = 0;
    for await (const kept of partsOf(tenant.database, statementId)) {
      const content = openPart(tenant.seals.sealer, statementId, part, kept);
      expect(content.toString()).toBe(`for Somchai ${part++}`);
    }
    expect(part).toBe(PARTS);
    expect(bankTransfer).toEqual({
      payerName: 'Somchai',
      payerAccount: '12-34',
      payerFinding: 'the bank names Somchai',
      memo: MEMO + remark,
    });
    expect(bankDebit).toEqual({
      payeeName: 'Somchai',
      payeeAccount: 'Somchai',
      memo: 'to Somchai',
    });
    expect(payerReturn).toEqual({ payeeName: 'Somchai', payeeAccount: '12-34' });
    expect(agentTexts).toEqual([{ text: ERASED }, { text: BANK_TEXT }]);
    const { payerName, paymentClaim, callbacks } = deposit;
    expect(payerName).toBe('Somchai Jaidee');
    expect(callbacks[0]?.requestBody).toBe(body);
    expect(withdrawal).toEqual({
      beneficiaryBankBranch: 'Old Town',
      beneficiaryAccount: '1234567890',
      beneficiaryName: 'Somchai',
    });
    const filter = { beneficiaryAccount: '1234567890' };
    expect(await tenant.list('Withdrawals', { filter })).toMatchObject([{ orderNo: withdrawn.orderNo }]);
    for (const [of, id] of [
      ['DEPOSIT', depositId],
      ['WITHDRAWAL', withdrawn.id],
    ]) {
      const { fields } = await tenant.operate<{ fields: unknown[] }>('RevealPersonal', {
        of,
        id,
        reason: 'test',
      });
      expect(fields).toContainEqual({ name: 'extraData', value: TEXT });
    }
    await expectFound();
    expect(paymentClaim.receipt).toBe(PICTURE.toString('base64'));
    expect(callbacks[0]?.responseBody).toBe('hello Somchai');
    expect(callbacks[0]?.attempts.map(({ responseBody }) => responseBody)).toEqual(
      Array.from({ length: MANY }, (_, n) => `hello Somchai ${n + 1}`),
    );
  }

  /** Of each column: the values, and those that begin with a text. Of bodies: the field. */
  async function countOf(begin: string): Promise<Record<string, readonly [number, number]>> {
    const { sql } = tenant.database;
    const counts = PERSONAL_COLUMNS.map(async ({ table, column }) => {
      const text =
        column === 'request_body'
          ? sql`${sql(column)}::jsonb ->> 'extra_data'`
          : column === 'payer_bank_cards'
            ? sql`${sql(column)} #>> '{}'`
            : sql`case when ${table} in ('payment_claims', 'statement_parts') then encode(${sql(column)}::text::bytea, 'escape')
              else ${sql(column)}::text end`;
      const [row] = await sql<{ all: number; such: number }[]>`
        select count(*)::int as all, (count(*) filter (where starts_with(${text}, ${begin})))::int as such
        from ${sql(table)} where ${text} is not null and ${text} not in ('', ${ERASED})`;
      return [`${table}.${column}`, [row?.all ?? 0, row?.such ?? 0]] as const;
    });
    return Object.fromEntries(await Promise.all(counts));
  }
  async function expectSealedWith(key: PlatformKey): Promise<void> {
    for (const [all, such] of Object.values(await countOf(sealedBy(key)))) expect([all > 0, such]).toEqual([true, all]);
  }

  it('are those that docs/personal-data.md calls sealed', () => {
    const names = PERSONAL_COLUMNS.map(({ table, column }) => `${table}.${column}`);
    // Messages of channels are rotated with the secrets (db/platform/sealed-rows.ts).
    expect([...new Set([...names, 'channel_messages.body'])].sort()).toEqual(sealedColumns());
  });

  it('are sealed again by keys:rotate, read as before, and found by keys:check', async () => {
    await expectSealedWith(keys.ring.current);
    await expectAllShown();
    expect(await isPending(rotation(commandRing()))).toBe(false);
    // Which orders a sealed memo names is known without opening it.
    expect(
      await tenant.database.sql`
        select named_remarks from bank_transfers t
        where id = ${transferId} and names_order(t, ${remark}) and not names_order(t, 'ABCDEFGH')`,
    ).toEqual([{ namedRemarks: [remark] }]);

    const next = fresh();
    // While rows of the older key are left, they are found too.
    keys.ring.learn([next]);
    const { id: first } = keys.ring.current;
    keys.ring.use(next.id);
    await expectFound();
    keys.ring.use(first);
    expect(await isPending(rotation(commandRing(next)))).toBe(true);
    expect(await rotateKeys(rotation(commandRing(next)), null)).toBe(true);
    await expectSealedWith(next);
    await expectAllShown();
    // No subscriber is sent credits that say the same as before.
    expect(await tenant.database.sql`select from bank_transfer_changes where seq is null`).toHaveLength(0);
    // A process wrote two in the last moment with the older key.
    const { sql } = tenant.database;
    const sealer = createSealer(commandRing());
    const context = await contextOfCallback();
    await sql`update notification_logs set response_body = ${sealer.seal('hello Somchai', context)}
      where order_id = ${depositId}`;
    await sql`update callback_attempts
      set response_body = ${sealer.seal('hello Somchai 1', context)} where generation = 1`;
    said = [];
    expect(await checkKeys(rotation(commandRing(next)))).toBe(false);
    expect(said.map((line) => line.trim())).toEqual(
      expect.arrayContaining([
        '1 of merchants’ answers (keys:rotate renews them)',
        '1 of merchants’ last answers (keys:rotate renews them)',
      ]),
    );
    expect(await isPending(rotation(commandRing(next)))).toBe(true);
    await rotateKeys(rotation(commandRing(next)), null);
    await expectSealedWith(next);
    await expectAllShown();
  }, 60_000);

  const contextOfCallback = async (): Promise<string> => {
    const [row] = await tenant.database.sql<{ id: string }[]>`
      select id from notification_logs where order_id = ${depositId}`;
    return `callback_answer:${row?.id ?? ''}`;
  };

  it('open only in their own row', async () => {
    const { sql } = tenant.database;
    const merchant = await tenant.merchant();
    const account = await tenant.account();
    const other = await creditedDeposit(tenant, merchant, account, {
      callbackUrl: 'https://merchant.example/',
    });
    await sql`update notification_logs n set response_body = o.response_body
      from notification_logs o where n.order_id = ${other.id} and o.order_id = ${depositId}`;
    await expect(
      tenant.graph.execute(ORDER, { ...numbers(), o: other.orderNo }, tenant.operator, silent),
    ).rejects.toThrow();
    // keys:rotate leaves it, and names it.
    said = [];
    const next = fresh();
    expect(await rotateKeys(rotation(commandRing(...keys.ring.all, next)), null)).toBe(false);
    expect(said.some((line) => /^callback_answer:\S+ does not open/.test(line))).toBe(true);
    // So it does with one that somebody wrote in clear.
    await sql`update bank_debits set payee_name = 'Somchai' where id = ${debitId}`;
    said = [];
    expect(await rotateKeys(rotation(commandRing(...keys.ring.all, next)), null)).toBe(false);
    expect(said.filter((line) => line.startsWith(`bank_debit_payee_name:${debitId} does`))).toHaveLength(1);
  }, 60_000);
});
