const { existsSync } = require('node:fs');
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const fileOf = (name) => path.join(__dirname, '..', `${name}.ts`);

/**
 * The longest suites, in two lanes, with the seconds that each takes on two idle cores; each run prints its ten slowest
 * (slowest.js). One that started last would run alone at the end, beside a core that does nothing.
 *
 * The first lane holds what keeps both cores busy: a browser, beside every role. Two of these at a time would take each
 * other's cores, so each runs beside the second lane, which mostly waits: for timers, and for programs that start or die.
 */
const LANES = [
  [
    ['console/merchants.test', 105],
    ['console/payouts.test', 95],
    ['console/access.test', 90],
    ['console/books.test', 85],
    ['console/channels.test', 75],
    ['console/payers.test', 60],
    ['console/unmatched.test', 60],
    ['console/outages.test', 60],
    ['console/smoke.test', 45],
    ['cashier/states.test', 35],
    ['cashier/payer.test', 20],
  ],
  [
    ['e2e/stuck-payouts.test', 65],
    ['e2e/stuck-orders.test', 45],
    ['temporal/worker-version.test', 45],
    ['e2e/npm-start.test', 45],
    ['roles/roles.suite', 80],
    ['db/mutants.test', 50],
    ['e2e/gateway-processes.test', 45],
    ['workflows/channels.suite', 40],
    ['workflows/messages.suite', 35],
    ['workflows/callbacks.suite', 35],
    ['workflows/deposits.suite', 45],
    ['workflows/payouts.suite', 35],
    ['gateway/outage.test', 30],
    ['temporal/temporal.suite', 45],
    ['e2e/sigterm.test', 20],
  ],
];

/** By the second in which each would start, if one worker took the first lane and the other the second. */
const SLOW = LANES.flatMap((lane) =>
  lane.map(([name], index) => ({
    file: fileOf(name),
    start: lane.slice(0, index).reduce((sum, [, seconds]) => sum + seconds, 0),
  })),
)
  .sort((a, b) => a.start - b.start)
  .map(({ file }) => file);

/** It waits for what the set-up started (early-runs.ts). */
const LAST = fileOf('chaos/worker-kill.test');

const gone = [...SLOW, LAST].filter((file) => !existsSync(file));
if (gone.length > 0) throw new Error(`no such suite: ${gone.join(', ')}`);

/** Starts the slowest suites first; the others follow as jest orders them, slow ones first where it has seen them run. */
module.exports = class SlowFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path: file }) => {
      if (file === LAST) return SLOW.length + 2;
      if (SLOW.includes(file)) return SLOW.indexOf(file);
      // The text of a suite of several files is short, by which jest would take it for a quick one.
      return file.endsWith('.suite.ts') ? SLOW.length : SLOW.length + 1;
    };
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
};
