import { plainNumber } from '../debit-match';
import { type Money, money } from '../money';
import type { Counter } from './step';

/** The limits of the counters of one UTC day in one currency, in its units; beyond them a second person is needed. */
export type DayAmounts = Readonly<Record<Counter, Money>>;

/** By currency. Null: nothing is counted, as in a sandbox without settings. */
export type DayLimits = Readonly<Record<string, DayAmounts>> | null;

const COUNTERS = ['MATCHER', 'APPROVER', 'MERCHANT', 'BENEFICIARY'] as const;

/** The defaults, in thousands of the currency's unit: matcher, approver, merchant, beneficiary. */
const DEFAULTS: Readonly<Record<string, readonly [number, number, number, number]>> = {
  AED: [4, 350, 1_800, 70],
  AUD: [1, 150, 750, 30],
  BDT: [100, 12_000, 60_000, 2_400],
  BRL: [5, 500, 2_500, 100],
  CAD: [1, 130, 650, 25],
  CNY: [7, 700, 3_500, 140],
  EUR: [1, 100, 500, 20],
  GBP: [1, 80, 400, 15],
  HKD: [8, 800, 4_000, 150],
  IDR: [15_000, 1_500_000, 7_500_000, 300_000],
  INR: [80, 8_000, 40_000, 1_600],
  JPY: [150, 15_000, 75_000, 3_000],
  KHR: [4_000, 400_000, 2_000_000, 80_000],
  KRW: [1_300, 130_000, 650_000, 25_000],
  KWD: [1, 30, 150, 6],
  LKR: [300, 30_000, 150_000, 6_000],
  MMK: [2_000, 200_000, 1_000_000, 40_000],
  MXN: [17, 1_700, 8_500, 340],
  MYR: [5, 450, 2_250, 90],
  NGN: [1_500, 150_000, 750_000, 30_000],
  NPR: [130, 13_000, 65_000, 2_600],
  PHP: [55, 5_500, 27_500, 1_100],
  PKR: [280, 28_000, 140_000, 5_600],
  SGD: [1, 130, 650, 25],
  THB: [35, 3_500, 17_500, 700],
  TRY: [30, 3_000, 15_000, 600],
  TWD: [30, 3_000, 15_000, 600],
  USD: [1, 100, 500, 20],
  VND: [25_000, 2_500_000, 12_500_000, 500_000],
  ZAR: [18, 1_800, 9_000, 360],
};

const amountsOf = (figures: readonly (number | string)[], unit: number): DayAmounts =>
  Object.fromEntries(
    COUNTERS.map((counter, at) => [counter, money(String(figures[at] ?? 0)).times(unit)]),
  ) as DayAmounts;

/** About 1,000, 100,000, 500,000 and 20,000 dollars. Other currencies must be set. */
export const DEFAULT_DAY_LIMITS: Readonly<Record<string, DayAmounts>> = Object.fromEntries(
  Object.entries(DEFAULTS).map(([currency, figures]) => [currency, amountsOf(figures, 1_000)]),
);

const ONE = /^([A-Z]{3})=(\d{1,15}):(\d{1,15}):(\d{1,15}):(\d{1,15})$/;

/**
 * Reads `THB=35000:3500000:17500000:700000,JPY=…`: matcher, approver, merchant, beneficiary. @throws if the text is not
 * valid
 */
export function readDayLimits(text: string): Readonly<Record<string, DayAmounts>> {
  return Object.fromEntries(
    text.split(',').map((one) => {
      const [, currency, ...figures] = ONE.exec(one.trim()) ?? [];
      if (currency === undefined)
        throw new Error(
          'DAY_AMOUNTS must be such as THB=35000:3500000:17500000:700000 (matcher, approver, merchant, beneficiary)',
        );
      return [currency, amountsOf(figures, 1)] as const;
    }),
  );
}

/** The limit of a counter in a currency; null: nothing is counted. @throws if the currency has none */
export function mostOf(limits: DayLimits, currency: string, counter: Counter): Money | null {
  if (limits === null) return null;
  return limits[currency]?.[counter] ?? null;
}

/** Of whom a counter is. */
export interface Subject {
  /** What is counted now is counted under this. */
  readonly subject: string;
  /** What else stands for the same, and is counted with it; the last one is the same in every process. */
  readonly also?: readonly string[];
  /** What an alert says of it, if not the subject itself. */
  readonly shown?: string;
}

/** A counter of a day, with its subject and its limit. */
export interface CountedSubject extends Subject {
  readonly counter: Counter;
  readonly most: Money;
}

/** The subject of each counter; others are not counted. */
export type Subjects = Readonly<Partial<Record<Counter, string | Subject>>>;

/**
 * The counters of a step, by its row of the table. @param subjects the subject of each counter; others are not counted
 * @returns null if the currency has no day's amounts but others have: then nobody may decide if two people are required
 */
export function subjectsCounted(
  limits: DayLimits,
  counts: readonly Counter[],
  currency: string,
  subjects: Subjects,
): readonly CountedSubject[] | null {
  if (limits === null) return [];
  const of = limits[currency];
  if (!of) return null;
  return counts.flatMap((counter) => {
    const subject = subjects[counter];
    if (subject === undefined) return [];
    return [{ ...(typeof subject === 'string' ? { subject } : subject), counter, most: of[counter] }];
  });
}

/** One account of a beneficiary under any spelling of its number, for all merchants, in clear. */
export const beneficiaryKey = (bankCode: string, accountNo: string): string => `${bankCode}:${plainNumber(accountNo)}`;
