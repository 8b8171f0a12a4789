import {
  defaultFieldResolver,
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import { CatalogueError, notFound } from '../../domain/errors';
import { reaches } from '../../domain/permissions';
import { accessOf, PLATFORM_FIELDS, type TypeAccess } from './access';
import { authorize, PUBLIC_FIELDS, type Role } from './authorization';
import type { Actor } from '../../steps/access/actor';
import { requireFreshFactor } from '../../steps/access/factor';
import { maskOf, PERSONAL_FIELDS, shownTo } from './personal';
import type { GraphContext } from '../context';
import { ROOT_TYPES } from '../operation-metrics';
import { MONEY_STEPS } from '../../domain/authority/table';
import { problemOfPlace, requireRow } from '../authority/warrant';

/** The rule of a field: who may use it, and whether it is closed to operators restricted to merchants. */
export interface FieldAccess {
  readonly roles: readonly Role[];
  readonly platform: boolean;
}

/** The rule of a field of a guarded schema. */
export const accessOfField = ({ extensions }: { extensions: object }): FieldAccess =>
  (extensions as { access: FieldAccess }).access;

type Field = GraphQLField<unknown, GraphContext>;

/** The names in @Authorized, by `Type.field`. */
function declaredRoles(): Map<string, readonly Role[]> {
  const { queries, mutations, subscriptions, objectTypes } = getMetadataStorage();
  const named = (type: string, fields: readonly { schemaName: string; roles?: Role[] }[]) =>
    fields.flatMap(({ schemaName, roles }) => (roles ? [[`${type}.${schemaName}`, roles] as const] : []));
  return new Map([
    ...named('Query', queries),
    ...named('Mutation', mutations),
    ...named('Subscription', subscriptions),
    ...objectTypes.flatMap(({ name, fields }) => named(name, fields ?? [])),
  ]);
}

/** The rule of a field. @throws if it has none */
function ruleOf(type: string, field: Field, declared: ReturnType<typeof declaredRoles>): FieldAccess {
  const name = `${type}.${field.name}`;
  const root = ROOT_TYPES.has(type);
  const roles =
    declared.get(name) ??
    (PUBLIC_FIELDS.has(name) ? (['ANYONE'] as const) : undefined) ??
    (root ? undefined : accessOf(type)?.readers);
  if (!roles || roles.length === 0)
    throw new Error(
      root
        ? `${name} has no rule: give it @Authorized`
        : `${name} has no rule: give it @Authorized, or its type a line in graph/access/access.ts`,
    );
  const misplaced = type === 'Mutation' ? problemOfPlace(MONEY_STEPS, field.name, roles) : null;
  if (misplaced) throw new Error(misplaced);
  const returned = accessOf(getNamedType(field.type).name);
  const platform = PLATFORM_FIELDS.has(name) || accessOf(type)?.platform === true || returned?.platform === true;
  return { roles, platform };
}

/** The merchants that an operator is restricted to; null without restriction. */
const restriction = (actor: Actor): { readonly merchantIds: readonly string[] } | null =>
  actor.kind === 'operator' && actor.operator.merchantIds !== null ? { merchantIds: actor.operator.merchantIds } : null;

/** Removes objects of other merchants from a field's result. */
async function onlyOwn(
  resolved: unknown,
  to: { readonly merchantIds: readonly string[] },
  merchantOf: NonNullable<TypeAccess['merchantOf']>,
  context: GraphContext,
  nullable: boolean,
): Promise<unknown> {
  const value = await resolved;
  const own = async (node: unknown): Promise<boolean> => {
    const merchantId = await merchantOf(node as never, context);
    return merchantId === undefined || (merchantId !== null && reaches(to, merchantId));
  };
  if (value === null || value === undefined) return value;
  if (Array.isArray(value)) {
    const kept = await Promise.all(value.map(own));
    return value.filter((_node, index) => kept[index]);
  }
  if (await own(value)) return value;
  if (nullable) return null;
  throw notFound('what the request names');
}

function guardField(type: GraphQLObjectType, field: Field, rule: FieldAccess): void {
  const { resolve = defaultFieldResolver } = field;
  const { roles, platform } = rule;
  const root = ROOT_TYPES.has(type.name);
  const merchantOf = accessOf(getNamedType(field.type).name)?.merchantOf;
  const nullable = !isNonNullType(field.type);
  const mask = maskOf(`${type.name}.${field.name}`);
  field.extensions = { ...field.extensions, access: rule };
  const answer: typeof resolve = mask
    ? async (source, args, context, info) => shownTo(context, mask, source, await resolve(source, args, context, info))
    : resolve;
  field.resolve = (source, args, context, info) => {
    const { actor } = context;
    // Root fields are checked where they are timed and counted: in the auth checker.
    if (!root) authorize(actor, source, roles);
    if (type.name === 'Mutation') {
      requireRow(context, field.name);
      requireFreshFactor(context, field.name);
    }
    const to = restriction(actor);
    if (to === null) return answer(source, args, context, info);
    if (platform) throw new CatalogueError('AUTHORIZATION_ERROR', 'this concerns merchants outside your restriction');
    const resolved = answer(source, args, context, info);
    return merchantOf ? onlyOwn(resolved, to, merchantOf, context, nullable) : resolved;
  };
}

/**
 * Puts a rule before every field of the schema: @Authorized of the field, else the rule of its type in
 * graph/access/access.ts. Operators restricted to merchants get nothing of other merchants.
 * Masks the data of payers and beneficiaries for who may not read it.
 * @throws if a field has no rule
 */
export function guardFields(schema: GraphQLSchema): GraphQLSchema {
  const declared = declaredRoles();
  for (const name of Object.keys(PERSONAL_FIELDS)) {
    const [type = '', field = ''] = name.split('.');
    const masks = schema.getType(type);
    if (!isObjectType(masks) || !(field in masks.getFields()))
      throw new Error(`graph/access/personal.ts masks ${name}, which does not exist`);
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields()) as Field[])
      guardField(type, field, ruleOf(type.name, field, declared));
  }
  return schema;
}
