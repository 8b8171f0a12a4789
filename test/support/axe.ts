import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** In place of axe's program where a page has it: to load it takes as long as to run it. */
const NOTHING = 'undefined';

/** A dialog that holds all input. */
const MODAL = '[role=dialog][aria-modal=true]';

/** What axe finds at a page as it stands, one line each; where a dialog covers it, at the dialog alone. */
export async function axeFindings(page: Page): Promise<string[]> {
  const has = await page.evaluate<boolean>('"axe" in window');
  // In this page alone: its frames are none, and a second page for the result takes a second.
  const axe = new AxeBuilder({ page, ...(has && { axeSource: NOTHING }) })
    // What passes is only counted: to describe each element of it takes longer than to find it.
    // Style sheets are read again for experimental rules alone, media for pages that play some.
    .options({ resultTypes: ['violations'], preload: false })
    .withTags(RULES)
    .setLegacyMode();
  if ((await page.locator(MODAL).count()) > 0) axe.include(MODAL);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary ?? ''}`),
  );
}
