import { execute, parse } from 'graphql';
import { generateSync } from 'otplib';
import { linkToHash, newLinkToken } from '../../crypto/tokens';
import { putOperatorLinkToken } from '../../db/operators/operator-links';
import { contextFor } from '../../graph';
import { actorOfToken } from '../../steps/access/credentials';
import type { Actor } from '../../steps/access/actor';
import { breakGlassText } from '../../domain/break-glass';
import { CatalogueError } from '../../domain/errors';
import { PERMISSIONS } from '../../domain/permissions';
import { openBreakGlass } from '../../steps/operators/break-glass';
import { Tenant } from '../support/tenant';
import { LogLines } from '../support/log-lines';
import { ensureOwnerInvited } from '../../steps/operators/invitation';

const PASSWORD = 'a password of the tests';

describe('the identity of an operator', () => {
  let tenant: Tenant;
  let now: Date;
  let logged: LogLines;
  /** Values that must never appear in a log line. */
  let secrets: string[];
  beforeEach(async () => {
    logged = new LogLines();
    secrets = [PASSWORD];
    tenant = await Tenant.create();
    now = new Date('2026-03-01T12:00:05Z');
    tenant.now = () => now;
  });
  afterEach(async () => {
    const lines = JSON.stringify(logged.lines);
    for (const secret of secrets) expect(lines).not.toContain(secret);
    await tenant.close();
  });

  /** Runs one operation from an address. @returns its root field @throws its refusal */
  async function run<Result>(
    text: string,
    actor: Actor = { kind: 'anonymous' },
    address: string | null = null,
  ): Promise<Result> {
    const { schema, core } = tenant.graph;
    const origin = { address, userAgent: null };
    const { data, errors } = await execute({
      schema,
      document: parse(text),
      contextValue: {
        ...contextFor(core, actor, logged.log),
        origin,
      },
    });
    if (errors?.[0]) throw errors[0].originalError ?? errors[0];
    return Object.values(data ?? {})[0] as Result;
  }
  const kindOf = async (work: Promise<unknown>): Promise<string> =>
    await work.then(
      () => 'OK',
      (error: unknown) => (error instanceof CatalogueError ? error.kind : String(error)),
    );
  const login = async (
    password = PASSWORD,
    code?: string,
    name = 'admin',
    address: string | null = null,
  ): Promise<{ token: string }> =>
    await run(
      `mutation { login(login: ${JSON.stringify(name)}, password: ${JSON.stringify(password)}${
        code === undefined ? '' : `, code: ${JSON.stringify(code)}`
      }) { token } }`,
      undefined,
      address,
    );
  const actorOf = async (token: string): Promise<Actor> => await actorOfToken(tenant.graph.core, token, false);
  const later = (seconds: number): void => {
    now = new Date(now.getTime() + seconds * 1000);
  };
  const codeAt = (secret: string, seconds: number): string =>
    generateSync({ secret, epoch: Math.floor(now.getTime() / 1000) + seconds });
  const codeNow = (secret: string): string => codeAt(secret, 0);

  async function enrol(): Promise<{ secret: string; codes: string[]; actor: Actor }> {
    const actor = await actorOf((await login()).token);
    const { secret } = await run<{ secret: string }>(
      `mutation { beginTotp(password: "${PASSWORD}") { secret uri } }`,
      actor,
    );
    const { codes } = await run<{ codes: string[] }>(
      `mutation { confirmTotp(code: "${codeNow(secret)}") { codes } }`,
      actor,
    );
    secrets.push(secret, ...codes);
    return { secret, codes, actor };
  }

  describe('with an authenticator app', () => {
    it('needs a code of the app, each once', async () => {
      const { secret } = await enrol();
      expect(await kindOf(login())).toBe('CODE_REQUIRED');
      // The code that confirmed the app is used.
      expect(await kindOf(login(PASSWORD, codeNow(secret)))).toBe('UNAUTHENTICATED');
      later(30);
      const code = codeNow(secret);
      expect(await kindOf(login('wrong', code))).toBe('UNAUTHENTICATED');
      expect(await kindOf(login(PASSWORD, code))).toBe('OK');
      expect(await kindOf(login(PASSWORD, code))).toBe('UNAUTHENTICATED');
      // Earlier codes are refused, although their half minute has not ended.
      later(30);
      expect(await kindOf(login(PASSWORD, code))).toBe('UNAUTHENTICATED');
    });

    it('accepts one of two concurrent logins with the same code', async () => {
      const { secret } = await enrol();
      later(30);
      const code = codeNow(secret);
      const kinds = await Promise.all(
        [login(PASSWORD, code), login(PASSWORD, code)].map(async (one) => await kindOf(one)),
      );
      expect(kinds.sort()).toEqual(['OK', 'UNAUTHENTICATED']);
    });

    it('counts only after confirmation by a code, and is replaced only on request', async () => {
      const actor = await actorOf((await login()).token);
      const { secret } = await run<{ secret: string }>(
        `mutation { beginTotp(password: "${PASSWORD}") { secret } }`,
        actor,
      );
      expect(await kindOf(login())).toBe('OK');
      const good = [-30, 0, 30].map((seconds) => codeAt(secret, seconds));
      const wrong = ['000000', '000001', '000002', '000003'].find((code) => !good.includes(code));
      expect(await kindOf(run(`mutation { confirmTotp(code: "${wrong ?? ''}") { codes } }`, actor))).toBe(
        'UNAUTHENTICATED',
      );
      const enrolled = await enrol();
      expect(await kindOf(run(`mutation { beginTotp(password: "${PASSWORD}") { uri } }`, enrolled.actor))).toBe(
        'CODE_REQUIRED',
      );
    });

    it('keeps its secret sealed and its recovery codes hashed', async () => {
      const { secret, codes } = await enrol();
      const dump = JSON.stringify([
        await tenant.database.sql`select * from operator_totp`,
        await tenant.database.sql`select * from operator_recovery_codes`,
      ]);
      expect(dump).not.toContain(secret);
      for (const code of codes) expect(dump).not.toContain(code);
      expect(codes).toHaveLength(10);
    });

    it('may be replaced by recovery codes, each once', async () => {
      const { codes, actor } = await enrol();
      const [first = '', second = ''] = codes;
      expect(await kindOf(login(PASSWORD, first.toUpperCase().replaceAll('-', ' ')))).toBe('OK');
      expect(await kindOf(login(PASSWORD, first))).toBe('UNAUTHENTICATED');
      expect(await run('{ me { recoveryCodesLeft totp } }', actor)).toEqual({
        recoveryCodesLeft: 9,
        totp: true,
      });
      await run(`mutation { removeTotp(password: "${PASSWORD}", code: "${second}") { ok } }`, actor);
      expect(await kindOf(login())).toBe('OK');
    });
  });

  describe('after failures', () => {
    const fail = async (times: number, name = 'admin', address: string | null = null): Promise<string[]> => {
      const kinds: string[] = [];
      for (let n = 0; n < times; n++) kinds.push(await kindOf(login('wrong', undefined, name, address)));
      return kinds;
    };

    it.each(['admin', 'nobody-of-this-name'])(
      'locks the login %s for a growing time, with or without an operator',
      async (name) => {
        expect(await fail(6, name)).toEqual([...Array<string>(5).fill('UNAUTHENTICATED'), 'RATE_LIMITED']);
        // The right password does not unlock it either.
        expect(await kindOf(login(PASSWORD, undefined, name))).toBe('RATE_LIMITED');
        later(31);
        expect(await fail(2, name)).toEqual(['UNAUTHENTICATED', 'RATE_LIMITED']);
        later(31);
        expect(await fail(1, name)).toEqual(['RATE_LIMITED']);
        later(31);
        expect(await fail(1, name)).toEqual(['UNAUTHENTICATED']);
        later(24 * 3_600 + 1);
        expect(await fail(5, name)).toEqual(Array<string>(5).fill('UNAUTHENTICATED'));
      },
    );

    it('alerts once an hour per network, and names an existing login', async () => {
      const locks = async (): Promise<unknown[]> => [
        ...(await tenant.database.sql`
          select about ->> 'login' as login, about ->> 'address' as address from alerts
          where kind = 'LOGIN_LOCKED' order by position`),
      ];
      await fail(4, 'nobody-of-this-name', '192.0.2.1');
      expect(await locks()).toEqual([]);
      await fail(1, 'nobody-of-this-name', '192.0.2.1');
      await fail(5, 'admin', '192.0.2.1');
      await fail(5, 'admin', '192.0.2.2');
      const first = { login: null, address: '192.0.2.1' };
      const second = { login: 'admin', address: '192.0.2.2' };
      expect(await locks()).toEqual([first, second]);
      later(3_600);
      await fail(5, 'admin', '192.0.2.2');
      expect(await locks()).toEqual([first, second, second]);
    });

    it('counts concurrent failures like consecutive ones', async () => {
      const kinds = await Promise.all(Array.from({ length: 20 }, async () => await kindOf(login('wrong'))));
      expect(kinds.filter((kind) => kind === 'UNAUTHENTICATED')).toHaveLength(5);
      expect(kinds.filter((kind) => kind === 'RATE_LIMITED')).toHaveLength(15);
    });

    it('is reset by a login', async () => {
      await fail(4);
      expect(await kindOf(login())).toBe('OK');
      expect(await fail(5)).toEqual(Array<string>(5).fill('UNAUTHENTICATED'));
    });

    it('keeps the count after a right password without its code', async () => {
      await enrol();
      await fail(4);
      expect(await kindOf(login())).toBe('CODE_REQUIRED');
      expect(await fail(2)).toEqual(['UNAUTHENTICATED', 'RATE_LIMITED']);
    });

    it('locks an address after many failures, over all logins, and for a minute only', async () => {
      for (let n = 0; n < 13; n++) await fail(4, `login-${n}`, '192.0.2.1');
      expect(await kindOf(login(PASSWORD, undefined, 'admin', '192.0.2.1'))).toBe('RATE_LIMITED');
      expect(await kindOf(login(PASSWORD, undefined, 'admin', '192.0.2.2'))).toBe('OK');
      later(61);
      expect(await kindOf(login(PASSWORD, undefined, 'admin', '192.0.2.1'))).toBe('OK');
    });

    it('affects only the network of the failures', async () => {
      const from = async (address: string, password = PASSWORD): Promise<string> =>
        await kindOf(login(password, undefined, 'admin', address));
      await fail(6, 'admin', '192.0.2.1');
      await fail(6, 'admin', '2001:db8:0:7::1');
      expect(await from('192.0.2.1')).toBe('RATE_LIMITED');
      expect(await from('2001:db8:0:7:ffff::2')).toBe('RATE_LIMITED');
      expect(await from('192.0.2.2')).toBe('OK');
      expect(await from('2001:db8:0:8::1')).toBe('OK');
      expect(await from('192.0.2.1')).toBe('RATE_LIMITED');
    });

    it('lasts seconds after a hundred failures from many networks', async () => {
      const from = async (address: string, password: string): Promise<string> =>
        await kindOf(login(password, undefined, 'admin', address));
      const networks = Array.from({ length: 99 }, (_, n) => `192.0.2.${n}`);
      const kinds = await Promise.all(networks.map(async (address) => await from(address, 'no')));
      expect(new Set(kinds)).toEqual(new Set(['UNAUTHENTICATED']));
      expect(await from('198.51.100.1', 'no')).toBe('UNAUTHENTICATED');
      expect(await from('198.51.100.2', PASSWORD)).toBe('RATE_LIMITED');
      later(16);
      expect(await from('198.51.100.2', PASSWORD)).toBe('OK');
      // A refused attempt does not count as a failure of its network.
      expect(await from('198.51.100.2', PASSWORD)).toBe('OK');
    });

    it('does not affect a session, whose own failures lock only itself', async () => {
      const [one, two] = [await actorOf((await login()).token), await actorOf((await login()).token)];
      await fail(6);
      const begin = async (actor: Actor, password = PASSWORD): Promise<string> =>
        await kindOf(run(`mutation { beginTotp(password: "${password}") { secret } }`, actor));
      expect(await begin(one)).toBe('OK');
      for (let n = 0; n < 5; n++) expect(await begin(one, 'no')).toBe('UNAUTHENTICATED');
      expect(await begin(one)).toBe('RATE_LIMITED');
      expect(await begin(two)).toBe('OK');
      // A session cannot be used to guess another operator's password.
      const guess = async (name: string): Promise<string> =>
        await kindOf(run(`mutation { login(login: "${name}", password: "no") { token } }`, two));
      for (let n = 0; n < 5; n++) expect(await guess('bob')).toBe('UNAUTHENTICATED');
      expect(await guess('bob')).toBe('RATE_LIMITED');
      expect(await kindOf(login(PASSWORD, undefined, 'bob'))).toBe('RATE_LIMITED');
    });
  });

  describe('with a new password', () => {
    const OTHER = 'quite another password';

    it('can log in only with it, and all earlier sessions and tokens end', async () => {
      const session = await login();
      const actor = await actorOf((await login()).token);
      const { secret } = await run<{ secret: string }>(
        'mutation { createApiToken(label: "ci", scopes: [], expiresAt: "2026-04-01T00:00:00Z") { secret } }',
        actor,
      );
      expect((await actorOf(secret)).kind).toBe('operator');
      expect(
        await kindOf(run(`mutation { changePassword(password: "wrong", newPassword: "${OTHER}") { ok } }`, actor)),
      ).toBe('UNAUTHENTICATED');
      await run(`mutation { changePassword(password: "${PASSWORD}", newPassword: "${OTHER}") { ok } }`, actor);
      for (const token of [session.token, secret]) expect((await actorOf(token)).kind).toBe('anonymous');
      expect(await kindOf(login())).toBe('UNAUTHENTICATED');
      expect(await kindOf(login(OTHER))).toBe('OK');
    });

    it('is set by a mailed link, valid once, for an hour; nothing reveals which logins exist', async () => {
      const [admin] = await tenant.database.sql<{ id: string }[]>`
        update operators set email = 'admin@example.com' returning id`;
      for (const name of ['admin', 'nobody']) {
        const asked = performance.now();
        expect(await run(`mutation { requestPasswordReset(login: "${name}") { ok } }`)).toEqual({
          ok: true,
        });
        // At least as late as the mail would be written: a timer may be a moment early.
        expect(performance.now() - asked).toBeGreaterThan(390);
      }
      const reset = async (token: string): Promise<string> =>
        await kindOf(run(`mutation { resetPassword(token: "${token}", newPassword: "${OTHER}") { ok } }`));
      const first = await tokenOfLink();
      later(3_601);
      expect(await reset(first)).toBe('NOT_FOUND');
      await run(
        `mutation { sendPasswordReset(operatorId: "${admin?.id ?? ''}", reason: "lost") { ok } }`,
        tenant.operator,
      );
      const second = await tokenOfLink();
      const session = await login();
      expect([await reset('wrong'), await reset(second), await reset(second)]).toEqual([
        'NOT_FOUND',
        'OK',
        'NOT_FOUND',
      ]);
      expect((await actorOf(session.token)).kind).toBe('anonymous');
      expect(await kindOf(login(OTHER))).toBe('OK');
    });

    it('is requested by mail at most three times an hour', async () => {
      await tenant.database.sql`update operators set email = 'admin@example.com'`;
      for (let n = 0; n < 5; n++) {
        later(1);
        await run('mutation { requestPasswordReset(login: "admin") { ok } }');
      }
      const mails = await tenant.database.sql`select 1 from mails`;
      expect(mails).toHaveLength(3);
    });
  });

  /** Gives the newest link a secret, as sending its mail does. */
  async function tokenOfLink(): Promise<string> {
    const [link] = await tenant.database.sql<{ id: string }[]>`
      select id from operator_links order by created_at desc, id desc limit 1`;
    const token = newLinkToken();
    const hash = tenant.graph.core.lookup(linkToHash(token));
    expect(await putOperatorLinkToken(tenant.database, link?.id ?? '', hash)).toBe(true);
    secrets.push(token);
    return token;
  }

  describe('by invitation', () => {
    const invite = async (email: string): Promise<string> => {
      await ensureOwnerInvited(tenant.database, email, now);
      return await tokenOfLink();
    };
    const accept = async (token: string, name: string): Promise<string> =>
      await kindOf(
        run(
          `mutation { acceptInvitation(token: "${token}", login: "${name}", password: "a long enough password") { id } }`,
        ),
      );

    it('of key holders may decide only after the cooling period', async () => {
      const coolingMs = 24 * 3_600_000;
      tenant.changes.coolingMs = coolingMs;
      const asked = { environment: 'sandbox', email: 'rescue@example.com' } as const;
      const request = { ...asked, reason: 'all admins left', askedAt: now };
      const signed = { request, text: breakGlassText(request), holders: [1, 2] };
      await openBreakGlass(tenant.database, tenant.graph.core, signed, now);
      expect(await accept(await tokenOfLink(), 'rescue')).toBe('OK');
      const rows = await tenant.database.sql`
        select decides_from from operators where login = 'rescue'`;
      expect(rows).toEqual([{ decidesFrom: new Date(now.getTime() + coolingMs) }]);
    });

    it('becomes an operator once, with the offered roles', async () => {
      const token = await invite('owner@example.com');
      expect(await run(`{ invitation(token: "${token}") { email roles } }`)).toMatchObject({
        email: 'owner@example.com',
      });
      expect(await accept(token, 'admin')).toBe('CONFLICT');
      expect(await accept(token, '!')).toBe('INVALID_FIELD');
      const kinds = await Promise.all([accept(token, 'owner'), accept(token, 'other')]);
      expect(kinds.sort()).toEqual(['NOT_FOUND', 'OK']);
      const [made] = await tenant.database.sql<{ login: string }[]>`
        select login from operators where email = 'owner@example.com'`;
      const { token: session } = await login('a long enough password', undefined, made?.login);
      const { permissions } = await run<{ permissions: string[] }>('{ me { permissions } }', await actorOf(session));
      expect(permissions).toContain('ADMIN');
    });

    it('is sent to an owner once, and again only after the link has ended', async () => {
      await invite('owner@example.com');
      await ensureOwnerInvited(tenant.database, 'Owner@example.com', now);
      expect(await tenant.database.sql`select 1 from mails`).toHaveLength(1);
      later(72 * 3_600 + 1);
      await ensureOwnerInvited(tenant.database, 'owner@example.com', now);
      expect(await tenant.database.sql`select 1 from mails`).toHaveLength(2);
    });

    it('is refused with a link that has expired, was revoked or was replaced', async () => {
      const expired = await invite('one@example.com');
      later(72 * 3_600 + 1);
      expect(await accept(expired, 'one')).toBe('NOT_FOUND');
      const token = await invite('two@example.com');
      const {
        nodes: [link],
      } = await run<{ nodes: { id: string; mails: { status: string; event: string }[] }[] }>(
        '{ invitations { nodes { id mails { status event } } } }',
        tenant.operator,
      );
      expect(link?.mails).toEqual([{ status: 'QUEUED', event: 'tenant_owner_invite' }]);
      const id = link?.id ?? '';
      await run(`mutation { resendInvitation(id: "${id}", reason: "lost") { id } }`, tenant.operator);
      const fresh = await tokenOfLink();
      expect(await accept(token, 'two')).toBe('NOT_FOUND');
      const {
        nodes: [newest],
      } = await run<{ nodes: { id: string }[] }>('{ invitations { nodes { id } } }', tenant.operator);
      await run(`mutation { revokeInvitation(id: "${newest?.id ?? ''}", reason: "left") { id } }`, tenant.operator);
      expect(await accept(fresh, 'two')).toBe('NOT_FOUND');
    });
  });

  describe('with an API token', () => {
    const create = async (
      actor: Actor,
      scopes: string,
      expiresAt = '2026-04-01T00:00:00Z',
    ): Promise<{ secret: string; token: { id: string; scopes: string[] } }> =>
      await run(
        `mutation { createApiToken(label: "ci", scopes: [${scopes}], expiresAt: "${expiresAt}") { secret token { id scopes } } }`,
        actor,
      );

    it('may use its scopes within its owner’s permissions, and nothing that needs a person', async () => {
      const actor = await actorOf((await login()).token);
      const { secret, token } = await create(actor, 'SUPPORT');
      expect(token.scopes).toEqual(['VIEW', 'SUPPORT']);
      const program = await actorOf(secret);
      expect(await run('{ me { permissions login } }', program)).toMatchObject({ login: 'admin' });
      expect(await kindOf(run('{ deposits { __typename } }', program))).toBe('OK');
      for (const closed of [
        'mutation { createApiToken(label: "x", scopes: [], expiresAt: "2026-04-01T00:00:00Z") { secret } }',
        'mutation { endOtherSessions { ended } }',
        'mutation { logout { ok } }',
        '{ invitations { nodes { id } } }',
        'mutation { changePassword(password: "x", newPassword: "y") { ok } }',
      ])
        expect(await kindOf(run(closed, program))).toBe('AUTHORIZATION_ERROR');
    });

    it.each(['APPROVE', 'ADMIN'])('never holds %s', async (scope) => {
      const actor = await actorOf((await login()).token);
      expect(await kindOf(create(actor, scope))).toBe('INVALID_FIELD');
      const { secret, token } = await create(actor, '');
      // Not even if its row contained it.
      await expect(
        tenant.database.sql`update api_tokens set scopes = scopes || ${[scope]} where id = ${token.id}`,
      ).rejects.toThrow('api_tokens_scopes');
      const program = await actorOf(secret);
      expect(program.kind === 'operator' && program.operator.permissions.has('APPROVE')).toBe(false);
    });

    it('loses the permissions that its owner loses, and ends on expiry or revocation', async () => {
      const actor = await actorOf((await login()).token);
      const first = await create(actor, 'CONFIGURE');
      const second = await create(actor, '', '2026-03-02T00:00:00Z');
      await tenant.database.sql`delete from operator_roles where role <> 'view'`;
      const program = await actorOf(first.secret);
      expect(program.kind === 'operator' && [...program.operator.permissions]).toEqual(['VIEW']);
      expect((await actorOf(second.secret)).kind).toBe('operator');
      later(86_400);
      expect((await actorOf(second.secret)).kind).toBe('anonymous');
      const session = await actorOf((await login()).token);
      await run(`mutation { revokeApiToken(id: "${first.token.id}") { revokedAt } }`, session);
      expect((await actorOf(first.secret)).kind).toBe('anonymous');
    });

    it('is accepted only from the addresses to which it is bound', async () => {
      const actor = await actorOf((await login()).token);
      const { secret } = await run<{ secret: string }>(
        'mutation { createApiToken(label: "ci", scopes: [], expiresAt: "2026-04-01T00:00:00Z", allowedAddresses: ["203.0.113.0/24", "2001:db8::7"]) { secret } }',
        actor,
      );
      const kindFrom = async (address: string | null): Promise<string> =>
        (await actorOfToken(tenant.graph.core, secret, false, address)).kind;
      for (const address of ['203.0.113.9', '::ffff:203.0.113.1', '2001:db8::7'])
        expect(await kindFrom(address)).toBe('operator');
      for (const address of ['203.0.114.1', '2001:db8::8', '', null]) expect(await kindFrom(address)).toBe('anonymous');
    });

    it('is valid for at most a year', async () => {
      const actor = await actorOf((await login()).token);
      expect(await kindOf(create(actor, '', '2027-03-03T00:00:00Z'))).toBe('INVALID_FIELD');
      expect(await kindOf(create(actor, '', '2026-01-01T00:00:00Z'))).toBe('INVALID_FIELD');
    });
  });

  it('has no permission in production before an authenticator app is enrolled', async () => {
    const core = { ...tenant.graph.core, environment: 'production' as const };
    const { token } = await login();
    const actor = await actorOfToken(core, token, false);
    expect(actor.kind === 'operator' && actor.operator.permissions.size).toBe(0);
    await enrol();
    later(30);
    const enrolled = await actorOfToken(core, token, false);
    expect(enrolled.kind === 'operator' && enrolled.operator.permissions.size).toBe(PERMISSIONS.length);
  });
});
