import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { workflowId } from '../../domain/ids';
import { ensureOwnerInvited } from '../../graph/invitation';
import { type Mailer, MailRefused } from '../../temporal/mail/mailer';
import { createSchedules, SCHEDULES } from '../../temporal/schedules';
import { answering, type Behaviour, Receiver } from '../support/receiver';
import { devServer, type TestTemporal } from '../support/temporal';
import { Tenant } from '../support/tenant';
import { startWorkers, type TestWorkers } from '../support/workers';

/*
 * `npm run replay:record`: plays every path on a real server and keeps the histories, in a folder named after the
 * day. Those of landed versions are never deleted: the code must go on replaying them.
 */
const FOLDER = path.join(__dirname, 'histories', new Date().toISOString().slice(0, 10));

/** Takes a mail, refuses it, or takes it at the second attempt, as its recipient says. */
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
  let tenant: Tenant;
  let workers: TestWorkers;
  let accountId: string;
  const receivers: Receiver[] = [];

  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    [temporal, tenant] = await Promise.all([devServer(), Tenant.create()]);
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
    await tenant.close();
    await temporal.stop();
  });

  async function listen(behaviour: Behaviour): Promise<string> {
    const receiver = await Receiver.listen(behaviour);
    receivers.push(receiver);
    return receiver.url;
  }

  /** Waits for the end of a workflow, of its newest run, and keeps the history. */
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
    // A stack tells where this machine keeps the code, which is nobody's business.
    const json: unknown = JSON.parse(historyToJSON(history), (key, value: unknown) =>
      key === 'stackTrace' ? '' : value,
    );
    writeFileSync(path.join(FOLDER, `${name}.json`), `${JSON.stringify(json, null, 1)}\n`);
    expect(history.events?.length).toBeGreaterThan(0);
  }

  /** Queues a mail. @returns its workflow */
  async function mailed(email: string): Promise<string> {
    await ensureOwnerInvited(tenant.database, tenant.graph.core, email, new Date());
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
  const callback = (orderNo: string): string =>
    workflowId('callback', `${orderNo}:deposit_completed`);

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

  it.concurrent('deposit woken after its end', async () => {
    const { orderNo } = await tenant.deposit(await tenant.merchant());
    await tenant.operate('CancelDeposit', { orderNo, reason: 'recorded' });
    await settled();
    await tenant.database.sql`
      select wake_deposit(d, now()) from deposit_orders d where order_no = ${orderNo}`;
    await settled();
    await keep('deposit-final-already', deposit(orderNo));
  });

  it.concurrent('nets', async () => {
    const { schedule } = temporal.env.client;
    await createSchedules(schedule);
    for (const name of Object.keys(SCHEDULES)) {
      const handle = schedule.getHandle(name);
      await handle.trigger();
      let run: string | undefined;
      while (run === undefined) {
        await sleep(100);
        run = (await handle.describe()).info.recentActions.at(-1)?.action.workflow.workflowId;
      }
      await keep(name, run);
    }
  });

  it.concurrent('mail sent', async () => {
    await keep('mail-sent', await mailed('owner@example.com'));
  });

  it.concurrent('mail refused', async () => {
    await keep('mail-failed', await mailed('refused@example.com'));
  });

  it.concurrent('mail sent at the second attempt', async () => {
    await keep('mail-retried', await mailed('later@example.com'));
  });

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
