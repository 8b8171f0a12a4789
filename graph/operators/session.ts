import { Arg, Authorized, Ctx, Field, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { newSessionToken } from '../../crypto/tokens';
import { CatalogueError, notFound } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import * as db from '../../db/operators/sessions';
import { metrics } from '../../runtime/metrics';
import { rememberDevice } from '../../steps/operators/known-device';
import { identify, type Proven } from '../../steps/operators/login';
import { PasskeyAnswerInput } from './passkey-input';
import { type GraphContext } from '../context';
import { DONE, Done, EndedSessions } from '../done';
import { Operator } from './operator';
import { operatorOf } from '../../steps/access/caller';
import type { BrowserSession } from '../../steps/access/origin';

@ObjectType({
  simpleResolvers: true,
  description: 'A login of a program. Send the token as `Authorization: Bearer …`.',
})
export class Session {
  @Field({ description: 'Shown once. Over WebSocket it goes into connectionParams.authorization.' })
  token!: string;

  @Field({ description: 'The bearer works until then, unless it is ended before.' })
  expiresAt!: Date;

  @Field(() => Operator, { description: 'The operator who has logged in.' })
  operator!: Operator;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A login of a browser: its token is in a cookie that no script can read.',
})
export class SignedIn {
  @Field({ description: 'The session ends then at the latest.' })
  expiresAt!: Date;

  @Field(() => Operator, { description: 'The operator who has logged in.' })
  operator!: Operator;
}

/**
 * Opens a session for an operator whom `identify` has found.
 * @param browser gets the token in a cookie, and is known from now on; null: a program's session
 * @param roles the only ones of the operator's roles that count in it; null: all
 */
export async function openSession(
  context: GraphContext,
  operator: Proven,
  browser: BrowserSession | null,
  roles: readonly string[] | null = null,
): Promise<Session> {
  const { database, lookup, log, now, origin } = context;
  const token = newSessionToken();
  const expiresAt = new Date(now.getTime() + LIMITS.sessionHours * 3_600_000);
  const id = uuidv7();
  const cookie = browser !== null;
  context.audit.note = {
    operator,
    subject: `session:${id}`,
    after: { cookie, ...(roles && { roles: [...roles] }) },
  };
  await db.insertSession(database, {
    tokenHash: lookup(token),
    id,
    operatorId: operator.id,
    cookie,
    ...origin,
    createdAt: now,
    expiresAt,
    factorAt: operator.factor === null ? null : now,
    passkeyAt: operator.factor === 'PASSKEY' ? now : null,
    roles,
  });
  if (browser) {
    browser.keep(token, LIMITS.sessionHours * 3_600);
    rememberDevice(context, operator);
  }
  metrics.logins.inc({ outcome: 'accepted' });
  log.info({ operator: operator.login }, 'operator logged in');
  return { token, expiresAt, operator };
}

const CODE =
  'Of the authenticator app, or a recovery code. Where it is needed and missing, the answer is CODE_REQUIRED.';

@Resolver()
export class SessionResolver {
  @Mutation(() => Session, {
    description: 'Logs a program in, for twelve hours. Browsers use `signIn`.',
  })
  async login(
    @Arg('login', { description: 'The name that the operator logs in with.' }) login: string,
    @Arg('password', { description: 'Wrong ones are counted by login and address.' })
    password: string,
    @Ctx() context: GraphContext,
    @Arg('code', () => String, { nullable: true, description: CODE })
    code?: string | null,
  ): Promise<Session> {
    const operator = await identify(context, { login, password, code: code ?? null });
    return await openSession(context, operator, null);
  }

  @Mutation(() => SignedIn, {
    description:
      'Logs a browser in: the answer sets a cookie. For twelve hours, or until it was left alone for one. Needs the header `X-Causeway-Console: 1` and comes from a page of the console.',
  })
  async signIn(
    @Arg('login', { description: 'The name that the operator logs in with.' }) login: string,
    @Arg('password', { description: 'Wrong ones are counted by login and address.' })
    password: string,
    @Ctx() context: GraphContext,
    @Arg('code', () => String, { nullable: true, description: CODE })
    code?: string | null,
    @Arg('passkey', () => PasskeyAnswerInput, {
      nullable: true,
      description: 'The answer to a challenge of `beginPasskeySignIn`, in place of a code.',
    })
    passkey?: PasskeyAnswerInput | null,
  ): Promise<SignedIn> {
    const { browser } = context;
    if (!browser)
      throw new CatalogueError(
        'AUTHORIZATION_ERROR',
        'signIn is for the console, which sends X-Causeway-Console: 1; programs use login',
      );
    const operator = await identify(context, { login, password, code, passkey });
    const { expiresAt } = await openSession(context, operator, browser);
    return { expiresAt, operator };
  }

  @Authorized('PERSON')
  @Mutation(() => Done, { description: 'Ends this session.' })
  async logout(@Ctx() { actor, browser, database }: GraphContext): Promise<Done> {
    if (actor.kind === 'operator') await db.deleteSession(database, actor.tokenHash);
    browser?.drop();
    return DONE;
  }

  @Authorized('OPERATOR')
  @Query(() => Operator, { description: 'Who is logged in.' })
  me(@Ctx() { actor }: GraphContext): Operator {
    return operatorOf(actor);
  }

  @Authorized('PERSON')
  @Mutation(() => Done, {
    description: "Ends a session: your own, or with ADMIN anybody's.",
  })
  async endSession(
    @Arg('id', () => ID, {
      description: "The id of the session; your own, or with ADMIN anybody's.",
    })
    id: string,
    @Ctx() { actor, audit, database, log }: GraphContext,
  ): Promise<Done> {
    const operator = operatorOf(actor);
    audit.note = { subject: `session:${id}` };
    const whose = operator.permissions.has('ADMIN') ? null : operator.id;
    const ended = await db.deleteSessionById(database.sql, id, whose);
    if (ended === undefined) throw notFound('session');
    log.info({ operator: operator.login, of: ended }, 'session ended');
    return DONE;
  }

  @Authorized('PERSON')
  @Mutation(() => EndedSessions, {
    description: 'Ends all your sessions except this one.',
  })
  async endOtherSessions(@Ctx() { actor, database }: GraphContext): Promise<EndedSessions> {
    if (actor.kind !== 'operator') return { ended: 0 };
    const { operator, tokenHash } = actor;
    return { ended: await db.deleteSessionsOf(database.sql, operator.id, tokenHash) };
  }
}
