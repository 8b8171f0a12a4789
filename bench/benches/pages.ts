import { addressBehind } from '../../runtime/client-address';
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { parse } from 'graphql';
import pino from 'pino';
import { createAuditSigner } from '../../crypto/audit-signer';
import { createCashierTokens } from '../../crypto/cashier-token';
import { createLookup } from '../../crypto/lookup';
import { createSealer } from '../../crypto/seal';
import { type Database, openDatabase } from '../../db/client';
import { PERMISSIONS } from '../../domain/permissions';
import { type Actor, createGraph, type Graph } from '../../graph';
import { consoleSite } from '../../graph/browser';
import { EventHub } from '../../graph/events/event-hub';
import { operationText } from '../../local/operator-client';
import type { Bench, Finding } from '../bench';
import { percentile, seeded } from '../harness';
import { measureIndexCosts } from '../index-costs';
import { type PageKind, PAGES, type Pick, pickFrom } from '../list-pages';
import { ManyOrders } from '../many-orders';
import { loadOthers } from '../many-others';
import { loadWithdrawals } from '../many-withdrawals';
import { OTHER_PAGES } from '../other-pages';
import type { Extent, Loaded } from '../past';
import { blocksOf, isBackground, onlyReads, planOf, type Sent, SMALL_PAGES, smallTables } from '../plans';
import { WITHDRAWAL_PAGES } from '../withdrawal-pages';

const ORDERS = 1_000_000;
const MERCHANTS = 500;
const ACCOUNTS = 60;
/** Orders a day, whatever the number of days: so an account is as busy in a small run as in a large one. */
const A_DAY = 11_000;
const DAY_MS = 86_400_000;
/** How often each kind of page is opened, after a few that are not measured. */
const TIMES = 40;
const WARM_UP = 3;
/** The number of orders that a judgement of times needs. */
const JUDGED_FROM = 100_000;
/** The limit for a page's p95, milliseconds. */
const BOUND_MS = 100;
/** The limit for a page's p95, beside that of the same page over fewer orders. */
const GROWTH = 1.2;
/** A deep page comes after this many pages of 200. */
const DEPTH = 25;

const silent = pino({ level: 'silent' });

/** An operator with all permissions. @param id of a row, as the audit log names it */
const operatorOf = (id: string): Actor => ({
  kind: 'operator',
  via: 'session',
  cookie: false,
  tokenHash: '',
  operator: {
    id,
    login: 'bench',
    email: null,
    alertMails: false,
    roles: [],
    totp: false,
    passkeys: 0,
    createdAt: new Date(0),
    disabledAt: null,
    permissions: new Set(PERMISSIONS),
    approveLimits: null,
    merchantIds: null,
  },
});

/** The result for one kind of page. */
interface Measured {
  readonly name: string;
  readonly p50: number;
  readonly p95: number;
  readonly worst: number;
  readonly rows: number;
  /** The blocks that its statements touch. */
  readonly blocks: number;
  /** Tables that any of its statements reads sequentially. */
  readonly sequential: readonly string[];
}

interface ListPage {
  readonly nodes?: readonly unknown[];
  readonly pageInfo?: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

class Pages {
  constructor(
    private readonly graph: Graph,
    private readonly operator: Actor,
    private readonly database: Database,
    private readonly pick: Pick,
    private readonly sent: Sent[],
    private readonly small: ReadonlySet<string>,
  ) {}

  private async open(operation: string, variables: Record<string, unknown>): Promise<ListPage> {
    const data = await this.graph.execute<Record<string, ListPage>, Record<string, unknown>>(
      parse(operationText(operation)),
      variables,
      this.operator,
      silent,
    );
    return Object.values(data)[0] ?? {};
  }

  /** A cursor far down the list. */
  private async farDown(operation: string, variables: Record<string, unknown>): Promise<string> {
    let after: string | null = null;
    for (let n = 0; n < DEPTH; n++) {
      const { pageInfo } = await this.open(operation, { ...variables, first: 200, after });
      if (!pageInfo?.hasNextPage) break;
      after = pageInfo.endCursor;
    }
    return after ?? '';
  }

