import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { axeFindings } from '../support/axe';

/** Folder of the pages' pictures; ignored by git. */
const PICTURES = path.join(__dirname, '..', '..', 'coverage', 'console');
/** Pictures are for people: taken only on request. */
const wantsPictures = process.env['CONSOLE_PICTURES'] !== undefined;

const WIDTHS = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } } as const;
type Width = keyof typeof WIDTHS;
type Scheme = 'light' | 'dark';

/** Each width and each scheme once, for axe. Pictures also cover the other two combinations. */
const LOOKS: readonly (readonly [Width, Scheme])[] = [
  ['wide', 'light'],
  ['narrow', 'dark'],
];
const OTHERS: typeof LOOKS = [
  ['wide', 'dark'],
  ['narrow', 'light'],
];

async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.evaluate('scrollTo(0, 0)');
  await page.screenshot({
    path: path.join(PICTURES, `${name}.png`),
    fullPage: true,
    animations: 'disabled',
  });
}

async function turn(page: Page, width: Width, colorScheme: Scheme, plain = false): Promise<void> {
  await page.setViewportSize(WIDTHS[width]);
  await page.emulateMedia({ colorScheme });
  if (!plain) await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
  // Fading elements have transitional colours: wait for them. A changed row fades for seconds: do not wait for it.
  await page.evaluate(`Promise.all(
    document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)
      .map((animation) => {
        if (animation instanceof CSSAnimation) animation.finish();
        return animation.finished.catch(() => null);
      }),
  )`);
}

/**
 * Inspects a page in both widths and both schemes: axe, and horizontal overflow.
 * @param plain a page of another look than the console's
 * @returns the findings, one line each
 */
export async function look(page: Page, name: string, plain = false): Promise<string[]> {
  const wrong: string[] = [];
  for (const [width, scheme] of LOOKS) {
    await turn(page, width, scheme, plain);
    const where = `${name}-${width}-${scheme}`;
    if (wantsPictures) await picture(page, where);
    // After a click has scrolled the page, the bar on top may cover half a button, which is not a fault of the page.
    await page.evaluate('scrollTo(0, 0)');
    wrong.push(...(await axeFindings(page)).map((found) => `${where}: ${found}`));
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    if (Number(overflow) > 0) wrong.push(`${where}: ${String(overflow)} px are cut off at the side`);
  }
  for (const [width, scheme] of wantsPictures ? OTHERS : []) {
    await turn(page, width, scheme, plain);
    await picture(page, `${name}-${width}-${scheme}`);
  }
  await page.setViewportSize(WIDTHS.wide);
  await page.emulateMedia({ colorScheme: 'light' });
  return wrong;
}

/** The same of a page that is not the console's. */
export const lookPlain = async (page: Page, name: string): Promise<string[]> => await look(page, name, true);
