import 'reflect-metadata';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { allSettledOrThrow } from '../local/promises';
import type { Bench, Finding, Opened, Size } from './bench';
import { abuse } from './benches/abuse';
import { accept } from './benches/accept';
import { builds } from './benches/builds';
import { burst } from './benches/burst';
import { callbacks } from './benches/callbacks';
import { cashier } from './benches/cashier';
import { fanout } from './benches/fanout';
import { flood } from './benches/flood';
import { graphqlList } from './benches/graphql-list';
import { functions } from './benches/functions';
import { growth } from './benches/growth';
import { hanging } from './benches/hanging';
import { ledger } from './benches/ledger';
import { life } from './benches/life';
import { lifecycle } from './benches/lifecycle';
import { memory } from './benches/memory';
import { pages } from './benches/pages';
import { proof } from './benches/proof';
import { query } from './benches/query';
import { quota } from './benches/quota';
import { replay } from './benches/replay';
import { routing } from './benches/routing';
import { rushAlone } from './benches/rush';
import { signing } from './benches/signing';
import { soak } from './benches/soak';
import { type Outcome, type Pace, runHeat } from './harness';
import { describeFindings, describeOutcome, describeServers } from './report';
import { FOLDER, type Needs, type ServerDescription, THIS_MACHINE } from './servers';
import { Testbed } from './testbed';

const BENCHES: Readonly<Record<string, Bench>> = {
  // First, because it proves the whole ledger: other benches leave seeded orders in it.
  ledger,
  // Next: other benches leave work that keeps the worker busy for a minute.
  lifecycle,
  abuse,
  accept,
  burst,
  callbacks,
  cashier,
  fanout,
  flood,
  functions,
  'graphql-list': graphqlList,
  growth,
  life,
  memory,
  pages,
  proof,
  query,
  quota,
  replay,
  routing,
  signing,
  soak,
  // Last: its callbacks are retried for minutes.
  hanging,
};

/** All benches, one after the other, except those apart. */
const ALL = 'all';
/** Not in `all`: one needs another checkout, the other is a part of `flood`. */
const APART: Readonly<Record<string, Bench>> = { builds, rush: rushAlone };
/** The size and duration of a run that only shows that the benches work: `--short`. */
const SHORT = { rounds: '1', seconds: '0.2', orders: '100' };

const USAGE = `npm run bench -- NAME [OPTION...]

  ${ALL.padEnd(10)} each of the following in turn, on the same servers

${Object.entries({ ...BENCHES, ...APART })
  .map(([name, { sentence }]) => `  ${name.padEnd(10)} ${sentence}`)
  .join('\n')}

--rounds   how often the variants take turns, 5 by default
--seconds  how long one go lasts, 3 by default
--orders   how many orders the memory bench opens, 10000 by default, or the pages and proof benches load, 1000000 by
           default, or the growth bench, 300000, or the rush bench pays, 2600; for pages also several, such as 300000,1000000,3000000: compares them
--per-second  how many orders a second the rush bench pays, 130 by default, and the soak bench, 5
--minutes  how long the soak bench lasts, 10 by default
--heat     only the heats whose name begins so
--short    the first heat, one round of ${SHORT.seconds} s, ${SHORT.orders} orders, few sockets: shows that a bench runs, not what it finds
--other    the folder of another checkout, for the builds bench
--pgledger the folder of a checkout of github.com/pgr0ss/pgledger, a further floor of the ledger bench
--tigerbeetle  the binary of TigerBeetle, another floor of it; beside it node_modules with tigerbeetle-node of the same version
--blnk     the binary of Blnk, another floor of it; beside it a redis-server
--profile  a folder: each process of the platform writes its CPU profile there
--temporal-over-postgres  Temporal as production runs it, over a PostgreSQL of its own; compiled the first time, by Go
DATABASE_URL and TEMPORAL_ADDRESS name servers to run on; else the bench starts its own.
GATEWAY_PROCESSES=2 makes the gateway two processes.`;

