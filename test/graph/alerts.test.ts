import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import pino from 'pino';
import { parse } from 'graphql';
import { publishEvents } from '../../db/events/events';
import { parkOutbox } from '../../db/events/outbox';
import { type AlertRow, lastAlertNumber } from '../../db/alerts/alerts';
import type { QueueCounts } from '../../db/queues';
import type { Actor } from '../../steps/access/actor';
import { creditedDeposit } from '../support/deposits';
import { Tenant, type TestMerchant } from '../support/tenant';

const ALERTS = '{ alerts(filter: { open: true }) { nodes { id kind merchantId about acknowledgedAt } } }';

describe('alerts and the counts of open work', () => {
  let tenant: Tenant;
  let merchants: readonly TestMerchant[];
  let accountId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    accountId = await tenant.account();
    merchants = [await tenant.merchant(), await tenant.merchant()];
    await tenant.graph.core.events.start();
  });
  afterAll(async () => {
    await tenant.close();
  });

  const ask = async (text: string, variables = {}, actor = tenant.operator): Promise<unknown> => {
    const document: TypedDocumentNode<Record<string, unknown>> = parse(text);
    const log = pino({ level: 'silent' });
    return Object.values(await tenant.graph.execute(document, variables, actor, log))[0];
  };

  const alerts = async (actor = tenant.operator): Promise<AlertRow[]> =>
    ((await ask(ALERTS, {}, actor)) as { nodes: AlertRow[] }).nodes;

  const restricted = (merchant: TestMerchant | undefined): Actor => {
    if (tenant.operator.kind !== 'operator') throw new Error('no operator');
    const { operator } = tenant.operator;
    return { ...tenant.operator, operator: { ...operator, merchantIds: [merchant?.id ?? ''] } };
  };

  /** Parks the outbox row of a new deposit. */
  async function park(merchant = merchants[0]): Promise<string> {
    if (!merchant) throw new Error('no merchant');
    const { orderNo } = await tenant.deposit(merchant);
    const [row] = await tenant.database.sql<{ id: string }[]>`
      select id from outbox where arguments ->> 'orderNo' = ${orderNo}`;
    await parkOutbox(tenant.database, row?.id ?? '', 'refused for the test', tenant.now());
    return orderNo;
  }

  it('are raised for a parked outbox row, once each time it is parked', async () => {
    const orderNo = await park();
    expect(await alerts()).toMatchObject([
      {
        kind: 'OUTBOX_PARKED',
        merchantId: merchants[0]?.id,
        about: { orderNo, reason: 'refused for the test' },
      },
    ]);
  });

  it('are raised for a paused account and for a near-duplicate credit', async () => {
    await tenant.operate('SetBankAccountStatus', {
      id: accountId,
      status: 'PAUSED',
      reason: 'test',
    });
    await tenant.operate('SetBankAccountStatus', {
      id: accountId,
      status: 'ACTIVE',
      reason: 'test',
    });
    const report = { accountId, memo: 'the same', bankTime: tenant.now().toISOString() };
    await tenant.notify({ ...report, bankReference: uuidv7() });
    const { transfer } = await tenant.notify(report);
    expect(transfer.unmatchedReason).toBe('NEAR_DUPLICATE');
    const [newest, before] = await alerts();
    expect(newest).toMatchObject({
      kind: 'DOUBTFUL_TRANSFER',
      about: { transferId: transfer.id, reason: 'NEAR_DUPLICATE' },
    });
    expect(before).toMatchObject({ kind: 'ACCOUNT_PAUSED', about: { accountId } });
  });

  it('are visible to a restricted operator for its merchants only', async () => {
    const orderNo = await park(merchants[1]);
    const seen = await alerts(restricted(merchants[1]));
    expect(seen).toMatchObject([{ kind: 'OUTBOX_PARKED', about: { orderNo } }]);
  });

  it('are raised once for all failed callbacks of an endpoint, with a count, until acknowledged', async () => {
    const [merchant, other] = [await tenant.merchant(), await tenant.merchant()];
    const fail = async (of: TestMerchant, callbackUrl: string): Promise<string> => {
      const { orderNo } = await creditedDeposit(tenant, of, accountId, { callbackUrl });
      await tenant.database.sql`
        update notification_logs set status = 'FAILED', next_attempt_at = null, last_error = 'HTTP 500'
        where order_no = ${orderNo}`;
      return orderNo;
    };
    const failures = async (): Promise<AlertRow[]> =>
      (await alerts()).filter(({ kind }) => kind === 'CALLBACK_FAILED').reverse();
    await fail(merchant, 'https://shop.example/one');
    const last = await fail(merchant, 'https://Shop.example/two?three');
    await fail(merchant, 'https://shop.example:8443/one');
    await fail(other, 'https://shop.example/one');
    const raised = await failures();
    expect(raised.map(({ merchantId, about }) => [merchantId, about['endpoint'], about['count']])).toEqual([
      [merchant.id, 'https://shop.example', '2'],
      [merchant.id, 'https://shop.example:8443', '1'],
      [other.id, 'https://shop.example', '1'],
    ]);
    expect(raised[0]?.about).toMatchObject({ orderNo: last, reason: 'HTTP 500' });

    await ask('mutation ($id: ID!) { acknowledgeAlert(id: $id, reason: "seen") { id } }', {
      id: raised[0]?.id,
    });
    await fail(merchant, 'https://shop.example/one');
    expect((await failures()).map(({ about }) => about['count'])).toEqual(['1', '1', '1']);
  });

  it('are streamed without a gap when raised and when acknowledged', async () => {
    const { events } = tenant.graph.core;
    await publishEvents(tenant.database, 100);
    const last = await lastAlertNumber(tenant.database);
    while (events.alerts.lastSeq < last) await sleep(5);
    const everything = { key: null, accepts: () => true, onSlow: () => undefined };
    const live = events.alerts.follow({ ...everything, after: null });
    const first = live.next();
    const orderNo = await park();
    await publishEvents(tenant.database, 100);
    const raised = (await first).value as AlertRow;
    expect(raised).toMatchObject({
      kind: 'OUTBOX_PARKED',
      acknowledgedAt: null,
      about: { orderNo },
    });

    const second = live.next();
    await ask('mutation ($id: ID!) { acknowledgeAlert(id: $id, reason: "seen") { id } }', {
      id: raised.id,
    });
    await park();
    await publishEvents(tenant.database, 100);
    const changes = [(await second).value as AlertRow, (await live.next()).value as AlertRow];
    expect(changes.map(({ id }) => id)).toContain(raised.id);
    expect(changes.find(({ id }) => id === raised.id)?.acknowledgedAt).toBeInstanceOf(Date);

    // A client that resumes gets each alert once, in its current state.
    const late = events.alerts.follow({ ...everything, after: raised.seq ?? 0n });
    const again = [(await late.next()).value as AlertRow, (await late.next()).value as AlertRow];
    expect(again.map(({ id }) => id).sort()).toEqual(changes.map(({ id }) => id).sort());
    await live.return?.();
    await late.return?.();
  });

  it('are acknowledged once, by operators who may see them', async () => {
    const orderNo = await park(merchants[0]);
    const alert = (await alerts()).find(({ about }) => about['orderNo'] === orderNo);
    const acknowledge = async (actor = tenant.operator): Promise<unknown> =>
      await ask(
        'mutation ($id: ID!) { acknowledgeAlert(id: $id, reason: "seen") { acknowledgedBy { login } } }',
        { id: alert?.id },
        actor,
      );
    await expect(acknowledge(restricted(merchants[1]))).rejects.toMatchObject({
      kind: 'NOT_FOUND',
    });
    expect(await acknowledge()).toEqual({ acknowledgedBy: { login: 'admin' } });
    await expect(acknowledge()).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
  });

  it('are listed in pages, newest first, with filters', async () => {
    for (let n = 0; n < 3; n++) await park(merchants[1]);
    const page = async (variables: object): Promise<{ ids: string[]; end: string | null }> => {
      const { nodes, pageInfo } = await tenant.operate<{
        nodes: AlertRow[];
        pageInfo: { endCursor: string | null };
      }>('Alerts', { filter: { merchantId: [merchants[1]?.id] }, ...variables });
      return { ids: nodes.map(({ id }) => id), end: pageInfo.endCursor };
    };
    const all = await page({});
    expect(all.ids.length).toBeGreaterThanOrEqual(4);
    const first = await page({ first: 2 });
    const next = await page({ first: 200, after: first.end });
    expect([...first.ids, ...next.ids]).toEqual(all.ids);
    expect((await page({ sort: 'RAISED_AT_ASC' })).ids).toEqual([...all.ids].reverse());
    const of = async (filter: object): Promise<AlertRow[]> => await tenant.list('Alerts', { filter });
    expect(await of({ open: false, kind: ['OUTBOX_PARKED'] })).toMatchObject([
      { acknowledgedBy: { login: 'admin' } },
      { acknowledgedBy: { login: 'admin' } },
    ]);
    expect((await of({ kind: ['ACCOUNT_PAUSED'] })).map(({ kind }) => kind)).toEqual(['ACCOUNT_PAUSED']);
    expect(await of({ raisedAt: { to: '2020-01-01T00:00:00Z' } })).toEqual([]);
    const own = await tenant.operate<{ nodes: AlertRow[] }>('Alerts', {}, restricted(merchants[1]));
    expect(own.nodes.map(({ id }) => id)).toEqual(all.ids);
  });

  it('count open work, and stream changes of the counts', async () => {
    const { events } = tenant.graph.core;
    const counts = events.queues.follow(null);
    const before = (await counts.next()).value as QueueCounts;
    expect(before.unmatchedTransfers).toBeGreaterThan(0);
    await park();
    const after = (await counts.next()).value as QueueCounts;
    expect(after).toEqual({
      ...before,
      parkedOutboxRows: before.parkedOutboxRows + 1,
      openAlerts: before.openAlerts + 1,
    });
    await counts.return?.();
    expect(await ask('{ queues { unmatchedTransfers parkedOutboxRows } }', {}, restricted(merchants[1]))).toEqual({
      unmatchedTransfers: null,
      parkedOutboxRows: 4,
    });
  });
});
