/** What pages that a link in a mail opens share: the part of the address behind # is the token of the link. */

/** An element of the page. */
export const one = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;

const token = location.hash.slice(1);

/** An answer: `refused` says why, of a field that is wrong; null where the link does not open. */
export type Asked<Data> = { readonly data: Data } | { readonly refused: string } | null;

/** Posts the token. @throws if the platform did not answer */
export async function ask<Data>(path: string, more: Readonly<Record<string, string>> = {}): Promise<Asked<Data>> {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, ...more }),
  });
  if (answer.status === 401) return null;
  const body = (await answer.json()) as { readonly data: Data; readonly message: string };
  if (answer.status === 422) return { refused: body.message };
  if (!answer.ok) throw new Error(String(answer.status));
  return { data: body.data };
}

/** Shows one section of the page. */
export function show(id: string): void {
  for (const part of document.querySelectorAll<HTMLElement>('main > section')) part.hidden = part.id !== id;
}

/** Says something that a screen reader reads out, too. */
export function notice(text: string, visible: boolean): void {
  one('notice').textContent = text;
  one('notice').className = visible ? 'note' : 'unseen';
}

/** Says that the link does not open. */
export function end(): void {
  one('why').textContent = 'It was used, has ended, or was replaced by a newer mail. Ask for another one.';
  show('ended');
}

/** Runs what a button starts; it can be pressed again if the platform did not answer. */
export async function pressed(button: HTMLButtonElement, work: () => Promise<void>): Promise<void> {
  button.disabled = true;
  try {
    await work();
  } catch {
    notice('The platform could not be reached. Try again.', true);
  }
  button.disabled = false;
}

/** Buttons that copy a text. */
export function copies(): void {
  addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    const id = button?.dataset['copies'];
    if (id === undefined) return;
    void navigator.clipboard.writeText(one(id).textContent).then(() => {
      notice('Copied.', false);
    });
  });
}
