import { openDatabase } from '../../db/client';
import { RuleSets } from '../../db/routing/routing-rules';
import type { RoutingRule, RuleSet } from '../../domain/routing-rules';
import { replayDeposits } from '../../steps/routing/replay';
import type { Bench, Finding } from '../bench';
import { secondsSince } from '../harness';
import { loadOrders } from '../many-orders';

const ORDERS = 100_000;
const MERCHANTS = 200;
const ACCOUNTS = 60;
const RULES = 20;
/** The most seconds that a replay of all of them may take. */
const BOUND_SECONDS = 60;

/** The number of rules that each order is compared with; the last one sends it where the payer paid before. */
function draftOf(accountIds: readonly string[]): RuleSet {
  const rule: RoutingRule = {
    name: '',
    minAmount: null,
    maxAmount: null,
    merchantIds: [],
    payerTiers: [],
    walletKinds: [],
    refuses: false,
    stickyPayer: true,
    hours: { from: '00:00', to: '23:59', timeZone: 'Asia/Bangkok' },
    groups: [
      { targets: accountIds.map((id, at) => ({ kind: 'ACCOUNT', id, weight: at + 1 })) },
      { targets: [{ kind: 'POOL', id: null, weight: 1 }] },
    ],
  };
  const rules = Array.from({ length: RULES }, (_none, n): RoutingRule =>
    n === RULES - 1 ? { ...rule, name: 'all', hours: null } : { ...rule, name: `never ${n}`, merchantIds: ['nobody'] },
  );
  return { id: null, version: null, rules };
}

export const replay: Bench = {
  sentence: `a replay of a day of deposits by ${RULES} rules, with payers and limits; 100000 deposits unless --orders`,
  needs: { temporal: false, countStatements: false },
  async open({ servers: { databaseUrl } }, { orders = ORDERS }) {
    const to = new Date();
    const from = new Date(to.getTime() - 86_400_000);
    const extent = { orders, merchants: MERCHANTS, accounts: ACCOUNTS, days: 1, now: to };
    const { accountIds } = await loadOrders(databaseUrl, extent);
    const database = openDatabase({ url: databaseUrl, applicationName: 'bench' });
    // Every account counts what it receives.
    await database.sql`
      update bank_accounts set max_daily_amount = 1000000000, max_monthly_count = 10000000`;
    const currencies = await database.sql<{ code: string }[]>`
      select distinct currency_code as code from deposit_orders`;
    return {
      heats: [],
      findings: async (): Promise<readonly Finding[]> => {
        const deps = { database, ruleSets: new RuleSets(database) };
        const start = performance.now();
        let replayed = 0;
        let moved = 0;
        for (const { code: currencyCode } of currencies) {
          const day = { currencyCode, draft: draftOf(accountIds), from, to };
          const { result } = await replayDeposits(deps, day, Infinity);
          replayed += result.orders;
          moved += result.moved;
        }
        const seconds = secondsSince(start);
        if (seconds > BOUND_SECONDS) throw new Error(`${replayed} deposits took ${seconds} s`);
        return [
          { what: 'replayed', value: replayed, unit: 'deposits' },
          { what: 'moved', value: moved, unit: 'deposits' },
          { what: 'the replay took', value: seconds, unit: 's' },
        ];
      },
      close: async () => {
        await database.close();
      },
    };
  },
};
