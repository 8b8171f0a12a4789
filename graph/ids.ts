import {
  getNamedType,
  GraphQLID,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { MiddlewareFn } from 'type-graphql';
import { CatalogueError } from '../domain/errors';
import type { GraphContext } from './context';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Of an input field of type ID that may also hold a name, such as a role's. */
export const NAMED_ID = { namedId: true } as const;

/** Whether every id in a value of this type could be one. */
function holdsIds(type: GraphQLInputType, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (isNonNullType(type)) return holdsIds(type.ofType, value);
  if (isListType(type))
    return !Array.isArray(value) || value.every((one) => holdsIds(type.ofType, one));
  const named = getNamedType(type);
  if (isInputObjectType(named))
    return Object.values(named.getFields()).every(
      (field) =>
        field.extensions['namedId'] === true ||
        holdsIds(field.type, (value as Record<string, unknown>)[field.name]),
    );
  return named !== GraphQLID || (typeof value === 'string' && UUID.test(value));
}

/**
 * A text where an id belongs, such as an account number that a person put into the wrong field, names nothing. It does
 * not reach PostgreSQL, which would refuse it with a message that quotes it, there and in our log.
 */
export const idsAreIds: MiddlewareFn<GraphContext> = async ({ args, context, info }, next) => {
  const field = info.parentType.getFields()[info.fieldName];
  const fits = field?.args.every((arg) => holdsIds(arg.type, args[arg.name])) ?? true;
  // An agent's accounts are compared before they are looked up: the agent learns that one is not its own.
  if (!fits && context.actor.kind !== 'agent')
    throw new CatalogueError('NOT_FOUND', 'something that the request refers to does not exist');
  return (await next()) as unknown;
};
