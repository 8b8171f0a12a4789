import { execute, parse } from 'graphql';
import { generateSync } from 'otplib';
import { contextFor } from '../../graph';
import { actorOfToken } from '../../steps/access/credentials';
import type { Actor } from '../../steps/access/actor';
import type { GraphContext } from '../../graph/context';
import { HARMLESS, HARMLESS_WITH_FACTOR } from '../../domain/authority/harmless';
import { MONEY_STEPS } from '../../domain/authority/table';
import type { Database } from '../../db/client';
import { CatalogueError } from '../../domain/errors';
import { LogLines } from '../support/log-lines';
import { Authenticator } from '../support/authenticator';
import { Tenant } from '../support/tenant';

const PASSWORD = 'a password of the tests';
const ORIGIN = 'https://ops.example.com';
const PAGE = { origin: ORIGIN, rpId: 'ops.example.com' };

type Variables = Record<string, unknown>;

describe('a passkey, and a fresh second factor', () => {
  let tenant: Tenant;
  let now: Date;
  const silent = new LogLines().log;
  beforeEach(async () => {
    tenant = await Tenant.create();
    now = new Date('2026-03-01T12:00:05Z');
    tenant.now = () => now;
  });
  afterEach(async () => {
    await tenant.close();
  });

  /** The browser's latest session token. */
  let kept: string;
  /** Runs one operation of a console page. @returns its root field @throws its refusal */
  async function run<Result>(
    text: string,
    variables: Variables = {},
    actor: Actor = { kind: 'anonymous' },
    rules: Partial<GraphContext> = {},
    origin = ORIGIN,
  ): Promise<Result> {
    const { schema, core } = tenant.graph;
    const nothing = (): void => undefined;
    const { data, errors } = await execute({
      schema,
      document: parse(text),
      variableValues: variables,
      contextValue: {
        ...contextFor(core, actor, silent),
        ...rules,
        browser: {
          origin,
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
  const kindOf = async (work: Promise<unknown>): Promise<string> =>
    await work.then(
      () => 'OK',
      (error: unknown) => (error instanceof CatalogueError ? error.kind : String(error)),
    );
  const later = (seconds: number): void => {
    now = new Date(now.getTime() + seconds * 1000);
  };

  interface Factors {
    readonly code?: string;
    readonly passkey?: unknown;
  }
  const signIn = async (factors: Factors = {}, login = 'admin'): Promise<Actor> => {
    await run(
      `mutation ($code: String, $passkey: PasskeyAnswerInput) {
        signIn(login: "${login}", password: "${PASSWORD}", code: $code, passkey: $passkey) { expiresAt } }`,
      { ...factors },
    );
    return await sessionOf(kept);
  };
  const sessionOf = async (token: string): Promise<Actor> => await actorOfToken(tenant.graph.core, token, true);
  const challengeToSignIn = async (login = 'admin', origin = ORIGIN): Promise<string> => {
    const { passkey } = await run<{ passkey: { challenge: string } }>(
      `mutation { beginPasskeySignIn(login: "${login}", password: "${PASSWORD}") { passkey { challenge rpId allowed } } }`,
      ...[{}, { kind: 'anonymous' } as const, {}, origin],
    );
    return passkey.challenge;
  };
  const challengeToConfirm = async (actor: Actor): Promise<string> => {
    const { passkey } = await run<{ passkey: { challenge: string } }>(
      'mutation { beginFactor { passkey { challenge } } }',
      ...[{}, actor],
    );
    return passkey.challenge;
  };
  const BEGIN = `mutation { beginPasskey(password: "${PASSWORD}") { challenge rpId excluded } }`;
  const ADD = `mutation ($answer: NewPasskeyInput!) {
    addPasskey(label: "key", answer: $answer) { passkey { id } recoveryCodes } }`;
  interface Added {
    readonly passkey: { readonly id: string };
    readonly recoveryCodes: string[];
  }
  const add = async (
    actor: Actor,
    device = new Authenticator(),
    rules: Partial<GraphContext> = {},
  ): Promise<Added & { device: Authenticator }> => {
    const { challenge } = await run<{ challenge: string }>(BEGIN, {}, actor, rules);
    const answer = device.create({ challenge, ...PAGE });
    return { ...(await run<Added>(ADD, { answer }, actor, rules)), device };
  };
  const confirm = async (actor: Actor, factors: Factors): Promise<unknown> =>
    await run(
      'mutation ($code: String, $passkey: PasskeyAnswerInput) { confirmFactor(code: $code, passkey: $passkey) { until } }',
      { ...factors },
      actor,
    );
  const token = async (actor: Actor, rules: Partial<GraphContext> = {}): Promise<unknown> =>
    await run(
      'mutation { createApiToken(label: "t", scopes: [], expiresAt: "2026-04-01T00:00:00Z") { secret } }',
      ...[{}, actor, rules],
    );

  it('signs in together with the password, and a recovery code replaces it once', async () => {
    const { device, recoveryCodes } = await add(await signIn());
    expect(recoveryCodes).toHaveLength(10);
    expect(await kindOf(signIn())).toBe('CODE_REQUIRED');
    const passkey = device.get({ challenge: await challengeToSignIn(), ...PAGE });
    const actor = await signIn({ passkey });
    expect(await run('{ me { passkeys { label lastUsedAt } recoveryCodesLeft } }', {}, actor)).toEqual({
      passkeys: [{ label: 'key', lastUsedAt: now.toISOString() }],
      recoveryCodesLeft: 10,
    });
    expect(await kindOf(signIn({ code: recoveryCodes[0] ?? '' }))).toBe('OK');
    expect(await kindOf(signIn({ code: recoveryCodes[0] ?? '' }))).toBe('UNAUTHENTICATED');
  });

  it('is refused for each answer to another challenge, on another page, or by another device', async () => {
    const { device, passkey } = await add(await signIn());
    await tenant.person('bob', ['admin']);
    const bobs = await add(await signIn({}, 'bob'));
    const refused = async (answer: unknown, login?: string): Promise<void> => {
      expect(await kindOf(signIn({ passkey: answer }, login))).toBe('UNAUTHENTICATED');
      // Another test covers the lock after failures.
      await tenant.database.sql`delete from login_throttles`;
    };
    const challenge = async (): Promise<string> => await challengeToSignIn();
    // A challenge that was never issued, another person's, and one for another purpose.
    await refused(device.get({ challenge: 'bm9ib2R5cw', ...PAGE }));
    await refused(device.get({ challenge: await challengeToSignIn('bob'), ...PAGE }));
    const own = await signIn({ passkey: device.get({ challenge: await challenge(), ...PAGE }) });
    await refused(device.get({ challenge: await challengeToConfirm(own), ...PAGE }));
    // Another page, and another host.
    await refused(device.get({ challenge: await challenge(), ...PAGE, origin: 'https://evil.example' }));
    await refused(device.get({ challenge: await challenge(), ...PAGE, rpId: 'evil.example' }));
    // Another person's device, one that is not registered, and another device's signature.
    await refused(bobs.device.get({ challenge: await challenge(), ...PAGE }));
    await refused(new Authenticator().get({ challenge: await challenge(), ...PAGE }));
    const { signature } = bobs.device.get({ challenge: 'x', ...PAGE });
    await refused({ ...device.get({ challenge: await challenge(), ...PAGE }), signature });
    // The same answer again, and an answer too late.
    later(60);
    const good = device.get({ challenge: await challenge(), ...PAGE });
    expect(await kindOf(signIn({ passkey: good }))).toBe('OK');
    const used = device.counter - 1;
    await refused(good);
    const stale = await challenge();
    later(301);
    await refused(device.get({ challenge: stale, ...PAGE }));
    // A counter that decreases or stays the same, as that of a copied key.
    later(86_400);
    for (const counter of [1, used]) {
      device.counter = counter;
      await refused(device.get({ challenge: await challenge(), ...PAGE }));
    }
    device.counter = used + 1;
    expect(await kindOf(signIn({ passkey: device.get({ challenge: await challenge(), ...PAGE }) }))).toBe('OK');
    // Nobody can remove another person's passkey; a removed one signs in no one.
    const remove = `mutation { removePasskey(id: "${passkey.id}") { ok } }`;
    const bob = await signIn(
      { passkey: bobs.device.get({ challenge: await challengeToSignIn('bob'), ...PAGE }) },
      'bob',
    );
    expect(await kindOf(run(remove, {}, bob))).toBe('NOT_FOUND');
    const proof = async (by: Authenticator): Promise<{ passkey: unknown }> => ({
      passkey: by.get({ challenge: await challenge(), ...PAGE }),
    });
    const other = await add(await signIn(await proof(device)));
    const before = await challenge();
    await run(remove, {}, await signIn(await proof(device)));
    await refused(device.get({ challenge: before, ...PAGE }));
    expect(await kindOf(signIn(await proof(other.device)))).toBe('OK');
  });

  it('needs the right challenge, password, second factor and a page with a host name to be added', async () => {
    const actor = await signIn();
    const device = new Authenticator();
    const begin = async (): Promise<{ challenge: string }> => await run(BEGIN, {}, actor);
    const answer = async (by: object, made = device): Promise<string> =>
      await kindOf(run(ADD, { answer: made.create({ ...(await begin()), ...PAGE, ...by }) }, actor));
    expect(await answer({ challenge: 'bm9ib2R5cw' })).toBe('UNAUTHENTICATED');
    expect(await answer({ origin: 'https://evil.example' })).toBe('UNAUTHENTICATED');
    expect(await answer({ rpId: 'evil.example' })).toBe('UNAUTHENTICATED');
    const wrong = `mutation { beginPasskey(password: "wrong") { challenge } }`;
    expect(await kindOf(run(wrong, {}, actor))).toBe('UNAUTHENTICATED');
    const byAddress = run(BEGIN, {}, actor, {}, 'http://127.0.0.1:4000');
    expect(await kindOf(byAddress)).toBe('BUSINESS_ERROR');
    const { recoveryCodes } = await add(actor, device);
    expect(recoveryCodes).toHaveLength(10);
    // The session began without a second factor, which the operator has now.
    const proven = await sessionOf(kept);
    expect(await kindOf(add(proven))).toBe('FACTOR_REQUIRED');
    await confirm(proven, {
      passkey: device.get({ challenge: await challengeToConfirm(proven), ...PAGE }),
    });
    const again = device;
    expect(await kindOf(add(await sessionOf(kept), again))).toBe('BUSINESS_ERROR');
    expect((await add(await sessionOf(kept))).recoveryCodes).toEqual([]);
  });

  it('is requested again after five minutes, only from operators who have one', async () => {
    const none = await signIn();
    later(600);
    expect(await kindOf(token(none))).toBe('OK');
    const { device } = await add(none);
    const stale = await sessionOf(kept);
    expect(await kindOf(token(stale))).toBe('FACTOR_REQUIRED');
    const wrong = new Authenticator().get({ challenge: await challengeToConfirm(stale), ...PAGE });
    expect(await kindOf(confirm(stale, { passkey: wrong }))).toBe('UNAUTHENTICATED');
    expect(await kindOf(token(await sessionOf(kept)))).toBe('FACTOR_REQUIRED');
    const right = device.get({ challenge: await challengeToConfirm(stale), ...PAGE });
    expect(await confirm(stale, { passkey: right })).toEqual({
      until: new Date(now.getTime() + 300_000).toISOString(),
    });
    const renew = `mutation { newRecoveryCodes(password: "${PASSWORD}", code: "") { codes } }`;
    expect(await kindOf(run(renew, {}, stale))).toBe('FACTOR_REQUIRED');
    expect(await kindOf(run(renew, {}, await sessionOf(kept)))).toBe('OK');
    later(300);
    expect(await kindOf(token(await sessionOf(kept)))).toBe('OK');
    later(1);
    expect(await kindOf(token(await sessionOf(kept)))).toBe('FACTOR_REQUIRED');
    // A login with the passkey counts, too.
    const passkey = device.get({ challenge: await challengeToSignIn(), ...PAGE });
    expect(await kindOf(token(await signIn({ passkey })))).toBe('OK');
  });

  it('keeps the count of failed codes after a right password alone', async () => {
    await add(await signIn());
    const guess = async (): Promise<string> => await kindOf(signIn({ code: '000000' }));
    for (let n = 0; n < 4; n++) expect(await guess()).toBe('UNAUTHENTICATED');
    await challengeToSignIn();
    expect([await guess(), await guess()]).toEqual(['UNAUTHENTICATED', 'RATE_LIMITED']);
  });

  it('locks the session, not the login, after guessed codes', async () => {
    const { device } = await add(await signIn());
    const actor = await sessionOf(kept);
    for (let n = 0; n < 5; n++) expect(await kindOf(confirm(actor, { code: `00000${n}` }))).toBe('UNAUTHENTICATED');
    expect(await kindOf(confirm(actor, { code: '000006' }))).toBe('RATE_LIMITED');
    const passkey = device.get({ challenge: await challengeToSignIn(), ...PAGE });
    expect(await kindOf(signIn({ passkey }))).toBe('OK');
  });

  it('is required of approvers, and for their decisions, if the deployment requires it', async () => {
    const rules = { approverPasskeys: true };
    const actor = await signIn();
    const { secret } = await run<{ secret: string }>(
      `mutation { beginTotp(password: "${PASSWORD}") { secret } }`,
      ...[{}, actor],
    );
    const code = (): string => generateSync({ secret, epoch: Math.floor(now.getTime() / 1000) });
    await run(`mutation { confirmTotp(code: "${code()}") { codes } }`, {}, actor);
    later(30);
    const byCode = await signIn({ code: code() });
    const strict = { ...tenant.graph.core, ...rules };
    const seen = await actorOfToken(strict, kept, true);
    expect(seen.kind === 'operator' && [...seen.operator.permissions]).toEqual([]);
    const must = '{ me { mustEnrolPasskey mustEnrolTotp } }';
    expect(await run(must, {}, seen, rules)).toEqual({
      mustEnrolPasskey: true,
      mustEnrolTotp: false,
    });
    const { device } = await add(byCode, new Authenticator(), rules);
    const proven = await actorOfToken(strict, kept, true);
    expect(await run(must, {}, proven, rules)).toEqual({
      mustEnrolPasskey: false,
      mustEnrolTotp: false,
    });
    const key = `mutation { approveChange(id: "${'0'.repeat(8)}-0000-7000-8000-000000000000", reason: "r") { id } }`;
    expect(await kindOf(run(key, {}, proven, rules))).toBe('FACTOR_REQUIRED');
    const right = device.get({ challenge: await challengeToConfirm(proven), ...PAGE });
    await confirm(proven, { passkey: right });
    const decided = await actorOfToken(strict, kept, true);
    expect(await kindOf(run(key, {}, decided, rules))).toBe('NOT_FOUND');
  });

  it('delays the decisions of an operator who adds another passkey by a code alone', async () => {
    tenant.changes.coolingMs = 3_600_000;
    const rules = { approverPasskeys: true };
    const { recoveryCodes } = await add(await signIn());
    await add(await signIn({ code: recoveryCodes[0] ?? '' }), new Authenticator(), rules);
    const [row] = await tenant.database.sql<{ decidesFrom: Date | null }[]>`
      select decides_from from operators where login = 'admin'`;
    expect(row?.decidesFrom).toEqual(new Date(now.getTime() + 3_600_000));
  });

  it('is required by exactly the mutations whose row requires it', async () => {
    await add(await signIn());
    const found = await sessionOf(kept);
    if (found.kind !== 'operator') throw new Error('no session');
    // With an app, too: for operators with passkeys only, mutations that take a code require a fresh factor instead.
    const stale = { ...found, operator: { ...found.operator, totp: true } };
    const mutations = Object.values(tenant.graph.schema.getMutationType()?.getFields() ?? {});
    const asked: string[] = [];
    for (const field of mutations) {
      // Guards run before resolvers, so the arguments do not matter, and no database is needed.
      const context = { ...contextFor(tenant.graph.core, stale, silent), database: NOWHERE };
      const info = { parentType: tenant.graph.schema.getMutationType(), fieldName: field.name };
      const resolved = async (): Promise<unknown> => await field.resolve?.({}, {}, context, info as never);
      if ((await kindOf(resolved())) === 'FACTOR_REQUIRED') asked.push(field.name);
    }
    const rows = Object.entries(MONEY_STEPS).filter(([, { factor }]) => factor === 'FRESH');
    expect(asked.sort()).toEqual([...rows.map(([name]) => name), ...HARMLESS_WITH_FACTOR].sort());
    expect(asked).toEqual(expect.arrayContaining(ALWAYS));
    expect([...HARMLESS_WITH_FACTOR].every((name) => name in HARMLESS)).toBe(true);
  });
});

/** The mutations that docs for operators name: a row that loses its factor fails here. */
const ALWAYS = [
  ...['approveChange', 'approveWithdrawal', 'decideWithdrawals'],
  ...['createApiToken', 'issueApiKey', 'rotateApiKey', 'createAgentKey', 'pairDevice'],
  ...['inviteOperator', 'setOperatorAccess', 'setOperatorDisabled', 'createRole', 'updateRole'],
  ...['resendInvitation', 'sendPasswordReset', 'beginPasskey', 'removePasskey', 'takeEventSecret'],
];
/** A database that refuses every use. */
const NOWHERE = new Proxy({} as Database, {
  get: () => {
    throw new Error('a guard has let it through');
  },
});
