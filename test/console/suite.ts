import path from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';
import { Testbed } from './testbed';

/** Tests of one part of the console. They run on the testbed of their suite. */
export type Part = (get: () => Testbed) => void;

/**
 * What an operator does, in a real browser, on a platform as `npm start` runs it. The parts share one platform, and
 * run in their order: later ones may use what earlier ones made.
 */
export function consoleSuite(title: string, parts: readonly Part[]): void {
  describe(`the console: ${title}`, () => {
    const dataDir = path.join(temporaryFolder(), 'data');
    let testbed: Testbed;

    beforeAll(async () => {
      testbed = await Testbed.open(dataDir);
    });
    afterAll(async () => {
      await testbed.close();
    });

    for (const part of parts) part(() => testbed);

    it('is usable by everybody at both widths, light and dark, and makes no browser complain', () => {
      expect({ faults: testbed.faults, complaints: testbed.complaints }).toEqual({
        faults: [],
        complaints: [],
      });
    });
  });
}
