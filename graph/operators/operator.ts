import { Authorized, Ctx, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { Money } from '../../domain/money';
import { type ApproveLimits, PERMISSIONS, type Permission } from '../../domain/permissions';
import type { OperatorWithAuthority } from '../../db/operators/operators';
import type { SessionRow } from '../../db/operators/sessions';
import type { ApiTokenRow } from '../../db/operators/api-tokens';
import { ApiToken } from './api-token';
import { type GraphContext } from '../context';
import { missingFactor } from '../../steps/access/factor';
import { PermissionEnum } from '../access/permission';
import { DecimalScalar } from '../scalars';

@ObjectType({ simpleResolvers: true, description: 'The most that may be approved in a currency.' })
export class ApproveLimit {
  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => DecimalScalar, {
    description: 'The most that one approval may be worth, in this currency, four decimal places.',
  })
  amount!: Money;
}

/** Limits as GraphQL shows them; null: any amount. */
export const shownLimits = (limits: ApproveLimits): ApproveLimit[] | null =>
  limits && Object.entries(limits).map(([currencyCode, amount]) => ({ currencyCode, amount }));

@ObjectType({ simpleResolvers: true, description: 'A login that has not ended.' })
export class OperatorSession {
  @Field(() => ID, { description: 'A UUID, as `endSession` takes it.' })
  id!: string;

  @Field({ description: "True for a browser's, false for a program's Bearer token." })
  cookie!: boolean;

  @Field(() => String, { nullable: true, description: 'The address that it was opened from.' })
  address!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The client's User-Agent header at the login; null if it sent none.",
  })
  userAgent!: string | null;

  @Field({ description: 'When it logged in.' })
  createdAt!: Date;

  @Field({ description: 'To the minute.' })
  lastSeenAt!: Date;

  @Field({ description: 'It ends then at the latest.' })
  expiresAt!: Date;

  @Field({ description: 'Whether it is the one that asks.' })
  current!: boolean;
}

@ObjectType({ description: 'A person who operates the platform.' })
export class Operator {
  @Field(() => ID, { description: 'A UUID.' })
  id!: string;

  @Field({ description: 'The name that it logs in with; unique, lower case.' })
  login!: string;
}

@Resolver(() => Operator)
export class OperatorResolver {
  @Authorized('SELF', 'ADMIN')
  @FieldResolver(() => [String], { description: 'Names of its roles.' })
  async roles(@Root() { id }: Operator, @Ctx() { loaders }: GraphContext): Promise<readonly string[]> {
    return (await found(loaders, id)).roles;
  }

  @Authorized('SELF', 'ADMIN')
  @FieldResolver(() => [PermissionEnum], { description: 'The permissions of all its roles.' })
  async permissions(@Root() { id }: Operator, @Ctx() { loaders }: GraphContext): Promise<Permission[]> {
    const { permissions } = await found(loaders, id);
    return PERMISSIONS.filter((permission) => permissions.has(permission));
  }

  @Authorized('SELF', 'ADMIN')
  @FieldResolver(() => [ApproveLimit], {
    nullable: true,
    description: 'What it may approve at most, by currency; null: any amount, if it has APPROVE.',
  })
  async approveLimits(@Root() { id }: Operator, @Ctx() { loaders }: GraphContext): Promise<ApproveLimit[] | null> {
    return shownLimits((await found(loaders, id)).approveLimits);
  }

  @Authorized('SELF', 'ADMIN')
  @FieldResolver(() => [ID], {
    nullable: true,
    description: 'The merchants that it is restricted to; null: all.',
  })
  async merchantIds(@Root() { id }: Operator, @Ctx() { loaders }: GraphContext): Promise<readonly string[] | null> {
    return (await found(loaders, id)).merchantIds;
  }

  @Authorized('SELF', 'ADMIN')
  @FieldResolver(() => String, { nullable: true, description: 'Where its mails go.' })
  async email(@Root() { id }: Operator, @Ctx() { loaders }: GraphContext): Promise<string | null> {
    return (await found(loaders, id)).email;
  }

