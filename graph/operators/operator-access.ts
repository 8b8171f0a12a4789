import { Arg, Authorized, Ctx, Field, ID, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { isEmail } from '../../domain/email';
import { businessError, invalidField, notFound } from '../../domain/errors';
import { currencyDecimals, type Money } from '../../domain/money';
import type { Permission } from '../../domain/permissions';
import type { ChangeRow } from '../../db/changes/change-requests';
import { findLink } from '../../db/operators/operator-links';
import type { OperatorWithAuthority } from '../../db/operators/operators';
import { findRoles, type RoleRow } from '../../db/operators/roles';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { type GraphContext } from '../context';
import { Invitation, shownInvitation } from './invitation';
import { ApproveLimit, Operator, shownLimits } from './operator';
import {
  accessSettings,
  type AccessPayload,
  type RolePayload,
  roleSettings,
} from '../../steps/operators/operator-effects';
import { newLinkIds } from '../../steps/operators/operator-link';
import { PermissionEnum } from '../access/permission';
import { propose } from '../../steps/changes/propose';
import { DecimalScalar } from '../scalars';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { operatorOf } from '../../steps/access/caller';
import { closes, isOneMore } from '../../steps/operators/operator-access';

@ObjectType({ simpleResolvers: true, description: 'A named set of permissions.' })
export class Role {
  @Field({ description: 'Unique; operators refer to roles by name.' })
  name!: string;

  @Field(() => [PermissionEnum], { description: 'What it allows. Expect new permissions.' })
  permissions!: readonly Permission[];

  @Field(() => [ApproveLimit], {
    nullable: true,
    description: 'What may be approved at most, by currency; null: any amount, if it has APPROVE.',
  })
  approveLimits!: readonly ApproveLimit[] | null;

  @Field({ description: 'Never changes.' })
  builtIn!: boolean;
}

@InputType({ description: 'The most that may be approved in a currency.' })
export class ApproveLimitInput {
  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => DecimalScalar, {
    description:
      'The most that one approval may be worth, in this currency; zero or more, at most four decimal places.',
  })
  amount!: Money;
}

@InputType({ description: 'What a role allows.' })
export class RoleInput {
  @Field({ description: '2-32 lower-case letters, digits and -.' })
  name!: string;

  @Field(() => [PermissionEnum], { description: 'VIEW is always among them.' })
  permissions!: Permission[];

  @Field(() => [ApproveLimitInput], {
    nullable: true,
    description: 'A currency that is not named may not be approved; null: any amount in any.',
  })
  approveLimits?: ApproveLimitInput[] | null;
}

@ObjectType({ simpleResolvers: true, description: 'A proposed change of what an operator may.' })
export class OperatorChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => Operator, { description: 'Its present state.' })
  operator!: Operator;
}

@ObjectType({ simpleResolvers: true, description: 'A proposed invitation.' })
export class InvitationChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => Invitation, { nullable: true, description: 'Null until the change is applied.' })
  invitation!: Invitation | null;
}

@ObjectType({ simpleResolvers: true, description: 'A proposed change of a role.' })
export class RoleChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => Role, { nullable: true, description: 'As it stands now; null where there is none.' })
  role!: Role | null;
}

/** A role as it is shown. */
export const shownRole = ({ name, permissions, approveLimits, builtIn }: RoleRow): Role => ({
  name,
  permissions,
  builtIn,
  approveLimits: permissions.includes('APPROVE') ? shownLimits(approveLimits) : [],
});

