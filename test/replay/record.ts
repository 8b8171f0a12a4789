import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { workflowId } from '../../domain/ids';
import { createLogger } from '../../runtime/log';
import { DecisionDesk } from '../../temporal/decision-desk';
import { type Mailer, MailRefused } from '../../temporal/mail/mailer';
import { createSchedules, SCHEDULES } from '../../temporal/schedules';
import { type Faults, NO_FAULTS } from '../../simulator/faults';
import { Simulator } from '../../simulator/server';
import { uuidv7 } from 'uuidv7';
import { CHANNEL_KEY, createTestChannel, simulatedChannel } from '../support/channel-tenant';
import { Platform } from '../support/platform';
import { answering, type Behaviour, Receiver } from '../support/receiver';
import { devServer, type TestTemporal } from '../support/temporal';
import type { Tenant } from '../support/tenant';
import { approvedWithdrawal, eventsOf, fundedMerchant } from '../support/withdrawals';
import { startWorkers, type TestWorkers } from '../support/workers';
import { ensureOwnerInvited } from '../../steps/operators/invitation';

/*
 * `npm run replay:record`: plays every path on a real server and stores the histories, one per path and each one line, in
 * a folder named after the release. Within the release a path's recording replaces the previous one. Those of releases
 * that went out are never deleted or rewritten: the code must continue to replay them. Only the new paths:
 * `npm run replay:record -- -t mail`.
 */
const ROOT = path.join(__dirname, '../..');
const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  readonly version: string;
};
const FOLDER = path.join(__dirname, 'histories', version);

/** Accepts a mail, refuses it, or accepts it at the second attempt, depending on its recipient. */
const tried = new Set<string>();
const mailer: Mailer = {
  send: async ({ to }) => {
    await Promise.resolve();
    if (to.startsWith('refused')) throw new MailRefused('no such mailbox');
    if (to.startsWith('later') && !tried.has(to)) {
      tried.add(to);
      throw new Error('the mail server is away');
    }
  },
  close: () => undefined,
};

