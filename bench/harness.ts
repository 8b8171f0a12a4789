import { performance } from 'node:perf_hooks';
import { allSettledOrThrow } from '../local/promises';
import { cpuMeter, type Watched } from './cpu';

/** The result of one run of a variant. */
export interface Sample {
  readonly done: number;
  readonly seconds: number;
  /** Further figures, by name and unit: `p95 ms`. */
  readonly figures?: Readonly<Record<string, number>>;
}

/** One of the compared things. */
export interface Variant {
  readonly name: string;
  /** Processes whose CPU time is shown beside the rate: it is valid on a busy machine too. */
  readonly watched?: readonly Watched[];
  /** Creates what a run needs. Not measured. */
  prepare?(seconds: number): Promise<void>;
  /** One run. */
  run(seconds: number): Promise<Sample>;
}

/** The aimed ratio of one variant to another in the same round. */
export interface Aim {
  readonly of: string;
  readonly beside: string;
  /** The compared figure, such as `p95 ms`; by default the rate. */
  readonly figure?: string;
  /** The limits of the ratio; both undefined for figures that are only shown. */
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Variants that take turns under the same conditions. */
export interface Heat {
  /** Distinguishes it from the bench's other heats. */
  readonly name: string;
  /** The unit of a rate: `deposits a second`. */
  readonly unit: string;
  readonly variants: readonly Variant[];
  readonly aims: readonly Aim[];
}

/** How long and how often. */
export interface Pace {
  readonly rounds: number;
  readonly seconds: number;
  /** Whether each variant runs once unmeasured, before the rounds. */
  readonly warmUp: boolean;
}

/** The least, the median and the greatest of some figures. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** The result of a variant over all rounds. */
export interface Measured {
  readonly name: string;
  readonly rate: Spread;
  readonly figures: Readonly<Record<string, Spread>>;
}

/** The result of an aim: the ratios of each round. */
export interface Compared extends Aim {
  readonly ratio: Spread;
  /** Judged by the median; undefined if there was no limit. */
  readonly met: boolean | undefined;
}

/** The result of a heat. */
export interface Outcome {
  readonly heat: string;
  readonly unit: string;
  readonly rounds: number;
  readonly variants: readonly Measured[];
  readonly aims: readonly Compared[];
}

/** The warm-up is one unmeasured run of each variant, at most this long, seconds. */
const WARM_UP_SECONDS = 2;

/**
 * Lets a heat's variants take turns, A B C C B A A B C …, so that disturbances of the machine, and tables that grow, affect
 * all alike, and compares them round by round.
 */
export async function runHeat(
  { name, unit, variants, aims }: Heat,
  { rounds, seconds, warmUp }: Pace,
): Promise<Outcome> {
  if (warmUp) for (const variant of variants) await go(variant, Math.min(seconds, WARM_UP_SECONDS));
  const samples = new Map<string, Sample[]>(variants.map((variant) => [variant.name, []]));
  for (let round = 0; round < rounds; round++)
    for (const variant of round % 2 === 0 ? variants : variants.toReversed())
      samples.get(variant.name)?.push(await go(variant, seconds));

  const valuesOf = (variant: string, figure?: string): number[] =>
    (samples.get(variant) ?? []).map((sample) =>
      figure === undefined ? rateOf(sample) : (sample.figures?.[figure] ?? Number.NaN),
    );
  return {
    heat: name,
    unit,
    rounds,
    variants: variants.map((variant) => measured(variant.name, samples.get(variant.name) ?? [])),
    aims: aims.map((aim) => compared(aim, valuesOf(aim.of, aim.figure), valuesOf(aim.beside, aim.figure))),
  };
}

async function go(variant: Variant, seconds: number): Promise<Sample> {
  await variant.prepare?.(seconds);
  const spent = cpuMeter(variant.watched ?? []);
  const sample = await variant.run(seconds);
  return { ...sample, figures: { ...sample.figures, ...spent(sample.done) } };
}

const rateOf = ({ done, seconds }: Sample): number => done / seconds;

function measured(name: string, samples: readonly Sample[]): Measured {
  const names = new Set(samples.flatMap(({ figures = {} }) => Object.keys(figures)));
  const figures = [...names].map((figure) => {
    const values = samples.flatMap((sample) => sample.figures?.[figure] ?? []);
    return [figure, spreadOf(values)] as const;
  });
  return {
    name,
    rate: spreadOf(samples.map(rateOf)),
    figures: Object.fromEntries(figures),
  };
}

function compared(aim: Aim, rates: readonly number[], floor: readonly number[]): Compared {
  const ratio = spreadOf(rates.map((rate, round) => rate / (floor[round] ?? Number.NaN)));
  return {
    ...aim,
    ratio,
    met:
      aim.atLeast === undefined && aim.atMost === undefined
        ? undefined
        : ratio.median >= (aim.atLeast ?? 0) && ratio.median <= (aim.atMost ?? Infinity),
  };
}

/** The median; of an even number of figures the lower one in the middle, so that it was measured. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    min: sorted[0] ?? Number.NaN,
    median: sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN,
    max: sorted.at(-1) ?? Number.NaN,
  };
}

/** The value that this share of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Seconds since a moment of `performance.now()`. */
export const secondsSince = (start: number): number => (performance.now() - start) / 1000;

/**
 * Keeps this many calls under way until there is nothing more to do or time is up; those under way are finished.
 * @param next begins the next piece of work, or returns that there is none
 * @returns how many were done, and how long that took, seconds
 */
export async function keepBusy(
  callers: number,
  seconds: number,
  next: () => Promise<void> | undefined,
): Promise<{ readonly done: number; readonly seconds: number }> {
  const start = performance.now();
  let done = 0;
  const caller = async (): Promise<void> => {
    while (secondsSince(start) < seconds) {
      const work = next();
      if (!work) return;
      await work;
      done++;
    }
  };
  // If one fails, the others still end before anything they use is closed.
  await allSettledOrThrow(Array.from({ length: callers }, caller));
  return { done, seconds: secondsSince(start) };
}

/** Small, fast, and the same numbers in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
