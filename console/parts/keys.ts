import { useHotkeys } from '@mantine/hooks';

/** Whether the focused element takes the key: a checkbox takes no letters. */
const isTyping = (): boolean =>
  document.activeElement instanceof HTMLInputElement && document.activeElement.type !== 'checkbox';

/** Single-letter shortcuts, ignored while the operator types. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  useHotkeys(
    Object.entries(keys).map(([key, act]) => [
      key,
      () => {
        if (!isTyping()) act();
      },
    ]),
    ['TEXTAREA', 'SELECT'],
  );
}
