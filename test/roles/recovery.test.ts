import { ApplicationFailure } from '@temporalio/common';
import pino from 'pino';
import { uuidv7 } from 'uuidv7';
import { money } from '../../domain/money';
import { wakeSilentPayouts, wakeUnmovedWithdrawals } from '../../db/overdue';
import { markSent, openTransferTask, preparePayout, refusePayout } from '../../db/payouts/payouts';
import { beginRecovery, isPayoutHeld, readPlatform } from '../../db/platform/recoveries';
import { explainFindings } from '../../steps/recovery/recovery-effects';
import { recoveryOnce } from '../../roles/recovery-command';
import { readDatabase } from '../../runtime/server-settings';
import { RecoveryLead } from '../../roles/recovery-lead';
import { Simulator } from '../../simulator/server';
import { createCashierActivities } from '../../temporal/activities/cashier';
import { createDepositActivities } from '../../temporal/activities/deposits';
import { createPayoutActivities } from '../../temporal/activities/payouts';
import { CHANNEL_KEY, simulatedChannel, type TestChannel } from '../support/channel-tenant';
import { quietActivities } from '../support/quiet-activities';
import { Tenant, type TestMerchant } from '../support/tenant';
import { approvedWithdrawal, fundedMerchant } from '../support/withdrawals';

/** After the earlier requests have ended. */
const LATER_MS = 120_000;

