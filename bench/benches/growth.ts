import { AskedPages } from '../asked-pages';
import type { Bench } from '../bench';
import type { Heat, Sample, Variant } from '../harness';
import { LoadGenerator } from '../load';
import { endOpenOrders, loadOrders } from '../many-orders';
import { THIS_MACHINE } from '../servers';
import { CURRENCY, type Testbed } from '../testbed';
import { PayingMerchants } from './paying';

/** The orders of the larger platform; the other one has a tenth of them. */
const ORDERS = 300_000;
const TIMES = 10;
const MERCHANTS = 500;
const ACCOUNTS = 60;
/** Orders a day in both: the larger one is older. */
const A_DAY = 11_000;
/** Payers, each with one order after another. */
const PAYERS = 32;
const CONNECTIONS = 32;
const CREATORS = 20;
const ROWS = 50;
/** A worker that has just started is slower. */
const WARM_UP_SECONDS = 3;

const ONE_WORKER = 'one worker';
const TWO_WORKERS = 'two workers';
const ONE_GATEWAY = 'one gateway';
const TWO_GATEWAYS = 'two gateways';

/** The first pages that an operator opens. */
const PAGES = `query ($first: Int) {
  deposits(first: $first) {
    nodes { id orderNo amount currencyCode status callbackStatus createdAt merchant { id name } }
    pageInfo { hasNextPage }
  }
  unmatchedTransfers(first: $first) { nodes { id amount memo unmatchedReason bankTime } }
  callbacks(first: $first, filter: { status: [FAILED] }) { nodes { id status orderNo } }
}`;

/** A platform with so many orders in its tables. */
class Filled {
  private constructor(
    readonly name: string,
    readonly testbed: Testbed,
    readonly merchants: PayingMerchants,
    readonly generator: LoadGenerator,
    private readonly pages: AskedPages,
    private readonly graph: Awaited<ReturnType<Testbed['startRole']>>,
  ) {}

  static async open(testbed: Testbed, orders: number, creators: number): Promise<Filled> {
    const { databaseUrl } = testbed.servers;
    await loadOrders(databaseUrl, {
      orders,
      merchants: MERCHANTS,
      accounts: ACCOUNTS,
      now: new Date(),
      days: Math.max(1, orders / A_DAY),
    });
    await endOpenOrders(testbed.database.sql);
    const merchants = await PayingMerchants.open(testbed, {
      merchants: creators,
      expireMinutes: 1440,
    });
    const graph = await testbed.startRole('graph');
    const token = await testbed.token();
    const pages = new AskedPages(`${graph.url}/graphql`, token, 1, PAGES, { first: ROWS });
    const name = `${orders} orders`;
    return new Filled(name, testbed, merchants, LoadGenerator.start(), pages, graph);
  }

  /** Ends what earlier runs left: it is no part of the next one. */
  async tidy(): Promise<void> {
    const { sql } = this.testbed.database;
    await sql`truncate outbox`;
    await endOpenOrders(sql);
  }

  /** Creates orders. @param otherUrl a second gateway, for half of the connections */
  async create(seconds: number, otherUrl?: string): Promise<Sample> {
    return await this.generator.run({
      kind: 'createDeposit',
      url: this.merchants.gatewayUrl,
      otherUrl,
      connections: CONNECTIONS,
      seconds,
      currencyCode: CURRENCY,
      apiKeys: this.merchants.unpaid.map(({ apiKey }) => apiKey),
    });
  }

  get creating(): Variant {
    return this.variant(async (seconds) => await this.create(seconds));
  }

  paying(payers: number): Variant {
    return this.variant(async (seconds) => await this.merchants.keepPaying(payers, seconds));
  }

  get reading(): Variant {
    return {
      ...this.variant(async (seconds) => await this.pages.run(seconds)),
      watched: [...this.graph.watched, ...this.testbed.servers.own],
    };
  }

  private variant(run: (seconds: number) => Promise<Sample>): Variant {
    return {
      name: this.name,
      watched: [...this.merchants.watched, ...this.testbed.servers.own],
      prepare: async () => {
        await this.tidy();
      },
      run,
    };
  }

  async close(): Promise<void> {
    this.generator.stop();
    this.merchants.close();
    await this.pages.close();
  }
}

