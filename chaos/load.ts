import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal } from 'decimal.js';
import type { Bank } from './bank';
import type { MerchantAccount, Merchants } from './merchant';
import type { Random } from './random';

/** One order in this many stays unpaid, and expires. */
const UNPAID_EVERY = 8;
const IMPATIENT = 0.1;
const REPORTED_TWICE = 0.1;
/** The longest delay of a payer. */
const SLOWEST_PAYER_MS = 1_000;
/** How long merchants and the bank repeat a request. */
const PATIENCE_MS = 180_000;

/** Concurrent orders of many payers. Each is created, and then paid or left to expire. */
export class Load {
  started = 0;
  /** How many orders still wait for an answer. */
  underWay = 0;
  private readonly lives: Promise<void>[] = [];
  private gate: Promise<void> = Promise.resolve();

  constructor(
    private readonly accounts: readonly MerchantAccount[],
    private readonly merchants: Merchants,
    private readonly bank: Bank,
    private readonly random: Random,
  ) {}

  /**
   * Starts this many orders, spread evenly over a time, each independent of the others.
   * @param unpaidEvery one in this many expires after a minute; Infinity: none
   */
  async start(orders: number, overMs: number, unpaidEvery = UNPAID_EVERY): Promise<void> {
    const began = Date.now();
    for (let n = 0; n < orders; n++) {
      const wait = began + (overMs * n) / orders - Date.now();
      if (wait > 0) await sleep(wait);
      this.underWay += 1;
      this.lives.push(this.live(unpaidEvery).finally(() => (this.underWay -= 1)));
    }
  }

  /** No payer pays from now on. @returns lets them pay again */
  holdPayments(): () => void {
    let release = (): void => undefined;
    this.gate = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }

  /** Waits until every order was answered and every payment reported, or given up. */
  async done(): Promise<void> {
    await Promise.all(this.lives);
  }

  private async live(unpaidEvery: number): Promise<void> {
    // All random choices of an order are drawn here, so that they do not depend on others.
    const number = `chaos-${++this.started}`;
    const expires = this.started % unpaidEvery === 0;
    const those = this.accounts.filter((merchant) => merchant.expires === expires);
    const merchant = those[this.random.int(0, those.length - 1)];
    const amount = new Decimal(this.random.int(100, 9_999));
    const impatient = this.random.chance(IMPATIENT);
    const twice = this.random.chance(REPORTED_TWICE);
    const payAfterMs = this.random.int(0, SLOWEST_PAYER_MS);
    if (!merchant) throw new Error('there is no such merchant');

    const { gate } = this;
    const asked = await this.merchants.create(merchant, number, amount, impatient, PATIENCE_MS);
    if (expires || !asked.promised) return;
    await sleep(payAfterMs);
    await gate;
    await this.bank.pay(asked.promised, twice, PATIENCE_MS);
  }
}
