import './page.css';
import { copyOnClick } from './copy';
import { countDown } from './countdown';
import { stayInTouch } from './live';
import { shrinkReceipts } from './receipt';
import { writeLocalTimes } from './times';

/** The page is whole without this script; with it, it is quicker. */

/** A form that is sent twice makes one order; a button that shows it spares the second try. */
addEventListener('submit', ({ target, submitter }) => {
  if (!(target instanceof HTMLFormElement)) return;
  submitter?.classList.add('sending');
  target.setAttribute('aria-busy', 'true');
});
// Back from the next page, a form kept in memory can be sent again.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('[aria-busy]')) form.removeAttribute('aria-busy');
  for (const button of document.querySelectorAll('.sending')) button.classList.remove('sending');
});

/** Who writes an amount of his own has chosen it. */
addEventListener('input', ({ target }) => {
  if (target instanceof HTMLInputElement && target.name === 'own')
    target.form?.querySelector<HTMLInputElement>('[value=other]')?.click();
});
addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.value === 'other')
    target.form?.querySelector<HTMLInputElement>('[name=own]')?.focus();
});

/** An open menu closes when something else is meant. */
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
