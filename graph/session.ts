import { hash, verify } from '@node-rs/argon2';
import { type GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Authorized,
  Ctx,
  Field,
  ID,
  Info,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { newSessionToken } from '../crypto/tokens';
import { CatalogueError } from '../domain/errors';
import type { Database } from '../db/client';
import {
  deleteSession,
  ensureOperator,
  findOperatorByLogin,
  findOperatorBySession,
  insertSession,
} from '../db/operators';
import { metrics } from '../metrics';
import { operatorOf } from './authorization';
import { IDENTIFIED_WITHIN_MS, within } from './deadline';
import { type Actor, ANONYMOUS, type GraphContext, type GraphDeps } from './context';

const SESSION_HOURS = 12;

@ObjectType({ simpleResolvers: true, description: 'A person who runs the platform.' })
export class Operator {
  @Field(() => ID)
  id!: string;

  @Field()
  login!: string;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A login. Send the token as `Authorization: Bearer …`.',
})
export class Session {
  @Field({ description: 'Shown once. Over WebSocket it goes into connectionParams.authorization.' })
  token!: string;

  @Field()
  expiresAt!: Date;

  @Field(() => Operator)
  operator!: Operator;
}

/** Verified where no such login exists, so that the answer's time does not tell which logins do. */
let decoy: Promise<string> | undefined;

@Resolver()
export class SessionResolver {
  @Mutation(() => Session, { description: 'Logs an operator in for twelve hours.' })
  async login(
    @Arg('login') login: string,
    @Arg('password') password: string,
    @Ctx() { database, lookup, log, now }: GraphContext,
    @Info() { operation }: GraphQLResolveInfo,
  ): Promise<Session> {
    // A password check is slow on purpose; a request may ask for one.
    if (operation.selectionSet.selections.length > 1)
      throw new CatalogueError('RATE_LIMITED', 'one login a request');
    const operator = await findOperatorByLogin(database, login);
    decoy ??= hash(newSessionToken());
    const right = await verify(operator?.passwordHash ?? (await decoy), password);
    if (!operator || !right) {
      metrics.logins.inc({ outcome: 'refused' });
      log.warn('login refused');
      throw new CatalogueError('UNAUTHENTICATED', 'login or password is wrong');
    }
    const token = newSessionToken();
    const expiresAt = new Date(now.getTime() + SESSION_HOURS * 3_600_000);
    await insertSession(database, {
      tokenHash: lookup(token),
      operatorId: operator.id,
      createdAt: now,
      expiresAt,
    });
    metrics.logins.inc({ outcome: 'accepted' });
    log.info({ operator: operator.login }, 'operator logged in');
    return { token, expiresAt, operator };
  }

  @Authorized('OPERATOR')
  @Mutation(() => Boolean, { description: 'Ends this session.' })
  async logout(@Ctx() { actor, database }: GraphContext): Promise<boolean> {
    if (actor.kind === 'operator') await deleteSession(database, actor.tokenHash);
    return true;
  }

  @Authorized('OPERATOR')
  @Query(() => Operator, { description: 'Who is logged in.' })
  me(@Ctx() { actor }: GraphContext): Operator {
    return operatorOf(actor);
  }
}

/** The actor behind an Authorization header, or nobody. */
export async function actorOfBearer(
  { database, lookup, clock }: Pick<GraphDeps, 'database' | 'lookup' | 'clock'>,
  authorization: unknown,
): Promise<Actor> {
  const token =
    typeof authorization === 'string' ? /^Bearer (\S+)$/i.exec(authorization)?.[1] : undefined;
  if (token === undefined) return ANONYMOUS;
  const tokenHash = lookup(token);
  const operator = await within(
    IDENTIFIED_WITHIN_MS,
    findOperatorBySession(database, tokenHash, clock()),
  );
  return operator ? { kind: 'operator', operator, via: 'session', tokenHash } : ANONYMOUS;
}

/** @throws UNAUTHENTICATED if the login of this context has ended since */
export async function requireLiveSession({ actor, database, clock }: GraphContext): Promise<void> {
  if (actor.kind !== 'operator') return;
  if (!(await findOperatorBySession(database, actor.tokenHash, clock())))
    throw new CatalogueError('UNAUTHENTICATED', 'log in again');
}

/** An operator that a deployment begins with. */
export interface FirstOperator {
  readonly login: string;
  readonly password: string;
  /** Names of roles. */
  readonly roles: readonly string[];
}

/** Creates an operator, unless one with this login is there. */
export async function ensureFirstOperator(
  database: Database,
  { login, password, roles }: FirstOperator,
  now: Date,
): Promise<void> {
  if (await findOperatorByLogin(database, login)) return;
  const passwordHash = await hash(password);
  await ensureOperator(database, { id: uuidv7(), login, passwordHash, roles, createdAt: now });
}
