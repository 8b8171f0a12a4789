import type { Allowance } from './buckets';

/** What a process of a gateway asks its parent. */
export type LimitQuestion =
  | {
      readonly kind: 'draw';
      readonly name: string;
      readonly allowance: Allowance;
      readonly caller: string;
      readonly need: number;
      readonly spare: number;
    }
  | {
      readonly kind: 'place';
      readonly name: string;
      readonly caller: string;
      readonly most: number;
    };

/** The answer: what was drawn, and the fraction that is left; or 1 or 0 places. */
export interface LimitAnswer {
  readonly drawn: number;
  readonly left: number;
}

/** What a process tells its parent. */
export type LimitNotice =
  | {
      readonly kind: 'unused';
      readonly name: string;
      readonly caller: string;
      readonly tokens: number;
    }
  | { readonly kind: 'left'; readonly name: string; readonly caller: string };

/** The line of a process to its parent. */
export interface LimitLine {
  readonly ask: (question: LimitQuestion) => Promise<LimitAnswer>;
  readonly tell: (notice: LimitNotice) => void;
}