  @Authorized('SELF', 'ADMIN')
  @FieldResolver(() => Boolean, {
    description: 'Whether it gets mails about new alerts that it may see; needs an address.',
  })
  async alertMails(@Root() { id }: Operator, @Ctx() { loaders }: GraphContext): Promise<boolean> {
    return (await found(loaders, id)).alertMails;
  }

  @Authorized('SELF', 'ADMIN')
  @FieldResolver(() => Boolean, {
    description: 'An authenticator app is enrolled: a login needs its code.',
  })
  async totp(@Root() { id }: Operator, @Ctx() { loaders }: GraphContext): Promise<boolean> {
    return (await found(loaders, id)).totp;
  }

  @Authorized('SELF', 'ADMIN')
  @FieldResolver(() => Boolean, {
    description: 'In production: may do nothing before an authenticator app is enrolled, or a passkey added.',
  })
  async mustEnrolTotp(
    @Root() { id }: Operator,
    @Ctx() { approverPasskeys = false, environment, loaders }: GraphContext,
  ): Promise<boolean> {
    const operator = await found(loaders, id);
    return missingFactor({ approverPasskeys, environment }, operator) === 'FACTOR';
  }

  @Authorized('SELF', 'ADMIN')
  @FieldResolver(() => Boolean, {
    description: 'Sees payers and beneficiaries masked: it lacks READ_PERSONAL where that is asked.',
  })
  async seesMasked(@Root() { id }: Operator, @Ctx() { loaders, maskPersonal = false }: GraphContext): Promise<boolean> {
    return maskPersonal && !(await found(loaders, id)).permissions.has('READ_PERSONAL');
  }

  @Authorized('SELF', 'ADMIN')
  @FieldResolver(() => Int, { description: 'How many recovery codes are left.' })
  async recoveryCodesLeft(@Root() { id }: Operator, @Ctx() { loaders }: GraphContext): Promise<number> {
    return await loaders.recoveryCodes.load(id);
  }

  @Authorized('SELF', 'ADMIN')
  @FieldResolver(() => [ApiToken], { description: 'Its personal tokens, newest first.' })
  async apiTokens(@Root() { id }: Operator, @Ctx() { loaders }: GraphContext): Promise<readonly ApiTokenRow[]> {
    return await loaders.apiTokens.load(id);
  }

  @Authorized('SELF', 'ADMIN')
  @FieldResolver(() => Date, { description: 'When it was added or accepted its invitation.' })
  async createdAt(@Root() { id }: Operator, @Ctx() { loaders }: GraphContext): Promise<Date> {
    return (await found(loaders, id)).createdAt;
  }

  @Authorized('SELF', 'ADMIN')
  @FieldResolver(() => Date, { nullable: true, description: 'May not log in since then.' })
  async disabledAt(@Root() { id }: Operator, @Ctx() { loaders }: GraphContext): Promise<Date | null> {
    return (await found(loaders, id)).disabledAt;
  }

  @Authorized('SELF', 'ADMIN')
  @FieldResolver(() => Date, {
    nullable: true,
    description: 'New permissions to decide are in their cooling period, and valid from then on; null: it is over.',
  })
  async decidesFrom(@Root() { id }: Operator, @Ctx() { loaders, now }: GraphContext): Promise<Date | null> {
    const { decidesFrom } = await found(loaders, id);
    return decidesFrom && decidesFrom > now ? decidesFrom : null;
  }

  @Authorized('SELF', 'ADMIN')
  @FieldResolver(() => [OperatorSession], { description: 'Its live logins, last seen first.' })
  async sessions(
    @Root() { id }: Operator,
    @Ctx() { actor, loaders }: GraphContext,
  ): Promise<readonly (SessionRow & { current: boolean })[]> {
    const sessions = await loaders.sessions.load(id);
    const own = actor.kind === 'operator' ? await loaders.sessionOfToken.load(actor.tokenHash) : undefined;
    return sessions.map((session) => ({ ...session, current: session.id === own }));
  }
}

async function found(loaders: GraphContext['loaders'], id: string): Promise<OperatorWithAuthority> {
  const operator = await loaders.operators.load(id);
  if (!operator) throw new Error(`there is no operator ${id}`);
  return operator;
}
