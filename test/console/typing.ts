import type { CDPSession, Page } from 'playwright-core';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Every letter and digit; capitals without Shift, as under Caps Lock. */
const KEYS = `${LETTERS}0123456789${LETTERS.toUpperCase()}`;

/** Presses keys faster than Playwright's keyboard, which waits for each. */
async function press(session: CDPSession, keys: string): Promise<void> {
  const sent = Array.from(keys, async (key) => {
    const name = key.toUpperCase();
    const code = /\d/.test(key) ? `Digit${key}` : `Key${name}`;
    const event = { key, code, text: key, windowsVirtualKeyCode: name.charCodeAt(0) };
    await session.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
  });
  await Promise.all(sent);
}

/** Presses keys so fast that the page may not have shown what one did when the next arrives. */
export async function pressAtOnce(page: Page, keys: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await press(session, keys);
  await session.detach();
}

/** Inputs without a text of their own. */
const TEXTLESS = ['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'file', 'hidden'];
const INPUT = `input${TEXTLESS.map((type) => `:not([type=${type}])`).join('')}`;
const FIELDS = [INPUT, 'textarea', 'select', '[contenteditable=true]', '[role=textbox]']
  .map((field) => `${field}:enabled:visible`)
  .join(', ');
/** An open dialog covers the page; the last one covers the others. */
const DIALOG = '[role=dialog]';

/** A field, and what a shortcut would change. */
interface Shown {
  readonly label: string;
  /** Whether it takes every letter and digit as it is typed. */
  readonly takes: boolean;
  readonly maxLength: number;
  readonly value: string;
  readonly page: string;
}

/** Reads the field that has the focus, and selects its whole text. */
const READ = `(() => {
  const field = document.activeElement;
  field.select?.();
  const texts = ['text', 'search', 'url', 'tel', 'email', 'password', 'textarea'];
  return {
    label: [...(field.labels ?? [])].map(({ textContent }) => textContent).join(' ')
      || field.getAttribute('aria-label') || field.getAttribute('name') || '?',
    takes: field.isContentEditable || (texts.includes(field.type) && !field.readOnly),
    maxLength: field.maxLength ?? -1,
    value: field.value ?? field.textContent,
    page: JSON.stringify({
      address: location.href,
      dialogs: [...document.querySelectorAll('${DIALOG} h2')].map((title) => title.textContent),
      chosen: document.querySelectorAll('input:checked').length,
    }),
  };
})()`;

/**
 * Types every letter and digit into every field of a page, or of the dialog above it.
 * @param known fields that were typed into; others are added
 * @returns the faults, one line each
 */
async function typeEverywhere(page: Page, known: Set<string>): Promise<string[]> {
  const faults: string[] = [];
  const session = await page.context().newCDPSession(page);
  const dialogs = page.locator(DIALOG);
  const open = await dialogs.count();
  const place = open === 0 ? page.locator('body') : dialogs.nth(open - 1);
  const title = open === 0 ? '' : await place.locator('h2').first().innerText();
  for (const field of await place.locator(FIELDS).elementHandles()) {
    await field.focus();
    const before = await page.evaluate<Shown>(READ);
    const { label, maxLength, takes } = before;
    const name = `${new URL(page.url()).pathname} ${title}: ${label}`;
    if (known.has(name)) continue;
    known.add(name);
    const size = maxLength > 0 ? maxLength : KEYS.length;
    for (let at = 0; at < KEYS.length; at += size) {
      const text = KEYS.slice(at, at + size);
      await press(session, text);
      const after = await page.evaluate<Shown>(READ);
      if (takes && after.value !== text) faults.push(`${name}: ${text} became ${after.value}`);
      if (after.page !== before.page) faults.push(`${name}: ${text} turned ${before.page} into ${after.page}`);
      // A filter applies when its field loses the focus.
      if (takes) await page.keyboard.press('Delete');
    }
  }
  await session.detach();
  return faults;
}

/**
 * The same of a page with shortcuts, and of each dialog that they open. What else they do is done and undone.
 * @param without keys that lead elsewhere
 */
export async function typeBehindKeys(page: Page, known: Set<string>, without = 'o'): Promise<string[]> {
  const faults = await typeEverywhere(page, known);
  const dialogs = page.locator(DIALOG);
  const open = await dialogs.count();
  for (const key of LETTERS) {
    if (without.includes(key)) continue;
    // Nothing has the focus but the page, or the pane on it.
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press(key);
    await page.evaluate('new Promise((done) => setTimeout(done, 20))');
    // On a slow machine a key's dialog may open only now, behind that of the next key.
    for (let now = await dialogs.count(); now > open; now = await dialogs.count()) {
      faults.push(...(await typeEverywhere(page, known)));
      await dialogs.last().getByRole('button', { name: 'Close' }).first().click();
      await dialogs.nth(now - 1).waitFor({ state: 'detached' });
    }
  }
  return faults;
}
