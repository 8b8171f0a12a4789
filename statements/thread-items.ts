import { type Money, money } from '../domain/money';
import type { StatementItem } from '../domain/statement';
import type { Currency } from './amounts';
import type { Reading } from './read';

/** Items of one message. */
export const MOST_ITEMS = 500;

/** What a thread is to read. */
export interface Order {
  readonly reading: Reading;
  readonly currency: Currency;
}

/** What the reader sends to its thread: the next bytes, null at the end of the file, or nothing, to go on. */
export interface Asked {
  readonly part?: Uint8Array | null;
}

/** An item between threads, which carry plain values alone: its amounts as texts. */
export type Packed = Readonly<Record<string, unknown>>;

/** What a thread sends: items, and what it waits for; null: it has read the file. */
export interface Sent {
  readonly items: readonly Packed[];
  readonly wants: 'BYTES' | 'GO' | null;
}

/** An item as a thread sends it. */
export function packed(item: StatementItem): Packed {
  if ('balance' in item) return { ...item, balance: item.balance.toFixed() };
  if (item.kind !== 'line') return item;
  const { amount, balanceAfter } = item.line;
  return {
    kind: 'line',
    line: { ...item.line, amount: amount.toFixed(), balanceAfter: balanceAfter?.toFixed() ?? null },
  };
}

/** The same item again. */
export function unpacked(item: Packed): StatementItem {
  const back = (text: unknown): Money => money(text as string);
  if ('balance' in item) return { ...item, balance: back(item['balance']) } as StatementItem;
  if (item['kind'] !== 'line') return item as StatementItem;
  const line = item['line'] as Packed;
  const { amount, balanceAfter } = line;
  return {
    kind: 'line',
    line: {
      ...line,
      amount: back(amount),
      balanceAfter: balanceAfter === null ? null : back(balanceAfter),
    },
  } as StatementItem;
}
