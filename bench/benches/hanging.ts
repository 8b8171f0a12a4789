import type { Bench, Finding } from '../bench';
import { p95, type Paid, type Payments } from '../payments';
import { paidFindings, PayingMerchants } from './paying';

/** The rate of the measured merchant: easy for the machine. */
const PER_SECOND = 5;
const SECONDS = 20;
const PAID_AFTER_MS = 200;
const QUERY_EVERY_MS = 25;
const PATIENCE_MS = 60_000;
/** Paid orders of the merchant whose server hangs, at a rate that the machine can credit. */
const ORDERS = 560;
const ORDERS_PER_SECOND = 15;
const SHORT_ORDERS = 15;

const byHow = (what: string, paid: Paid, idle: Paid, kind: 'completed' | 'callback'): Finding => ({
  what: `beside it: ${what}, p95 later than idle`,
  value: p95(paid[kind]) - p95(idle[kind]),
  unit: 'ms',
});

export const hanging: Bench = {
  sentence:
    'paid orders of one merchant, from the bank’s report to COMPLETED and to the callback, while 560 paid orders of another merchant wait for a server that never answers',
  needs: { temporal: true, countStatements: false },
  async open(testbed, { orders = ORDERS, short }) {
    const merchants = await PayingMerchants.open(testbed, { merchants: 0, expireMinutes: 60 });
    const hangs = await merchants.openHanging();
    const run = async (payments: Payments, count: number, perSecond: number, patienceMs: number) =>
      await payments.run({
        orders: count,
        perSecond,
        patienceMs,
        paidAfterMs: PAID_AFTER_MS,
        queryEveryMs: QUERY_EVERY_MS,
      });
    const steady = async (seconds: number) =>
      await run(merchants.payments, seconds * PER_SECOND, PER_SECOND, PATIENCE_MS);
    const seconds = short ? 1 : SECONDS;
    const count = short ? SHORT_ORDERS : orders;
    return {
      heats: [],
      findings: async () => {
        // A worker that has just started is slower.
        await steady(short ? 1 : 3);
        const idle = await steady(seconds);
        // Nobody waits for its callbacks.
        await run(hangs, count, ORDERS_PER_SECOND, 0);
        const beside = await steady(seconds);
        return [
          ...paidFindings('idle', idle),
          { what: 'paid orders whose callback hangs', value: count, unit: '' },
          ...paidFindings('beside it', beside, idle),
          byHow('bank report → COMPLETED', beside, idle, 'completed'),
          byHow('bank report → callback', beside, idle, 'callback'),
        ];
      },
      close: () => {
        hangs.close();
        merchants.close();
      },
    };
  },
};
