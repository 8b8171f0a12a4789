import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SMTPServer } from 'smtp-server';
import { workflowId } from '../../domain/ids';
import { queueAlertMails } from '../../db/mails';
import { findLiveLink } from '../../db/operators/operator-links';
import { linkHashes } from '../../steps/operators/operator-link';
import { catchMails, type MailCatcher, type CaughtMail } from '../../local/mail-catcher';
import { createMailer, type Mailer } from '../../temporal/mail/mailer';
import { temporaryFolder } from '../support/temporary-folder';
import { type TestTemporal, timeSkipping } from '../support/temporal';
import { Tenant } from '../support/tenant';
import { startWorkers, type TestWorkers } from '../support/workers';
import { ensureOwnerInvited } from '../../steps/operators/invitation';

interface Row {
  id: string;
  status: string;
  attempts: number;
  lastError: string | null;
}

/** A history as text, payloads decoded. */
function textsOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value).map(textsOf).join('\n');
}

/** On the time-skipping server, with a real mail server that accepts, refuses or is down. */
describe('the mail delivery workflow', () => {
  const folder = temporaryFolder();
  let temporal: TestTemporal;
  let tenant: Tenant;
  let workers: TestWorkers;
  let catcher: MailCatcher;
  /** The mail server's URL for the next mail. */
  let mailer: Mailer;

  beforeAll(async () => {
    [temporal, tenant, catcher] = await Promise.all([timeSkipping(), Tenant.create(), catchMails(folder)]);
    const through: Mailer = {
      send: async (mail) => {
        await mailer.send(mail);
      },
      close: () => undefined,
    };
    workers = await startWorkers(tenant, temporal, undefined, through);
  });
  afterAll(async () => {
    await workers.stop();
    await catcher.close();
    await tenant.close();
    await temporal.stop();
  });

  const from = 'Causeway <causeway@example.com>';

  /** @returns the id of the mail */
  async function invite(email: string): Promise<string> {
    await ensureOwnerInvited(tenant.database, email, await temporal.clock());
    const [row] = await tenant.database.sql<{ id: string }[]>`
      select id from mails where recipient = ${email}`;
    if (!row) throw new Error('no mail');
    return row.id;
  }
  /** The secret of the link in a mail's text. */
  const tokenIn = (text: string | undefined): string =>
    /\/console\/invite#(?<token>[\w-]+)/.exec(text ?? '')?.groups?.['token'] ?? '';
  /** To whom a link's secret opens an invitation; null: to nobody. */
  const opens = async (token: string): Promise<string | null> => {
    const hashes = linkHashes(tenant.graph.core, token);
    // The server skips years while nothing happens: when a link expires is tested elsewhere.
    const link = await findLiveLink(tenant.database, hashes, 'INVITE', new Date(0));
    return link?.email ?? null;
  };
  async function delivered(id: string): Promise<unknown> {
    await workers.relay.once();
    return await temporal.env.client.workflow.getHandle(workflowId('mail', id)).result();
  }
  async function row(id: string): Promise<Row> {
    const [mail] = await tenant.database.sql<Row[]>`select * from mails where id = ${id}`;
    if (!mail) throw new Error('no mail');
    return mail;
  }
  const caught = (): CaughtMail[] =>
    readdirSync(folder)
      .sort()
      .map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as CaughtMail);
  it('delivers the link to its recipient, and leaves its secret nowhere else', async () => {
    mailer = createMailer({ smtpUrl: catcher.url, from });
    const id = await invite('owner@example.com');
    const hashes = await tenant.database.sql`select token_hash from operator_links`;
    expect(hashes).toEqual([{ tokenHash: null }]);
    expect(await delivered(id)).toBe('SENT');
    const [mail] = caught();
    const token = tokenIn(mail?.text);
    expect(token).toMatch(/^[A-Za-z0-9_-]{20,}$/);
    expect(await opens(token)).toBe('owner@example.com');
    expect(mail).toMatchObject({
      from: 'causeway@example.com',
      to: ['owner@example.com'],
      subject: 'You are invited to Causeway',
    });
    expect(mail?.text).toContain(`http://127.0.0.1/console/invite#${token}`);
    const rows = await tenant.database.sql`
      select row_to_json(l) as link, row_to_json(m) as mail from operator_links l join mails m on m.link_id = l.id`;
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(await row(id)).toMatchObject({ status: 'SENT', attempts: 1, lastError: null });
    const history = await temporal.env.client.workflow.getHandle(workflowId('mail', id)).fetchHistory();
    const texts = textsOf(history);
    expect(texts).toContain(id);
    expect(texts).not.toContain(token);
    expect(texts).not.toContain('owner@example.com');
  });

  it('retries while the mail server is down', async () => {
    // Nobody listens there.
    const away = createMailer({ smtpUrl: 'smtp://127.0.0.1:9', from });
    const back = createMailer({ smtpUrl: catcher.url, from });
    const id = await invite('patient@example.com');
    /** The mail's row at each attempt, and its link's secret. */
    const found: Row[] = [];
    const tokens: string[] = [];
    mailer = {
      send: async (mail) => {
        found.push(await row(id));
        tokens.push(tokenIn(mail.text));
        await (found.length <= 3 ? away : back).send(mail);
      },
      close: () => undefined,
    };
    expect(await delivered(id)).toBe('SENT');
    expect(found.map(({ status, attempts }) => [status, attempts])).toEqual([
      ...[1, 2, 3, 4].map((attempts) => ['QUEUED', attempts]),
    ]);
    expect(found.at(-1)?.lastError).toContain('ECONNREFUSED');
    expect(caught().filter(({ to }) => to.includes('patient@example.com'))).toHaveLength(1);
    // Each attempt had a secret of its own, and only that of the last opens anything.
    expect(new Set(tokens).size).toBe(4);
    expect(await Promise.all(tokens.map(opens))).toEqual([null, null, null, 'patient@example.com']);
  });

  it('gives up on a permanent refusal, and records the reason', async () => {
    const refusing = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      onRcptTo(_address, _session, callback) {
        callback(Object.assign(new Error('no such mailbox here'), { responseCode: 550 }));
      },
    });
    await new Promise<void>((resolve) => {
      refusing.listen(0, '127.0.0.1', () => {
        resolve();
      });
    });
    const address = refusing.server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from });
    const id = await invite('nobody@example.com');
    expect(await delivered(id)).toBe('FAILED');
    const { status, attempts, lastError } = await row(id);
    expect([status, attempts]).toEqual(['FAILED', 1]);
    expect(lastError).toContain('no such mailbox here');
    await new Promise<void>((resolve) => {
      refusing.close(() => {
        resolve();
      });
    });
  });

  it('gives up when the link is no longer valid', async () => {
    mailer = createMailer({ smtpUrl: 'smtp://127.0.0.1:9', from });
    const id = await invite('late@example.com');
    await tenant.database.sql`
      update operator_links set revoked_at = now() where email = 'late@example.com'`;
    expect(await delivered(id)).toBe('FAILED');
    expect(await row(id)).toMatchObject({ status: 'FAILED', attempts: 0 });
  });

  describe('of alerts', () => {
    /** Queues due mails and delivers them. @returns the mails as received */
    async function queueAndCatch(restBefore?: Date): Promise<CaughtMail[]> {
      mailer = createMailer({ smtpUrl: catcher.url, from });
      const before = new Set(caught().map(({ id }) => id));
      const now = await temporal.clock();
      const counts = await Promise.all(
        Array.from(
          { length: 4 },
          async () => await queueAlertMails(tenant.database, { restBefore: restBefore ?? now, now }),
        ),
      );
      const queued = await tenant.database.sql<{ id: string }[]>`
        select id from mails where event = 'alerts' and status = 'QUEUED'`;
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(queued.length);
      for (const { id } of queued) expect(await delivered(id)).toBe('SENT');
      return caught().filter(({ id }) => !before.has(id));
    }
    async function raise(key: string, merchantId: string | null): Promise<void> {
      await tenant.database.sql`
        select raise_alert('PAYOUT_INTERVENTION', ${key}, ${merchantId}::uuid,
          ${tenant.database.sql.json({ orderNo: key, reason: 'silence' })}, ${await temporal.clock()})`;
    }
    /** An operator in the database, with an address. */
    async function reader(login: string, merchantId: string | null = null): Promise<string> {
      const {
        operator: { id },
      } = await tenant.person(login, ['view']);
      const email = `${login}@example.com`;
      const { sql } = tenant.database;
      await sql`update operators set email = ${email}, restricted = ${merchantId !== null} where id = ${id}`;
      if (merchantId !== null)
        await sql`insert into operator_merchants (operator_id, merchant_id) values (${id}, ${merchantId})`;
      return email;
    }
    const recipients = (mails: readonly CaughtMail[]): string[] => mails.flatMap(({ to }) => to).sort();

    it('go once to each operator concerned, gathered into one mail an interval', async () => {
      const [ours, theirs] = [await tenant.merchant(), await tenant.merchant()];
      const [all, some] = [await reader('all'), await reader('some', ours.id)];
      await raise('W1', theirs.id);
      const [first, ...others] = await queueAndCatch();
      expect([first?.to, others]).toEqual([[all], []]);
      expect(first?.subject).toBe('Causeway: The outcome of a payout is unknown: a person must resolve it.');
      expect(first?.text).toContain('orderNo W1');
      expect(first?.text).toContain('silence');
      expect(first?.text).toContain('http://127.0.0.1/console/alerts');
      await raise('W2', ours.id);
      await raise('W3', null);
      expect(await queueAndCatch(new Date(0))).toEqual([]);
      const second = await queueAndCatch();
      expect(recipients(second)).toEqual([all, some]);
      const words = (email: string): string => second.find(({ to }) => to[0] === email)?.text ?? '';
      expect(words(all)).toContain('W2');
      expect(words(all)).toContain('W3');
      expect(words(some)).toContain('W2');
      expect(words(some)).not.toContain('W3');
      expect(await queueAndCatch()).toEqual([]);
    });

    it('are queued by one run at a time, so that nobody gets two mails', async () => {
      await raise('W6', null);
      const now = await temporal.clock();
      await tenant.database.transaction(async (tx) => {
        const [run] = await tx`select queue_alert_mails(${now}, ${now}) as mails`;
        expect(run).toEqual({ mails: 1 });
        await raise('W7', null);
        expect(await queueAlertMails(tenant.database, { restBefore: now, now })).toBe(0);
      });
      const queued = await tenant.database.sql`
        delete from outbox where noun = 'mail' returning id`;
      expect(queued).toHaveLength(1);
      await tenant.database.sql`update mails set status = 'FAILED' where status = 'QUEUED'`;
      expect(recipients(await queueAndCatch())).toEqual(['all@example.com']);
    });

    it('skip operators without alert mails, and acknowledged alerts', async () => {
      await reader('quiet');
      await tenant.database.sql`update operators set alert_mails = false where login = 'quiet'`;
      await raise('W4', null);
      await raise('W5', null);
      await tenant.database.sql`
        update alerts set acknowledged_at = now(), acknowledged_by = (select id from operators limit 1)
        where key = 'W5'`;
      const mails = await queueAndCatch();
      expect(recipients(mails)).toEqual(['all@example.com']);
      expect(mails[0]?.text).not.toContain('W5');
    });
  });
});
