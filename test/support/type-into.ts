import type { Locator } from 'playwright-core';

async function empty(field: Locator): Promise<void> {
  await field.click();
  await field.press('ControlOrMeta+A');
  await field.press('Delete');
}

/** Replaces a field's text by real keys, as a person does. */
export async function typeInto(field: Locator, text: string): Promise<void> {
  await empty(field);
  await field.pressSequentially(text);
}

/** Replaces a field's text by all of another one at once, as a person pastes a document or a key. */
export async function pasteInto(field: Locator, text: string): Promise<void> {
  await empty(field);
  await field.page().keyboard.insertText(text);
}

/** Types a month, day and year, and a time of day, as the browser's own field for them asks: 12312099, 1200AM. */
export async function typeMoment(field: Locator, day: string, time: string): Promise<void> {
  await field.press('ControlOrMeta+A');
  await field.pressSequentially(day);
  // A year may have six digits, so the next part does not get the focus by itself.
  await field.press('ArrowRight');
  await field.pressSequentially(time);
}
