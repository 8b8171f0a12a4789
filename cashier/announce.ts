/** Announces a text to screen readers. */
export function announce(text: string): void {
  const region = document.getElementById('notice');
  if (!region) return;
  region.textContent = '';
  // Screen readers announce a repeated text only after an empty one.
  setTimeout(() => {
    region.textContent = text;
  }, 50);
}
