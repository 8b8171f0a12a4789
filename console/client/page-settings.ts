/** Settings that the listener wrote into the page. */
const meta = (name: string): HTMLMetaElement | null =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"], meta[property="${name}"]`);

/** sandbox: simulated money. production: real money. */
export type Environment = 'sandbox' | 'production';

/** The platform's environment. Anything unknown counts as production. */
export const environment = (): Environment =>
  meta('causeway-environment')?.content === 'sandbox' ? 'sandbox' : 'production';

/** Whether an identity provider is set up. */
export const hasSingleSignOn = (): boolean => meta('causeway-single-sign-on')?.content === 'on';

/** Styles made at run time need this nonce, or the browser refuses them. */
export const styleNonce = (): string => meta('csp-nonce')?.nonce ?? '';
