import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Finding } from '../bench';
import type { Paid } from '../payments';
import { floorRate } from './floor-rate';
import { paidFindings, PayingMerchants } from './paying';
import { rush } from './rush';

/** The rate of the measured merchant: easy for the machine. */
const PER_SECOND = 5;
const PAID_AFTER_MS = 1_000;
const QUERY_EVERY_MS = 25;
const PATIENCE_MS = 60_000;
/** The load of another merchant meanwhile. */
const FLOOD = 1_000;
const FLOOD_SECONDS = 5;
const CONNECTIONS = 64;

export const flood: Bench = {
  sentence:
    'paid orders of one merchant, from the bank’s report to COMPLETED and to the callback, while another merchant creates 1,000 unpaid orders within 5 s, while those expire, and when 130 a second are paid',
  needs: { temporal: true, countStatements: false },
  async open(testbed, { orders = FLOOD, short }) {
    const floor = await floorRate(testbed, short);
    const merchants = await PayingMerchants.open(testbed, { merchants: 1, expireMinutes: 1 });
    const { payments } = merchants;
    const scale = orders / FLOOD;
    const faster = short ? 5 : 1;
    const steady = async (seconds: number) =>
      await payments.run({
        orders: Math.ceil(seconds * scale * PER_SECOND),
        perSecond: PER_SECOND * faster,
        paidAfterMs: PAID_AFTER_MS / faster,
        patienceMs: PATIENCE_MS,
        queryEveryMs: QUERY_EVERY_MS,
      });

    /** They expire a minute after they were created. */
    async function expiry(idle: Paid, begun: number, createdWithin: number): Promise<Finding[]> {
      await sleep(Math.max(0, 58_000 - (performance.now() - begun)));
      const expiring = await steady(20);
      while ((await merchants.overdue()) > 0) await sleep(200);
      return [
        ...paidFindings('expiry', expiring, idle),
        {
          what: 'expiry: all had expired after their minute and',
          value: (performance.now() - begun) / 1000 - 60 - createdWithin,
          unit: 's',
        },
      ];
    }

    return {
      heats: [],
      findings: async () => {
        await merchants.warmUp(short);
        const idle = await steady(20);
        const begun = performance.now();
        const [flooded, seconds] = await Promise.all([
          steady(20),
          merchants.createUnpaid(orders, CONNECTIONS, FLOOD / FLOOD_SECONDS),
        ]);
        const findings: Finding[] = [
          ...paidFindings('idle', idle),
          { what: `flood: ${orders} unpaid orders were created in`, value: seconds, unit: 's' },
          ...paidFindings('flood', flooded, idle),
          {
            what: 'flood: starts that still wait',
            value: await merchants.waitingStarts(),
            unit: '',
          },
        ];
        if (scale >= 1) findings.push(...(await expiry(idle, begun, seconds)));
        findings.push(...(await rush(testbed, merchants, { floor, short })));
        return findings;
      },
      close: () => {
        merchants.close();
      },
    };
  },
};