/** @param variantOf what is measured of a platform */
const sizesHeat = (
  name: string,
  unit: string,
  sizes: readonly Filled[],
  variantOf: (filled: Filled) => Variant,
): Heat => {
  const [many = '', few] = sizes.map(({ name: size }) => size);
  return {
    name,
    unit,
    variants: sizes.map(variantOf),
    aims:
      few === undefined
        ? []
        : [
            { of: many, beside: few, atLeast: 0.95 },
            // Valid on a busy machine too.
            { of: many, beside: few, figure: 'CPU of PostgreSQL, µs each' },
          ],
  };
};

type Another = Awaited<ReturnType<Testbed['startAnother']>>;

/** Another process of a role, which runs while a variant needs it. */
class Second {
  private running: Another | undefined;

  constructor(
    private readonly testbed: Testbed,
    private readonly role: 'gateway' | 'worker',
  ) {}

  /** @returns whether it was started or stopped */
  async shouldRun(wanted: boolean): Promise<boolean> {
    if (wanted === (this.running !== undefined)) return false;
    if (wanted) this.running = await this.testbed.startAnother(this.role);
    else await this.stop();
    return true;
  }

  /** Undefined while it does not run. */
  get url(): string | undefined {
    return this.running?.url;
  }

  async stop(): Promise<void> {
    await this.running?.stop();
    this.running = undefined;
  }
}

function workersHeat(filled: Filled, second: Second): Heat {
  const variant = (name: string, wanted: boolean): Variant => ({
    name,
    watched: filled.testbed.servers.own,
    prepare: async () => {
      await filled.tidy();
      if (await second.shouldRun(wanted)) await filled.merchants.keepPaying(PAYERS, WARM_UP_SECONDS);
    },
    run: async (seconds) => await filled.merchants.keepPaying(PAYERS, seconds),
  });
  const atLeast = THIS_MACHINE.cores >= 8 ? 1.6 : 1.2;
  return {
    name: `workers, over ${filled.name}`,
    unit: 'whole orders a second',
    variants: [variant(ONE_WORKER, false), variant(TWO_WORKERS, true)],
    aims: [{ of: TWO_WORKERS, beside: ONE_WORKER, atLeast }],
  };
}

function gatewaysHeat(filled: Filled, second: Second, worker: Second): Heat {
  const variant = (name: string, wanted: boolean): Variant => ({
    name,
    watched: filled.testbed.servers.own,
    prepare: async () => {
      await worker.shouldRun(false);
      if (await second.shouldRun(wanted)) await filled.create(WARM_UP_SECONDS, second.url);
      await filled.tidy();
    },
    run: async (seconds) => await filled.create(seconds, second.url),
  });
  return {
    name: `gateways, over ${filled.name}`,
    unit: 'creates a second',
    variants: [variant(ONE_GATEWAY, false), variant(TWO_GATEWAYS, true)],
    aims: [{ of: TWO_GATEWAYS, beside: ONE_GATEWAY }],
  };
}

export const growth: Bench = {
  sentence: `whole orders, creates and lists with ${TIMES} times the orders in the tables, two workers and two gateways, each beside the smaller`,
  needs: { temporal: true, countStatements: false },
  async open(testbed, { orders = ORDERS, short }) {
    const creators = short ? 1 : CREATORS;
    const many = await Filled.open(testbed, orders, creators);
    // With servers of its own, which a short run has no time to start.
    const beside = short ? undefined : await testbed.another();
    const few = beside && (await Filled.open(beside, Math.ceil(orders / TIMES), creators));
    const sizes = few ? [many, few] : [many];
    const worker = new Second(testbed, 'worker');
    const gateway = new Second(testbed, 'gateway');
    return {
      heats: [
        sizesHeat('whole orders', 'a second', sizes, (filled) => filled.paying(short ? 2 : PAYERS)),
        sizesHeat('creates', 'a second', sizes, ({ creating }) => creating),
        sizesHeat("an operator's first pages", 'a second', sizes, ({ reading }) => reading),
        workersHeat(many, worker),
        gatewaysHeat(many, gateway, worker),
      ],
      close: async () => {
        await worker.stop();
        await gateway.stop();
        for (const one of sizes) await one.close();
        await beside?.close();
      },
    };
  },
};
