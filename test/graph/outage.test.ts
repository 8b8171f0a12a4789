import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { openDatabase } from '../../db/client';
import { createGraph } from '../../graph';
import { EventHub } from '../../graph/events/event-hub';
import { buildGraphServer } from '../../graph/server';
import { scrape } from '../support/prometheus';
import { Tenant } from '../support/tenant';

const silent = pino({ level: 'silent' });

describe('the internal listener without PostgreSQL', () => {
  let tenant: Tenant;
  let app: FastifyInstance;
  let url: string;
  let close: () => Promise<void>;

  beforeAll(async () => {
    tenant = await Tenant.create();
    const database = openDatabase({
      // Nothing listens on this port.
      url: 'postgres://nobody@127.0.0.1:9/nothing',
      applicationName: 'outage',
      max: 2,
    });
    const events = new EventHub({ database, clock: () => tenant.now(), log: silent });
    const graph = createGraph({ ...tenant.graph.core, database, events });
    app = await buildGraphServer(graph, silent);
    url = await app.listen({ port: 0, host: '127.0.0.1' });
    close = async () => {
      await database.close();
    };
  });
  afterAll(async () => {
    await app.close();
    await close();
    await tenant.close();
  });

  it.each([{ authorization: 'Bearer of-somebody' }, {}])(
    'answers that it is unavailable, without the reason: %j',
    async (headers: Record<string, string>) => {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query: 'mutation { login(login: "a", password: "b") { token } }' }),
      });
      const { errors } = (await response.json()) as {
        errors: { message: string; extensions: Record<string, unknown> }[];
      };
      expect(errors[0]).toMatchObject({
        message: 'a dependency is not available',
        extensions: { code: 'SERVICE_UNAVAILABLE', retryable: true },
      });
      expect(response.status).toBe('authorization' in headers ? 503 : 200);
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
    },
  );

  it('is live but not ready', async () => {
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    expect((await fetch(`${url}/health/ready`)).status).toBe(503);
  });

  it('serves its metrics without the totals, and marks them unreadable', async () => {
    const scraped = await scrape(`${url}/metrics`);
    expect(scraped.value('causeway_dependency_failures_total')).toBeGreaterThanOrEqual(7);
    expect(scraped.distinct('causeway_total_readable')).toEqual([0]);
    expect(scraped.value('causeway_merchant_available_amount')).toBeUndefined();
    expect(scraped.value('causeway_outbox_rows')).toBeUndefined();
  });
});
