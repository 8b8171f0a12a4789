import 'reflect-metadata';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Bench, Finding, Opened, Size } from './bench';
import { abuse } from './benches/abuse';
import { accept } from './benches/accept';
import { cashier } from './benches/cashier';
import { fanout } from './benches/fanout';
import { ledger } from './benches/ledger';
import { lifecycle } from './benches/lifecycle';
import { memory } from './benches/memory';
import { pages } from './benches/pages';
import { query } from './benches/query';
import { signing } from './benches/signing';
import { type Outcome, type Pace, runHeat } from './harness';
import { describeFindings, describeOutcome, describeServers } from './report';
import { type ServerDescription, THIS_MACHINE } from './servers';
import { Testbed } from './testbed';

const BENCHES: Readonly<Record<string, Bench>> = {
  abuse,
  accept,
  cashier,
  fanout,
  ledger,
  lifecycle,
  memory,
  pages,
  query,
  signing,
};

const USAGE = `npm run bench -- NAME [--rounds N] [--seconds S] [--orders N] [--heat NAME] [--profile FOLDER]

${Object.entries(BENCHES)
  .map(([name, { sentence }]) => `  ${name.padEnd(10)} ${sentence}`)
  .join('\n')}

--rounds   how often the variants take turns, 5 by default
--seconds  how long one go lasts, 3 by default
--orders   how many orders the memory bench opens, 10000 by default, or the pages bench loads, 1000000 by default
--heat     only the heats whose name begins so
--profile  a folder: each process of the platform writes its CPU profile there
DATABASE_URL and TEMPORAL_ADDRESS name servers to run on; else the bench starts its own.`;

function positive(option: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${option} is ${text}; it is a number above 0`);
  return value;
}

interface Wanted {
  readonly name: string;
  readonly pace: Pace;
  readonly size: Size;
  /** Only the heats whose name begins so. */
  readonly heat: string;
  /** Where the platform's processes write their CPU profiles, if they are to. */
  readonly profiles: string | undefined;
}

async function runOn(
  { name, pace, heat }: Wanted,
  servers: ServerDescription,
  opening: Promise<Opened>,
): Promise<void> {
  console.log(`${describeServers(servers)}\n`);
  const opened = await opening;
  const outcomes: Outcome[] = [];
  const found: Finding[] = [];
  try {
    for (const one of opened.heats.filter((each) => each.name.startsWith(heat))) {
      const outcome = await runHeat(one, pace);
      console.log(`${describeOutcome(outcome)}\n`);
      outcomes.push(outcome);
    }
    found.push(...((await opened.findings?.()) ?? []));
    if (found.length > 0) console.log(`${describeFindings(found)}\n`);
  } finally {
    await opened.close?.();
  }
  console.log(JSON.stringify({ bench: name, servers, pace, heats: outcomes, findings: found }));
}

async function run(bench: Bench, wanted: Wanted): Promise<void> {
  console.log(`${wanted.name}: ${bench.sentence}`);
  if (bench.needs === undefined) {
    await runOn(wanted, THIS_MACHINE, bench.open());
    return;
  }
  const testbed = await Testbed.open(bench.needs, wanted.profiles);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      void testbed.close().finally(() => process.exit(1));
    });
  try {
    await runOn(wanted, testbed.servers.description, bench.open(testbed, wanted.size));
  } finally {
    await testbed.close();
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
      orders: { type: 'string' },
      heat: { type: 'string', default: '' },
      profile: { type: 'string' },
    },
  });
  const [name] = positionals;
  if (name === undefined) {
    console.log(USAGE);
    return;
  }
  const bench = BENCHES[name];
  if (!bench) throw new Error(`there is no bench ${name}\n\n${USAGE}`);
  await run(bench, {
    name,
    pace: {
      rounds: Math.ceil(positive('rounds', values.rounds)),
      seconds: positive('seconds', values.seconds),
    },
    size: {
      orders:
        values.orders === undefined ? undefined : Math.ceil(positive('orders', values.orders)),
    },
    heat: values.heat,
    profiles: values.profile === undefined ? undefined : path.resolve(values.profile),
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
