/** What a person needs to try the sandbox as a merchant. */
export interface DemoTenant {
  readonly merchant: { readonly id: string; readonly code: string; readonly apiKey: string };
  readonly accounts: readonly DemoAccount[];
  /** Signs bank notifications. */
  readonly agent: { readonly keyId: string; readonly secret: string };
}

export interface DemoAccount {
  readonly id: string;
  readonly bankCode: string;
  readonly accountNo: string;
  readonly currencyCode: string;
}

export interface DemoTenantOptions {
  readonly graphUrl: string;
  readonly operator: { readonly login: string; readonly password: string };
  /** Keys are shown once by the API, so they are kept here for the next start. */
  readonly dataDir: string;
}

/** Makes the demo merchant by the operator's mutations alone, or finds the one that was made before. */
export function provisionDemoTenant(options: DemoTenantOptions): Promise<DemoTenant> {
  return Promise.reject(new Error(`No demo tenant can be made yet at ${options.graphUrl}`));
}