/** A role as it is stored. @throws INVALID_FIELD */
function rolePayload({ name, permissions, approveLimits }: RoleInput): RolePayload {
  if (!/^[a-z][a-z0-9-]{1,31}$/.test(name))
    throw invalidField('name', 'must be 2-32 lower-case letters, digits and -', 'OUT_OF_RANGE');
  for (const { currencyCode, amount } of approveLimits ?? []) {
    const decimals = currencyDecimals(currencyCode);
    if (decimals === undefined)
      throw invalidField('currencyCode', `${currencyCode} is not an ISO 4217 currency`, 'UNKNOWN_VALUE');
    if (amount.isNegative() || amount.decimalPlaces() > decimals)
      throw invalidField('amount', `must be 0 or more, with at most ${decimals} decimal places`, 'OUT_OF_RANGE');
  }
  return {
    name,
    permissions: [...new Set<Permission>(['VIEW', ...permissions])],
    approveLimits:
      approveLimits === null || approveLimits === undefined
        ? null
        : Object.fromEntries(approveLimits.map(({ currencyCode, amount }) => [currencyCode, amount.toFixed()])),
  };
}

/** The operator after the change. */
async function changedOperator({ loaders }: GraphContext, change: ChangeRow, id: string): Promise<OperatorChange> {
  const operator = await loaders.operators.clear(id).load(id);
  if (!operator) throw notFound('operator');
  return { change, operator };
}

@Resolver()
export class OperatorAccessResolver {
  @Authorized('ADMIN')
  @Query(() => Operator, { nullable: true, description: 'One operator.' })
  async operator(
    @Arg('id', () => ID, { description: 'A UUID.' }) id: string,
    @Ctx() { loaders }: GraphContext,
  ): Promise<OperatorWithAuthority | undefined> {
    return await loaders.operators.load(id);
  }

