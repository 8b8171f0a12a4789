import type { ReactNode } from 'react';
import { decimalsOf, formatMoney } from '../../format/money';

/** A day of the chart. Amounts of one currency. */
export interface ChartDay {
  readonly day: string;
  readonly fees: string;
  readonly costs: string;
  readonly profit: string;
}

const [WIDTH, HEIGHT, LEFT] = [720, 180, 8];

/**
 * Fees and costs of each day as bars, and the profit as a line. Heights are approximate: the table beside it has the
 * exact amounts, also for screen readers.
 */
export function MarginChart({ days, currency }: { days: readonly ChartDay[]; currency: string }): ReactNode {
  const heights = days.map(({ fees, costs, profit }) => ({
    fees: Number(fees),
    costs: Number(costs),
    profit: Number(profit),
  }));
  const highest = Math.max(...heights.flatMap(({ fees, costs, profit }) => [fees, costs, profit]), 0);
  const lowest = Math.min(...heights.flatMap(({ fees, costs, profit }) => [fees, costs, profit]), 0);
  const span = highest - lowest || 1;
  const y = (amount: number): number => ((highest - amount) / span) * (HEIGHT - 8) + 4;
  const step = (WIDTH - 2 * LEFT) / Math.max(days.length, 1);
  const bar = Math.min(step * 0.36, 22);
  const middle = (at: number): number => LEFT + step * (at + 0.5);
  const rect = (at: number, amount: number, left: number, className: string): ReactNode => (
    <rect
      x={middle(at) + left}
      y={Math.min(y(amount), y(0))}
      width={bar}
      height={Math.max(Math.abs(y(amount) - y(0)), 0.5)}
      className={className}
    />
  );
  const decimals = decimalsOf(currency);
  return (
    <figure className="margin-chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Fees, costs and profit by day, ${currency}`}>
        <line x1={LEFT} x2={WIDTH - LEFT} y1={y(0)} y2={y(0)} className="axis" />
        {days.map(({ day, fees, costs, profit }, at) => {
          const of = heights[at];
          if (!of) return null;
          return (
            <g key={day}>
              <title>
                {`${day}: fees ${formatMoney(fees, decimals)}, costs ${formatMoney(costs, decimals)}, profit ${formatMoney(profit, decimals)} ${currency}`}
              </title>
              {rect(at, of.fees, -bar, 'fees')}
              {rect(at, of.costs, 0, 'costs')}
            </g>
          );
        })}
        <polyline className="profit" points={heights.map(({ profit }, at) => `${middle(at)},${y(profit)}`).join(' ')} />
        {heights.map(({ profit }, at) => (
          <circle key={days[at]?.day} cx={middle(at)} cy={y(profit)} r={3} className="profit" />
        ))}
      </svg>
      <p className="days">
        <span>{days[0]?.day}</span>
        {days.length > 1 && <span>{days.at(-1)?.day}</span>}
      </p>
      <figcaption>
        <span className="fees">Fees</span> <span className="costs">Costs</span> <span className="profit">Profit</span> ·{' '}
        {currency}
      </figcaption>
    </figure>
  );
}
