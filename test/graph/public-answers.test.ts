import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { buildGateway } from '../../gateway/server';
import { buildGraphServer } from '../../graph/server';
import { addressBehind } from '../../runtime/client-address';
import { Tenant } from '../support/tenant';

const silent = pino({ level: 'silent' });
const FILE = '/.well-known/security.txt';

/** The headers that both listeners send to every caller. */
describe('an answer of either listener', () => {
  let tenant: Tenant;
  const open: FastifyInstance[] = [];

  beforeAll(async () => {
    tenant = await Tenant.create();
  });
  afterAll(async () => {
    for (const app of open) await app.close();
    await tenant.close();
  });

  /** The origins of a gateway and a graph with these settings. */
  async function listeners(
    environment: 'sandbox' | 'production',
    contacts: readonly string[],
  ): Promise<{ readonly gateway: string; readonly graph: string }> {
    const { graph } = tenant;
    const clock = (): Date => tenant.now();
    const gateway = await buildGateway({
      graph,
      clock,
      environment,
      log: silent,
      addressOf: addressBehind([]),
      cashierUrl: 'https://pay.example/cashier',
      merchantApiUrl: 'https://api.example',
      securityContacts: contacts,
    });
    const core = { ...graph.core, environment, clock };
    const operators = await buildGraphServer(
      { ...graph, core },
      ...([silent, undefined, null, true, contacts] as const),
    );
    open.push(gateway, operators);
    const here = { port: 0, host: '127.0.0.1' };
    return { gateway: await gateway.listen(here), graph: await operators.listen(here) };
  }

  it('declares in production only that the host is reached by https alone', async () => {
    for (const environment of ['production', 'sandbox'] as const) {
      const { gateway, graph } = await listeners(environment, []);
      const expected = environment === 'production' ? 'max-age=63072000' : null;
      for (const url of [
        `${gateway}/health/live`,
        `${gateway}/api/v1/merchant/balance`,
        `${gateway}/cashier/no-token`,
        `${gateway}/%ff`,
        `${gateway}/nowhere`,
        `${graph}/health/live`,
        `${graph}/graphql`,
        `${graph}/nowhere`,
      ]) {
        const { status, headers } = await fetch(url);
        const sent = headers.get('strict-transport-security');
        expect({ url, status, sent }).toEqual({ url, status, sent: expected });
      }
    }
  });

  it('names the contact for vulnerabilities, for 364 days from now', async () => {
    const contacts = ['mailto:security@example.com', 'https://example.com/security'];
    const { gateway, graph } = await listeners('production', contacts);
    tenant.now = () => new Date('2027-03-01T12:00:00Z');
    for (const origin of [gateway, graph]) {
      const answer = await fetch(origin + FILE);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
      expect(await answer.text()).toBe(
        'Contact: mailto:security@example.com\nContact: https://example.com/security\n' +
          'Expires: 2028-02-28T12:00:00.000Z\nPreferred-Languages: en\n',
      );
    }
  });

  it('is 404 for security.txt if no contact is set', async () => {
    const { gateway, graph } = await listeners('sandbox', []);
    for (const origin of [gateway, graph]) expect((await fetch(origin + FILE)).status).toBe(404);
  });
});
