import type { Configuration } from 'openid-client';
import { CatalogueError } from '../../domain/errors';
import { type OidcSettings, rolesOfClaim } from '../../domain/oidc';
import type { Logger } from '../../runtime/log';

/** What one sign-in is tied to: nothing of it but the state and the nonce leaves the platform in the clear. */
export interface OidcSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** A person, as the provider vouches for him. */
export interface OidcPerson {
  readonly email: string;
  /** The roles that the session may have at most; null: no bound. */
  readonly roles: readonly string[] | null;
}

/** For one answer of the provider, seconds. */
const WITHIN_SECONDS = 10;

const refused = (why: string): CatalogueError => new CatalogueError('UNAUTHENTICATED', why);

/** The package is an ES module, and only a deployment that signs on by a provider needs it. */
const library = async () => await import('openid-client');

/** Whether the provider did not answer at all. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof Error && 'code' in error && error.code === 'OAUTH_TIMEOUT');

/** Signs on by authorization code with PKCE, state and nonce. */
export class OidcClient {
  private found: Promise<Configuration> | undefined;

  /** @param redirectUri the console's page that the provider sends people back to; registered there */
  constructor(
    private readonly settings: OidcSettings,
    private readonly redirectUri: string,
    private readonly log: Logger,
  ) {}

  /** Where a browser is sent, and what its answer is checked against. @throws SERVICE_UNAVAILABLE */
  async start(): Promise<{ readonly url: string; readonly secrets: OidcSecrets }> {
    const oidc = await library();
    const secrets = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
    };
    const url = await this.asking(async (configuration) =>
      oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: this.redirectUri,
        scope: 'openid email',
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: 'S256',
      }),
    );
    return { url: url.href, secrets };
  }

  /**
   * Who came back.
   * @param answer the query that the provider added to the console's page
   * @throws UNAUTHENTICATED where the answer is not the one asked for, or the address is not verified;
   * SERVICE_UNAVAILABLE where the provider does not answer
   */
  async finish(answer: string, { state, nonce, verifier }: OidcSecrets): Promise<OidcPerson> {
    const oidc = await library();
    const url = new URL(this.redirectUri);
    url.search = answer;
    return await this.asking(async (configuration) => {
      const tokens = await oidc.authorizationCodeGrant(configuration, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const vouched = tokens.claims();
      if (!vouched) throw refused('the identity provider names nobody');
      // Many providers tell the address and the groups only where they are asked for them.
      const lacks = ['email', this.settings.roles?.claim].some(
        (claim) => claim !== undefined && vouched[claim] === undefined,
      );
      const asks = lacks && configuration.serverMetadata().userinfo_endpoint !== undefined;
      const more = asks ? await oidc.fetchUserInfo(configuration, tokens.access_token, vouched.sub) : {};
      return this.personOf({ ...more, ...vouched });
    });
  }

  private personOf(claims: Readonly<Record<string, unknown>>): OidcPerson {
    const { email, email_verified: verified } = claims;
    if (typeof email !== 'string' || verified !== true)
      throw refused('the identity provider has not verified your e-mail address');
    const { roles } = this.settings;
    return { email, roles: roles && rolesOfClaim(roles.mapping, claims[roles.claim]) };
  }

  private async asking<Result>(work: (found: Configuration) => Promise<Result>): Promise<Result> {
    try {
      return await work(await this.configuration());
    } catch (error) {
      if (error instanceof CatalogueError) throw error;
      this.log.warn({ err: error }, 'the identity provider was not understood');
      if (isUnreachable(error))
        throw new CatalogueError('SERVICE_UNAVAILABLE', 'the identity provider does not answer');
      throw refused('the identity provider did not sign you in: begin again');
    }
  }

  private async configuration(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    const oidc = await library();
    // A provider that was out is asked again.
    this.found ??= oidc
      .discovery(new URL(issuer), clientId, clientSecret, oidc.ClientSecretBasic(clientSecret), {
        timeout: WITHIN_SECONDS,
        // The settings allow http for one on this machine alone (config.ts).
        // eslint-disable-next-line @typescript-eslint/no-deprecated
        execute: issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [],
      })
      .catch((error: unknown) => {
        this.found = undefined;
        throw error;
      });
    return await this.found;
  }
}
