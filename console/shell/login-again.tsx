import { type ReactNode, useLayoutEffect, useState } from 'react';
import { LoginPage } from './login';

/** On the root while the page is hidden (console.css). */
const HIDDEN = 'page-hidden';

// Dialogs listen to Escape and to the wheel of the whole window, even while they are hidden. These listeners are
// registered before any dialog's, so that nothing of this reaches the hidden page.
for (const kind of ['keydown', 'wheel', 'touchmove'])
  window.addEventListener(
    kind,
    (event) => {
      if (document.documentElement.classList.contains(HIDDEN)) event.stopImmediatePropagation();
    },
    { capture: true, passive: true },
  );

/** The login over the page of an operator whose session ended. The page stays as it is, hidden with all its dialogs. */
export function LoginAgain({ login }: { login: string }): ReactNode {
  const [focused] = useState(() => document.activeElement);
  useLayoutEffect(() => {
    document.documentElement.classList.add(HIDDEN);
    return () => {
      document.documentElement.classList.remove(HIDDEN);
      // A button that is at work has no focus: then its dialog gets it.
      const dialog = [...document.querySelectorAll('[role=dialog]')].at(-1);
      const back = focused === document.body ? dialog : focused;
      if (back instanceof HTMLElement) back.focus({ preventScroll: true });
    };
  }, [focused]);
  return <LoginPage why="ended" again={login} />;
}