/** The database was restored: two upstreams know more than it does. */
describe('a recovery', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let channelA: TestChannel;
  let channelB: TestChannel;
  let epoch = 0;
  const [upstreamA, upstreamB] = [new Simulator(CHANNEL_KEY), new Simulator(CHANNEL_KEY)];

  beforeAll(async () => {
    tenant = await Tenant.create();
    await tenant.account();
    merchant = await fundedMerchant(tenant, '100000');
    channelA = await simulatedChannel(tenant, await upstreamA.listen());
    channelB = await simulatedChannel(tenant, await upstreamB.listen());
  });
  beforeEach(async () => {
    ({ epoch } = await readPlatform(tenant.database));
  });
  afterEach(async () => {
    tenant.now = () => new Date();
    const { sql } = tenant.database;
    await sql`delete from recovery_findings`;
    await sql`delete from recoveries`;
  });
  afterAll(async () => {
    await tenant.close();
    await upstreamA.close();
    await upstreamB.close();
  });

  const begin = async (): Promise<void> => {
    const { marker } = await readPlatform(tenant.database);
    await beginRecovery(tenant.database, uuidv7(), { marker: marker + 5, epoch }, tenant.now());
  };
  /** A round of queries, once nothing is under way. */
  const asked = async (): Promise<void> => {
    const later = new Date(Date.now() + LATER_MS);
    tenant.now = () => later;
    const { database, graph } = tenant;
    const log = pino({ level: 'silent' });
    const { openChannel, signer } = graph.core;
    await new RecoveryLead({ database, signer, openChannel, clock: tenant.now, log }).round();
  };
  const paid = (upstream: Simulator, reference: string, amount = '100'): void => {
    upstream.payments.pay(upstream.payments.ask({ reference, amount, currency: 'THB' }));
  };
  const prepared = async (id: string, { id: channelId }: TestChannel): Promise<string> => {
    const attemptId = uuidv7();
    await preparePayout(tenant.database, attemptId, id, channelId, money('1'), tenant.now());
    return attemptId;
  };
  const found = async (): Promise<Record<string, string>> => {
    const rows = await tenant.database.sql<{ subject: string; kind: string }[]>`
      select subject, kind from recovery_findings`;
    return Object.fromEntries(rows.map(({ subject, kind }) => [subject, kind]));
  };
  const waiting = async (): Promise<{ id: string; orderNo: string }> => {
    const order = await approvedWithdrawal(tenant, merchant);
    await tenant.database.sql`
      update withdrawal_orders
      set status = 'PENDING', approved_at = null, approved_by = null, is_auto_approved = false, people_needed = 1
      where id = ${order.id}`;
    return order;
  };
  const end = async (): Promise<{ change: { id: string; status: string } }> =>
    await tenant.operate('EndRecovery', { reason: 'all is explained' });
  const endByTwo = async (): Promise<void> => {
    tenant.changes.onePerson = false;
    try {
      const { change } = await end();
      const other = await tenant.person(uuidv7(), ['approve']);
      await tenant.operate('ApproveChange', { id: change.id, reason: 'seen' }, other);
    } finally {
      tenant.changes.onePerson = true;
    }
  };
  const rejecting = async (orderNo: string): Promise<unknown> =>
    await tenant.operate('RejectWithdrawal', { orderNo, remarks: 'not wanted any more' });

  it('accepts orders and reads, and sends no payout', async () => {
    const { database } = tenant;
    const ready = await approvedWithdrawal(tenant, merchant);
    const attempt = await prepared(ready.id, channelA);
    const byHand = await approvedWithdrawal(tenant, merchant);
    await begin();
    expect(await markSent(database, attempt, tenant.now())).toBe(false);
    expect(await openTransferTask(database, uuidv7(), byHand.id, tenant.now())).toBe(false);
    const payouts = createPayoutActivities({
      database,
      clock: () => Promise.resolve(tenant.now()),
      ...tenant.seals,
      openChannel: tenant.graph.core.openChannel,
    });
    for (const { id } of [ready, byHand]) expect(await payouts.routePayout(id)).toEqual({ kind: 'WAIT' });
    expect((await tenant.deposit(merchant)).orderNo).toMatch(/^D/);
    // The sweeps would wake them again and again, only to wait.
    const soon = new Date(Date.now() + 3_600_000);
    const step = { parkedAfter: tenant.now(), limit: 100, now: tenant.now() };
    await expect(wakeUnmovedWithdrawals(database, { ...step, overdueBefore: soon, after: null })).resolves.toEqual([]);
    await expect(wakeSilentPayouts(database, { ...step, silentBefore: soon, unresolvedBefore: soon })).resolves.toEqual(
      [],
    );
  });

  it('is in the audit log once, however many workers ask', async () => {
    await begin();
    await Promise.all([asked(), asked()]);
    await asked();
    const noted = await tenant.list<{ after: unknown; subject: string }>('AuditLog', {
      filter: { action: ['beginRecovery'] },
    });
    expect(noted).toMatchObject([{ after: { epoch: epoch + 1 } }]);
  });

  it('removes the mark of a payout that must not be sent', async () => {
    const { database } = tenant;
    const { id } = await approvedWithdrawal(tenant, merchant);
    const attempt = await prepared(id, channelA);
    const payouts = createPayoutActivities({
      database,
      clock: () => Promise.resolve(tenant.now()),
      ...tenant.seals,
      openChannel: tenant.graph.core.openChannel,
      // The database was restored between the mark and the request.
      raiseMarker: async () => {
        await begin();
        return false;
      },
    });
    await quietActivities().run(async () => {
      await payouts.sendPayout(attempt);
    });
    const [row] = await database.sql<{ status: string }[]>`
      select status from payout_attempts where id = ${attempt}`;
    expect(row?.status).toBe('PREPARED');
    expect(upstreamA.payments.all()).toEqual([]);
  });

  it.each([
    ['the steady clock', performance],
    ['the wall clock, which goes on while a machine is suspended', Date],
  ])('sends no payout after its worker stood still, by %s', async (_, clock) => {
    const { database } = tenant;
    const { id } = await approvedWithdrawal(tenant, merchant);
    const attempt = await prepared(id, channelA);
    const sent = upstreamA.payments.all().length;
    const read = clock.now.bind(clock);
    let stoodStill = 20_000;
    const payouts = createPayoutActivities({
      database,
      clock: () => Promise.resolve(tenant.now()),
      ...tenant.seals,
      openChannel: tenant.graph.core.openChannel,
      raiseMarker: async () => {
        jest.spyOn(clock, 'now').mockImplementation(() => read() + stoodStill);
        return await Promise.resolve(true);
      },
    });
    const send = async (): Promise<void> => {
      await quietActivities().run(async () => {
        await payouts.sendPayout(attempt);
      });
    };
    const status = async (): Promise<string | undefined> =>
      (
        await database.sql<{ status: string }[]>`
          select status from payout_attempts where id = ${attempt}`
      )[0]?.status;
    try {
      await expect(send()).rejects.toThrow('stood still');
      expect(await status()).toBe('PREPARED');
      expect(upstreamA.payments.all()).toHaveLength(sent);
      // Its next try marks it again.
      stoodStill = 0;
      await send();
      expect(await status()).not.toBe('PREPARED');
      expect(upstreamA.payments.all()).toHaveLength(sent + 1);
    } finally {
      jest.restoreAllMocks();
    }
  });

  it('leaves the mark of another to a worker that stood still', async () => {
    const { database } = tenant;
    const { id } = await approvedWithdrawal(tenant, merchant);
    const attempt = await prepared(id, channelA);
    const sent = upstreamA.payments.all().length;
    const read = performance.now.bind(performance);
    const payouts = createPayoutActivities({
      database,
      clock: () => Promise.resolve(tenant.now()),
      ...tenant.seals,
      openChannel: tenant.graph.core.openChannel,
      // The database was restored, asked and released meanwhile, and another worker has marked the payout.
      raiseMarker: async () => {
        await database.sql`
          update payout_attempts set sent_at = sent_at + interval '1 hour' where id = ${attempt}`;
        jest.spyOn(performance, 'now').mockImplementation(() => read() + 3_600_000);
        return true;
      },
    });
    try {
      await quietActivities()
        .run(async () => {
          await payouts.sendPayout(attempt);
        })
        .catch(() => undefined);
    } finally {
      jest.restoreAllMocks();
    }
    const [row] = await database.sql<{ status: string }[]>`
      select status from payout_attempts where id = ${attempt}`;
    expect(row?.status).toBe('SENT');
    expect(upstreamA.payments.all()).toHaveLength(sent);
  });

  it('expires no deposit and no session', async () => {
    const { database } = tenant;
    const { orderNo, expireAt } = await tenant.deposit(await tenant.merchant());
    const session = await tenant.cashier(await tenant.cashierMerchant());
    const [row] = await database.sql<{ id: string }[]>`
      select id from deposit_orders where order_no = ${orderNo}`;
    await begin();
    const at = new Date(Date.parse(expireAt) + 86_400_000);
    const clock = async (): Promise<Date> => await Promise.resolve(at);
    const deposits = createDepositActivities({ database, clock });
    const cashier = createCashierActivities({ database, clock });
    for (const expire of [
      async () => await deposits.expireDeposit(row?.id ?? '', at.toISOString()),
      async () => await cashier.expireCashierSession(session.sessionId, at.toISOString()),
      async () => await cashier.readCashierSession(session.sessionId),
      async () => await deposits.settleDeposit(row?.id ?? ''),
    ]) {
      const failure: unknown = await quietActivities()
        .run(expire)
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ApplicationFailure);
      expect(failure).toMatchObject({ type: 'InRecovery', nonRetryable: false });
    }
  });

  it('releases no money before channels were queried, nor what one has paid', async () => {
    const [unpaid, known] = [await waiting(), await waiting()];
    paid(upstreamA, `${known.orderNo}-1-${epoch}-${channelA.channelCode}`);
    await begin();
    await expect(rejecting(unpaid.orderNo)).rejects.toThrow('are being asked');
    await asked();
    expect(await found()).toMatchObject({
      [`withdrawal:${unpaid.orderNo}`]: 'NOT_PAID',
      [`withdrawal:${known.orderNo}`]: 'AT_CHANNEL',
    });
    await expect(rejecting(known.orderNo)).rejects.toThrow('cannot be rejected');
    await rejecting(unpaid.orderNo);
    const young = await waiting();
    await tenant.database.sql`
      update withdrawal_orders set created_at = ${tenant.now()} where id = ${young.id}`;
    await rejecting(young.orderNo);
  });

  it('continues after a refusal of the lost time with the attempt after it', async () => {
    const { id, orderNo } = await approvedWithdrawal(tenant, merchant);
    const attempt = await prepared(id, channelA);
    await markSent(tenant.database, attempt, tenant.now());
    const [a, b] = [channelA, channelB].map(({ channelCode }) => channelCode);
    const reference = `${orderNo}-1-${epoch}-${a}`;
    upstreamA.payments.ask({ reference, amount: '100', currency: 'THB' }).state = 'refused';
    paid(upstreamB, `${orderNo}-2-${epoch}-${b}`);
    await begin();
    await asked();
    const attempts = await tenant.database.sql<{ line: string }[]>`
      select concat_ws(' ', number, reference, status) as line from payout_attempts
      where withdrawal_id = ${id} order by number`;
    expect(attempts.map(({ line }) => line)).toEqual([`1 ${reference} REFUSED`, `2 ${orderNo}-2-${epoch}-${b} SENT`]);
  });

  it('lists payments of which nothing is left, and channels that cannot list theirs', async () => {
    upstreamB.configure({ lists: false });
    const lost = `W20260102LOSTLOSTLOST-1-${epoch}-${channelA.channelCode}`;
    // More than a page of the list.
    const others = Array.from({ length: 45 }, (_, n) => `W20260102LOST${n}-1`);
    for (const reference of [...others, lost]) paid(upstreamA, reference, '77');
    await begin();
    await asked();
    expect(await found()).toMatchObject({
      [`payout:${channelA.channelCode}:${lost}`]: 'UNKNOWN_HERE',
      [`payout:${channelA.channelCode}:${others[44] ?? ''}`]: 'UNKNOWN_HERE',
      [`channel:${channelB.channelCode}`]: 'NO_LIST',
    });
    upstreamB.configure({ lists: true });
  });

  it('ends by two people, after everything was queried; then payouts are sent', async () => {
    const { database } = tenant;
    const { id } = await approvedWithdrawal(tenant, merchant);
    await begin();
    await expect(end()).rejects.toThrow('not asked for every withdrawal');
    await asked();
    tenant.changes.onePerson = false;
    try {
      const { change } = await end();
      expect(change.status).toBe('PROPOSED');
      await expect(tenant.operate('ApproveChange', { id: change.id, reason: 'seen' })).rejects.toThrow('your own');
      expect((await readPlatform(database)).recoveryId).not.toBeNull();
      const other = await tenant.person('second', ['approve']);
      await tenant.operate('ApproveChange', { id: change.id, reason: 'seen' }, other);
    } finally {
      tenant.changes.onePerson = true;
    }
    expect((await readPlatform(database)).recoveryId).toBeNull();
    expect(await tenant.operate('RecoveryState')).toMatchObject({
      problem: 'the recovery has ended',
    });
    expect(await markSent(database, await prepared(id, channelA), tenant.now())).toBe(true);
  });

  it('can also be begun by a person, and is shown', async () => {
    const written: unknown[] = [];
    const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      written.push(text);
      return true;
    });
    const of = { database: readDatabase({}, tenant.url) };
    try {
      expect(await recoveryOnce(of, [])).toBe(true);
      expect(await recoveryOnce(of, ['begin'])).toBe(false);
    } finally {
      write.mockRestore();
    }
    expect(written.join('')).toContain(`epoch=${epoch + 1} NOT_PAID=0`);
    await expect(recoveryOnce(of, ['end'])).rejects.toThrow('begin');
  });

  it('keeps lost numbers that an operator enters', async () => {
    await begin();
    const { id: merchantId, merchantCode } = merchant;
    const lost = { merchantId, merchantOrderNo: 'gone-1', reason: 'in the log of the gateway' };
    await tenant.operate('RecordLostNumber', lost);
    expect(await tenant.list('RecoveryFindings', { filter: { kind: ['LOST_NUMBER'] } })).toEqual([
      expect.objectContaining({ subject: `number:${merchantCode}:gone-1`, detail: lost.reason }),
    ]);
    await tenant.deposit(merchant, { merchantOrderNo: 'here-1' });
    await expect(tenant.operate('RecordLostNumber', { ...lost, merchantOrderNo: 'here-1' })).rejects.toThrow(
      'not lost',
    );
  });

  it('holds payouts without an answer, also after it has ended, until they are answered', async () => {
    const { database } = tenant;
    const { id, orderNo } = await approvedWithdrawal(tenant, merchant);
    const other = await approvedWithdrawal(tenant, merchant);
    const reference = `${orderNo}-1`;
    upstreamB.payments.ask({ reference, amount: '99', currency: 'THB' });
    await begin();
    await asked();
    expect(await found()).toMatchObject({ [`withdrawal:${orderNo}`]: 'UNANSWERED' });
    await end();
    expect([await isPayoutHeld(database, id), await isPayoutHeld(database, other.id)]).toEqual([...[true, false]]);
    Object.assign(upstreamB.payments.find(reference) ?? {}, { amount: '100', state: 'refused' });
    await asked();
    expect(await isPayoutHeld(database, id)).toBe(false);
  });

  const attemptsOf = async (id: string): Promise<string[]> => {
    const rows = await tenant.database.sql<{ line: string }[]>`
      select concat_ws(' ', number, reference, status) as line from payout_attempts
      where withdrawal_id = ${id} order by number`;
    return rows.map(({ line }) => line);
  };

  it('follows a payout that was moved to another channel in the lost time', async () => {
    const { database } = tenant;
    const [a, b] = [channelA.channelCode, channelB.channelCode];
    const [ready, sent] = [await approvedWithdrawal(tenant, merchant), await approvedWithdrawal(tenant, merchant)];
    await prepared(ready.id, channelA);
    await markSent(database, await prepared(sent.id, channelA), tenant.now());
    for (const { orderNo } of [ready, sent]) paid(upstreamB, `${orderNo}-2-${epoch}-${b}`);
    await begin();
    await asked();
    for (const { id, orderNo } of [ready, sent]) {
      expect(await found()).toMatchObject({ [`withdrawal:${orderNo}`]: 'AT_CHANNEL' });
      expect(await attemptsOf(id)).toEqual([
        `1 ${orderNo}-1-${epoch}-${a} REFUSED`,
        `2 ${orderNo}-2-${epoch}-${b} SENT`,
      ]);
    }
  });

  it('follows a payout whose number another attempt has here', async () => {
    const { id, orderNo } = await approvedWithdrawal(tenant, merchant);
    const attempt = await prepared(id, channelA);
    await markSent(tenant.database, attempt, tenant.now());
    await refusePayout(tenant.database, attempt, 'test', tenant.now());
    const [a, b] = [channelA.channelCode, channelB.channelCode];
    paid(upstreamB, `${orderNo}-1-${epoch}-${b}`);
    await begin();
    await asked();
    expect(await attemptsOf(id)).toEqual([`1 ${orderNo}-1-${epoch}-${a} REFUSED`, `2 ${orderNo}-1-${epoch}-${b} SENT`]);
  });

  const EVIDENCE = { text: 'statement of the bank, 1 to 3 January' };
  const findingOf = async (subject: string): Promise<{ id: string; explainedBy: string | null }> => {
    const rows = await tenant.list<{ id: string; subject: string; explainedBy: string | null }>('RecoveryFindings');
    const row = rows.find((one) => one.subject === subject);
    if (!row) throw new Error(`there is no finding about ${subject}`);
    return row;
  };
  const explain = async (
    subjects: readonly string[],
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<{ change: { id: string; status: string } }> => {
    const ids = await Promise.all(subjects.map(async (subject) => (await findingOf(subject)).id));
    return await tenant.operate('ExplainFindings', {
      ids,
      reason: 'compared',
      evidence: EVIDENCE,
      ...more,
    });
  };
  const taskOf = async (id: string): Promise<string> => {
    const task = uuidv7();
    await openTransferTask(tenant.database, task, id, tenant.now());
    return task;
  };

  it('holds what a channel has and the order cannot follow, until two people explain where it is', async () => {
    const { database } = tenant;
    const { id, orderNo } = await approvedWithdrawal(tenant, merchant);
    await taskOf(id);
    const reference = `${orderNo}-1-${epoch}-${channelA.channelCode}`;
    paid(upstreamA, reference);
    await begin();
    await asked();
    await end();
    const subject = `withdrawal:${orderNo}`;
    expect(await found()).toMatchObject({ [subject]: 'UNEXPLAINED' });
    expect(await isPayoutHeld(database, id)).toBe(true);
    await explain([subject], { paidAt: { channelId: channelA.id, reference } });
    expect(await found()).toMatchObject({ [subject]: 'AT_CHANNEL' });
    expect(await attemptsOf(id)).toEqual([`1 ${orderNo}-1 CANCELLED`, `2 ${reference} SENT`]);
  });

  it('records no newer answer of a channel between the comparison of an explanation and its effect', async () => {
    const { database } = tenant;
    const { id, orderNo } = await approvedWithdrawal(tenant, merchant);
    await taskOf(id);
    paid(upstreamA, `${orderNo}-1-${epoch}-${channelA.channelCode}`);
    await begin();
    await asked();
    const finding = await findingOf(`withdrawal:${orderNo}`);
    const [recovery] = await database.sql<{ id: string }[]>`select id from recoveries`;
    const explained = { recoveryId: recovery?.id ?? '', ids: [finding.id], paidAt: null };
    await database.transaction(async (tx) => {
      expect(Object.keys((await explainFindings.basis?.(tx, explained)) ?? {})).toEqual([finding.id]);
      const answered = database.transaction(async (other) => {
        await other`set local lock_timeout = '50ms'`;
        await other`update recovery_findings set found_at = ${tenant.now()} where id = ${finding.id}`;
      });
      await expect(answered).rejects.toMatchObject({ code: '55P03' });
    });
  });

  it('lets no person pay by hand what may have been paid in the lost time, until two explain it', async () => {
    const [one, other] = [await approvedWithdrawal(tenant, merchant), await approvedWithdrawal(tenant, merchant)];
    for (const { id } of [one, other]) await taskOf(id);
    await begin();
    await asked();
    await expect(
      tenant.operate('CancelTransfer', { orderNo: one.orderNo, reason: 'in RECOVERY, too' }),
    ).rejects.toThrow('explain');
    await endByTwo();
    const { orderNo } = one;
    expect(await findingOf(`withdrawal:${orderNo}`)).toMatchObject({
      kind: 'NOT_PAID',
      explainedBy: null,
      detail: expect.stringContaining('statement of the bank') as string,
    });
    const accountId = await tenant.account();
    await tenant.operate('ClaimTransfer', { orderNo, accountId });
    await expect(tenant.operate('BeginTransfer', { orderNo })).rejects.toThrow('explained');
    await expect(tenant.operate('CancelTransfer', { orderNo, reason: 'not wanted any more' })).rejects.toThrow(
      'explain',
    );
    const subjects = [one, other].map((order) => `withdrawal:${order.orderNo}`);
    await expect(explain(subjects, { evidence: { text: ' ' } })).rejects.toThrow('state how');
    tenant.changes.onePerson = false;
    try {
      const { change } = await explain(subjects);
      expect(change.status).toBe('PROPOSED');
      await expect(tenant.operate('BeginTransfer', { orderNo })).rejects.toThrow('explained');
      const second = await tenant.person('second-explainer', ['approve']);
      await tenant.operate('ApproveChange', { id: change.id, reason: 'seen' }, second);
      expect((await findingOf(subjects[0] ?? '')).explainedBy).toBe(change.id);
    } finally {
      tenant.changes.onePerson = true;
    }
    await expect(explain(subjects)).rejects.toThrow('explained already');
    await tenant.operate('BeginTransfer', { orderNo });
  });

  it('lets people pay by hand after its end where one person suffices to end it', async () => {
    const { id, orderNo } = await approvedWithdrawal(tenant, merchant);
    await taskOf(id);
    await begin();
    await asked();
    const { change } = await end();
    expect(await findingOf(`withdrawal:${orderNo}`)).toMatchObject({
      kind: 'NOT_PAID',
      explainedBy: change.id,
    });
    await tenant.operate('ClaimTransfer', { orderNo, accountId: await tenant.account() });
    await tenant.operate('BeginTransfer', { orderNo });
  });

  it('goes on with what a channel that is gone did not answer, once two people explain it', async () => {
    const { database } = tenant;
    const gone = await simulatedChannel(tenant, 'http://127.0.0.1:1');
    const [unpaid, paidThere] = [
      await approvedWithdrawal(tenant, merchant),
      await approvedWithdrawal(tenant, merchant),
    ];
    await prepared(paidThere.id, channelA);
    await begin();
    await expect(explain([])).rejects.toThrow('1-100');
    await asked();
    await end();
    const subjects = [unpaid, paidThere].map(({ orderNo }) => `withdrawal:${orderNo}`);
    for (const subject of subjects) expect(await found()).toMatchObject({ [subject]: 'UNANSWERED' });
    await explain(subjects.slice(0, 1));
    const reference = `${paidThere.orderNo}-1-${epoch}-${gone.channelCode}`;
    await explain(subjects.slice(1), { paidAt: { channelId: gone.id, reference } });
    expect(await isPayoutHeld(database, unpaid.id)).toBe(false);
    expect(await attemptsOf(paidThere.id)).toEqual([
      expect.stringMatching(/^1 .* REFUSED$/) as string,
      `2 ${reference} SENT`,
    ]);
    // It is not asked for again.
    await asked();
    expect(await isPayoutHeld(database, unpaid.id)).toBe(false);
    await database.sql`delete from channel_banks where channel_id = ${gone.id}`;
  });

  it('holds returns to payers that may have been sent in the lost time', async () => {
    const { database } = tenant;
    const accountId = await tenant.account();
    const { transfer } = await tenant.notify({
      accountId,
      amount: '70',
      memo: '',
      bankReference: uuidv7(),
    });
    const { payerReturn } = await tenant.operate<{ payerReturn: { id: string } }>('ReturnMoney', {
      transferId: transfer.id,
      payee: { name: 'Ann', account: '12-34' },
      reason: 'x',
      evidence: EVIDENCE,
    });
    const { id } = payerReturn;
    await begin();
    await asked();
    await endByTwo();
    const subject = `return:${id}`;
    expect(await found()).toMatchObject({ [subject]: 'OPEN_RETURN' });
    await expect(tenant.operate('BeginReturn', { id, accountId })).rejects.toThrow('explained');
    await expect(tenant.operate('CancelReturn', { id, reason: 'x' })).rejects.toThrow();
    await explain([subject]);
    await tenant.operate('BeginReturn', { id, accountId });
    const [row] = await database.sql<{ status: string }[]>`
      select status from payer_returns where id = ${id}`;
    expect(row?.status).toBe('SENDING');
  });
});
