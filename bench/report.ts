import type { Finding } from './bench';
import type { Compared, Measured, Outcome, Spread } from './harness';
import type { ServerDescription } from './servers';

/** Three significant digits, and whole numbers from a hundred on. */
const figure = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toString() : Number(value.toPrecision(3)).toString();

const spread = ({ min, median, max }: Spread): string =>
  [min, median, max].map((value) => figure(value).padStart(8)).join(' ');

const ratio = ({ min, median, max }: Spread): string =>
  [min, median, max].map((value) => value.toFixed(2).padStart(8)).join(' ');

/** What the bench ran on, a line each. */
export const describeServers = (servers: ServerDescription): string =>
  [
    `on ${servers.cores} cores, Node.js ${servers.node}`,
    ...(servers.postgres === undefined ? [] : [`PostgreSQL: ${servers.postgres}`]),
    ...(servers.temporal === undefined ? [] : [`Temporal: ${servers.temporal}`]),
  ].join('\n');

function variantLines({ name, rate, figures }: Measured, width: number): string[] {
  return [
    `  ${name.padEnd(width)} ${spread(rate)}`,
    ...Object.entries(figures).map(([what, values]) => `  ${`  ${what}`.padEnd(width)} ${spread(values)}`),
  ];
}

const nameOf = ({ of, beside, figure }: Compared): string =>
  `${figure === undefined ? '' : `${figure}: `}${of} / ${beside}`;

function aimLine(aim: Compared, width: number): string {
  const { atLeast, atMost, ratio: ratios, met } = aim;
  const bound = atLeast === undefined ? `<= ${atMost ?? ''}` : `>= ${atLeast}`;
  const verdict = met === undefined ? '' : `   aim ${bound}: ${met ? 'met' : 'NOT MET'}`;
  return `  ${nameOf(aim).padEnd(width)} ${ratio(ratios)}${verdict}`;
}

/** A heat in readable form: each variant's rates, and each aim's ratios round by round. */
export function describeOutcome({ heat, unit, rounds, variants, aims }: Outcome): string {
  const names = [
    ...variants.flatMap(({ name, figures }) => [name, ...Object.keys(figures).map((what) => `  ${what}`)]),
    ...aims.map(nameOf),
  ];
  const width = Math.max(...names.map((name) => name.length));
  const head = ['min', 'median', 'max'].map((word) => word.padStart(8)).join(' ');
  return [
    `${heat} (${unit}, ${rounds} rounds)`,
    `  ${''.padEnd(width)} ${head}`,
    ...variants.flatMap((variant) => variantLines(variant, width)),
    ...(aims.length === 0 ? [] : ['  ratio, round by round']),
    ...aims.map((aim) => aimLine(aim, width)),
  ].join('\n');
}

/** Figures without a comparison, in readable form. */
export function describeFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ what }) => what.length));
  return findings
    .map(({ what, value, unit }) => `  ${what.padEnd(width)} ${figure(value).padStart(8)} ${unit}`)
    .join('\n');
}
