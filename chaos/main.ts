import { parseArgs } from 'node:util';
import { readSettings } from '../local/settings';
import { watchStopRequests } from '../local/stop-request';
import { run as runAttack } from './attack/run';
import { BOOKS } from './books/run';
import { CAMPAIGNS } from './campaigns';
import { CANCEL_RACE } from './cancel-race/run';
import { CHANNELS } from './channels/run';
import { FAILOVER } from './failover/run';
import { INSIDER, runInsider } from './insider/run';
import { LEDGER, runLedgerCampaign } from './ledger/campaign';
import { PAYERS_CAMPAIGN } from './payers/run';
import { PAYOUTS } from './payouts/run';
import { RESTORE } from './restore/run';
import { campaignFolder, runCampaign } from './run-campaign';
import { TEMPORAL_LOST } from './temporal-lost/run';

/** Campaigns with an upstream of their own. */
const WITH_UPSTREAMS = [PAYOUTS, CHANNELS, TEMPORAL_LOST, RESTORE, FAILOVER];

const USAGE = `npm run chaos -- NAME [--orders N] [--seed N]

${[...CAMPAIGNS, ...WITH_UPSTREAMS].map(({ name, about, orders }) => `  ${name.padEnd(16)} ${about}; ${orders} orders`).join('\n')}

Each prints \`orders=N double=0 lost=0 stuck=0\` at its end (docs/chaos.md).

npm run chaos -- attack [--requests N] [--seed N]

  attack           sends signed requests that were tampered with, judged by an oracle of its own; 10000 requests

It prints \`requests=N accepted-wrongly=0 errors-500=0 outside-envelope=0\`.

npm run chaos -- ledger [--cases N] [--seed N]

  ledger           ${LEDGER.about}; ${LEDGER.cases} cases

It prints \`cases=N violations=0\`.

npm run chaos -- books [--minutes N] [--seed N]

  books            ${BOOKS.about}; ${BOOKS.minutes} minutes

It prints \`operations=N violations=0\`.

npm run chaos -- payers [--orders N] [--seed N]

  payers           ${PAYERS_CAMPAIGN.about}; ${PAYERS_CAMPAIGN.orders} orders

It prints \`honest=N credited=N share=% wrong=0 median_s=N p95_s=N waiting=N\`.

npm run chaos -- insider

  insider          ${INSIDER.about}

It prints \`thefts=N stolen=0 hostile=N paused=0 honest=N credited=N missing-pauses=true\`.

npm run chaos -- cancel-race [--orders N] [--seed N]

  cancel-race      ${CANCEL_RACE.about}; ${CANCEL_RACE.orders} orders

It prints \`races=N credited=N cancelled=N silent=0\`.`;

const ATTACK_REQUESTS = '10000';

const started = Date.now();
const say = (line: string): void => {
  console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);
};

/** @throws if it is not a whole number above zero */
function wholeNumber(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${option} must be a whole number above zero`);
  return Number(text);
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      orders: { type: 'string' },
      requests: { type: 'string', default: ATTACK_REQUESTS },
      cases: { type: 'string', default: String(LEDGER.cases) },
      minutes: { type: 'string', default: String(BOOKS.minutes) },
      seed: { type: 'string' },
    },
  });
  const [name] = positionals;
  if (name === undefined || values.help) {
    console.log(USAGE);
    return 0;
  }
  const seed = wholeNumber('seed', values.seed ?? String((Date.now() % 1_000_000) + 1));
  if (name === 'attack') return (await runAttack(seed, wholeNumber('requests', values.requests))) ? 0 : 1;
  if (name === INSIDER.name) {
    const folder = campaignFolder(readSettings(process.env).dataDir, name);
    say(`logs and data: ${folder}`);
    const stop = new AbortController();
    watchStopRequests(
      () => {
        stop.abort();
      },
      () => process.exit(1),
    );
    return (await runInsider({ folder, env: process.env, say, signal: stop.signal })) ? 0 : 1;
  }
  const known = [...CAMPAIGNS, ...WITH_UPSTREAMS, CANCEL_RACE, PAYERS_CAMPAIGN, LEDGER, BOOKS].find(
    (one) => one.name === name,
  );
  if (!known) {
    console.log(USAGE);
    return 1;
  }
  const folder = campaignFolder(readSettings(process.env).dataDir, known.name);
  const [count, size] =
    'cases' in known
      ? (['cases', values.cases] as const)
      : 'minutes' in known
        ? (['minutes', values.minutes] as const)
        : (['orders', values.orders ?? String(known.orders)] as const);
  const many = wholeNumber(count, size);
  say(`${known.name} --${count} ${many} --seed ${seed}: ${known.about}`);
  say(`logs and data: ${folder}`);

  const stop = new AbortController();
  const abort = (): void => {
    stop.abort();
  };
  const unwatch = watchStopRequests(abort, () => process.exit(1));
  try {
    const shared = { seed, folder, say, signal: stop.signal };
    if ('cases' in known) return (await runLedgerCampaign({ ...shared, cases: many })) ? 0 : 1;
    const options = { ...shared, orders: many, env: process.env };
    const { line, good } =
      'minutes' in known
        ? await known.run({ ...shared, minutes: many, env: process.env })
        : 'size' in known
          ? await runCampaign(known, options)
          : await known.run(options);
    console.log(line);
    return good ? 0 : 1;
  } finally {
    unwatch();
  }
}

main().then(
  (code) => {
    process.exit(code);
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
