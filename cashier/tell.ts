/** Has a screen reader say it when it is at rest; for the eye the page says it itself. */
export function tell(text: string): void {
  const region = document.getElementById('notice');
  if (!region) return;
  region.textContent = '';
  // The same text twice in a row is news only after an empty one.
  setTimeout(() => {
    region.textContent = text;
  }, 50);
}
