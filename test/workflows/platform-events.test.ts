import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { hmacSha256 } from '../../crypto/hmac';
import { workflowId } from '../../domain/ids';
import { waitAfterAttempt } from '../../domain/platform-event';
import { FIRST_BALANCE, issueBillingStatement } from '../../db/billing/statements';
import { wakeOverdueEvents } from '../../db/platform-events/deliveries';
import { sealLedger } from '../../db/proof/seals';
import { catchMails, type MailCatcher, type CaughtMail } from '../../local/mail-catcher';
import { createMailer, type Mailer } from '../../temporal/mail/mailer';
import { postLoose } from '../support/billing';
import { answering, type Behaviour, Receiver } from '../support/receiver';
import { expectSeconds, stopwatch, type TestTemporal, timeSkipping } from '../support/temporal';
import { temporaryFolder } from '../support/temporary-folder';
import { Tenant, type TestMerchant } from '../support/tenant';
import { until } from '../support/until';
import { startWorkers, type TestWorkers } from '../support/workers';

interface Delivery {
  id: string;
  eventId: string;
  kind: string;
  target: string;
  status: string;
  attemptCount: number;
  totalAttempts: number;
  generation: number;
  lastError: string | null;
}

/** On the time-skipping server, with a real receiver and a real mail server. */
describe('the delivery of events of the platform', () => {
  const folder = temporaryFolder();
  let temporal: TestTemporal;
  let tenant: Tenant;
  let workers: TestWorkers;
  let catcher: MailCatcher;
  let mailer: Mailer;
  const receivers: Receiver[] = [];

  beforeAll(async () => {
    [temporal, tenant, catcher] = await Promise.all([timeSkipping(), Tenant.create(), catchMails(folder)]);
    const through: Mailer = {
      send: async (mail) => {
        await mailer.send(mail);
      },
      close: () => undefined,
    };
    workers = await startWorkers(tenant, temporal, undefined, through);
    await readClock();
  });
  beforeEach(() => {
    mailer = createMailer({ smtpUrl: catcher.url, from: 'Causeway <causeway@example.com>' });
  });
  afterAll(async () => {
    await workers.stop();
    await Promise.all([
      ...receivers.map(async (receiver) => {
        await receiver.close();
      }),
      catcher.close(),
    ]);
    await tenant.close();
    await temporal.stop();
  });

  async function readClock(): Promise<Date> {
    const now = await temporal.clock();
    tenant.now = () => now;
    return now;
  }

  async function listen(behaviour: Behaviour): Promise<Receiver> {
    const receiver = await Receiver.listen(behaviour);
    receivers.push(receiver);
    return receiver;
  }

  /** Sets the addresses of an event. @returns the secret of its webhook */
  async function address(input: Record<string, unknown>): Promise<string> {
    await readClock();
    const { secret } = await tenant.operate<{ secret: string | null }>('PutEventAddresses', {
      input: { event: 'billing_statement_issued', allowInsecure: true, ...input },
      reason: 'test',
    });
    return secret ?? '';
  }

  /** Issues a statement of a month that is over. @returns its id */
  async function issued({ id: merchantId }: TestMerchant): Promise<string> {
    const now = await readClock();
    const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 5));
    await tenant.database.transaction(async (tx) => {
      await postLoose(tx, merchantId, { type: 'BALANCE_TOP_UP', amount: '12.5', now: at });
    });
    await sealLedger(tenant.database, true, now);
    const balance = { ...FIRST_BALANCE, merchantId, currencyCode: 'THB' };
    expect(await issueBillingStatement(tenant.database, balance, now)).toBe('ISSUED');
    const [row] = await tenant.database.sql<{ id: string }[]>`
      select id from billing_statements where merchant_id = ${merchantId}`;
    return row?.id ?? '';
  }

  const deliveriesOf = async (subjectId: string): Promise<Delivery[]> =>
    await tenant.database.sql<Delivery[]>`
      select d.* from event_deliveries d join platform_events e on e.id = d.event_id
      where e.subject_id = ${subjectId} order by d.kind, d.target`;
  const startsOf = async (id: string): Promise<Date[]> =>
    (
      await tenant.database.sql<{ startedAt: Date }[]>`
        select started_at from event_attempts where delivery_id = ${id} order by generation, attempt`
    ).map(({ startedAt }) => startedAt);
  const handleOf = (eventId: string) => temporal.env.client.workflow.getHandle(workflowId('platform_event', eventId));

  /** Runs the deliveries of a subject to their end, skipping the waits. */
  async function delivered(subjectId: string): Promise<Delivery[]> {
    const [first] = await deliveriesOf(subjectId);
    await workers.relay.once();
    await handleOf(first?.eventId ?? '').result();
    return await deliveriesOf(subjectId);
  }
  const caught = (to: string): CaughtMail[] =>
    readdirSync(folder)
      .sort()
      .map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as CaughtMail)
      .filter((mail) => mail.to.includes(to));
  const resend = async (id: string): Promise<void> => {
    await readClock();
    await tenant.operate('ResendEventDelivery', { id, reason: 'test' });
  };

  it('delivers an issued statement to its merchant’s addresses, with its file and a signature', async () => {
    const merchant = await tenant.merchant();
    const receiver = await listen(answering(204));
    const to = ['books@example.com', 'owner@example.com'];
    const secret = await address({
      merchantId: merchant.id,
      mails: to,
      webhookUrl: receiver.url,
    });
    const id = await issued(merchant);
    const after = await delivered(id);
    expect(after.map(({ kind, target, status }) => [kind, target, status])).toEqual([
      ...to.map((mail) => ['MAIL', mail, 'SUCCESS']),
      ['WEBHOOK', receiver.url, 'SUCCESS'],
    ]);
    const statement = await tenant.operate<{ statementNo: string; month: string; csv: string }>('BillingStatement', {
      id,
    });
    const { statementNo, month, csv } = statement;
    for (const mail of to)
      expect(caught(mail)).toMatchObject([
        {
          subject: `Statement ${statementNo} for ${month}`,
          text: expect.stringContaining('Closing balance: 12.5000 THB') as string,
          files: [{ name: `${statementNo}.csv`, content: csv }],
        },
      ]);
    const [request, ...more] = receiver.received;
    expect(more).toEqual([]);
    const { headers = {}, body = '' } = request ?? {};
    expect(headers['x-signature']).toBe(hmacSha256(secret, `${String(headers['x-timestamp'])}.${body}`));
    expect(headers['x-event-id']).toBe(after[0]?.eventId);
    expect(JSON.parse(body)).toMatchObject({
      event: 'billing_statement_issued',
      event_id: after[0]?.eventId,
      merchant_code: merchant.merchantCode,
      statement: {
        statement_no: statementNo,
        month,
        currency_code: 'THB',
        time_zone: 'UTC',
        opening: '0.0000',
        closing: '12.5000',
        postings: 1,
      },
    });
    const history = JSON.stringify(await handleOf(after[0]?.eventId ?? '').fetchHistory());
    for (const hidden of [secret, receiver.url, ...to]) {
      expect(history).not.toContain(hidden);
      expect(history).not.toContain(Buffer.from(hidden).toString('base64').slice(0, 20));
    }
  });

  it('mails a link whose token is in no row, log or history; a resend has another token', async () => {
    const merchant = await tenant.merchant();
    const to = 'owner-of-keys@example.com';
    await readClock();
    await tenant.operate('PutEventAddresses', {
      input: { event: 'tenant_owner_invite', merchantId: merchant.id, mails: [to] },
      reason: 'test',
    });
    const key = { merchantId: merchant.id, reason: 'test', toOwner: true };
    await tenant.operate('IssueApiKey', key);
    const [link] = await tenant.database.sql<{ id: string }[]>`
      select id from secret_links where merchant_id = ${merchant.id}`;
    const through = mailer;
    let mailed = 0;
    mailer = {
      close: () => undefined,
      send: async (mail) => {
        await through.send(mail);
        if (mailed++ === 0) throw new Error(`lost after ${mail.text}`);
      },
    };
    const [row] = await delivered(link?.id ?? '');
    expect(row).toMatchObject({ status: 'SUCCESS', attemptCount: 2 });
    // Time is skipped by years where nothing runs.
    await tenant.database.sql`
      update secret_links set created_at = ${await readClock()} where id = ${link?.id ?? ''}`;
    await resend(row?.id ?? '');
    expect(await delivered(link?.id ?? '')).toMatchObject([{ status: 'SUCCESS', generation: 2, lastError: null }]);
    const tokens = caught(to).map(({ text }) => /keys#(\w{43})\n/.exec(text)?.[1] ?? '');
    expect(new Set(tokens).size).toBe(3);
    const [old, lost, good = ''] = tokens;
    const [{ createdAt } = { createdAt: new Date(0) }] = await tenant.database.sql<
      { createdAt: Date }[]
    >`select created_at from secret_links where id = ${link?.id ?? ''}`;
    tenant.now = () => createdAt;
    for (const token of [old, lost])
      await expect(tenant.graph.authenticateOwner(token ?? '')).rejects.toThrow('invalid');
    expect(await tenant.graph.authenticateOwner(good)).toMatchObject({ kind: 'owner' });
    const kept = JSON.stringify([
      await handleOf(row?.eventId ?? '').fetchHistory(),
      ...(await Promise.all(
        ['secret_links', 'event_deliveries', 'event_attempts', 'outbox', 'platform_events'].map(
          async (table) => await tenant.database.sql`select * from ${tenant.database.sql(table)}`,
        ),
      )),
    ]);
    for (const token of tokens) expect(kept).not.toContain(token);
    // A week after the approval nothing more is sent.
    await tenant.database.sql`
      update secret_links set created_at = created_at - interval '7 days' where id = ${link?.id ?? ''}`;
    await resend(row?.id ?? '');
    const [ended] = await delivered(link?.id ?? '');
    expect(ended).toMatchObject({
      status: 'FAILED',
      lastError: 'what it reports no longer exists',
    });
    expect(caught(to)).toHaveLength(3);
  });

  it('mails the owner of an agent a link, and ends it where the key is revoked', async () => {
    const to = 'owner-of-agents@example.com';
    const now = await readClock();
    tenant.now = () => now;
    const accountId = await tenant.account('THB');
    const { key } = await tenant.operate<{ key: { id: string } }>('CreateAgentKey', {
      reason: 'test',
      input: { label: 'reader', accountIds: [accountId], ownerEmail: to },
    });
    const [link] = await tenant.database.sql<{ id: string }[]>`
      select id from agent_enrolments where agent_key_id = ${key.id}`;
    const [row] = await delivered(link?.id ?? '');
    expect(row).toMatchObject({ status: 'SUCCESS', target: to, attemptCount: 1 });
    const [mail] = caught(to);
    expect(mail?.text).toContain('reader');
    const token = /agents#(\w{43})\n/.exec(mail?.text ?? '')?.[1] ?? '';
    expect(await tenant.graph.authenticateEnroller(token)).toMatchObject({ kind: 'enroller' });
    await expect(tenant.graph.authenticateOwner(token)).rejects.toThrow('invalid');
    const kept = JSON.stringify([
      await handleOf(row?.eventId ?? '').fetchHistory(),
      ...(await Promise.all(
        ['agent_enrolments', 'event_deliveries', 'event_attempts', 'outbox', 'platform_events'].map(
          async (table) => await tenant.database.sql`select * from ${tenant.database.sql(table)}`,
        ),
      )),
    ]);
    expect(kept).not.toContain(token);
    await tenant.operate('RevokeAgentKey', { id: key.id, reason: 'test' });
    await resend(row?.id ?? '');
    expect(await delivered(link?.id ?? '')).toMatchObject([
      { status: 'FAILED', lastError: 'what it reports no longer exists' },
    ]);
    expect(caught(to)).toHaveLength(1);
  });

  it('tries a webhook five times, 30 seconds apart, and again when an operator resends it', async () => {
    const merchant = await tenant.merchant();
    const receiver = await listen((response, n) => {
      answering(n < 5 ? 503 : 200)(response, n);
    });
    await address({ merchantId: merchant.id, webhookUrl: receiver.url });
    const id = await issued(merchant);
    const taken = stopwatch();
    const [failed] = await delivered(id);
    expect(failed).toMatchObject({
      status: 'FAILED',
      attemptCount: 5,
      totalAttempts: 5,
      lastError: 'HTTP 503',
    });
    const starts = await startsOf(failed?.id ?? '');
    for (const [n, at] of starts.entries())
      expectSeconds((at.getTime() - (starts[0]?.getTime() ?? 0)) / 1000, n * 30, taken());
    expect(receiver.received).toHaveLength(5);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-event-id'])).size).toBe(1);
    const alerts = await tenant.list<{ kind: string; about: unknown }>('Alerts', {
      filter: { kind: ['EVENT_UNDELIVERED'], merchantId: [merchant.id] },
    });
    expect(alerts).toHaveLength(1);

    await resend(failed?.id ?? '');
    const [again] = await delivered(id);
    expect(again).toMatchObject({ status: 'SUCCESS', attemptCount: 1, totalAttempts: 6 });
    const { attempts } =
      (
        await tenant.list<{ attempts: Record<string, unknown>[] }>('EventDeliveries', {
          filter: { merchantId: [merchant.id] },
        })
      )[0] ?? {};
    expect(attempts?.map((one) => [one['generation'], one['attempt'], one['responseStatus']])).toEqual([
      ...[1, 2, 3, 4, 5].map((n) => [1, n, 503]),
      [2, 1, 200],
    ]);
  });

  it('starts a resend at once, although another address still waits', async () => {
    const merchant = await tenant.merchant();
    let refuses = true;
    const quick = await listen((response, n) => {
      answering(refuses ? 400 : 200)(response, n);
    });
    await address({
      merchantId: merchant.id,
      mails: ['slow@example.com'],
      webhookUrl: quick.url,
    });
    const through = mailer;
    let attempts = 0;
    const id = await issued(merchant);
    const webhook = async (): Promise<Delivery | undefined> => (await deliveriesOf(id))[1];
    mailer = {
      close: () => undefined,
      send: async (mail) => {
        attempts++;
        if (attempts === 1) throw new Error('away');
        if (attempts === 2) {
          await until('refused', async () => (await webhook())?.status === 'FAILED');
          refuses = false;
          await resend((await webhook())?.id ?? '');
          await workers.relay.once();
          await until('delivered', async () => (await webhook())?.status === 'SUCCESS');
        }
        await through.send(mail);
      },
    };
    const after = await delivered(id);
    expect(after.map(({ status, totalAttempts }) => [status, totalAttempts])).toEqual([
      ['SUCCESS', 2],
      ['SUCCESS', 2],
    ]);
  });

  it('retries a mail server with growing pauses, and gives up on a permanent refusal', async () => {
    const merchant = await tenant.merchant();
    await address({ merchantId: merchant.id, mails: ['patient@example.com'] });
    const through = mailer;
    let attempts = 0;
    mailer = {
      close: () => undefined,
      send: async (mail) => {
        attempts++;
        if (attempts < 5) throw new Error('away');
        await through.send(mail);
      },
    };
    const id = await issued(merchant);
    const taken = stopwatch();
    const [row] = await delivered(id);
    expect(row).toMatchObject({ status: 'SUCCESS', attemptCount: 5, lastError: null });
    const starts = await startsOf(row?.id ?? '');
    let due = 0;
    for (const [n, at] of starts.entries()) {
      expectSeconds((at.getTime() - (starts[0]?.getTime() ?? 0)) / 1000, due, taken());
      due += waitAfterAttempt('MAIL', n + 1);
    }
    expect(caught('patient@example.com')).toHaveLength(1);
  });

  it('sends nothing to an address that was removed meanwhile, or that the checks refuse', async () => {
    const merchant = await tenant.merchant();
    const receiver = await listen(answering(503));
    await address({ merchantId: merchant.id, webhookUrl: receiver.url });
    const id = await issued(merchant);
    await address({ merchantId: merchant.id, allowInsecure: false });
    const [gone] = await delivered(id);
    expect(gone).toMatchObject({
      status: 'FAILED',
      totalAttempts: 0,
      lastError: 'the address no longer receives this event',
    });
    expect(receiver.received).toEqual([]);

    const inside = await tenant.merchant();
    await address({
      merchantId: inside.id,
      webhookUrl: 'https://10.0.0.1/hook',
      allowInsecure: false,
    });
    const [blocked] = await delivered(await issued(inside));
    expect(blocked).toMatchObject({
      status: 'FAILED',
      totalAttempts: 1,
      lastError: 'target refused: address_not_allowed',
    });
  });

  it('uses a URL that was changed meanwhile, with its own secret, and so does a resend', async () => {
    const merchant = await tenant.merchant();
    const [old, next, last] = [
      await listen(answering(503)),
      await listen(answering(400)),
      await listen(answering(200)),
    ];
    await address({ merchantId: merchant.id, webhookUrl: old.url });
    const id = await issued(merchant);
    const isOf = (secret: string, receiver: Receiver): void => {
      const [request] = receiver.received;
      const { headers = {}, body = '' } = request ?? {};
      expect(headers['x-signature']).toBe(hmacSha256(secret, `${String(headers['x-timestamp'])}.${body}`));
    };
    const second = await address({ merchantId: merchant.id, webhookUrl: next.url });
    const [refused] = await delivered(id);
    expect(refused).toMatchObject({ status: 'FAILED', target: next.url, lastError: 'HTTP 400' });
    isOf(second, next);

    const third = await address({ merchantId: merchant.id, webhookUrl: last.url });
    await resend(refused?.id ?? '');
    const [taken] = await delivered(id);
    expect(taken).toMatchObject({ status: 'SUCCESS', target: last.url, totalAttempts: 2 });
    isOf(third, last);
    expect([old.received.length, next.received.length]).toEqual([0, 1]);
  });

  it('is woken if its workflow was lost', async () => {
    const merchant = await tenant.merchant();
    const receiver = await listen(answering(200));
    await address({ merchantId: merchant.id, webhookUrl: receiver.url });
    const id = await issued(merchant);
    const { sql } = tenant.database;
    await sql`delete from outbox where noun = 'platform_event'`;
    const now = await readClock();
    const overdue = async (seconds: number) =>
      await wakeOverdueEvents(tenant.database, {
        overdueBefore: new Date(now.getTime() + seconds * 1000),
        parkedAfter: now,
        after: null,
        limit: 10,
        now,
      });
    expect(await overdue(-60)).toEqual([]);
    expect(await overdue(1)).toHaveLength(1);
    // Its outbox row exists already.
    expect(await overdue(1)).toEqual([]);
    expect((await delivered(id)).map(({ status }) => status)).toEqual(['SUCCESS']);
  });

  it('delivers each alert to the platform’s addresses, once', async () => {
    const receiver = await listen(answering(200));
    await address({
      event: 'alert_raised',
      mails: ['on-call@example.com'],
      webhookUrl: receiver.url,
    });
    const now = await readClock();
    const { sql } = tenant.database;
    const about = sql.json({ orderNo: 'W7', reason: 'silence' });
    for (let i = 0; i < 2; i++) await sql`select raise_alert('PAYOUT_INTERVENTION', 'one', null, ${about}, ${now})`;
    const [alert] = await sql<{ id: string }[]>`select id from alerts where key = 'one'`;
    const after = await delivered(alert?.id ?? '');
    expect(after.map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS']);
    expect(receiver.received.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
      {
        event: 'alert_raised',
        merchant_code: null,
        alert: { kind: 'PAYOUT_INTERVENTION', about: { orderNo: 'W7', reason: 'silence' } },
      },
    ]);
    const [mail] = caught('on-call@example.com');
    expect(mail?.text).toContain('orderNo W7');
    expect(mail?.text).toContain('http://127.0.0.1/console/alerts');
    await address({ event: 'alert_raised', allowInsecure: false });
  });
});
