import { CURRENCIES, type Currency } from './money';

/** A merchant's money in a currency. Coins. */
export class Cell {
  available = 0n;
  frozen = 0n;
  /** What it owes us. */
  owed = 0n;

  /** Money becomes available; it first covers what the merchant owes. @returns the rest */
  gets(coins: bigint): bigint {
    const covered = coins < this.owed ? coins : this.owed;
    this.owed -= covered;
    this.available += coins - covered;
    return coins - covered;
  }

  /** Money is taken; the merchant owes what it does not have. */
  gives(coins: bigint): void {
    const had = coins < this.available ? coins : this.available;
    this.available -= had;
    this.owed += coins - had;
  }

  freezes(coins: bigint): void {
    this.available -= coins;
    this.frozen += coins;
  }

  toString(): string {
    return `available ${this.available} frozen ${this.frozen} owed ${this.owed}`;
  }
}

/** Our money, and its origin. */
const HAVE = [
  ...(['BANK', 'CHANNEL', 'CHANNEL_COST', 'LOSS', 'TREASURY', 'ADJUSTMENT'] as const),
  ...(['BANK_COST', 'IN_TRANSIT', 'CHANNEL_CLAIM'] as const),
] as const;
const OWE = ['SUSPENSE', 'FEE_INCOME', 'EQUITY', 'UNCLAIMED'] as const;
/** A kind of account that is no merchant's. */
export type Pot = (typeof HAVE)[number] | (typeof OWE)[number];
/** All of them. */
export const POTS: readonly Pot[] = [...HAVE, ...OWE];
/** Whether it is our money; otherwise it is owed to somebody. */
export const isOurs = (pot: Pot): boolean => (HAVE as readonly Pot[]).includes(pot);

/** A platform as plain sums: its money, and to whom it belongs. It shares no code with the ledger. */
export class Model {
  private readonly pots = new Map<string, bigint>();
  private readonly places = new Map<string, bigint>();
  private readonly cells: { readonly currency: Currency; readonly cell: Cell }[] = [];

  cell(currency: Currency): Cell {
    const cell = new Cell();
    this.cells.push({ currency, cell });
    return cell;
  }

  add(pot: Pot, currency: Currency, coins: bigint): void {
    const key = `${pot} ${currency}`;
    this.pots.set(key, (this.pots.get(key) ?? 0n) + coins);
  }

  /** Money at an account of a bank, or at a channel. */
  put(pot: 'BANK' | 'CHANNEL', place: string, currency: Currency, coins: bigint): void {
    this.add(pot, currency, coins);
    const key = `${place} ${currency}`;
    this.places.set(key, (this.places.get(key) ?? 0n) + coins);
  }

  sum(pot: Pot, currency: Currency): bigint {
    return this.pots.get(`${pot} ${currency}`) ?? 0n;
  }

  at(place: string, currency: Currency): bigint {
    return this.places.get(`${place} ${currency}`) ?? 0n;
  }

  /** What the merchants have in a currency, and what they owe. */
  merchants(currency: Currency): Cell {
    const all = new Cell();
    for (const { cell } of this.cells.filter((one) => one.currency === currency)) {
      all.available += cell.available;
      all.frozen += cell.frozen;
      all.owed += cell.owed;
    }
    return all;
  }

  /** Contradictions in the model itself: our money differs from what we owe. */
  problems(): string[] {
    return CURRENCIES.flatMap((currency) => {
      const { available, frozen, owed } = this.merchants(currency);
      const have = HAVE.reduce((sum, pot) => sum + this.sum(pot, currency), owed);
      const owe = OWE.reduce((sum, pot) => sum + this.sum(pot, currency), available + frozen);
      return have === owe ? [] : [`the model has ${have} and owes ${owe} ${currency}`];
    });
  }
}
