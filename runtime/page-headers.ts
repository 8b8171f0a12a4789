/** On every answer that a browser may show: no other site frames it, opens it or takes parts of it. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** What a page may take from where. What is not named comes from nowhere. */
export interface ContentSources {
  readonly 'script-src': string;
  readonly 'style-src': string;
  readonly 'img-src': string;
  readonly 'font-src'?: string;
  readonly 'connect-src': string;
  readonly 'form-action': string;
}

/** A Content-Security-Policy header. */
export const contentPolicy = (sources: ContentSources): string =>
  Object.entries({
    'default-src': "'none'",
    ...sources,
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  })
    .map(([directive, allowed]) => `${directive} ${allowed}`)
    .join('; ');
