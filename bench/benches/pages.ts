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
import { loadOrders } from '../many-orders';
import { loadWithdrawals } from '../many-withdrawals';
import { isBackground, planOf, type Sent, SMALL_PAGES, smallTables } from '../plans';
import { WITHDRAWAL_PAGES } from '../withdrawal-pages';

const ORDERS = 1_000_000;
const MERCHANTS = 500;
const ACCOUNTS = 60;
/** Orders a day, whatever the number of days: so an account is as busy in a small run as in a large one. */
const A_DAY = 11_000;
/** How often each kind of page is opened, after a few that are not measured. */
const TIMES = 40;
const WARM_UP = 3;
/** The number of orders that a judgement of times needs. */
const JUDGED_FROM = 100_000;
/** The limit for a page's p95, milliseconds. */
const BOUND_MS = 100;
/** A deep page comes after this many pages of 200. */
const DEPTH = 25;

const silent = pino({ level: 'silent' });

/** An operator with all permissions. */
const OPERATOR: Actor = {
  kind: 'operator',
  via: 'session',
  cookie: false,
  tokenHash: '',
  operator: {
    id: '00000000-0000-7000-8000-000000000000',
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
};

/** The result for one kind of page. */
interface Measured {
  readonly name: string;
  readonly p50: number;
  readonly p95: number;
  readonly worst: number;
  readonly rows: number;
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
    private readonly database: Database,
    private readonly pick: Pick,
    private readonly sent: Sent[],
    private readonly small: ReadonlySet<string>,
  ) {}

  private async open(operation: string, variables: Record<string, unknown>): Promise<ListPage> {
    const data = await this.graph.execute<Record<string, ListPage>, Record<string, unknown>>(
      parse(operationText(operation)),
      variables,
      OPERATOR,
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
  async measure(
    { name, operation, variables, deep }: PageKind,
    measured: number,
    warmUp: number,
  ): Promise<Measured> {
    const times: number[] = [];
    const sequential = new Set<string>();
    let rows = 0;
    const cursors = new Map<string, string>();
    for (let n = 0; n < warmUp + measured; n++) {
      let asked = variables(this.pick);
      if (deep) {
        // One cursor for pages with the same variables, and several if they differ.
        const key = JSON.stringify(asked);
        if (!cursors.has(key) && cursors.size < 5)
          cursors.set(key, await this.farDown(operation, asked));
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
      if ((n - warmUp) % 4 === 0)
        for (const one of [...this.sent])
          for (const table of (await planOf(this.database.read, one)).sequential)
            if (!this.small.has(table)) sequential.add(table);
    }
    return {
      name,
      p50: percentile(times, 0.5),
      p95: percentile(times, 0.95),
      worst: Math.max(...times),
      rows: rows / times.length,
      sequential: [...sequential],
    };
  }
}

const line = ({ name, p50, p95, worst, rows, sequential }: Measured): string =>
  [
    name.padEnd(44),
    `p50 ${p50.toFixed(1).padStart(7)} ms`,
    `p95 ${p95.toFixed(1).padStart(7)} ms`,
    `max ${worst.toFixed(1).padStart(7)} ms`,
    `rows ${rows.toFixed(0).padStart(3)}`,
    sequential.length > 0 ? `SEQUENTIAL ${sequential.join(' ')}` : '',
    p95 < BOUND_MS ? '' : `OVER ${BOUND_MS} ms`,
  ]
    .join('  ')
    .trimEnd();

export const pages: Bench = {
  sentence:
    "every list's pages over 1,000,000 orders loaded by COPY: server time, and no sequential scan of a large table",
  needs: { temporal: false, countStatements: false },
  async open(testbed, { orders = ORDERS, short }) {
    const { databaseUrl } = testbed.servers;
    const now = new Date();
    const start = performance.now();
    const days = Math.max(2, Math.ceil(orders / A_DAY));
    const extent = { orders, merchants: MERCHANTS, accounts: ACCOUNTS, days, now };
    const loaded = await loadOrders(databaseUrl, extent);
    await loadWithdrawals(databaseUrl, extent);
    const seconds = (performance.now() - start) / 1000;
    console.log(`${orders} orders loaded in ${seconds.toFixed(0)} s`);
    const sent: Sent[] = [];
    const database = openDatabase({
      url: databaseUrl,
      applicationName: 'causeway-bench-pages',
      watch: (statement, parameters) => {
        if (!statement.startsWith('explain') && !isBackground(statement))
          sent.push({ statement, parameters });
      },
    });
    const graph = createGraph({
      database,
      environment: 'sandbox',
      clock: () => now,
      sealer: createSealer(randomBytes(32)),
      lookup: createLookup(randomBytes(32)),
      signer: createAuditSigner({ own: [randomBytes(32)], lookup: null }),
      cashierTokens: createCashierTokens(randomBytes(32), 'sandbox'),
      events: new EventHub({ database, clock: () => now, log: silent }),
      openChannel: () => {
        throw new Error('nothing is sent by channels here');
      },
      log: silent,
      temporalUi: null,
      changes: { onePerson: true, expiryMs: 7 * 86_400_000, coolingMs: 0 },
      addressOf: addressBehind([]),
      site: consoleSite('http://127.0.0.1/console'),
    });
    const small = await smallTables(database.sql);
    console.log(`tables of at most ${SMALL_PAGES} pages: ${[...small].sort().join(', ')}`);
    const pick = pickFrom(loaded, now, days, seeded(7));
    const opened = new Pages(graph, database, pick, sent, small);
    return {
      heats: [],
      async findings(): Promise<readonly Finding[]> {
        const measured: Measured[] = [];
        for (const kind of [...PAGES, ...WITHDRAWAL_PAGES]) {
          const one = await (short
            ? opened.measure(kind, 1, 0)
            : opened.measure(kind, TIMES, WARM_UP));
          console.log(line(one));
          measured.push(one);
        }
        const slow = measured.filter(({ p95 }) => !(p95 < BOUND_MS));
        const sequential = measured.reduce((sum, one) => sum + one.sequential.length, 0);
        const slowest = Math.max(...measured.map(({ p95 }) => p95));
        console.log(
          `\norders=${orders} lists=${measured.length} slowest-p95=${slowest.toFixed(1)}ms over-${BOUND_MS}ms=${slow.length} sequential-scans=${sequential}`,
        );
        const { row, indexes } = await measureIndexCosts(
          databaseUrl,
          short ? { rows: orders, rounds: 1 } : undefined,
        );
        for (const { index, microseconds, megabytes } of indexes)
          console.log(
            `${index.padEnd(40)} ${microseconds.toFixed(1).padStart(6)} µs of ${row.toFixed(0)} µs  ${megabytes.toFixed(0).padStart(4)} MB`,
          );
        // With few orders only the plans are meaningful.
        if ((slow.length > 0 && orders >= JUDGED_FROM) || sequential > 0)
          throw new Error(
            `pages exceed the limits: p95 below ${BOUND_MS} ms and no sequential scan`,
          );
        return [{ what: 'slowest p95 of a kind of page', value: slowest, unit: 'ms' }];
      },
      async close() {
        await database.close();
      },
    };
  },
};
