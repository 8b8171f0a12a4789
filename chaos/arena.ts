import type { OperatorClient } from '../local/operator-client';
import type { Gateways } from './gateways';
import type { LedgerReader } from './ledger-book';
import type { Load } from './load';
import type { Platform } from './platform';
import type { Random } from './random';
import type { Receiver } from './receiver';
import type { Verdict } from './verdict';

/** Everything that a campaign works with. */
export interface Arena {
  readonly platform: Platform;
  /** How many orders to make. */
  readonly orders: number;
  readonly load: Load;
  /** Every answer that the merchants and the bank got. */
  readonly gateways: Gateways;
  readonly receiver: Receiver;
  readonly ledger: LedgerReader;
  readonly operator: OperatorClient;
  readonly random: Random;
  /** When the operator resent a callback, by `order event`. */
  readonly rearmed: Map<string, number[]>;
  /** Orders that the campaign itself made and judged, beside the deposits. */
  others: number;
  /** Findings of the campaign itself, beside those of the judges. */
  readonly found: Verdict & { readonly breaches: string[] };
  /** Counts of the campaign itself, each `name=N`, printed behind the verdict's. */
  readonly counts: string[];
  /** Prints a line of progress. */
  readonly say: (line: string) => void;
}
