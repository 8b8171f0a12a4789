import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import pino from 'pino';
import { parse } from 'graphql';
import { registry } from '../../runtime/metrics';
import { Heartbeat } from '../../roles/heartbeat';
import { PlatformWatch, type PlatformHealth } from '../../steps/platform/platform-watch';
import { Scrape } from '../support/prometheus';
import { Tenant } from '../support/tenant';

const log = pino({ level: 'silent' });

describe('the health of the platform', () => {
  let tenant: Tenant;
  let now = new Date();
  const clock = (): Date => now;
  const pass = (seconds: number): void => {
    now = new Date(now.getTime() + seconds * 1000);
  };

  beforeAll(async () => {
    tenant = await Tenant.create();
  });
  afterAll(async () => {
    await tenant.close();
  });

  const alerts = async (): Promise<unknown[]> => [
    ...(await tenant.database.sql`select kind, about ->> 'reason' as reason from alerts`),
  ];

  it('is stalled when its only worker sends no heartbeat, and works again with the next one', async () => {
    const { database } = tenant;
    const watch = new PlatformWatch({ database, clock, log });
    const stateOf = async (): Promise<PlatformHealth['state']> => (await watch.look()).state;
    expect(await stateOf()).toBe('WORKING');

    const stopped = new Heartbeat({ database, clock, log }, 'build-a');
    stopped.start();
    await stopped.pause();
    expect(await watch.look()).toMatchObject({ state: 'WORKING', problems: [] });

    pass(20);
    expect(await watch.look()).toMatchObject({
      state: 'STALLED',
      problems: [{ kind: 'NO_WORKER', count: 1 }],
    });
    // The next check finds the restart complete.
    expect(await alerts()).toEqual([]);
    await watch.look();
    await watch.look();
    expect(await alerts()).toEqual([
      { kind: 'PLATFORM_STALLED', reason: expect.stringContaining('No worker runs') as string },
    ]);
    const measured = new Scrape(await registry.metrics());
    expect(measured.value('causeway_platform_problem_seconds', { problem: 'NO_WORKER' })).toBe(20);

    const next = new Heartbeat({ database, clock, log }, 'build-a');
    next.start();
    await next.stop();
    // The worker ended orderly; the other one is still missing.
    pass(20);
    expect(await stateOf()).toBe('STALLED');
    const third = new Heartbeat({ database, clock, log }, 'build-a');
    third.start();
    await third.pause();
    expect(await watch.look()).toMatchObject({
      state: 'IMPAIRED',
      problems: [{ kind: 'WORKER_SILENT', count: 1 }],
    });
  });

  it('is shown to operators', async () => {
    const text = '{ platformHealth { state problems { kind message since count } checkedAt } }';
    const document: TypedDocumentNode<Record<string, unknown>> = parse(text);
    const { platformHealth } = await tenant.graph.execute(document, {}, tenant.operator, log);
    expect(platformHealth).toMatchObject({ state: expect.any(String) as string });
  });
});
