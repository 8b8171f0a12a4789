import { runLedger } from '../../chaos/ledger/run';
import { WITHDRAWAL_ACTS } from '../../chaos/ledger/steps';
import { createTestDatabase } from '../support/database';

const CASES = 150;
const SEED = 20_260_203;

describe('the ledger and its model', () => {
  it(`have the same balances after each step of ${CASES} cases`, async () => {
    const { url, drop } = await createTestDatabase();
    try {
      const { cases, taken, violations } = await runLedger(url, { cases: CASES, seed: SEED });
      process.stdout.write(`ledger: ${JSON.stringify(taken)}\ncases=${cases} violations=${violations.length}\n`);
      expect(violations).toEqual([]);
      // Each step took effect at least once, and was tried where it must have none.
      const acts = ['topUp', 'adjust', 'deposit', 'withdraw', 'recall', ...WITHDRAWAL_ACTS, 'none'];
      expect(taken['release']).toBeGreaterThan(0);
      expect(acts.filter((act) => (taken[act] ?? 0) < 3)).toEqual([]);
    } finally {
      await drop();
    }
  }, 300_000);
});
