import { execute, parse } from 'graphql';
import { generateSync } from 'otplib';
import { contextFor } from '../../graph';
import { actorOfToken } from '../../steps/access/credentials';
import type { Actor } from '../../steps/access/actor';
import { OidcClient } from '../../steps/operators/oidc-client';
import { CatalogueError } from '../../domain/errors';
import { type OidcSettings, readRoleMapping } from '../../domain/oidc';
import { LogLines } from '../support/log-lines';
import { OidcProvider } from '../support/oidc';
import { type OperatorActor, Tenant } from '../support/tenant';

const ORIGIN = 'https://ops.example.com';
const BACK = `${ORIGIN}/console/oidc`;
const ACCOUNTS = {
  bob: { email: 'Bob@Example.com', email_verified: true, groups: ['payments-approvers', 'staff'] },
  staff: { email: 'bob@example.com', email_verified: true, groups: ['staff'] },
  unverified: { email: 'bob@example.com', email_verified: false },
  silent: { email: 'bob@example.com' },
  tagged: { email: 'bob+other@example.com', email_verified: true },
  stranger: { email: 'eve@example.com', email_verified: true },
  nameless: {},
};
type Account = keyof typeof ACCOUNTS;

const BEGIN = 'mutation { beginOidcSignIn { url ticket } }';
const PROVE =
  'mutation ($ticket: String!, $answer: String!) { proveOidc(ticket: $ticket, answer: $answer) { proof factor { code } } }';
const SIGN_IN =
  'mutation ($proof: String!, $code: String) { signInByOidc(proof: $proof, code: $code) { operator { login } } }';

interface Begun {
  readonly url: string;
  readonly ticket: string;
}
interface Proved {
  readonly proof: string;
  readonly factor: { readonly code: boolean } | null;
}

