import './page.css';
import { copyOnClick } from './copy';
import { countDown } from './countdown';
import { stayInTouch } from './live';
import { shrinkReceipts } from './receipt';
import { writeLocalTimes } from './times';

/** The page works without this script, which only makes it faster. */

/** Sending a form twice makes one order; the busy button prevents a second try. */
addEventListener('submit', ({ target, submitter }) => {
  if (!(target instanceof HTMLFormElement)) return;
  submitter?.classList.add('sending');
  target.setAttribute('aria-busy', 'true');
});
// A page restored by the back button can send its form again.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('[aria-busy]')) form.removeAttribute('aria-busy');
  for (const button of document.querySelectorAll('.sending')) button.classList.remove('sending');
});

/** Typing an own amount selects it. */
addEventListener('input', ({ target }) => {
  if (target instanceof HTMLInputElement && target.name === 'own')
    target.form?.querySelector<HTMLInputElement>('[value=other]')?.click();
});
addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.value === 'other')
    target.form?.querySelector<HTMLInputElement>('[name=own]')?.focus();
});

/** An open menu closes on a click elsewhere or Escape. */
addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll('details[open]'))
    if (target instanceof Node && !menu.contains(target)) menu.removeAttribute('open');
});
addEventListener('keydown', ({ key }) => {
  const menu = key === 'Escape' && document.querySelector<HTMLDetailsElement>('details[open]');
  if (!menu) return;
  menu.open = false;
  menu.querySelector('summary')?.focus();
});

copyOnClick();
shrinkReceipts();
writeLocalTimes();
const counting = countDown();
stayInTouch(() => {
  writeLocalTimes();
  counting.restart();
});
