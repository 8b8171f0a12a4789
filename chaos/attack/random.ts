import { createHash } from 'node:crypto';

/** Choices that are the same in every run with their seed (sfc32, seeded by a hash: related seeds share nothing). */
export class Random {
  private readonly state: Uint32Array;

  constructor(seed: string) {
    const bytes = createHash('sha256').update(seed).digest();
    this.state = Uint32Array.from([0, 4, 8, 12], (at) => bytes.readUInt32LE(at));
  }

  /** From 0 to below 1. */
  next(): number {
    const [a = 0, b = 0, c = 0, counter = 0] = this.state;
    const sum = (a + b + counter) >>> 0;
    this.state[0] = b ^ (b >>> 9);
    this.state[1] = c + (c << 3);
    this.state[2] = ((c << 21) | (c >>> 11)) + sum;
    this.state[3] = counter + 1;
    return sum / 2 ** 32;
  }

  /** A whole number from 0 to below n. */
  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  pick<Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => ({ item, place: this.next() }))
      .sort((a, b) => a.place - b.place)
      .map(({ item }) => item);
  }

  hex(characters: number): string {
    return Array.from({ length: characters }, () => this.below(16).toString(16)).join('');
  }
}
