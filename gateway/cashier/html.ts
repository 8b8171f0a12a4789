/** Text that is already HTML. Only `html` makes it. */
export class Html {
  constructor(readonly text: string) {}
}

/** Values of a template: text is escaped, null and false are left out, lists are joined. */
export type Content = Html | string | number | null | undefined | false | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c);

function textOf(content: Content): string {
  if (typeof content === 'string') return escaped(content);
  if (typeof content === 'number') return String(content);
  if (content === null || content === undefined || content === false) return '';
  return content instanceof Html ? content.text : content.map(textOf).join('');
}

/** A template whose values are escaped, in text and in quoted attributes alike. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  let text = parts[0] ?? '';
  for (const [n, value] of values.entries()) text += textOf(value) + (parts[n + 1] ?? '');
  return new Html(text);
}
