import path from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';
import { Testbed } from './testbed';

/** Tests of one part of the console. They run on the testbed of their suite. */
export type Part = (get: () => Testbed) => void;

/**
 * An operator's work in a real browser, on a platform as `npm start` runs it. The parts share one platform and run in
 * order: later ones may use data of earlier ones.
 * @param settings of the platform, beside those of every suite
 * @param first on a platform's first start, where one person may change everything; otherwise changes need two
 */
export function consoleSuite(
  title: string,
  parts: readonly Part[],
  settings: () => Readonly<Record<string, string>> = () => ({}),
  first = false,
): void {
  describe(`the console: ${title}`, () => {
    const dataDir = path.join(temporaryFolder(), 'data');
    let testbed: Testbed;

    beforeAll(async () => {
      testbed = first ? await Testbed.openFresh(dataDir, settings()) : await Testbed.open(dataDir, settings());
    });
    afterAll(async () => {
      await testbed.close();
    });

    for (const part of parts) part(() => testbed);

    it('is accessible at both widths, light and dark, without errors in the browser’s console', () => {
      expect({ faults: testbed.faults, complaints: testbed.complaints }).toEqual({
        faults: [],
        complaints: [],
      });
    });
  });
}
