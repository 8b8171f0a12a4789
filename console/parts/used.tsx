import { Progress } from '@mantine/core';
import type { ReactNode } from 'react';
import { percentOf } from '../format/money';
import { Money } from './money';

/** The used part of a limit, as figures and as a bar. */
function Used({
  used,
  most,
  percent,
  label,
}: {
  used: ReactNode;
  most: ReactNode;
  percent: number;
  label: string;
}): ReactNode {
  return (
    <span className="quota">
      <span>
        {used} <span className="dim">of {most}</span>
      </span>
      <Progress
        value={percent}
        size={5}
        color={percent >= 90 ? 'red.8' : percent >= 70 ? 'yellow.8' : 'tide'}
        aria-label={`${label}: ${String(percent)} % used`}
      />
    </span>
  );
}

/** The used part of a limit of an amount. */
export function UsedAmount({
  used,
  most,
  currency,
  label,
}: {
  used: string;
  most: string;
  currency: string;
  label: string;
}): ReactNode {
  return (
    <Used
      used={<Money amount={used} currency={currency} />}
      most={<Money amount={most} currency={currency} />}
      percent={percentOf(used, most)}
      label={label}
    />
  );
}

/** The used part of a limit of a number. */
export function UsedCount({ used, most, label }: { used: number; most: number; label: string }): ReactNode {
  const percent = Math.min(100, Math.floor((100 * used) / most));
  return <Used used={used} most={most} percent={percent} label={label} />;
}
