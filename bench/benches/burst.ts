import type { Bench, Finding } from '../bench';
import { paidFindings, PayingMerchants } from './paying';

const MERCHANTS = 20;
const ORDERS = 10_000;
const CONNECTIONS = 64;
const PAID = 200;
const PER_SECOND = 5;
const PAID_AFTER_MS = 200;
const QUERY_EVERY_MS = 25;
const PATIENCE_MS = 120_000;

export const burst: Bench = {
  sentence:
    '10,000 orders of 20 merchants as fast as they are accepted, then 200 orders that are paid while most of the others still wait for their workflow',
  needs: { temporal: true, countStatements: false },
  async open(testbed, { orders = ORDERS, short }) {
    const merchants = await PayingMerchants.open(testbed, {
      merchants: MERCHANTS,
      expireMinutes: 60,
    });
    const paidOrders = Math.ceil((PAID * orders) / ORDERS);
    const steady = async () =>
      await merchants.payments.run({
        orders: paidOrders,
        perSecond: PER_SECOND,
        paidAfterMs: PAID_AFTER_MS,
        patienceMs: PATIENCE_MS,
        queryEveryMs: QUERY_EVERY_MS,
      });
    return {
      heats: [],
      findings: async () => {
        await merchants.warmUp(short);
        const idle = await steady();
        const seconds = await merchants.createUnpaid(orders, CONNECTIONS);
        const before = await merchants.waitingStarts();
        const paid = await steady();
        const findings: Finding[] = [
          ...paidFindings('idle', idle),
          { what: `${orders} creates, all 201`, value: orders / seconds, unit: 'a second' },
          { what: 'starts that wait before the payments', value: before, unit: '' },
          ...paidFindings('burst', paid, idle),
          { what: 'starts that wait after them', value: await merchants.waitingStarts(), unit: '' },
        ];
        return findings;
      },
      close: () => {
        merchants.close();
      },
    };
  },
};
