import type { Bench } from '../bench';
import type { Heat } from '../harness';
import { LoadGenerator } from '../load';
import { CURRENCY, type Testbed } from '../testbed';

const MERCHANTS = 8;
const ACCOUNTS = 8;
const RULES = 20;
const CONNECTIONS = [1, 32];

const PLAIN = 'signed deposits without rules';
const RULED = `signed deposits with ${RULES} rules`;
const STICKY = `${RULED} that ask for the payer`;

/** The number of rules that each order is compared with; the last one draws among all accounts by weight. */
const rulesOf = (accountIds: readonly string[], merchantId: string, stickyPayer: boolean): Record<string, unknown>[] =>
  Array.from({ length: RULES }, (_none, n) => {
    const targets = accountIds.map((id, at) => ({ kind: 'ACCOUNT', id, weight: at + 1 }));
    const groups = [{ targets }, { targets: [{ kind: 'POOL' }] }];
    if (n === RULES - 1) return { name: 'all', stickyPayer, groups };
    const hours = { from: '00:00', to: '23:59', timeZone: 'Asia/Bangkok' };
    return n % 2 === 0
      ? { name: `high ${n}`, minAmount: String(1_000_000 + n), hours, groups }
      : { name: `one ${n}`, merchantIds: [merchantId], maxAmount: '0.01', hours, groups };
  });

/** Removes the rows of earlier runs, which are no part of the next one. */
async function tidy(testbed: Testbed): Promise<void> {
  const { sql } = testbed.database;
  await sql`truncate outbox`;
  await sql`update deposit_orders set status = 'EXPIRED' where status = 'PENDING'`;
  await testbed.settle();
}

export const routing: Bench = {
  sentence: `accepted signed deposits with ${RULES} routing rules in force, beside the same without rules`,
  needs: { temporal: false, countStatements: false },
  async open(testbed) {
    const merchants = await testbed.merchants(MERCHANTS);
    const accounts = await testbed.accounts(ACCOUNTS);
    const [first] = merchants;
    const rules: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
      [PLAIN]: [],
      [RULED]: rulesOf(accounts, first?.id ?? '', false),
      [STICKY]: rulesOf(accounts, first?.id ?? '', true),
    };
    const gateway = await testbed.startRole('gateway');
    const generator = LoadGenerator.start();
    const apiKeys = merchants.map(({ apiKey }) => apiKey);
    let inForce = PLAIN;

    const heat = (connections: number): Heat => {
      const variant = (name: string) => ({
        name,
        watched: [...gateway.watched, ...testbed.servers.own],
        prepare: async () => {
          if (inForce !== name) await testbed.routingRules(rules[name] ?? []);
          inForce = name;
          await tidy(testbed);
        },
        run: async (seconds: number) =>
          await generator.run({
            kind: 'createDeposit',
            url: gateway.url,
            connections,
            seconds,
            apiKeys,
            currencyCode: CURRENCY,
          }),
      });
      return {
        name: `${connections} ${connections === 1 ? 'connection' : 'connections'}`,
        unit: 'a second',
        variants: [PLAIN, RULED, STICKY].map(variant),
        aims: [RULED, STICKY].map((of) => ({ of, beside: PLAIN, atLeast: 0.95 })),
      };
    };
    return {
      heats: CONNECTIONS.map(heat),
      close: () => {
        generator.stop();
      },
    };
  },
};
