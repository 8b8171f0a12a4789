import { useEffect, useEffectEvent } from 'react';

/** Inputs that take no text: a shortcut acts although one has the focus, such as the checkbox of a row. */
const TEXTLESS = ['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'file'];
/** Other elements that take letters, as text or to choose by. */
const TAKES_LETTERS = [
  ...['textarea', 'select', '[role=textbox]', '[role=searchbox]', '[role=combobox]'],
  ...['[role=spinbutton]', '[role=listbox]', '[role=menu]'],
].join(', ');
/** A dialog above the page, except a pane, which has shortcuts of its own (`Pane`). */
const COVER = '[aria-modal=true]:not([data-keys])';

/** Whether an element takes the letters that are typed while it has the focus. */
function takesLetters(element: EventTarget | null): boolean {
  if (!(element instanceof HTMLElement)) return false;
  if (element instanceof HTMLInputElement) return !TEXTLESS.includes(element.type);
  return element.isContentEditable || element.closest(TAKES_LETTERS) !== null;
}

/** Whether a dialog covers the page and its shortcuts. */
export const isCovered = (): boolean => document.querySelector(COVER) !== null;

/** The shortcut that a key press means, undefined if none: Caps Lock changes nothing, modifiers mean other things. */
function shortcutOf(event: KeyboardEvent): string | undefined {
  if (event.defaultPrevented || event.isComposing || takesLetters(event.target)) return undefined;
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (event.getModifierState('AltGraph')) return undefined;
  const key = event.key.toLowerCase();
  // Some layouts have a sign such as / on an upper key.
  return event.shiftKey && /\p{L}/u.test(key) ? undefined : key;
}

/**
 * Single-key shortcuts, small letters or signs. They leave every key alone that a field takes, and do nothing below a
 * dialog.
 */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const key = shortcutOf(event);
    if (key === undefined || !Object.hasOwn(keys, key) || isCovered()) return;
    event.preventDefault();
    keys[key]?.();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      press(event);
    };
    document.addEventListener('keydown', listen);
    return () => {
      document.removeEventListener('keydown', listen);
    };
  }, []);
}
