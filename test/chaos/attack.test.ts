import { addressBehind } from '../../runtime/client-address';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { attack, held, summary, type World } from '../../chaos/attack/attack';
import { BODY_CONTENTS, QUERY_CONTENTS } from '../../chaos/attack/contents';
import { provision } from '../../chaos/attack/provision';
import { TAMPERINGS } from '../../chaos/attack/tamperings';
import { WIRINGS } from '../../chaos/attack/wirings';
import { buildGateway } from '../../gateway/server';
import { buildGraphServer } from '../../graph/server';
import { Platform } from '../support/platform';

const MUTANTS = 300;
const SEED = 20_260_102;
const HOST = '127.0.0.1';
const silent = pino({ level: 'silent' });

/** The same attack with 10,000 mutants on a whole platform: node dist/chaos/attack/run.js */
describe('mutated signed requests', () => {
  let platform: Platform;
  let graph: FastifyInstance;
  let world: World;

  beforeAll(async () => {
    platform = await Platform.open();
    const { tenant } = platform;
    // Timestamps at the limits of their window are judged by the second of their creation.
    const now = new Date();
    tenant.now = () => now;
    graph = await buildGraphServer(tenant.graph, silent);
    await graph.listen({ host: HOST, port: 0 });
    world = await provision({
      gateway: { host: HOST, port: platform.port },
      graph: { host: HOST, port: (graph.server.address() as AddressInfo).port },
      now: () => tenant.now(),
      operate: async (name, variables) => await tenant.operate(name, variables),
      count: async () => {
        const [row] = await tenant.database.sql<{ deposits: number; transfers: number }[]>`
          select (select count(*)::int from deposit_orders) as deposits,
            (select count(*)::int from bank_transfers) as transfers`;
        return row ?? { deposits: 0, transfers: 0 };
      },
    });
  });
  afterAll(async () => {
    await graph.close();
    await platform.close();
  });

  it(`${MUTANTS} of them: none accepted wrongly, no 500, every answer in the envelope`, async () => {
    const result = await attack(world, { seed: SEED, requests: MUTANTS });
    process.stdout.write(`${summary(result)}\n`);
    expect(result.failures).toEqual([]);
    expect(result).toMatchObject({ acceptedWrongly: 0, errors500: 0, outsideEnvelope: 0 });
    // Some are valid, most are not, and nearly every mutation was used.
    expect(result.accepted).toBeGreaterThan(MUTANTS / 10);
    expect(result.accepted).toBeLessThan(MUTANTS / 2);
    const ways = [BODY_CONTENTS, QUERY_CONTENTS, TAMPERINGS, WIRINGS].flatMap(Object.keys);
    expect(result.mutations.size).toBeGreaterThan(ways.length * 0.8);
  });

  it('detects a gateway that accepts invalid requests', async () => {
    const { tenant } = platform;
    const careless = await buildGateway({
      // With any signature.
      graph: {
        ...tenant.graph,
        authenticate: async () => await tenant.actorOf(world.merchant.apiKey),
      },
      clock: () => tenant.now(),
      log: silent,
      environment: 'sandbox',
      cashierUrl: 'https://pay.example/cashier',
      merchantApiUrl: 'https://pay.example/api/v1/merchant',
      addressOf: addressBehind([]),
    });
    await careless.listen({ host: HOST, port: 0 });
    const { port } = careless.server.address() as AddressInfo;
    const options = { seed: SEED, requests: 60 };
    const result = await attack({ ...world, gateway: { host: HOST, port } }, options);
    await careless.close();
    expect(held(result)).toBe(false);
    expect(result.acceptedWrongly).toBeGreaterThan(2);
  });
});
