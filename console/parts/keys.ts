import { useHotkeys } from '@mantine/hooks';

/** Whether a key is meant for what has the focus: a checkbox takes no letters. */
const isTyping = (): boolean =>
  document.activeElement instanceof HTMLInputElement && document.activeElement.type !== 'checkbox';

/** Has single letters do something, unless somebody writes. */
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
