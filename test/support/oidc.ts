import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** The claims of an account at the provider. */
export type Claims = Readonly<Record<string, unknown>>;

/** A real OpenID provider that runs beside the tests. */
export class OidcProvider {
  private constructor(
    readonly issuer: string,
    private readonly process: ChildProcess,
  ) {}

  /** @param accounts their claims by name */
  static async start(redirectUri: string, accounts: Readonly<Record<string, Claims>>): Promise<OidcProvider> {
    const script = path.join(__dirname, 'oidc-provider.mjs');
    const process = spawn(globalThis.process.execPath, [...[script, redirectUri, JSON.stringify(accounts)]]);
    let said = '';
    process.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
    const line = await lines.next();
    if (line.done === true) throw new Error(`the provider did not start: ${said}`);
    return new OidcProvider(line.value, process);
  }

  /** The settings of a platform that trusts this provider. */
  get settings(): Readonly<Record<string, string>> {
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: 'causeway',
      OIDC_CLIENT_SECRET: 'a secret of tests',
    };
  }

  async stop(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill();
    await ended;
  }

  /** Follows a browser's redirects at the provider, as an account there. @returns the query of the redirect back */
  async visit(url: string, account: string): Promise<string> {
    const cookies = new Map<string, string>();
    let next = new URL(url);
    while (next.origin === this.issuer) {
      const { status, headers } = await fetch(next, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      });
      for (const cookie of headers.getSetCookie()) {
        const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=');
        cookies.set(name, value);
      }
      const to = headers.get('location');
      if (to === null && !next.pathname.startsWith('/choose/'))
        throw new Error(`the provider answered ${status} at ${next.href}`);
      next = new URL(to ?? `?account=${account}`, next);
    }
    return next.search;
  }
}