function positive(option: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${option} is ${text}; it must be a number above 0`);
  return value;
}

interface Wanted {
  readonly name: string;
  readonly pace: Pace;
  readonly size: Size;
  /** Only heats whose name has this prefix. */
  readonly heat: string;
  /** How many of a bench's heats are run at most. */
  readonly heats: number;
  /** Where the platform's processes write their CPU profiles; undefined: nowhere. */
  readonly profiles: string | undefined;
  /** Whether Temporal runs over PostgreSQL. */
  readonly temporalOverPostgres: boolean;
}

async function runOn(
  { name, pace, heat, heats }: Wanted,
  servers: ServerDescription,
  opening: Promise<Opened>,
): Promise<void> {
  console.log(`${describeServers(servers)}\n`);
  const opened = await opening;
  const outcomes: Outcome[] = [];
  const found: Finding[] = [];
  try {
    const chosen = opened.heats.filter((each) => each.name.startsWith(heat)).slice(0, heats);
    for (const one of chosen) {
      const outcome = await runHeat(one, pace);
      console.log(`${describeOutcome(outcome)}\n`);
      outcomes.push(outcome);
    }
    found.push(...((await opened.findings?.()) ?? []));
    if (found.length > 0) console.log(`${describeFindings(found)}\n`);
    if (outcomes.length + found.length === 0) throw new Error(`${name} measured nothing`);
  } finally {
    await opened.close?.();
  }
  console.log(JSON.stringify({ bench: name, servers, pace, heats: outcomes, findings: found }));
}

/** Opens the servers that some benches need. @param folder of their data */
async function openTestbed(
  needs: readonly Needs[],
  folder: string,
  { profiles, size, temporalOverPostgres }: Pick<Wanted, 'profiles' | 'size' | 'temporalOverPostgres'>,
): Promise<Testbed> {
  return await Testbed.open(
    {
      temporal: needs.some(({ temporal }) => temporal),
      temporalOverPostgres,
      countStatements: needs.some(({ countStatements }) => countStatements),
    },
    folder,
    profiles,
    size.short,
  );
}

/**
 * Runs benches one after the other. With `--short`, where no figure counts, benches with Temporal run beside the
 * others, each lane on its own servers: they mostly wait.
 */
function lanesOf(names: readonly string[], short: boolean): readonly (readonly string[])[] {
  const waiting = names.filter((name) => benchOf(name).needs?.temporal === true);
  const others = names.filter((name) => !waiting.includes(name));
  return short && waiting.length > 0 && others.length > 0 ? [waiting, others] : [names];
}

/** @throws at the end, with the names of those that failed */
async function run(names: readonly string[], wanted: Omit<Wanted, 'name'>): Promise<void> {
  const start = performance.now();
  const failed: string[] = [];
  const took: string[] = [];
  const testbeds: Testbed[] = [];
  const closeAll = async (): Promise<void> => {
    await allSettledOrThrow(
      testbeds.splice(0).map(async (testbed) => {
        await testbed.close();
      }),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      void closeAll().finally(() => process.exit(1));
    });

  async function runLane(lane: readonly string[], folder: string): Promise<void> {
    const needs = lane.flatMap((name) => benchOf(name).needs ?? []);
    const testbed = needs.length > 0 ? await openTestbed(needs, folder, wanted) : undefined;
    if (testbed) testbeds.push(testbed);
    for (const name of lane) {
      const bench = benchOf(name);
      console.log(`${name}: ${bench.sentence}`);
      const begun = performance.now();
      try {
        await runOne({ ...wanted, name }, bench, testbed);
      } catch (error) {
        failed.push(name);
        console.error(name, error instanceof Error ? error.message : error);
      }
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      console.log(`${name} took ${seconds} s\n`);
      took.push(`${name} ${seconds} s`);
    }
  }

  try {
    await allSettledOrThrow(
      lanesOf(names, wanted.size.short).map(async (lane, n) => {
        await runLane(lane, n === 0 ? FOLDER : `${FOLDER}-${n + 1}`);
      }),
    );
  } finally {
    await closeAll();
  }
  if (failed.length > 0) throw new Error(`failed: ${failed.join(', ')}`);
  const all = (performance.now() - start) / 1000;
  if (names.length > 1) console.log(`${names.length} benches ran in ${all.toFixed(0)} s: ${took.join(', ')}`);
}

async function runOne(wanted: Wanted, bench: Bench, testbed: Testbed | undefined): Promise<void> {
  if (bench.needs === undefined) {
    await runOn(wanted, THIS_MACHINE, bench.openAlone(wanted.size));
  } else if (testbed) {
    const { description } = testbed.servers;
    try {
      await runOn(wanted, description, bench.open(testbed, wanted.size));
    } finally {
      await testbed.clear();
    }
  }
}

function benchOf(name: string): Bench {
  const bench = BENCHES[name] ?? APART[name];
  if (!bench) throw new Error(`there is no bench ${name}\n\n${USAGE}`);
  return bench;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      short: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      orders: { type: 'string' },
      'per-second': { type: 'string' },
      minutes: { type: 'string' },
      heat: { type: 'string', default: '' },
      profile: { type: 'string' },
      other: { type: 'string' },
      pgledger: { type: 'string' },
      tigerbeetle: { type: 'string' },
      blnk: { type: 'string' },
      'temporal-over-postgres': { type: 'boolean', default: false },
    },
  });
  const [name] = positionals;
  if (name === undefined || values.help) {
    console.log(USAGE);
    return;
  }
  const given = (option: 'per-second' | 'minutes'): number | undefined => {
    const text = values[option];
    return text === undefined ? undefined : positive(option, text);
  };
  const short = values.short ? SHORT : undefined;
  const sizes = (values.orders ?? short?.orders)
    ?.split(',')
    .map((text) => Math.ceil(positive('orders', text)))
    .sort((a, b) => a - b);
  await run(name === ALL ? Object.keys(BENCHES) : [name], {
    pace: {
      rounds: Math.ceil(positive('rounds', values.rounds ?? short?.rounds ?? '5')),
      seconds: positive('seconds', values.seconds ?? short?.seconds ?? '3'),
      warmUp: !values.short,
    },
    size: {
      orders: sizes?.at(-1),
      before: sizes?.slice(0, -1) ?? [],
      perSecond: given('per-second'),
      minutes: given('minutes'),
      short: values.short,
      other: values.other,
      peers: {
        pgledger: values.pgledger,
        tigerbeetle: values.tigerbeetle,
        blnk: values.blnk,
      },
    },
    heat: values.heat,
    heats: values.short ? 1 : Infinity,
    profiles: values.profile === undefined ? undefined : path.resolve(values.profile),
    temporalOverPostgres: values['temporal-over-postgres'],
  });
}

main().then(
  () => {
    process.exit(0);
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
