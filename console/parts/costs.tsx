import type { ReactNode } from 'react';
import { Money } from './money';

/** What an order costs us. */
interface Costs {
  readonly channel?: string | null | undefined;
  readonly bank?: string | null | undefined;
  readonly commission?: string | null | undefined;
  readonly profit?: string | null | undefined;
}

/** What is known of an order's costs, and the profit; nothing where nothing is known. */
export function costFacts(
  costs: Costs | null | undefined,
  currency: string,
): readonly (readonly [string, ReactNode])[] {
  if (costs?.profit == null && costs?.commission == null) return [];
  const { channel, bank, commission, profit } = costs;
  return [
    ...(channel == null
      ? []
      : [['Channel’s charge', <Money amount={channel} currency={currency} />] as const]),
    ...(bank == null
      ? []
      : [['Bank’s charge', <Money amount={bank} currency={currency} />] as const]),
    ...(commission == null
      ? []
      : [['Commission', <Money amount={commission} currency={currency} />] as const]),
    ...(profit == null ? [] : [['Profit', <Money amount={profit} currency={currency} />] as const]),
  ];
}

/** What its merchant had had completed in the month when an order was priced by that; nothing where it was not. */
export const volumeFacts = (
  volume: string | null | undefined,
  currency: string,
): readonly (readonly [string, ReactNode])[] =>
  volume == null
    ? []
    : [['Completed in the month before', <Money amount={volume} currency={currency} />]];