describe('recording histories', () => {
  let temporal: TestTemporal;
  let platform: Platform;
  let tenant: Tenant;
  let workers: TestWorkers;
  let accountId: string;
  const receivers: Receiver[] = [];
  const kept: string[] = [];

  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    [temporal, platform] = await Promise.all([devServer(), Platform.open()]);
    ({ tenant } = platform);
    const decisions = new DecisionDesk(temporal.env.client, createLogger('test', 'silent'));
    Object.assign(tenant.graph.core, { decisions });
    workers = await startWorkers(tenant, temporal, undefined, mailer);
    workers.relay.start();
    accountId = await tenant.account();
  });
  afterAll(async () => {
    await workers.stop();
    await Promise.all(
      receivers.map(async (receiver) => {
        await receiver.close();
      }),
    );
    await platform.close();
    await temporal.stop();
    // `npm run check:workflows` compares the code of each type with that of its histories.
    if (kept.length > 0)
      execFileSync(process.execPath, ['local/check-workflows.mjs', '--recorded', ...kept.sort()], {
        cwd: ROOT,
        stdio: 'inherit',
      });
  });

  async function listen(behaviour: Behaviour): Promise<string> {
    const receiver = await Receiver.listen(behaviour);
    receivers.push(receiver);
    return receiver.url;
  }

  /** Waits for the end of a workflow's newest run, and stores the history. */
  async function keep(name: string, id: string): Promise<void> {
    const { workflow } = temporal.env.client;
    for (;;) {
      const found = await workflow
        .getHandle(id)
        .describe()
        .catch(() => undefined);
      if (found?.status.name === 'COMPLETED') break;
      await sleep(100);
    }
    const history = await workflow.getHandle(id).fetchHistory();
    // A stack trace contains the machine's folders, which are private.
    const json: unknown = JSON.parse(historyToJSON(history), (key, value: unknown) =>
      key === 'stackTrace' ? '' : value,
    );
    const file = path.join(FOLDER, `${name}.json`);
    writeFileSync(file, `${JSON.stringify(json)}\n`);
    expect(history.events?.length).toBeGreaterThan(0);
    kept.push(file);
  }

  /** Queues a mail. @returns its workflow */
  async function mailed(email: string): Promise<string> {
    await ensureOwnerInvited(tenant.database, email, new Date());
    const [mail] = await tenant.database.sql<{ id: string }[]>`
      select id from mails where recipient = ${email}`;
    return workflowId('mail', mail?.id ?? '');
  }

  const settled = async (): Promise<void> => {
    await sleep(1_000);
  };

  async function paid(callbackUrl?: string, settings = {}): Promise<string> {
    const merchant = await tenant.merchant(settings);
    const { orderNo, expectedRemark } = await tenant.deposit(merchant, { callbackUrl });
    await settled();
    await tenant.notify({ accountId, memo: expectedRemark });
    return orderNo;
  }

  const deposit = (orderNo: string): string => workflowId('deposit', orderNo);
  const payout = (orderNo: string): string => workflowId('withdrawal', orderNo);
  const callback = (orderNo: string): string => workflowId('callback', `${orderNo}:deposit_completed`);

  it.concurrent('deposit paid', async () => {
    await keep('deposit-completed', deposit(await paid(await listen(answering(200)))));
  });

  it.concurrent('deposit paid before its workflow began', async () => {
    const merchant = await tenant.merchant();
    const { orderNo, expectedRemark } = await tenant.deposit(merchant);
    await tenant.notify({ accountId, memo: expectedRemark });
    await keep('deposit-completed-at-once', deposit(orderNo));
  });

  it.concurrent(
    'deposit expired',
    async () => {
      const merchant = await tenant.merchant({ depositExpireMinutes: 1 });
      const { orderNo } = await tenant.deposit(merchant);
      await keep('deposit-expired', deposit(orderNo));
    },
    120_000,
  );

  it.concurrent('deposit cancelled', async () => {
    const { orderNo } = await tenant.deposit(await tenant.merchant());
    await settled();
    await tenant.operate('CancelDeposit', { orderNo, reason: 'recorded' });
    await keep('deposit-cancelled', deposit(orderNo));
  });

  it.concurrent('deposit woken for nothing, then cancelled', async () => {
    const { orderNo } = await tenant.deposit(await tenant.merchant());
    for (let i = 0; i < 2; i++) {
      await settled();
      await tenant.database.sql`
        select wake_deposit(d, now()) from deposit_orders d where order_no = ${orderNo}`;
    }
    await settled();
    await tenant.operate('CancelDeposit', { orderNo, reason: 'recorded' });
    await keep('deposit-woken-for-nothing', deposit(orderNo));
  });

  it.concurrent(
    'deposit woken for nothing, then expired',
    async () => {
      const { orderNo } = await tenant.deposit(await tenant.merchant({ depositExpireMinutes: 1 }));
      await settled();
      await tenant.database.sql`
        select wake_deposit(d, now()) from deposit_orders d where order_no = ${orderNo}`;
      await keep('deposit-expired-after-waiting', deposit(orderNo));
    },
    120_000,
  );

  it.concurrent('deposit woken after its end', async () => {
    const { orderNo } = await tenant.deposit(await tenant.merchant());
    await tenant.operate('CancelDeposit', { orderNo, reason: 'recorded' });
    await settled();
    await tenant.database.sql`
      select wake_deposit(d, now()) from deposit_orders d where order_no = ${orderNo}`;
    await settled();
    await keep('deposit-final-already', deposit(orderNo));
  });

  /** A merchant and mock channels in their own currency. @param mocks how each opens, in order */
  async function atChannels(currency: string, mocks: readonly string[], settings = {}): Promise<() => Promise<string>> {
    for (const [priority, mockOpening] of mocks.entries())
      await createTestChannel(
        tenant,
        { kind: 'MOCK', mockOutcome: 'PENDING' },
        { priority, currencies: [], deposits: { currencies: [currency], mockOpening } },
      );
    const merchant = await tenant.merchant(settings, [{ currencyCode: currency }]);
    return async () => {
      const order = { currencyCode: currency, amount: '100', merchantOrderNo: uuidv7() };
      // A create that no channel accepts is refused, but its order exists.
      await tenant.deposit(merchant, order).catch(() => undefined);
      const [row] = await tenant.database.sql<{ orderNo: string }[]>`
        select order_no from deposit_orders where merchant_order_no = ${order.merchantOrderNo}`;
      return row?.orderNo ?? '';
    };
  }
  const outcome = async (orderNo: string, of: string): Promise<unknown> =>
    await tenant.operate('SetMockDepositOutcome', { orderNo, outcome: of, reason: 'recorded' });

  it.concurrent('channel deposit refused by one, matched, paid', async () => {
    const orderNo = await (await atChannels('CHF', ['REFUSE', 'OPEN']))();
    await outcome(orderNo, 'MATCHED');
    await settled();
    await outcome(orderNo, 'COMPLETED');
    await keep('channel-deposit-completed', deposit(orderNo));
  });

  it.concurrent('channel deposit that nobody takes', async () => {
    const orderNo = await (await atChannels('SEK', ['REFUSE']))();
    await keep('channel-deposit-refused', deposit(orderNo));
  });

  it.concurrent('channel deposit that fails, and is reported paid later', async () => {
    const orderNo = await (await atChannels('NOK', ['OPEN']))();
    await outcome(orderNo, 'FAILED');
    await keep('channel-deposit-failed', deposit(orderNo));
    await tenant.database.sql`
      select wake_deposit_attempt(a.id, 'COMPLETED', now())
      from deposit_attempts a join deposit_orders d on d.id = a.deposit_id where d.order_no = ${orderNo}`;
    await settled();
    await keep('channel-deposit-contradicted', deposit(orderNo));
  });

  it.concurrent(
    'channel deposit expired',
    async () => {
      const orderNo = await (await atChannels('DKK', ['OPEN'], { depositExpireMinutes: 1 }))();
      await keep('channel-deposit-expired', deposit(orderNo));
    },
    120_000,
  );

  it.concurrent('channel deposit cancelled', async () => {
    const orderNo = await (await atChannels('PLN', ['SILENT']))();
    await tenant.operate('CancelDeposit', { orderNo, reason: 'recorded' });
    await keep('channel-deposit-cancelled', deposit(orderNo));
  });

  it.concurrent('account deposit that its channel reports on', async () => {
    const bound = await tenant.account('CZK');
    await createTestChannel(
      tenant,
      { kind: 'MOCK', mockOutcome: 'PENDING' },
      {
        currencies: [],
        deposits: { currencies: ['CZK'], accountId: bound, mockOpening: 'REFUSE' },
      },
    );
    const merchant = await tenant.merchant({}, [{ currencyCode: 'CZK' }]);
    const { orderNo, expectedRemark } = await tenant.deposit(merchant, { currencyCode: 'CZK' });
    await settled();
    await tenant.notify({ accountId: bound, currencyCode: 'CZK', memo: expectedRemark });
    await keep('channel-deposit-bound', deposit(orderNo));
  });

  it.concurrent.each(Object.keys(SCHEDULES))('sweep %s', async (name) => {
    const { schedule } = temporal.env.client;
    await createSchedules(schedule, true);
    const handle = schedule.getHandle(name);
    await handle.trigger();
    let run: string | undefined;
    while (run === undefined) {
      await sleep(100);
      run = (await handle.describe()).info.recentActions.at(-1)?.action.workflow.workflowId;
    }
    await keep(name, run);
  });

  const opened = async (input: Record<string, unknown> = {}, settings = {}) =>
    await tenant.cashier(await tenant.cashierMerchant(settings), input);
  const session = (id: string): string => workflowId('cashier', id);

  it.concurrent('cashier session submitted', async () => {
    const { sessionId, token } = await opened();
    await settled();
    await tenant.asPayer(token, 'SubmitCashierSession', { amount: '100' });
    await keep('cashier-submitted', session(sessionId));
  });

  it.concurrent('cashier session submitted at its creation', async () => {
    const { sessionId } = await opened({ amount: '100' });
    await keep('cashier-submitted-at-once', session(sessionId));
  });

  it.concurrent(
    'cashier session expired',
    async () => {
      const { sessionId } = await opened({}, { cashierSessionExpireMinutes: 1 });
      await keep('cashier-expired', session(sessionId));
    },
    120_000,
  );

  it.concurrent(
    'cashier session reused, then expired',
    async () => {
      const merchant = await tenant.cashierMerchant({ cashierSessionExpireMinutes: 1 });
      const { sessionId } = await tenant.cashier(merchant, { userId: 'reused' });
      await sleep(5_000);
      await tenant.cashier(merchant, { userId: 'reused' });
      await keep('cashier-reused', session(sessionId));
    },
    120_000,
  );

  it.concurrent('cashier session revoked', async () => {
    const { sessionId } = await opened();
    await settled();
    await tenant.operate('RevokeCashierSession', { id: sessionId, reason: 'recorded' });
    await keep('cashier-revoked', session(sessionId));
  });

  it.concurrent(
    'payouts by a channel',
    async () => {
      const upstream = new Simulator(CHANNEL_KEY);
      await simulatedChannel(tenant, await upstream.listen(), {
        failureFinalDelaySeconds: 1,
      });
      const merchant = await fundedMerchant(tenant);
      const stories: readonly (readonly [string, Partial<Faults>])[] = [
        ['withdrawal-paid-at-once', { settleMs: 0 }],
        ['withdrawal-paid-by-channel', { settleMs: 1_000 }],
        ['withdrawal-answer-lost', { settleMs: 0, lostAnswerRate: 1 }],
        ['withdrawal-payout-failed', { settleMs: 0, failRate: 1 }],
      ];
      for (const [name, faults] of stories) {
        upstream.configure({ faults: { ...NO_FAULTS, ...faults } });
        const { orderNo } = await approvedWithdrawal(tenant, merchant);
        await keep(name, payout(orderNo));
      }
      await upstream.close();
    },
    180_000,
  );

  /** Waits until a withdrawal has this state, as the operator sees it. */
  async function stands(orderNo: string, wanted: Record<string, unknown>): Promise<void> {
    for (;;) {
      const shown = await tenant.operate<Record<string, unknown>>('Withdrawal', { orderNo });
      if (Object.entries(wanted).every(([field, value]) => shown[field] === value)) return;
      await sleep(100);
    }
  }

  it.concurrent(
    'withdrawals that people decide on and transfer',
    async () => {
      const [bob, cy] = [await tenant.person('bob', ['approve']), await tenant.person('cy', ['approve'])];
      const tess = await tenant.person('tess', ['treasurer']);
      // No channel pays to this bank.
      await tenant.operate('PutBanks', {
        currencyCode: 'THB',
        reason: 'recorded',
        banks: [{ bankCode: 'GOODBANK', name: 'The Good Bank' }],
      });
      const merchant = await fundedMerchant(tenant, '10000');
      await tenant.operate('PutReviewRules', {
        merchantId: merchant.id,
        currencyCode: 'THB',
        reason: 'recorded',
        rules: { twoPeopleAbove: '1000', decideWithinMinutes: 1 },
      });
      const asked = async (amount: string): Promise<string> => {
        const { orderNo } = await tenant.withdrawal<{ orderNo: string }>(merchant, { amount });
        await settled();
        return orderNo;
      };
      const does = async (name: string, orderNo: string, more: object = {}, actor = tess) =>
        await tenant.operate(name, { orderNo, ...more }, actor);

      const transferred = await asked('100');
      await does('ApproveWithdrawal', transferred, {}, bob);
      await stands(transferred, { payoutMethod: 'MANUAL' });
      await does('ClaimTransfer', transferred, { accountId });
      await does('BeginTransfer', transferred);
      await does('CompleteTransfer', transferred, { bankReference: 'recorded' });
      await keep('withdrawal-transferred', payout(transferred));

      const cancelled = await asked('1001');
      await does('ApproveWithdrawal', cancelled, {}, bob);
      await settled();
      await does('ApproveWithdrawal', cancelled, {}, cy);
      await stands(cancelled, { payoutMethod: 'MANUAL' });
      await does('CancelTransfer', cancelled, { reason: 'recorded' });
      await keep('withdrawal-approved-by-two-and-cancelled', payout(cancelled));

      const late = await asked('100');
      const [row] = await tenant.database.sql<{ id: string }[]>`
        select id from withdrawal_orders where order_no = ${late}`;
      while (!(await eventsOf(tenant, row?.id ?? '')).includes('escalated')) await sleep(500);
      await does('RejectWithdrawal', late, { remarks: 'recorded' }, bob);
      await keep('withdrawal-late-and-rejected', payout(late));
    },
    180_000,
  );

  it.concurrent(
    'payouts that end in another way',
    async () => {
      const upstreams: Simulator[] = [];
      /** The only channel that pays to this bank, and its upstream's faults. */
      const channelTo = async (bankCode: string, priority: number, faults: Partial<Faults>) => {
        const upstream = new Simulator(CHANNEL_KEY);
        upstreams.push(upstream);
        const { channelCode } = await simulatedChannel(tenant, await upstream.listen(), {
          banks: [{ currencyCode: 'THB', bankCode, channelBankCode: '004' }],
          failureFinalDelaySeconds: 1,
          answerWithinSeconds: 1,
          priority,
        });
        const webhookUrl = `http://127.0.0.1:${platform.port}/channels/${channelCode}/webhook`;
        upstream.configure({ webhookUrl, faults: { ...NO_FAULTS, ...faults } });
      };
      const merchant = await fundedMerchant(tenant);
      const to = async (bankCode: string): Promise<string> =>
        (await approvedWithdrawal(tenant, merchant, { bankCode })).orderNo;

      await channelTo('REFUSED', 1, { refuseRate: 1 });
      await channelTo('REFUSED', 2, { settleMs: 0 });
      await keep('withdrawal-refused-then-paid', payout(await to('REFUSED')));

      await channelTo('SILENT', 0, { errorRate: 1, delayMs: 1_100 });
      const unknown = await to('SILENT');
      await stands(unknown, { needsManualIntervention: true });
      await settled();
      await tenant.operate('ResolvePayout', {
        orderNo: unknown,
        outcome: 'NOT_PAID',
        reason: 'recorded',
        evidence: { text: 'their letter' },
      });
      await keep('withdrawal-intervention-resolved', payout(unknown));

      // Both have ended when their channel contradicts the result: the second run is stored.
      await channelTo('LATE', 0, { lateSuccessRate: 1, settleMs: 0, lateMs: 6_000 });
      await channelTo('RETURNED', 0, { returnRate: 1, settleMs: 0, lateMs: 6_000 });
      const doubted = async (bankCode: string, alert: string): Promise<string> => {
        const orderNo = await to(bankCode);
        for (;;) {
          const found = await tenant.database.sql`
            select from alerts where kind = ${alert} and about ->> 'orderNo' = ${orderNo}`;
          if (found.length > 0) return orderNo;
          await sleep(100);
        }
      };
      const late = await doubted('LATE', 'PAID_AFTER_FAILURE');
      await keep('withdrawal-paid-after-failure', payout(late));
      const returned = await doubted('RETURNED', 'PAYOUT_RETURNED');
      await keep('withdrawal-returned', payout(returned));
      for (const upstream of upstreams) await upstream.close();
    },
    180_000,
  );

  it.concurrent('mail sent', async () => {
    await keep('mail-sent', await mailed('owner@example.com'));
  });

  it.concurrent('mail refused', async () => {
    await keep('mail-failed', await mailed('refused@example.com'));
  });

  it.concurrent('mail sent at the second attempt', async () => {
    await keep('mail-retried', await mailed('later@example.com'));
  });

  /** Raises an alert for this address. @returns the workflow of its delivery, and the delivery */
  async function reported(
    address: Record<string, unknown>,
  ): Promise<{ readonly workflow: string; readonly delivery: string }> {
    const input = { event: 'alert_raised', allowInsecure: true, ...address };
    await tenant.operate('PutEventAddresses', { input, reason: 'recorded' });
    const key = uuidv7();
    const { sql } = tenant.database;
    await sql`select raise_alert('ACCOUNT_PAUSED', ${key}, null, '{}', now())`;
    const [row] = await sql<{ eventId: string; id: string }[]>`
      select d.event_id, d.id from event_deliveries d join platform_events e on e.id = d.event_id
      join alerts a on a.id = e.subject_id where a.key = ${key}`;
    const { eventId = '', id = '' } = row ?? {};
    return { workflow: workflowId('platform_event', eventId), delivery: id };
  }

  // One after the other: all alerts use the same addresses.
  it.concurrent(
    'platform event delivered, refused, and armed again while an address waits',
    async () => {
      const delivered = await reported({ mails: ['owner@example.com'] });
      await keep('platform-event-delivered', delivered.workflow);
      const refused = await reported({ webhookUrl: await listen(answering(404)) });
      await keep('platform-event-refused', refused.workflow);
      const url = await listen((response, n) => {
        answering(n === 0 ? 503 : 200)(response, n);
      });
      const two = await reported({ mails: ['refused@example.com'], webhookUrl: url });
      await sleep(5_000);
      const [mail] = await tenant.database.sql<{ id: string }[]>`
        select o.id from event_deliveries o join event_deliveries d on d.event_id = o.event_id
        where d.id = ${two.delivery} and o.kind = 'MAIL'`;
      await tenant.operate('ResendEventDelivery', { id: mail?.id ?? '', reason: 'recorded' });
      await keep('platform-event-armed-again', two.workflow);
    },
    180_000,
  );

  it.concurrent('callback acknowledged', async () => {
    await keep('callback-success', callback(await paid(await listen(answering(200)))));
  });

  it.concurrent('callback refused', async () => {
    await keep('callback-refused', callback(await paid(await listen(answering(404)))));
  });

  it.concurrent(
    'callback acknowledged at the second attempt',
    async () => {
      const url = await listen((response, n) => {
        answering(n === 0 ? 500 : 200)(response, n);
      });
      await keep('callback-retried', callback(await paid(url)));
    },
    120_000,
  );

  it.concurrent(
    'callback given up after five attempts',
    async () => {
      await keep('callback-exhausted', callback(await paid(await listen(answering(503)))));
    },
    300_000,
  );

  it.concurrent(
    'callback armed again while an attempt waits',
    async () => {
      const url = await listen((response, n) => {
        answering(n === 0 ? 500 : 200)(response, n);
      });
      const orderNo = await paid(url);
      await sleep(3_000);
      const [row] = await tenant.database.sql<{ id: string }[]>`
      select id from notification_logs where order_no = ${orderNo}`;
      await tenant.operate('ResendCallback', { id: row?.id, reason: 'recorded' });
      await keep('callback-rearmed', callback(orderNo));
    },
    120_000,
  );
});
