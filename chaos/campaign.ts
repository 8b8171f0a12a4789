import type { Arena } from './arena';
import type { Size } from './platform';
import type { Random } from './random';
import type { Fault } from './receiver';

/** One way to hurt the platform under load. What must hold afterwards is the same for all of them. */
export interface Campaign {
  readonly name: string;
  /** One sentence. */
  readonly about: string;
  readonly size: Size;
  /** How many orders unless told. */
  readonly orders: number;
  /** What the merchants' server does with each callback; acknowledges it unless given. */
  readonly fault?: (random: Random) => Fault;
  /** A setting of the merchants; 10, the contract's default, unless given. */
  readonly callbackTimeoutSeconds?: number;
  /** Hurts; comes back when nothing hurts any more. */
  readonly run: (arena: Arena) => Promise<void>;
}
