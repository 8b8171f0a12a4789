import { announce } from './announce';

const SHOWN_MS = 2_000;

/** Copies without the clipboard API, which insecure pages and old browsers lack. */
function copyByCommand(text: string): void {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'unseen';
  document.body.append(field);
  field.select();
  // It is deprecated, and there is nothing else.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  document.execCommand('copy');
  field.remove();
}

async function copy(button: HTMLElement, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyByCommand(text);
    button.focus();
  }
  const copied = document.getElementById('notice')?.dataset['copied'] ?? '';
  const label = button.querySelector('span');
  const before = label?.textContent ?? '';
  if (label && before !== copied) {
    label.textContent = copied;
    button.classList.add('done');
    setTimeout(() => {
      label.textContent = before;
      button.classList.remove('done');
    }, SHOWN_MS);
  }
  announce(copied);
}

/** Makes copy buttons put exactly their value on the clipboard. */
export function copyOnClick(): void {
  addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null;
    if (button) void copy(button, button.dataset['copy'] ?? '');
  });
}
