import path from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';
import { Testbed } from './testbed';

/** Tests of one part of the console. They run on the testbed of their suite. */
export type Part = (get: () => Testbed) => void;

/**
 * An operator's work in a real browser, on a platform as `npm start` runs it. The parts share one platform and run in
 * order: later ones may use data of earlier ones.
 * @param settings of the platform, beside those of every suite
 * @param open the testbed; by default on prepared data, where changes need two people
 */
export function consoleSuite(
  title: string,
  parts: readonly Part[],
  settings: () => Readonly<Record<string, string>> = () => ({}),
  open: typeof Testbed.open = Testbed.open,
): void {
  describe(`the console: ${title}`, () => {
    const dataDir = path.join(temporaryFolder(), 'data');
    let testbed: Testbed;

    beforeAll(async () => {
      testbed = await open(dataDir, settings());
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