describe('single sign-on', () => {
  let provider: OidcProvider;
  let tenant: Tenant;
  let bob: OperatorActor;
  let oidc: OidcClient | null;
  let now: Date;
  /** The browser's latest session token. */
  let kept: string | undefined;
  const { log } = new LogLines();

  beforeAll(async () => {
    provider = await OidcProvider.start(BACK, ACCOUNTS);
  });
  afterAll(async () => {
    await provider.stop();
  });
  const clientOf = (roles: OidcSettings['roles'] = null): OidcClient =>
    new OidcClient(
      { issuer: provider.issuer, clientId: 'causeway', clientSecret: 'a secret of tests', roles },
      BACK,
      log,
    );
  beforeEach(async () => {
    tenant = await Tenant.create();
    now = new Date();
    tenant.now = () => now;
    kept = undefined;
    oidc = clientOf();
    bob = await tenant.person('bob', ['approve', 'treasurer']);
    await tenant.database.sql`update operators set email = 'bob@example.com' where login = 'bob'`;
  });
  afterEach(async () => {
    await tenant.close();
  });

  async function run<Result>(
    text: string,
    variables: Record<string, unknown> = {},
    actor: Actor = { kind: 'anonymous' },
  ): Promise<Result> {
    const { schema, core } = tenant.graph;
    const nothing = (): void => undefined;
    const { data, errors } = await execute({
      schema,
      document: parse(text),
      variableValues: variables,
      contextValue: {
        ...contextFor(core, actor, log),
        oidc,
        browser: {
          origin: ORIGIN,
          device: undefined,
          know: nothing,
          drop: nothing,
          keep: (token: string) => {
            kept = token;
          },
        },
      },
    });
    if (errors?.[0]) throw errors[0].originalError ?? errors[0];
    return Object.values(data ?? {})[0] as Result;
  }
  const refusalOf = async (work: Promise<unknown>): Promise<string> =>
    await work.then(
      () => 'OK',
      (error: unknown) => (error instanceof CatalogueError ? `${error.kind}: ${error.message}` : String(error)),
    );
  const begin = async (): Promise<Begun> => await run(BEGIN);
  const prove = async (ticket: string, answer: string): Promise<Proved> => await run(PROVE, { ticket, answer });
  const proveAs = async (account: Account): Promise<Proved> => {
    const { url, ticket } = await begin();
    return await prove(ticket, await provider.visit(url, account));
  };
  const enter = async (proof: string, code?: string): Promise<{ operator: { login: string } }> =>
    await run(SIGN_IN, { proof, code });
  const actor = async (): Promise<OperatorActor> => {
    const found = await actorOfToken(tenant.graph.core, kept, true);
    if (found.kind !== 'operator') throw new Error('nobody is logged in');
    return found;
  };
  const changed = (url: string, name: string, value: string): string => {
    const to = new URL(url);
    to.searchParams.set(name, value);
    return to.href;
  };

  it('logs in the operator with the verified address, in a browser', async () => {
    const { proof, factor } = await proveAs('bob');
    expect(factor).toBeNull();
    expect(await enter(proof)).toEqual({ operator: { login: 'bob' } });
    const { operator } = await actor();
    expect(operator.id).toBe(bob.operator.id);
    expect([...operator.permissions].sort()).toEqual(['APPROVE', 'TREASURER', 'VIEW']);
    const [row] = await tenant.database.sql`
      select operator_id, outcome from audit_log where action = 'signInByOidc'`;
    expect(row).toEqual({ operatorId: bob.operator.id, outcome: 'OK' });
  });

  it('requires the operator’s second factor', async () => {
    const password = 'a password of the tests';
    const { secret } = await run<{ secret: string }>(
      `mutation { beginTotp(password: "${password}") { secret } }`,
      {},
      bob,
    );
    const code = (): string => generateSync({ secret, epoch: Math.floor(now.getTime() / 1000) });
    await run(`mutation { confirmTotp(code: "${code()}") { codes } }`, {}, bob);
    now = new Date(now.getTime() + 60_000);
    const { proof, factor } = await proveAs('bob');
    expect(factor).toEqual({ code: true });
    expect(await refusalOf(enter(proof))).toMatch('CODE_REQUIRED');
    expect(await refusalOf(enter(proof, '000000'))).toMatch('UNAUTHENTICATED');
    expect(kept).toBeUndefined();
    await enter(proof, code());
    expect((await actor()).proof?.factorAt).toEqual(now);
  });

  it.each<[Account, string]>([
    ['unverified', 'has not verified your e-mail address'],
    ['silent', 'has not verified your e-mail address'],
    ['nameless', 'has not verified your e-mail address'],
    ['stranger', 'no operator who may log in has your address'],
    ['tagged', 'no operator who may log in has your address'],
  ])('refuses %s: %s', async (account, why) => {
    expect(await refusalOf(proveAs(account))).toBe(
      `UNAUTHENTICATED: ${why.startsWith('has') ? `the identity provider ${why}` : why}`,
    );
  });

  it('refuses a disabled operator, before and after the provider’s answer', async () => {
    const disable = async (at: Date | null): Promise<void> => {
      await tenant.database.sql`update operators set disabled_at = ${at} where login = 'bob'`;
    };
    await disable(now);
    expect(await refusalOf(proveAs('bob'))).toMatch('no operator who may log in');
    await disable(null);
    const { proof } = await proveAs('bob');
    await disable(now);
    expect(await refusalOf(enter(proof))).toMatch('UNAUTHENTICATED');
    expect(kept).toBeUndefined();
  });

  it('refuses another state, nonce or code challenge, and a repeated answer', async () => {
    const failed = 'UNAUTHENTICATED: the identity provider did not sign you in: begin again';
    const [first, second] = [await begin(), await begin()];
    const answer = await provider.visit(first.url, 'bob');
    expect(await refusalOf(prove(second.ticket, answer))).toBe(failed);
    for (const name of ['nonce', 'code_challenge']) {
      const { url, ticket } = await begin();
      const other = await provider.visit(changed(url, name, 'x'.repeat(43)), 'bob');
      expect(await refusalOf(prove(ticket, other))).toBe(failed);
    }
    const { url, ticket } = await begin();
    const once = await provider.visit(url, 'bob');
    expect(await refusalOf(prove(ticket, once))).toBe('OK');
    expect(await refusalOf(prove(ticket, once))).toBe(failed);
    expect(await refusalOf(prove(ticket, '?error=access_denied&state=x'))).toBe(failed);
  });

  it('refuses expired proofs, and a ticket instead of a proof', async () => {
    const ended = 'UNAUTHENTICATED: this sign-in has ended: begin again';
    const { url, ticket } = await begin();
    const answer = await provider.visit(url, 'bob');
    expect(await refusalOf(enter(ticket))).toBe(ended);
    const { proof } = await proveAs('bob');
    now = new Date(now.getTime() + 10 * 60_000);
    expect(await refusalOf(prove(ticket, answer))).toBe(ended);
    expect(await refusalOf(enter(proof))).toBe(ended);
  });

  it('is off by default, and limited to the console', async () => {
    oidc = null;
    expect(await refusalOf(begin())).toMatch('single sign-on is not set up here');
    oidc = clientOf();
    const { schema, core } = tenant.graph;
    const { errors } = await execute({
      schema,
      document: parse(BEGIN),
      contextValue: { ...contextFor(core, { kind: 'anonymous' }, log), oidc },
    });
    expect(errors?.[0]?.message).toMatch('for the console alone');
  });

  describe('with a claim that limits roles', () => {
    beforeEach(() => {
      const mapping = readRoleMapping('payments-approvers=approve+admin,staff=support');
      oidc = clientOf({ claim: 'groups', mapping });
    });

    it('keeps the operator’s roles that the provider names, and adds none', async () => {
      await enter((await proveAs('bob')).proof);
      const { operator } = await actor();
      expect([...operator.permissions].sort()).toEqual(['APPROVE', 'VIEW']);
      // A role that the claim excludes still belongs to the operator, who cannot approve a change of it.
      expect(operator.roles).toEqual(['approve', 'treasurer']);
    });

    it('refuses an operator who has none of the named roles', async () => {
      expect(await refusalOf(proveAs('staff'))).toMatch('none of the roles that you have here');
    });
  });
});
