import { invalidField } from './errors';

/** An account of the operating company's chart, and the ledger accounts that belong to it. */
export interface ChartAccount {
  /** A prefix of ledger accounts, such as `bank` or `bank:{id}`; empty: all. The longest match counts. */
  readonly account: string;
  /** Its number in the chart. */
  readonly code: string;
  readonly name: string | null;
}

const MOST_ACCOUNTS = 200;
const MOST_CODE = 32;
const MOST_NAME = 128;

/**
 * @throws INVALID_FIELD for an invalid chart
 */
export function checkChart(chart: readonly ChartAccount[]): readonly ChartAccount[] {
  if (chart.length === 0 || chart.length > MOST_ACCOUNTS)
    throw invalidField('chart', `must have 1-${MOST_ACCOUNTS} accounts`, 'OUT_OF_RANGE');
  if (chart.some(({ code }) => code.trim() === '' || code.length > MOST_CODE))
    throw invalidField('chart', `must have codes of 1-${MOST_CODE} characters`, 'OUT_OF_RANGE');
  if (chart.some(({ account, name }) => account.length > MOST_NAME || (name ?? '').length > MOST_NAME))
    throw invalidField('chart', `must have texts of at most ${MOST_NAME} characters`, 'OUT_OF_RANGE');
  if (new Set(chart.map(({ account }) => account)).size < chart.length)
    throw invalidField('chart', 'must have each prefix once', 'NOT_ALLOWED');
  return chart;
}

/** Whether a ledger account matches this prefix. */
const isOf = (account: string, beginning: string): boolean =>
  beginning === '' || account === beginning || account.startsWith(`${beginning}:`);

/** Finds the chart's account for ledger accounts, by the longest matching prefix. */
export function placesIn(chart: readonly ChartAccount[]): (account: string) => ChartAccount | undefined {
  const byLength = [...chart].sort((a, b) => b.account.length - a.account.length);
  return (account) => byLength.find((one) => isOf(account, one.account));
}
