import type { Bench, Finding } from '../bench';
import { floorRate } from './floor-rate';
import { paidFindings, PayingMerchants } from './paying';

/** Shares of the machine's floor. */
const SHARES = [0.1, 0.25, 0.5];
/** How long each rate is held, seconds. */
const HELD = 120;
const PAID_AFTER_MS = 2_000;
const TASK = { patienceMs: 60_000, queryEveryMs: 100 };

export const life: Bench = {
  sentence:
    'whole orders from the create to the callback, at 10, 25 and 50 % of the rate of timer-and-signal workflows on this machine, as an open loop',
  needs: { temporal: true, countStatements: false },
  async open(testbed, { short }) {
    const scale = short ? 0.01 : 1;
    const floor = await floorRate(testbed, short);
    const merchants = await PayingMerchants.open(testbed, { merchants: 0, expireMinutes: 60 });
    return {
      heats: [],
      findings: async () => {
        const findings: Finding[] = [{ what: 'the floor', value: floor, unit: 'a second' }];
        for (const share of SHARES) {
          const perSecond = floor * share;
          const paid = await merchants.payments.run({
            orders: Math.ceil(perSecond * HELD * scale),
            perSecond,
            paidAfterMs: short ? PAID_AFTER_MS / 10 : PAID_AFTER_MS,
            ...TASK,
          });
          findings.push(...paidFindings(`${share * 100} %`, paid));
        }
        return findings;
      },
      close: () => {
        merchants.close();
      },
    };
  },
};