  /** Opens pages of a kind, one after the other, and explains the statements that they sent. */
  async measure({ name, operation, variables, deep }: PageKind, measured: number, warmUp: number): Promise<Measured> {
    const times: number[] = [];
    const sequential = new Set<string>();
    const blocks: number[] = [];
    let rows = 0;
    const cursors = new Map<string, string>();
    for (let n = 0; n < warmUp + measured; n++) {
      let asked = variables(this.pick);
      if (deep) {
        // One cursor for pages with the same variables, and several if they differ.
        const key = JSON.stringify(asked);
        if (!cursors.has(key) && cursors.size < 5) cursors.set(key, await this.farDown(operation, asked));
        const [known, after] = [...cursors][n % cursors.size] ?? [key, ''];
        asked = { ...(JSON.parse(known) as Record<string, unknown>), ...(after && { after }) };
      }
      this.sent.length = 0;
      const start = performance.now();
      const page = await this.open(operation, asked);
      const took = performance.now() - start;
      if (n < warmUp) continue;
      times.push(took);
      rows += (Array.isArray(page) ? page : (page.nodes ?? [])).length;
      if ((n - warmUp) % 4 !== 0) continue;
      let touched = 0;
      for (const one of this.sent.filter(onlyReads)) {
        for (const table of (await planOf(this.database.read, one)).sequential)
          if (!this.small.has(table)) sequential.add(table);
        touched += await blocksOf(this.database.read, one);
      }
      blocks.push(touched);
    }
    return {
      name,
      p50: percentile(times, 0.5),
      p95: percentile(times, 0.95),
      worst: Math.max(...times),
      rows: rows / times.length,
      blocks: blocks.reduce((sum, each) => sum + each, 0) / blocks.length,
      sequential: [...sequential],
    };
  }
}

const line = ({ name, p50, p95, worst, rows, blocks, sequential }: Measured): string =>
  [
    name.padEnd(44),
    `p50 ${p50.toFixed(1).padStart(7)} ms`,
    `p95 ${p95.toFixed(1).padStart(7)} ms`,
    `max ${worst.toFixed(1).padStart(7)} ms`,
    `rows ${rows.toFixed(0).padStart(3)}`,
    `blocks ${blocks.toFixed(0).padStart(5)}`,
    sequential.length > 0 ? `SEQUENTIAL ${sequential.join(' ')}` : '',
    p95 < BOUND_MS ? '' : `OVER ${BOUND_MS} ms`,
  ]
    .join('  ')
    .trimEnd();

/** The same kind of page over fewer orders and over more. */
interface Grown {
  readonly name: string;
  readonly p50: number;
  readonly p95: number;
  readonly blocks: number;
}

const grownBetween = (few: readonly Measured[], many: readonly Measured[]): Grown[] =>
  many.flatMap((large) => {
    const small = few.find(({ name }) => name === large.name);
    if (!small) return [];
    const ratio = (of: 'p50' | 'p95' | 'blocks'): number => large[of] / small[of];
    return [{ name: large.name, p50: ratio('p50'), p95: ratio('p95'), blocks: ratio('blocks') }];
  });

const grownLine = ({ name, p50, p95, blocks }: Grown): string =>
  [
    name.padEnd(44),
    `p50 x ${p50.toFixed(2).padStart(5)}`,
    `p95 x ${p95.toFixed(2).padStart(5)}`,
    `blocks x ${blocks.toFixed(2).padStart(5)}`,
    p95 > GROWTH ? `OVER ${GROWTH}` : '',
  ]
    .join('  ')
    .trimEnd();

/** Loads more and more orders, with everything that follows from them. */
class Loading {
  private readonly orders: ManyOrders;
  private before: Extent | undefined;

  constructor(
    private readonly url: string,
    /** The newest order of all. */
    private readonly end: { readonly orders: number; readonly at: Date },
  ) {
    this.orders = new ManyOrders(url);
  }

