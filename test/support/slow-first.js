const { existsSync } = require('node:fs');
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const fileOf = (name) => path.join(__dirname, '..', `${name}.test.ts`);

/**
 * The slowest suites, slowest first: each run prints its ten slowest (slowest.js). One that started last would run
 * alone at the end, beside a core that does nothing.
 */
const SLOW = [
  'e2e/stuck-workflows',
  'temporal/worker-version',
  'console/orders',
  'console/access',
  'console/channels',
  'console/merchants',
  'console/payouts',
  'e2e/npm-start',
  'cashier/states',
  'graph/walk',
  'graph/list-plans',
  'races/withdrawal-decisions',
  'gateway/outage',
].map(fileOf);

/** It waits for what the set-up started (early-runs.ts). */
const LAST = fileOf('chaos/worker-kill');

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
