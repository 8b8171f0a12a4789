import type { ReactNode } from 'react';
import { Money } from './money';

/** What an order costs us. */
interface Costs {
  readonly channel?: string | null | undefined;
  readonly bank?: string | null | undefined;
  readonly commission?: string | null | undefined;
  readonly profit?: string | null | undefined;
}

/** The known costs of an order, and the profit; nothing if none is known. */
export function costFacts(
  costs: Costs | null | undefined,
  currency: string,
): readonly (readonly [string, ReactNode])[] {
  if (costs?.profit == null && costs?.commission == null) return [];
  const { channel, bank, commission, profit } = costs;
  return [
    ...(channel == null ? [] : [['Channel’s charge', <Money amount={channel} currency={currency} />] as const]),
    ...(bank == null ? [] : [['Bank’s charge', <Money amount={bank} currency={currency} />] as const]),
    ...(commission == null ? [] : [['Commission', <Money amount={commission} currency={currency} />] as const]),
    ...(profit == null ? [] : [['Profit', <Money amount={profit} currency={currency} />] as const]),
  ];
}

/** The month's volume that priced an order; nothing if the fee did not depend on it. */
export const volumeFacts = (
  volume: string | null | undefined,
  currency: string,
): readonly (readonly [string, ReactNode])[] =>
  volume == null ? [] : [['Completed in the month before', <Money amount={volume} currency={currency} />]];
