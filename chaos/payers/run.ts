import { randomUUID } from 'node:crypto';
import postgres, { type Sql } from 'postgres';
import { onOwnPlatform } from '../own-platform';
import type { CampaignOptions, Outcome } from '../outcome';
import type { Platform } from '../platform';
import { Random } from '../random';
import { until } from '../until';
import type { Booked } from './banks';
import { type Order, type Payer, pickPayer } from './payers';
import { tellAll } from './witnesses';
import { makeWorld, type Watched, type World } from './world';

/** A payer, its order, and when its payment was reported first. */
interface Case {
  readonly mode: string;
  readonly payer: Payer;
  /** Undefined if the platform refused to make one. */
  order?: Order;
  toldAt?: Date;
}

/** No request of the campaign's merchant comes beside more than this many others. */
const AT_ONCE = 16;
/** Nothing is credited any more once this has passed without a credit. */
const SETTLED_MS = 15_000;
const CALLBACK = 'https://merchant.example/callback';

const coinsOf = (amount: string, decimals: number): bigint =>
  BigInt(amount.replace('.', '').slice(0, decimals - 4 || undefined));

async function create({ merchant }: World, { mode }: Watched, payer: Payer, n: number): Promise<Case> {
  const amount = String((10n + BigInt(n)) * mode.step);
  const { data } = await merchant.ask('POST', '/orders/deposit', {
    merchant_order_no: randomUUID(),
    amount,
    currency_code: mode.currency,
    callback_url: CALLBACK,
  });
  const [orderNo, promised, remark] = [data?.['order_no'], data?.['amount'], data?.['remark']];
  if (typeof orderNo !== 'string' || typeof promised !== 'string') return { mode: mode.name, payer };
  const coins = coinsOf(promised, mode.decimals);
  const order = { orderNo, coins, remark: typeof remark === 'string' ? remark : null };
  return { mode: mode.name, payer, order };
}

/** Books every payment of an account's payers, in any order. */
function book(cases: readonly Case[], { mode }: Watched, random: Random) {
  const caseOf = new Map<Booked, Case>();
  const credits: Booked[] = [];
  let balance = 0n;
  const payments = cases.flatMap((one) =>
    one.order === undefined
      ? []
      : one.payer.pays(one.order, random, mode.decimals).map((payment) => ({ ...payment, one })),
  );
  for (const { coins, memo, one } of random.shuffle(payments)) {
    balance += coins;
    const reference = `R${String(random.int(1, 999_999_999)).padStart(9, '0')}${credits.length}`;
    const payer = `017${String(random.int(0, 99_999_999)).padStart(8, '0')}`;
    const credit = { coins, at: new Date(), memo, reference, balance, payer };
    credits.push(credit);
    caseOf.set(credit, one);
  }
  return { credits, caseOf };
}

async function play(world: World, account: Watched, many: number, random: Random): Promise<Case[]> {
  const cases: Case[] = [];
  for (let n = 0; n < many; n += AT_ONCE)
    cases.push(
      ...(await Promise.all(
        Array.from(
          { length: Math.min(AT_ONCE, many - n) },
          async (_, k) => await create(world, account, pickPayer(random), n + k),
        ),
      )),
    );
  const { credits, caseOf } = book(cases, account, random);
  await tellAll(account, credits, { ...world, random }, (credit) => {
    const one = caseOf.get(credit);
    if (one) one.toldAt ??= new Date();
  });
  return cases;
}

interface Ended {
  readonly orderNo: string;
  readonly status: string;
  readonly amount: string | null;
  readonly at: Date | null;
}

const ended = async (sql: Sql): Promise<readonly Ended[]> =>
  await sql<Ended[]>`
    select order_no as "orderNo", status, actual_amount::text as amount, completed_at as at
    from deposit_orders`;

/** Waits until no order has been credited for a while. */
async function settle(sql: Sql): Promise<void> {
  let credited = -1;
  let since = Date.now();
  await until(async () => {
    const now = (await ended(sql)).filter(({ status }) => status === 'COMPLETED').length;
    if (now !== credited) [credited, since] = [now, Date.now()];
    return Date.now() - since > SETTLED_MS;
  }, 300_000);
}

