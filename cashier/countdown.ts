const two = (n: number): string => String(n).padStart(2, '0');

function written(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const minutes = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return seconds < 3600 ? minutes : `${String(Math.floor(seconds / 3600))}:${minutes}`;
}

/** Below this the countdown looks urgent, milliseconds. */
const URGENT_MS = 120_000;

/** Counts down from the server's remaining time, so that a wrong clock does no harm. */
export function countDown(): { restart(): void } {
  let end = 0;
  const timer = (): HTMLElement | null => document.querySelector('[data-left]');
  const draw = (): void => {
    const shown = timer();
    if (!shown) return;
    const left = end - Date.now();
    const text = written(left);
    if (shown.textContent !== text) shown.textContent = text;
    shown.parentElement?.classList.toggle('urgent', left < URGENT_MS);
    if (left <= 0) dispatchEvent(new Event('timeisup'));
  };
  const restart = (): void => {
    end = Date.now() + Number(timer()?.dataset['left'] ?? 0);
    draw();
  };
  restart();
  setInterval(draw, 500);
  return { restart };
}
