import { uuidv7 } from 'uuidv7';
import { openDebitAccount, openDebitName } from '../../crypto/personal';
import { findBankDebit } from '../../db/transfers/bank-debits';
import { type Agent, type Answer, Platform } from '../support/platform';
import type { TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';
import { fundedMerchant, transferUnderWay } from '../support/withdrawals';

const NOW = new Date('2026-01-02T03:04:05.006Z');

describe('debits that agents report', () => {
  let platform: Platform;
  let merchant: TestMerchant;
  let agent: Agent & { readonly id: string };
  let accountId: string;

  beforeAll(async () => {
    platform = await Platform.open();
    platform.tenant.now = () => NOW;
    accountId = await platform.account({ currencyCode: 'THB' });
    merchant = await fundedMerchant(platform.tenant, '10000');
    agent = await platform.agent([accountId]);
  });
  afterAll(async () => {
    await expectWholeLedger(platform.tenant);
    await platform.close();
  });

  const notice = (fields: Record<string, unknown> = {}) => ({
    direction: 'debit',
    account_id: accountId,
    amount: '100.00',
    currency_code: 'THB',
    bank_time: '2026-01-02T09:04:05+06:00',
    memo: 'transfer out',
    bank_reference: uuidv7(),
    payee_name: 'Somchai',
    payee_account: '1234567890',
    ...fields,
  });
  const outcomeOf = (answer: Answer): unknown => {
    const { duplicate, matched, unmatched_reason } = answer.body.data ?? {};
    return [answer.status, duplicate, matched, unmatched_reason];
  };
  const WAITS = [201, false, false, 'no_task'];
  const MATCHED = [201, false, true, null];

  it('are recorded once and await a person where no payout matches', async () => {
    const body = notice();
    const first = await platform.notify(agent, body);
    expect(outcomeOf(first)).toEqual(WAITS);
    const second = await platform.notify(agent, body);
    expect(outcomeOf(second)).toEqual([200, true, false, 'no_task']);
    expect(second.body.data?.['transfer_id']).toBe(first.body.data?.['transfer_id']);
    const { database, seals } = platform.tenant;
    const debit = await findBankDebit(database.sql, String(first.body.data?.['transfer_id']));
    if (!debit) throw new Error('no debit');
    expect(debit.source).toBe(`agent:${agent.id}`);
    expect(openDebitName(seals.sealer, debit)).toBe('Somchai');
    expect(openDebitAccount(seals.sealer, debit)).toBe('1234567890');
  });

  it('are deduplicated by their other fields without a bank reference', async () => {
    const body = notice({ bank_reference: null, memo: 'no reference' });
    expect(outcomeOf(await platform.notify(agent, body))).toEqual(WAITS);
    expect((await platform.notify(agent, body)).status).toBe(200);
    expect(outcomeOf(await platform.notify(agent, { ...body, payee_name: 'Malee' }))).toEqual(WAITS);
  });

  it('match the task completed under the same bank reference, ignoring its spelling', async () => {
    const { orderNo } = await transferUnderWay(platform.tenant, merchant, accountId);
    await platform.tenant.operate('CompleteTransfer', { orderNo, bankReference: 'ft 0001' });
    const body = notice({ bank_reference: 'FT0001' });
    expect(outcomeOf(await platform.notify(agent, body))).toEqual(MATCHED);
    expect(outcomeOf(await platform.notify(agent, body))).toEqual([200, true, true, null]);
  });

  it('match the open task named in the memo', async () => {
    const { orderNo } = await transferUnderWay(platform.tenant, merchant, accountId);
    const body = notice({ memo: `TRF ${orderNo}-1 SOMCHAI` });
    expect(outcomeOf(await platform.notify(agent, body))).toEqual(MATCHED);
    // A task is paid once.
    expect(outcomeOf(await platform.notify(agent, { ...body, bank_reference: uuidv7() }))).toEqual(WAITS);
  });

  it('do not match a task of another amount or another account', async () => {
    const other = await platform.account({ currencyCode: 'THB' });
    const watcher = await platform.agent([accountId, other]);
    const { orderNo } = await transferUnderWay(platform.tenant, merchant, accountId);
    const memo = `${orderNo}-1`;
    for (const fields of [{ amount: '100.01' }, { account_id: other }])
      expect(outcomeOf(await platform.notify(watcher, notice({ memo, ...fields })))).toEqual(WAITS);
    expect(outcomeOf(await platform.notify(watcher, notice({ memo })))).toEqual(MATCHED);
  });

  it('await a person if a known reference comes with another amount', async () => {
    const bank_reference = uuidv7();
    const { orderNo } = await transferUnderWay(platform.tenant, merchant, accountId);
    const memo = `${orderNo}-1`;
    expect(outcomeOf(await platform.notify(agent, notice({ bank_reference, amount: '7.00' })))).toEqual(WAITS);
    const second = notice({ bank_reference, memo });
    expect(outcomeOf(await platform.notify(agent, second))).toEqual(WAITS);
    expect(outcomeOf(await platform.notify(agent, second))).toEqual([200, true, false, 'no_task']);
  });

  it('post nothing to the ledger', async () => {
    const posted = await platform.tenant.database.sql`
      select 1 from ledger_transfers where type = 'BANK_CREDIT'`;
    expect(posted).toHaveLength(0);
  });

  it('lower the running balance; the account is paused when it goes on after a gap', async () => {
    const lone = await platform.account({ currencyCode: 'THB' });
    const watcher = await platform.agent([lone]);
    let minute = 0;
    const send = async (direction: string, amount: string, balance_after: string) => {
      const bank_time = new Date(NOW.getTime() + ++minute * 60_000).toISOString();
      const fields = { direction, amount, balance_after, bank_time, account_id: lone };
      expect((await platform.notify(watcher, notice(fields))).status).toBe(201);
      const [account] = await platform.tenant.database.sql<
        { status: string; bankBalance: string }[]
      >`select status, bank_balance::text from bank_accounts where id = ${lone}`;
      return [account?.status, account?.bankBalance];
    };
    expect(await send('credit', '1000.00', '1000.00')).toEqual(['ACTIVE', '1000.0000']);
    expect(await send('debit', '300.00', '700.00')).toEqual(['ACTIVE', '700.0000']);
    expect(await send('credit', '50.00', '750.00')).toEqual(['ACTIVE', '750.0000']);
    expect(await send('debit', '800.00', '-50.00')).toEqual(['ACTIVE', '-50.0000']);
    expect(await send('debit', '10.00', '-40.00')).toEqual(['ACTIVE', '-40.0000']);
    expect(await send('credit', '15.00', '-25.00')).toEqual(['PAUSED', '-25.0000']);
    // The missing one.
    expect(await send('credit', '20.00', '-30.00')).toEqual(['ACTIVE', '-25.0000']);
  });

  it('are refused for the same reasons as credits: signature, account, key, fields', async () => {
    const refusal = (status: number, code: string) => ({
      status,
      body: { success: false, code, data: null },
    });
    const other = await platform.account({ currencyCode: 'THB' });
    const signature = '0'.repeat(64);
    expect(await platform.notify(agent, notice(), { signature })).toMatchObject(refusal(401, 'INVALID_SIGNATURE'));
    expect(await platform.notify(agent, notice({ account_id: other }))).toMatchObject(
      refusal(403, 'AUTHORIZATION_ERROR'),
    );
    for (const fields of [
      ...[{ direction: 'DEBIT' }, { direction: '' }, { direction: true }],
      ...[{ amount: '-1' }, { amount: '0' }, { payee_account: 'x'.repeat(65) }],
      ...[{ payee_name: 'x'.repeat(129) }, { bank_time: '2026-01-02T04:04:05.007Z' }],
    ])
      expect(await platform.notify(agent, notice(fields))).toMatchObject(refusal(422, 'VALIDATION_ERROR'));
    const revoked = await platform.agent([accountId]);
    await platform.tenant.operate('RevokeAgentKey', { id: revoked.id, reason: 'test' });
    expect(await platform.notify(revoked, notice())).toMatchObject(refusal(401, 'INVALID_SIGNATURE'));
  });

  it('count as debits only with direction "debit"', async () => {
    for (const direction of [null, 'credit']) {
      const answer = await platform.notify(agent, notice({ direction }));
      expect(outcomeOf(answer)).toEqual([201, false, false, 'no_remark']);
    }
  });
});
