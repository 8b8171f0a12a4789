import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench';
import { secondsOf, type Watched } from '../cpu';
import type { Heat, Sample, Variant } from '../harness';
import { LoadGenerator } from '../load';
import type { Payments } from '../payments';
import { StartedBuild } from '../started-build';
import { CURRENCY } from '../testbed';

const MERCHANTS = 8;
const ACCOUNTS = 8;
const CONNECTIONS = 32;
/** The most creates of one run, so that the tables stay small. */
const CREATES = 6_000;
/** Paid orders a second: two cores can complete that for both builds. */
const PER_SECOND = 5;
/** A payer pays after the order's workflow has begun to wait. */
const PAID_AFTER_MS = 15_000;

const THIS = 'this build';
const OTHER = 'the other build';
const OF_CREATE = 'CPU of gateway and PostgreSQL, µs each';
const OF_PLATFORM = 'CPU of the platform, µs each';

interface Tried {
  readonly name: string;
  readonly build: StartedBuild;
  readonly apiKeys: readonly string[];
  readonly payments: Payments;
}

async function tryBuild(name: string, folder: string, checkout: string): Promise<Tried> {
  const build = await StartedBuild.start(folder, checkout);
  try {
    const apiKeys: string[] = [];
    for (let n = 0; n < MERCHANTS; n++) apiKeys.push(await build.merchant());
    const accounts = await build.accounts(ACCOUNTS);
    const payments = await build.payments(apiKeys[0] ?? '', accounts);
    return { name, build, apiKeys, payments };
  } catch (error) {
    await build.stop();
    throw error;
  }
}

const sumOf = (watched: readonly Watched[]): number => watched.reduce((sum, each) => sum + (secondsOf(each) ?? 0), 0);

const partsOf = ({ build }: Tried): Watched[] => [
  build.whole,
  ...(['gateway', 'graph', 'worker', 'PostgreSQL'] as const).map((part) => build.part(part)),
];

/** There is nothing to wait for. */
const idling = (tried: Tried): Variant => ({
  name: tried.name,
  watched: partsOf(tried),
  run: async (seconds) => {
    await sleep(seconds * 1_000);
    return { done: seconds, seconds };
  },
});

/** Whole orders, from the create to the callback; payers pay later. */
const paying = (tried: Tried): Variant => ({
  name: tried.name,
  watched: partsOf(tried),
  run: async (seconds): Promise<Sample> => {
    const begun = performance.now();
    const paid = await tried.payments.run({
      orders: Math.ceil(seconds * PER_SECOND),
      perSecond: PER_SECOND,
      paidAfterMs: PAID_AFTER_MS,
      patienceMs: 120_000,
      queryEveryMs: 1_000,
    });
    const unexpected = Object.entries(paid.unexpected);
    if (unexpected.length > 0 || paid.late > 0)
      throw new Error(`${tried.name}: ${paid.late} late, ${JSON.stringify(paid.unexpected)}`);
    return { done: paid.completed.length, seconds: (performance.now() - begun) / 1_000 };
  },
});

/** Creates alone: the worker is stopped meanwhile. */
const creating = ({ name, build, apiKeys }: Tried, generator: LoadGenerator): Variant => {
  const both = [build.part('gateway'), build.part('PostgreSQL')];
  return {
    name,
    watched: both,
    run: async (seconds) => {
      build.signalWorker('SIGSTOP');
      try {
        const before = sumOf(both);
        const sample = await generator.run({
          kind: 'createDeposit',
          url: build.gatewayUrl,
          connections: CONNECTIONS,
          seconds,
          orders: CREATES,
          apiKeys,
          currencyCode: CURRENCY,
        });
        const each = ((sumOf(both) - before) * 1e6) / sample.done;
        return { ...sample, figures: { ...sample.figures, [OF_CREATE]: each } };
      } finally {
        build.signalWorker('SIGCONT');
      }
    },
  };
};

export const builds: Bench = {
  sentence:
    'CPU of a whole paid deposit and of a create, of this build beside another one in the folder that --other names; --seconds 40 --rounds 3',
  needs: undefined,
  async openAlone({ other }) {
    if (other === undefined) throw new Error('--other names the folder of a checkout to compare');
    const tried: Tried[] = [];
    const close = async (): Promise<void> => {
      for (const { build, payments } of tried) {
        payments.close();
        await build.stop();
      }
    };
    try {
      tried.push(await tryBuild(THIS, 'this-build', process.cwd()));
      tried.push(await tryBuild(OTHER, 'other-build', path.resolve(other)));
    } catch (error) {
      await close();
      throw error;
    }
    const generator = LoadGenerator.start();
    const heats: Heat[] = [
      {
        name: 'idle, each second',
        unit: 's in a second',
        variants: tried.map(idling),
        aims: [{ of: THIS, beside: OTHER, figure: OF_PLATFORM }],
      },
      {
        name: 'paid deposits, paid 15 s after the create',
        unit: 'a second',
        variants: tried.map(paying),
        aims: [{ of: THIS, beside: OTHER, figure: OF_PLATFORM, atMost: 0.6 }],
      },
      // Last: nobody pays these orders, and their workflows keep the workers busy.
      {
        name: `creates over ${CONNECTIONS} connections`,
        unit: 'a second',
        variants: tried.map((each) => creating(each, generator)),
        aims: [{ of: THIS, beside: OTHER, figure: OF_CREATE, atMost: 0.5 }],
      },
    ];
    return {
      heats,
      close: async () => {
        generator.stop();
        await close();
      },
    };
  },
};
