import { setTimeout as sleep } from 'node:timers/promises';
import { AskedPages } from '../asked-pages';
import type { Bench, Finding } from '../bench';
import { collectGarbageOf, memoryOf, type Watched } from '../cpu';
import { p95 } from '../payments';
import { requireExpected, PayingMerchants } from './paying';

const MINUTES = 10;
/** Orders a second: what a small machine does beside other work. */
const PER_SECOND = 5;
const PAID_AFTER_MS = 2_000;
const PATIENCE_MS = 60_000;
const QUERY_EVERY_MS = 500;
const LOOK_EVERY_MS = 20_000;
const LOOK_EVERY_MS_IN_SHORT = 2_500;
/** How long before a look the processes start to collect their garbage. */
const COLLECT_MS = 800;
const PAGE_EVERY_MS = 100;
/** How much more memory a process may keep in the last third than in the middle one. The first third warms it up. */
const FLAT = 1.1;
const MEGABYTE = 1024 * 1024;

const PAGE = `query ($first: Int!) {
  deposits(first: $first) { nodes { orderNo status amount merchant { merchantCode } account { name } } }
}`;

/** A process, and its memory at each look, bytes. */
interface Seen {
  readonly process: Watched;
  readonly samples: number[];
}

/** @throws where the system does not report it: nothing could be judged */
function knownMemoryOf(process: Watched): number {
  const bytes = memoryOf(process);
  if (bytes === undefined) throw new Error(`the memory of ${process.name} is not known`);
  return bytes;
}

/** The least of the first, second or last third, MB. */
const thirdOf = ({ samples }: Seen, third: 0 | 1 | 2): number =>
  Math.min(...samples.slice((samples.length * third) / 3, (samples.length * (third + 1)) / 3)) / MEGABYTE;

/** Looks at what processes keep until it is stopped. Ours collect their garbage before each look. */
async function look(
  seen: readonly Seen[],
  ours: readonly Watched[],
  everyMs: number,
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    await pause(everyMs - COLLECT_MS, stop);
    ours.forEach(collectGarbageOf);
    await pause(COLLECT_MS, stop);
    for (const { process, samples } of seen) samples.push(knownMemoryOf(process));
  }
}

/** Asks for pages until it is stopped, as screens of operators do. */
async function ask(pages: AskedPages, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await pages.ask();
    await pause(PAGE_EVERY_MS, stop);
  }
}

/** Ends early where it is stopped. */
async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stop }).catch(() => undefined);
}

export const soak: Bench = {
  sentence:
    'memory that each process keeps while orders are created, queried, paid and called back for 10 minutes (--minutes): flat, or growing',
  needs: { temporal: true, countStatements: false },
  async open(testbed, { short, minutes = MINUTES, perSecond = PER_SECOND }) {
    const merchants = await PayingMerchants.open(testbed, { merchants: 0, expireMinutes: 60 });
    const graph = await testbed.startRole('graph');
    const pages = new AskedPages(`${graph.url}/graphql`, await testbed.token(), 1, PAGE, {
      first: 50,
    });
    const ours = [...merchants.watched, ...graph.watched];
    const servers = testbed.servers.own;
    return {
      heats: [],
      findings: async () => {
        const seen = [...ours, ...servers].map((process): Seen => ({ process, samples: [] }));
        const stop = new AbortController();
        const paying = merchants.payments.run({
          orders: short ? 6 : minutes * 60 * perSecond,
          perSecond,
          paidAfterMs: PAID_AFTER_MS,
          patienceMs: PATIENCE_MS,
          queryEveryMs: QUERY_EVERY_MS,
        });
        const [paid] = await Promise.all([
          paying.finally(() => {
            stop.abort();
          }),
          look(seen, ours, short ? LOOK_EVERY_MS_IN_SHORT : LOOK_EVERY_MS, stop.signal),
          ask(pages, stop.signal),
        ]);
        requireExpected(paid);
        if (paid.late > 0) throw new Error(`${paid.late} orders did not end`);
        const findings = seen.flatMap((one): Finding[] => {
          const [before, after] = [thirdOf(one, 1), thirdOf(one, 2)];
          const { name } = one.process;
          return [
            { what: `${name}: first third`, value: thirdOf(one, 0), unit: 'MB' },
            { what: `${name}: middle third`, value: before, unit: 'MB' },
            { what: `${name}: last third`, value: after, unit: 'MB' },
            { what: `${name}: last by middle third`, value: after / before, unit: 'x' },
          ];
        });
        const grew = seen.slice(0, ours.length).filter((one) => thirdOf(one, 2) > FLAT * thirdOf(one, 1));
        if (!short && grew.length > 0)
          throw new Error(`${grew.map(({ process }) => process.name).join(', ')} grew: ${JSON.stringify(findings)}`);
        return [
          { what: 'orders', value: paid.completed.length, unit: '' },
          { what: 'bank report → callback, p95', value: p95(paid.callback), unit: 'ms' },
          ...findings,
        ];
      },
      close: async () => {
        merchants.close();
        await pages.close();
      },
    };
  },
};