  /** @param orders of which the newest is as old as those that follow need */
  async until(orders: number): Promise<{ extent: Extent; loaded: Loaded }> {
    const start = performance.now();
    const later = ((this.end.orders - orders) / A_DAY) * DAY_MS;
    const now = new Date(this.end.at.getTime() - later);
    const days = Math.max(2, Math.ceil(orders / A_DAY));
    const extent = { orders, merchants: MERCHANTS, accounts: ACCOUNTS, days, now };
    const loaded = await this.orders.grow(extent);
    await loadWithdrawals(this.url, extent, this.before);
    await loadOthers(this.url, extent, this.before);
    this.before = extent;
    const seconds = (performance.now() - start) / 1000;
    console.log(`${orders} orders loaded, the last of them in ${seconds.toFixed(0)} s`);
    return { extent, loaded };
  }
}

export const pages: Bench = {
  sentence:
    "every list's pages over 1,000,000 orders loaded by COPY: server time, and no sequential scan of a large table",
  needs: { temporal: false, countStatements: false },
  async open(testbed, { orders = ORDERS, before, short }) {
    const { databaseUrl } = testbed.servers;
    const loading = new Loading(databaseUrl, { orders, at: new Date() });
    let { extent, loaded } = await loading.until(before[0] ?? orders);
    const sent: Sent[] = [];
    const database = openDatabase({
      url: databaseUrl,
      applicationName: 'causeway-bench-pages',
      watch: (statement, parameters) => {
        if (!statement.startsWith('explain') && !isBackground(statement)) sent.push({ statement, parameters });
      },
    });
    const clock = (): Date => extent.now;
    const graph = createGraph({
      database,
      environment: 'sandbox',
      clock,
      sealer: createSealer(randomBytes(32)),
      lookup: createLookup(randomBytes(32)),
      signer: createAuditSigner({ own: [randomBytes(32)], lookup: null }),
      cashierTokens: createCashierTokens(randomBytes(32), 'sandbox'),
      events: new EventHub({ database, clock, log: silent }),
      openChannel: () => {
        throw new Error('nothing is sent by channels here');
      },
      log: silent,
      temporalUi: null,
      changes: { onePerson: true, expiryMs: 7 * DAY_MS, coolingMs: 0 },
      addressOf: addressBehind([]),
      site: consoleSite('http://127.0.0.1/console'),
    });
    const [operator] = await database.sql<{ id: string }[]>`select id from operators limit 1`;

    /** Opens all kinds of pages over what is loaded now. */
    async function measureAll(): Promise<Measured[]> {
      const small = await smallTables(database.sql);
      console.log(`tables of at most ${SMALL_PAGES} pages: ${[...small].sort().join(', ')}`);
      const pick = pickFrom(loaded, extent.now, extent.days, seeded(7));
      const actor = operatorOf(operator?.id ?? '');
      const opened = new Pages(graph, actor, database, pick, sent, small);
      const measured: Measured[] = [];
      for (const kind of [...PAGES, ...WITHDRAWAL_PAGES, ...OTHER_PAGES]) {
        const one = await (short ? opened.measure(kind, 1, 0) : opened.measure(kind, TIMES, WARM_UP));
        console.log(line(one));
        measured.push(one);
      }
      return measured;
    }

    return {
      heats: [],
      async findings(): Promise<readonly Finding[]> {
        let measured = await measureAll();
        const grown: Finding[] = [];
        for (const more of [...before.slice(1), ...(before.length > 0 ? [orders] : [])]) {
          const few = extent.orders;
          const smaller = measured;
          ({ extent, loaded } = await loading.until(more));
          measured = await measureAll();
          const all = grownBetween(smaller, measured);
          console.log(`\n${more} orders beside ${few}`);
          for (const one of all) console.log(grownLine(one));
          const over = all.filter(({ p95 }) => p95 > GROWTH).length;
          grown.push({ what: `p95 over ${GROWTH} of that at ${few}`, value: over, unit: 'lists' });
        }
        const slow = measured.filter(({ p95 }) => !(p95 < BOUND_MS));
        const sequential = measured.reduce((sum, one) => sum + one.sequential.length, 0);
        const slowest = Math.max(...measured.map(({ p95 }) => p95));
        console.log(
          `\norders=${orders} lists=${measured.length} slowest-p95=${slowest.toFixed(1)}ms over-${BOUND_MS}ms=${slow.length} sequential-scans=${sequential}`,
        );
        const { row, indexes } = await measureIndexCosts(databaseUrl, short ? { rows: orders, rounds: 1 } : undefined);
        for (const { index, microseconds, megabytes } of indexes)
          console.log(
            `${index.padEnd(40)} ${microseconds.toFixed(1).padStart(6)} µs of ${row.toFixed(0)} µs  ${megabytes.toFixed(0).padStart(4)} MB`,
          );
        // With few orders only the plans are meaningful.
        if ((slow.length > 0 && orders >= JUDGED_FROM) || sequential > 0)
          throw new Error(`pages exceed the limits: p95 below ${BOUND_MS} ms and no sequential scan`);
        return [{ what: 'slowest p95 of a kind of page', value: slowest, unit: 'ms' }, ...grown];
      },
      async close() {
        await database.close();
      },
    };
  },
};