  @Authorized('ADMIN')
  @Mutation(() => InvitationChange, {
    description: 'Proposes to invite an operator. Once approved, a link is mailed that works once, for three days.',
  })
  async inviteOperator(
    @Arg('email', {
      description: 'Where the invitation is mailed to; the address of no other operator.',
    })
    email: string,
    @Arg('roles', () => [String], { description: 'Names of roles.' }) roles: string[],
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('merchantIds', () => [ID], { nullable: true, description: 'Restricts to these.' })
    merchantIds?: string[] | null,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<InvitationChange> {
    if (!isEmail(email)) throw invalidField('email', 'must be an e-mail address');
    if (roles.length === 0) throw invalidField('roles', 'must name at least one', 'REQUIRED');
    const offer = { email, roles: [...new Set(roles)].sort(), merchantIds: merchantIds ?? null };
    const ids = newLinkIds();
    const change = await propose(context, {
      kind: 'INVITE_OPERATOR',
      subject: { kind: 'operator', id: ids.id, name: email },
      summary: `Invite ${email} as ${offer.roles.join(', ')}`,
      before: {},
      after: offer,
      payload: { ...ids, ...offer, createdBy: operatorOf(context.actor).id },
      reason,
      evidence,
    });
    const link = await findLink(context.database, ids.id);
    return { change, invitation: link ? shownInvitation(link) : null };
  }

  @Authorized('ADMIN')
  @Mutation(() => OperatorChange, {
    description:
      'Proposes the roles and merchants of an operator. One that only takes away needs one person. Its sessions end.',
  })
  async setOperatorAccess(
    @Arg('operatorId', () => ID, { description: 'The id of the operator, a UUID.' }) id: string,
    @Arg('roles', () => [String], { description: 'Names of roles; replaces all that it has.' })
    roles: string[],
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('merchantIds', () => [ID], { nullable: true, description: 'Null: no restriction.' })
    merchantIds?: string[] | null,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<OperatorChange> {
    const operator = await context.loaders.operators.load(id);
    if (!operator) throw notFound('operator');
    const payload: AccessPayload = {
      id,
      roles: [...new Set(roles)].sort(),
      merchantIds: merchantIds ? [...new Set(merchantIds)].sort() : null,
    };
    const before = accessSettings(operator);
    const after = { ...before, roles: payload.roles, merchantIds: payload.merchantIds };
    const change = await propose(context, {
      kind: 'SET_OPERATOR_ACCESS',
      subject: { kind: 'operator', id, name: operator.login },
      summary: `${operator.login} is to be ${payload.roles.join(', ') || 'nothing'}`,
      before,
      after,
      payload,
      reason,
      evidence,
      alone: closes(operator, payload) && !(await isOneMore(context, operator)) ? 'CLOSING' : null,
    });
    return await changedOperator(context, change, id);
  }

  @Authorized('ADMIN')
  @Mutation(() => OperatorChange, {
    description: 'Disables the login of an operator at once, or proposes to enable it again. Sessions and tokens end.',
  })
  async setOperatorDisabled(
    @Arg('operatorId', () => ID, { description: 'The id of the operator, a UUID.' }) id: string,
    @Arg('disabled', {
      description: 'True: it cannot log in, and its sessions end. False: it may log in again.',
    })
    disabled: boolean,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<OperatorChange> {
    const operator = await context.loaders.operators.load(id);
    if (!operator) throw notFound('operator');
    const before = accessSettings(operator);
    const change = await propose(context, {
      kind: 'SET_OPERATOR_DISABLED',
      subject: { kind: 'operator', id, name: operator.login },
      summary: `${disabled ? 'Shut out' : 'Let in again'} ${operator.login}`,
      before,
      after: { ...before, disabled },
      payload: { id, disabled },
      reason,
      alone: disabled && !(await isOneMore(context, operator)) ? 'CLOSING' : null,
    });
    return await changedOperator(context, change, id);
  }

  @Authorized('ADMIN')
  @Mutation(() => RoleChange, { description: 'Proposes a role of its own.' })
  async createRole(
    @Arg('input', { description: 'The role to add.' }) input: RoleInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<RoleChange> {
    const payload = rolePayload(input);
    const after = {
      permissions: [...payload.permissions].sort(),
      approveLimits: payload.approveLimits,
    };
    const change = await propose(context, {
      kind: 'CREATE_ROLE',
      subject: { kind: 'role', id: payload.name, name: payload.name },
      summary: `Add the role ${payload.name}`,
      before: {},
      after,
      payload,
      reason,
    });
    return await this.changed(context, change, payload.name);
  }

  @Authorized('ADMIN')
  @Mutation(() => RoleChange, {
    description: 'Proposes what a role allows. Its holders must log in again.',
  })
  async updateRole(
    @Arg('input', { description: 'The role after the change, selected by its name.' })
    input: RoleInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<RoleChange> {
    const payload = rolePayload(input);
    const [role] = await findRoles(context.database.sql, [payload.name]);
    if (!role) throw notFound('role');
    if (role.builtIn) throw businessError('PROTECTED', 'a built-in role cannot be changed');
    const after = {
      permissions: [...payload.permissions].sort(),
      approveLimits: payload.approveLimits,
    };
    const change = await propose(context, {
      kind: 'UPDATE_ROLE',
      subject: { kind: 'role', id: role.name, name: role.name },
      summary: `Change what the role ${role.name} allows`,
      before: roleSettings(role),
      after,
      payload,
      reason,
    });
    return await this.changed(context, change, role.name);
  }

  @Authorized('ADMIN')
  @Mutation(() => RoleChange, { description: 'Removes an unused role.' })
  async deleteRole(
    @Arg('name', { description: 'The name of the role.' }) name: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<RoleChange> {
    const [role] = await findRoles(context.database.sql, [name]);
    if (!role) throw notFound('role');
    const change = await propose(context, {
      kind: 'DELETE_ROLE',
      subject: { kind: 'role', id: name, name },
      summary: `Remove the role ${name}`,
      before: roleSettings(role),
      after: {},
      payload: { name },
      reason,
      alone: 'CLOSING',
    });
    return await this.changed(context, change, name);
  }

  private async changed({ database }: GraphContext, change: ChangeRow, name: string): Promise<RoleChange> {
    const [role] = await findRoles(database.sql, [name]);
    return { change, role: role ? shownRole(role) : null };
  }
}