/** Why credits and messages wait, by account. */
const waits = async (sql: Sql) =>
  await sql<{ name: string; why: string; many: number }[]>`
    select a.name, coalesce(t.unmatched_reason, 'matched') as why, count(*)::int as many
    from bank_transfers t join bank_accounts a on a.id = t.account_id
    where t.unmatched_reason is not null group by 1, 2
    union all
    select a.name, x.state || ' ' || coalesce(x.problem, ''), count(*)::int
    from agent_texts x join bank_accounts a on a.id = x.account_id
    where x.state <> 'RECORDED' group by 1, 2 order by 1, 2`;

const share = (part: number, of: number): string => (of === 0 ? '-' : ((100 * part) / of).toFixed(1));

/** The figures of some cases. */
function figures(cases: readonly Case[], rows: ReadonlyMap<string, Ended>) {
  const rowOf = ({ order }: Case): Ended | undefined => order && rows.get(order.orderNo);
  const isCredited = (one: Case): boolean => rowOf(one)?.status === 'COMPLETED' || rowOf(one)?.status === 'MATCHED';
  const honest = cases.filter(({ payer }) => payer.honest);
  const credited = honest.filter(isCredited);
  const wrong = cases.filter((one) => !one.payer.honest && isCredited(one));
  const seconds = credited
    .map((one) => ((rowOf(one)?.at?.getTime() ?? Infinity) - (one.toldAt?.getTime() ?? 0)) / 1_000)
    .sort((a, b) => a - b);
  const at = (part: number): string => (seconds[Math.floor(part * (seconds.length - 1))] ?? NaN).toFixed(1);
  return {
    wrong: wrong.length,
    line:
      `honest=${honest.length} credited=${credited.length} share=${share(credited.length, honest.length)}% ` +
      `wrong=${wrong.length} median_s=${at(0.5)} p95_s=${at(0.95)} waiting=${honest.length - credited.length}`,
  };
}

async function onPlatform(options: CampaignOptions, platform: Platform): Promise<Outcome> {
  const { seed, folder, say, orders } = options;
  const sql = postgres(platform.databaseUrl, { max: 1 });
  const world = await makeWorld(platform, folder);
  try {
    const each = Math.ceil(orders / world.accounts.length);
    const cases = await Promise.all(
      world.accounts.map(async (account, n) => await play(world, account, each, new Random(seed + 100 * n))),
    );
    say(`${each * world.accounts.length} payers of ${world.accounts.length} accounts have paid`);
    await settle(sql);
    const rows = new Map((await ended(sql)).map((row) => [row.orderNo, row]));
    for (const [n, { mode }] of world.accounts.entries())
      say(`${mode.name.padEnd(18)} ${figures(cases[n] ?? [], rows).line}`);
    const kinds = new Set(cases.flat().map(({ payer }) => payer.kind));
    for (const kind of kinds) {
      const some = cases.flat().filter(({ payer }) => payer.kind === kind);
      const done = some.filter(({ order }) => order && rows.get(order.orderNo)?.status === 'COMPLETED');
      say(`${kind.padEnd(18)} ${some.length} payers, ${done.length} orders completed`);
    }
    for (const { name, why, many } of await waits(sql)) say(`${name.padEnd(18)} waits: ${many} ${why}`);
    const paused = await sql<{ name: string }[]>`
      select name from bank_accounts where status <> 'ACTIVE'`;
    for (const { name } of paused) say(`the account "${name}" does not take deposits any more`);
    const { line, wrong } = figures(cases.flat(), rows);
    return { line, good: wrong === 0 };
  } finally {
    await world.close();
    await sql.end({ timeout: 1 });
  }
}

/** Its entry in the list of `npm run chaos`. */
export const PAYERS_CAMPAIGN = {
  name: 'payers',
  about:
    'payers of six accounts pay as people do, their banks tell it in any order and twice, and thieves write banks’ words: how many of the honest are credited without a person, and how many others',
  orders: 600,
  run: async (options: CampaignOptions): Promise<Outcome> =>
    await onOwnPlatform(
      ...([options, { gateways: 1, workers: 1 }] as const),
      async (platform) => await onPlatform(options, platform),
    ),
} as const;
