import type { Random } from '../random';
import { FORGED_MEMOS, grouped, plain } from './banks';

/** An order as its payer sees it. */
export interface Order {
  readonly orderNo: string;
  readonly coins: bigint;
  readonly remark: string | null;
}

/** A payment: its coins, and the memo that the payer writes. */
export interface Payment {
  readonly coins: bigint;
  readonly memo: string;
}

/** A kind of payer. */
export interface Payer {
  readonly kind: string;
  /** Pays exactly as the order says: the machine must credit it, and no other kind's. */
  readonly honest: boolean;
  readonly pays: (order: Order, random: Random, decimals: number) => readonly Payment[];
}

/** A remark as people and banks write it. */
const written = (remark: string | null, random: Random): string => {
  const words = ['payment', 'invoice 17', 'for the order', 'thanks', ''];
  if (remark === null) return words[random.int(0, words.length - 1)] ?? '';
  const forms = [remark, remark.toLowerCase(), `order ${remark}`, `${remark} thanks`, `UPI/${remark}/x`];
  return forms[random.int(0, forms.length - 1)] ?? remark;
};

/** So much that no other order has the amount: orders are whole tens, and floats less than one. */
const offBy = (decimals: number): bigint => (decimals === 0 ? 500n : 5n * 10n ** BigInt(decimals));

/** Two letters of the remark change places: its check letter does not fit any more. */
const mistyped = (remark: string): string => `${remark.slice(1, 3)}${remark[0] ?? ''}${remark.slice(3)}`;

const HONEST: Payer = {
  kind: 'honest',
  honest: true,
  pays: ({ coins, remark }, random) => [{ coins, memo: written(remark, random) }],
};

/** The kinds, and how many of a hundred payers are of each. */
export const PAYERS: readonly (readonly [share: number, payer: Payer])[] = [
  [70, HONEST],
  [
    8,
    {
      kind: 'honest, paid twice',
      honest: true,
      pays: (order, random) => {
        const [payment] = HONEST.pays(order, random, 0);
        return payment ? [payment, payment] : [];
      },
    },
  ],
  [
    7,
    {
      kind: 'another amount',
      honest: false,
      pays: ({ coins, remark }, random, decimals) => [
        { coins: coins - offBy(decimals), memo: written(remark, random) },
      ],
    },
  ],
  [
    5,
    {
      kind: 'mistyped remark',
      honest: false,
      pays: ({ coins, remark }, random, decimals) => [
        // Without a remark the exact amount is the payer's sign: another one is his mistake.
        remark === null
          ? { coins: coins + offBy(decimals), memo: written(null, random) }
          : { coins, memo: mistyped(remark) },
      ],
    },
  ],
  [
    10,
    {
      kind: 'thief',
      honest: false,
      pays: ({ coins, remark }, random, decimals) => {
        const forged = FORGED_MEMOS[random.int(0, FORGED_MEMOS.length - 1)];
        const memo = forged?.(grouped(coins, decimals), remark ?? plain(coins, decimals)) ?? '';
        return [{ coins: 1n + BigInt(random.int(1, 9)), memo }];
      },
    },
  ],
];

/** One of the kinds, by their shares. */
export function pickPayer(random: Random): Payer {
  let left = random.int(1, 100);
  for (const [share, payer] of PAYERS) {
    left -= share;
    if (left <= 0) return payer;
  }
  return HONEST;
}
