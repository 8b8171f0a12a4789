/** On every answer that a browser may show: no other site may frame it, open it or embed parts of it. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** The sources that a page may use; all others are forbidden. */
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
