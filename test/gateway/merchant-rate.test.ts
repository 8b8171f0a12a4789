import fc from 'fast-check';
import pino from 'pino';
import type { CatalogueError } from '../../domain/errors';
import { boundedGraph } from '../../gateway/bounded-graph';
import type { GraphCalls } from '../../gateway/deps';
import { Buckets } from '../../gateway/limits/buckets';
import { MerchantShares } from '../../gateway/merchant-rate';
import type { Actor } from '../../graph';
import { depositBody, type MerchantClient, Platform } from '../support/platform';

describe('token buckets', () => {
  it('admit the burst and what was refilled since, in any order', () => {
    const ask = fc.record({
      after: fc.nat({ max: 3_000 }),
      weight: fc.integer({ min: 1, max: 5 }),
    });
    fc.assert(
      fc.property(fc.array(ask, { maxLength: 60 }), (asks) => {
        const buckets = new Buckets({ atOnce: 10, perSecond: 2 });
        let now = 0;
        let taken = 0;
        for (const { after, weight } of asks) {
          now += after;
          if (buckets.take('one', weight, now) === 0) taken += weight;
          expect(taken).toBeLessThanOrEqual(10 + (now / 1_000) * 2 + 1e-9);
        }
        expect(buckets.take('another', 10, now)).toBe(0);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('return when there will be enough tokens', () => {
    const buckets = new Buckets({ atOnce: 4, perSecond: 2 });
    expect(buckets.take('one', 4, 0)).toBe(0);
    expect(buckets.take('one', 3, 0)).toBe(1_500);
    expect(buckets.take('one', 3, 1_499)).toBeGreaterThan(0);
    expect(buckets.take('one', 3, 1_500)).toBe(0);
  });
});

describe('the calls under way of one merchant', () => {
  it('may be 64 at any time, and more while as many remain for others', () => {
    const shares = new MerchantShares();
    const begun = (merchant: string, left: () => number): number => {
      for (let n = 0; ; n++)
        try {
          shares.enter(merchant, left());
        } catch {
          return n;
        }
    };
    let free = 1_000;
    // A merchant alone on an idle process gets half of it.
    expect(begun('flood', () => free--)).toBe(500);
    free = 20;
    expect(begun('other', () => free)).toBe(64);
    shares.leave('other');
    expect(() => {
      shares.enter('other', 0);
    }).not.toThrow();
  });

  it('leave room for others while their signatures are checked', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const authenticate = async (): Promise<Actor> => {
      await held;
      return { kind: 'merchant' } as Actor;
    };
    const graph = boundedGraph({ authenticate } as unknown as GraphCalls, 1_000);
    const signed = { timestamp: '', signature: '', parameters: new Map<string, string>() };
    const log = pino({ level: 'silent' });
    const ask = async (apiKey: string): Promise<string> =>
      await graph.authenticate({ ...signed, apiKey }, null, log).then(
        ({ kind }) => kind,
        (error: unknown) => (error as CatalogueError).code,
      );
    const flood = Array.from({ length: 1_200 }, () => ask('flood'));
    const other = ask('other');
    release();
    expect(await other).toBe('merchant');
    const answers = await Promise.all(flood);
    expect(answers.filter((answer) => answer === 'merchant')).toHaveLength(500);
    expect(answers.filter((answer) => answer === 'RATE_LIMITED')).toHaveLength(700);
    expect(await ask('flood')).toBe('merchant');
  });
});

describe('a merchant that sends more than its allowance', () => {
  let platform: Platform;
  let flood: MerchantClient;
  let other: MerchantClient;

  beforeAll(async () => {
    platform = await Platform.open({
      deps: { merchantAllowance: { atOnce: 3, perSecond: 0.001 } },
    });
    await platform.account();
    [flood, other] = [await platform.merchant(), await platform.merchant()];
  });
  afterAll(async () => {
    await platform.close();
  });

  it('gets 429 with Retry-After and claims no number; wrong signatures and other merchants do not count', async () => {
    for (let n = 0; n < 5; n++)
      expect(await flood.signed('GET', '/balance', undefined, { signature: 'f'.repeat(32) })).toMatchObject({
        status: 401,
      });
    for (let n = 0; n < 3; n++) expect(await flood.signed('GET', '/balance')).toMatchObject({ status: 200 });

    const refused = await flood.signed('POST', '/orders/deposit', depositBody());
    expect(refused).toMatchObject({
      status: 429,
      body: { success: false, code: 'RATE_LIMITED', data: null },
    });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(1);
    const [numbers] = await platform.tenant.database.sql<{ count: string }[]>`
      select count(*) from merchant_order_numbers`;
    expect(Number(numbers?.count)).toBe(0);
    expect(await other.signed('POST', '/orders/deposit', depositBody())).toMatchObject({
      status: 201,
    });
  });
});
