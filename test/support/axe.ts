import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** AxeBuilder's own program. It would load it twice on each page, which takes as long as the inspection itself. */
const AXE = readFileSync(createRequire(require.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'), 'utf8');
/** What AxeBuilder loads instead. */
const NOTHING = 'undefined';

/** A dialog that holds all input. */
const MODAL = '[role=dialog][aria-modal=true]';

/** Axe's findings on a page, one line each; if a dialog covers it, only those in the dialog. */
export async function axeFindings(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE);
  // Only in this page: it has no frames, and a second page for the result takes a second.
  const axe = new AxeBuilder({ page, axeSource: NOTHING })
    // Passed checks are only counted: describing each of their elements takes longer than finding it. Style sheets are
    // read only for experimental rules, media only for pages that play some.
    .options({ resultTypes: ['violations'], preload: false })
    .withTags(RULES)
    .setLegacyMode();
  if ((await page.locator(MODAL).count()) > 0) axe.include(MODAL);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary ?? ''}`),
  );
}
