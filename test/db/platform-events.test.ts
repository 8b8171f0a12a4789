import type { Sql } from 'postgres';
import { uuidv7 } from 'uuidv7';
import {
  claimDelivery,
  type ClaimedAttempt,
  type DeliveryOutcome,
  findDeliveryCase,
  rearmDelivery,
  recordDelivery,
} from '../../db/platform-events/deliveries';
import { issueBilling, postLoose } from '../support/billing';
import { Tenant } from '../support/tenant';

const NOW = new Date('2026-02-01T02:00:00Z');
const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);

describe('events of the platform', () => {
  let tenant: Tenant;
  let sql: Sql;
  beforeAll(async () => {
    tenant = await Tenant.create();
    ({ sql } = tenant.database);
  });
  afterAll(async () => {
    await tenant.close();
  });

  const put = async (input: Record<string, unknown>): Promise<void> => {
    await tenant.operate('PutEventAddresses', { input, reason: 'test' });
  };
  const raise = async (subject: string): Promise<void> => {
    await sql`select raise_platform_event('alert_raised', null, ${subject}, ${NOW})`;
  };
  const counts = async (): Promise<unknown> => [
    ...(await sql`
      select (select count(*) from platform_events)::int as events,
        (select count(*) from event_deliveries)::int as deliveries,
        (select count(*) from outbox where noun = 'platform_event')::int as woken`),
  ];
  const delivery = async (subject: string) => {
    const [row] = await sql<{ id: string }[]>`
      select d.id from event_deliveries d join platform_events e on e.id = d.event_id
      where e.subject_id = ${subject}`;
    const found = await findDeliveryCase(tenant.database, row?.id ?? '');
    if (!found) throw new Error('no delivery');
    return found;
  };

  it('are written once per subject, and only when they have an address', async () => {
    const [one, two] = [uuidv7(), uuidv7()];
    await raise(one);
    expect(await counts()).toEqual([{ events: 0, deliveries: 0, woken: 0 }]);
    await put({ event: 'alert_raised', mails: ['a@example.com', 'b@example.com'] });
    await Promise.all([raise(two), raise(two), raise(two)]);
    expect(await counts()).toEqual([{ events: 1, deliveries: 2, woken: 1 }]);
    await put({ event: 'alert_raised' });
    await raise(one);
    expect(await counts()).toEqual([{ events: 1, deliveries: 2, woken: 1 }]);
  });

  it('report each statement that is issued, once, and only to merchants with addresses', async () => {
    const [with_, without] = [await tenant.merchant(), await tenant.merchant()];
    await put({
      event: 'billing_statement_issued',
      merchantId: with_.id,
      mails: ['c@example.com'],
    });
    for (const { id } of [with_, without])
      await tenant.database.transaction(async (tx) => {
        const now = new Date('2026-01-05T00:00:00Z');
        await postLoose(tx, id, { type: 'BALANCE_TOP_UP', amount: '1', now });
      });
    await Promise.all([issueBilling(tenant.database, NOW), issueBilling(tenant.database, NOW)]);
    await issueBilling(tenant.database, NOW);
    const events = await sql`
      select e.merchant_id, s.number from platform_events e join billing_statements s on s.id = e.subject_id`;
    expect([...events]).toEqual([{ merchantId: with_.id, number: 1 }]);
  });

  it('are attempted by one worker at a time, and not before they are due', async () => {
    const subject = uuidv7();
    await put({
      event: 'alert_raised',
      webhookUrl: 'https://example.com/hook',
    });
    await raise(subject);
    const claim = async (now: Date): Promise<ClaimedAttempt | undefined> =>
      await claimDelivery(tenant.database, await delivery(subject), new Date(now.getTime() + 90_000), now, now);
    const outcome = (claimed: ClaimedAttempt, now: Date): DeliveryOutcome => ({
      deliveryId: id,
      ...claimed,
      now,
      status: 'WAITING_RETRY',
      error: 'HTTP 503',

      responseStatus: 503,
      responseBody: 'no',
      nextAttemptAt: new Date(now.getTime() + 30_000),
    });
    const { id } = await delivery(subject);
    expect(await claim(later(-1))).toBeUndefined();
    const both = await Promise.all([claim(NOW), claim(NOW)]);
    const [first] = both.filter((one) => one !== undefined);
    expect(both.filter((one) => one !== undefined)).toEqual([{ generation: 1, attempt: 1 }]);
    const rearm = async (now: Date): Promise<boolean> =>
      await tenant.database.transaction(async (tx) => await rearmDelivery(tx, id, now));
    expect(await rearm(NOW)).toBe(false);
    if (first) await recordDelivery(tenant.database, outcome(first, later(1)));
    expect(await claim(later(30))).toBeUndefined();
    expect(await claim(later(31))).toEqual({ generation: 1, attempt: 2 });
    // A worker died: the next one may attempt once the lease has ended, and the first one's report is void.
    expect(await claim(later(120))).toBeUndefined();
    expect(await claim(later(121))).toEqual({ generation: 1, attempt: 3 });
    await recordDelivery(tenant.database, outcome({ generation: 1, attempt: 2 }, later(122)));
    expect(await delivery(subject)).toMatchObject({ status: 'SENDING', attemptCount: 3 });
    expect(await rearm(later(300))).toBe(true);
    expect(await delivery(subject)).toMatchObject({
      status: 'WAITING_RETRY',
      attemptCount: 0,
      totalAttempts: 3,
      generation: 2,
    });
    await recordDelivery(tenant.database, outcome({ generation: 1, attempt: 3 }, later(301)));
    expect(await delivery(subject)).toMatchObject({ status: 'WAITING_RETRY', attemptCount: 0 });
  });

  it('keep the addresses that were approved', async () => {
    await expect(sql`update event_addresses set mails = '{}'`).rejects.toThrow('append-only');
    const copy = async (changed: Record<string, unknown>): Promise<unknown> =>
      await sql`
        insert into event_addresses
        select r.* from jsonb_populate_record(
          (select a from event_addresses a where event = 'alert_raised' limit 1), ${sql.json(changed as never)}::jsonb) r`;
    const fresh = { id: uuidv7(), version: 99 };
    await expect(copy({ ...fresh, merchant_id: (await tenant.merchant()).id })).rejects.toThrow(
      'event_addresses_event',
    );
    await expect(copy({ ...fresh, webhook_url: 'https://example.com' })).rejects.toThrow('event_addresses_secret');
    await expect(copy({ ...fresh, mails: Array(11).fill('a@b') })).rejects.toThrow('event_addresses_mails');
    await expect(copy({ id: uuidv7(), change_id: uuidv7() })).rejects.toThrow('event_addresses_version');
  });
});
