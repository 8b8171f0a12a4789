import { invalidField } from './errors';

/** An account of an operator's own chart, and what of the ledger goes there. */
export interface ChartAccount {
  /** How the ledger's accounts begin, such as `bank` or `bank:{id}`; empty: all. The longest that fits counts. */
  readonly account: string;
  /** Its number in the chart. */
  readonly code: string;
  readonly name: string | null;
}

const MOST_ACCOUNTS = 200;
const MOST_CODE = 32;
const MOST_NAME = 128;

/** @throws INVALID_FIELD for a chart that cannot be used */
export function checkChart(chart: readonly ChartAccount[]): readonly ChartAccount[] {
  if (chart.length === 0 || chart.length > MOST_ACCOUNTS)
    throw invalidField('chart', `must have 1-${MOST_ACCOUNTS} accounts`, 'OUT_OF_RANGE');
  if (chart.some(({ code }) => code.trim() === '' || code.length > MOST_CODE))
    throw invalidField('chart', `must have codes of 1-${MOST_CODE} characters`, 'OUT_OF_RANGE');
  if (
    chart.some(({ account, name }) => account.length > MOST_NAME || (name ?? '').length > MOST_NAME)
  )
    throw invalidField(
      'chart',
      `must have texts of at most ${MOST_NAME} characters`,
      'OUT_OF_RANGE',
    );
  if (new Set(chart.map(({ account }) => account)).size < chart.length)
    throw invalidField('chart', 'must name each beginning once', 'NOT_ALLOWED');
  return chart;
}

/** Whether a ledger account is this one, or of this kind. */
const isOf = (account: string, beginning: string): boolean =>
  beginning === '' || account === beginning || account.startsWith(`${beginning}:`);

/** Finds the place of ledger accounts in a chart: the longest beginning that fits. */
export function placesIn(
  chart: readonly ChartAccount[],
): (account: string) => ChartAccount | undefined {
  const byLength = [...chart].sort((a, b) => b.account.length - a.account.length);
  return (account) => byLength.find((one) => isOf(account, one.account));
}
