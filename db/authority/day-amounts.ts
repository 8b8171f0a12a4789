import type { JSONValue } from 'postgres';
import type { Subject } from '../../domain/authority/day-amounts';
import type { Counter } from '../../domain/authority/step';
import type { Money } from '../../domain/money';
import type { Database, Transaction } from '../client';

/** A counter of a day, and its limit; null: counted, but not limited. */
export interface CountedDay extends Subject {
  readonly counter: Counter;
  readonly most: Money | null;
}

/** Counters in the form of the SQL functions' parameter. */
export const countersOf = (counters: readonly CountedDay[]): Record<string, JSONValue>[] =>
  counters.map(({ counter, subject, also = [], shown = null, most }) => ({
    counter,
    subject,
    also,
    shown,
    most: most?.toFixed() ?? null,
  }));

/** An amount that counts against day's amounts. */
export interface CountedAmount {
  readonly counters: readonly CountedDay[];
  readonly currencyCode: string;
  readonly amount: Money;
  readonly now: Date;
}

/** Counts an amount in the transaction of its decision. @returns the counters that now exceed their limit */
export async function countDayAmounts(
  tx: Transaction,
  { counters, currencyCode, amount, now }: CountedAmount,
): Promise<readonly Counter[]> {
  if (counters.length === 0) return [];
  const [row] = await tx<{ past: Counter[] }[]>`
    select count_day_amounts(${tx.json(countersOf(counters))}::jsonb, ${currencyCode}::char(3),
      ${amount.toFixed()}::numeric, ${now}) as past`;
  return row?.past ?? [];
}

/** Raises the alert that a day's amount was exceeded, once for each day and counter. */
export async function tellDayAmounts(
  { sql }: Database,
  past: readonly Counter[],
  { counters, currencyCode, now }: Omit<CountedAmount, 'amount'>,
  merchantId: string | null,
): Promise<void> {
  await sql`
    select tell_day_amounts(${past as Counter[]}::text[], ${sql.json(countersOf(counters))}::jsonb,
      ${currencyCode}::char(3), ${merchantId}, ${now})`;
}
