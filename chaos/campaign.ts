import type { Arena } from './arena';
import type { Size } from './platform';
import type { Random } from './random';
import type { Fault } from './receiver';

/** Faults in the platform under load. What must hold afterwards is the same for all campaigns. */
export interface Campaign {
  readonly name: string;
  /** One sentence. */
  readonly about: string;
  readonly size: Size;
  /** How many orders by default. */
  readonly orders: number;
  /** What the merchants' server does with each callback; by default it acknowledges it. */
  readonly fault?: (random: Random) => Fault;
  /** A setting of the merchants; by default 10, as in the contract. */
  readonly callbackTimeoutSeconds?: number;
  /** Causes the faults; resolves when the last one has ended. */
  readonly run: (arena: Arena) => Promise<void>;
}
