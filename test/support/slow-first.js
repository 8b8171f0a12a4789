const { existsSync } = require('node:fs');
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The slowest suites, slowest first: each run prints its ten slowest (slowest.js). One that started last would run
 * alone at the end, beside a core that does nothing.
 */
const SLOW = [
  'chaos/worker-kill',
  'console/orders',
  'console/access',
  'console/settings',
  'console/payouts',
  'e2e/npm-start',
  'e2e/stuck-workflows',
  'cashier/states',
  'graph/walk',
  'graph/list-plans',
  'races/withdrawal-decisions',
  'gateway/outage',
].map((name) => path.join(__dirname, '..', `${name}.test.ts`));

const gone = SLOW.filter((file) => !existsSync(file));
if (gone.length > 0) throw new Error(`no such suite: ${gone.join(', ')}`);

/** Starts the slowest suites first; the others follow as jest orders them. */
module.exports = class SlowFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path: file }) => (SLOW.includes(file) ? SLOW.indexOf(file) : SLOW.length);
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
};
