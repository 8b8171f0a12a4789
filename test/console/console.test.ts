import path from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';
import { cashier } from './cashier';
import { entrance } from './entrance';
import { ledger } from './ledger';
import { merchants } from './merchants';
import { money } from './money';
import { operators } from './operators';
import { payouts } from './payouts';
import { Testbed } from './testbed';
import { trouble } from './trouble';
import { withdrawals } from './withdrawals';

/**
 * What an operator does, in a real browser, on the platform that `npm start` runs: one platform for all the files
 * beside this one, which takes longer to start than most of them last.
 */
describe('the console', () => {
  const dataDir = path.join(temporaryFolder(), 'data');
  let testbed: Testbed;
  const get = (): Testbed => testbed;

  beforeAll(async () => {
    testbed = await Testbed.open(dataDir);
  });
  afterAll(async () => {
    await testbed.close();
  });

  entrance(get);
  money(get);
  merchants(get);
  withdrawals(get);
  payouts(get);
  ledger(get);
  cashier(get);
  operators(get);
  trouble(get);

  it('is usable by everybody at both widths, light and dark, and makes no browser complain', () => {
    expect({ faults: testbed.faults, complaints: testbed.complaints }).toEqual({
      faults: [],
      complaints: [],
    });
  });
});
