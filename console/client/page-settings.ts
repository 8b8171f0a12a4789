/** What the listener has written into the page. */
const meta = (name: string): HTMLMetaElement | null =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"], meta[property="${name}"]`);

/** sandbox: simulated money. production: real money. */
export type Environment = 'sandbox' | 'production';

/** Which platform this console belongs to. What does not say so is taken for the one with real money. */
export const environment = (): Environment =>
  meta('causeway-environment')?.content === 'sandbox' ? 'sandbox' : 'production';

/** Styles that are made here carry it, or the browser refuses them. */
export const styleNonce = (): string => meta('csp-nonce')?.nonce ?? '';
