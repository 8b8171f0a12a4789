import { type Html, html } from './html';

/** Decorative line icons on a grid of 24, in the colour of the text. */
const icon = (body: Html): Html =>
  html`<svg
    class="icon"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    ${body}
  </svg>`;

export const ICONS = {
  lock: icon(html`<rect x="5" y="11" width="14" height="9" rx="2.5" /><path d="M8 11V8a4 4 0 0 1 8 0v3" />`),
  globe: icon(
    html`<circle cx="12" cy="12" r="8.5" /><path
        d="M3.5 12h17M12 3.5c2.6 2.4 3.8 5.2 3.8 8.5s-1.2 6.1-3.8 8.5c-2.6-2.4-3.8-5.2-3.8-8.5s1.2-6.1 3.8-8.5Z"
      />`,
  ),
  chevron: icon(html`<path d="m7 10 5 5 5-5" />`),
  clock: icon(html`<circle cx="12" cy="12" r="8.5" /><path d="M12 7.5V12l3 2" />`),
  copy: icon(
    html`<rect x="9" y="9" width="11" height="11" rx="2.5" /><path
        d="M5.5 15A1.5 1.5 0 0 1 4 13.5v-7A2.5 2.5 0 0 1 6.5 4h7A1.5 1.5 0 0 1 15 5.5"
      />`,
  ),
  check: icon(html`<path d="m5 12.5 4.5 4.5L19 7.5" />`),
  cross: icon(html`<path d="m7 7 10 10M17 7 7 17" />`),
  warning: icon(html`<path d="M12 4 3 19.5h18L12 4Z" /><path d="M12 10v4.5M12 17v.01" />`),
  note: icon(html`<path d="M5 4.5h14v15H5zM8.5 9h7M8.5 12.5h7M8.5 16h4" />`),
  arrow: icon(html`<path d="M5 12h14m-6-6 6 6-6 6" />`),
  link: icon(
    html`<path d="M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1-1" />`,
  ),
} as const;
