import {
  GraphQLID,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { MiddlewareFn } from 'type-graphql';
import { invalidField } from '../domain/errors';
import type { GraphContext } from './context';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Of an input field of type ID that may also hold a name, such as a role's. */
export const NAMED_ID = { namedId: true } as const;

/** The path of the first value in an input of this type that belongs to an id and is none; undefined: all are. */
function strayId(type: GraphQLInputType, value: unknown, path: string): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (isNonNullType(type)) return strayId(type.ofType, value, path);
  if (isListType(type))
    return Array.isArray(value)
      ? firstOf(value, (one) => strayId(type.ofType, one, path))
      : undefined;
  if (isInputObjectType(type))
    return firstOf(Object.values(type.getFields()), ({ name, type: inside, extensions }) =>
      extensions['namedId'] === true
        ? undefined
        : strayId(inside, (value as Record<string, unknown>)[name], `${path}.${name}`),
    );
  return type === GraphQLID && !(typeof value === 'string' && UUID.test(value)) ? path : undefined;
}

/** What the first of several answers that answers anything. */
function firstOf<One>(
  several: readonly One[],
  answer: (one: One) => string | undefined,
): string | undefined {
  for (const one of several) {
    const answered = answer(one);
    if (answered !== undefined) return answered;
  }
  return undefined;
}

/**
 * A text where an id belongs, such as an account number in the wrong field, is malformed. It does not reach
 * PostgreSQL, which would refuse it with a message that quotes it, there and in our log.
 */
export const idsAreIds: MiddlewareFn<GraphContext> = async ({ args, context, info }, next) => {
  const inputs = info.parentType.getFields()[info.fieldName]?.args ?? [];
  const stray = firstOf(inputs, ({ name, type }) => strayId(type, args[name], name));
  // An agent's accounts are compared before they are looked up: the agent learns that one is not its own.
  if (stray !== undefined && context.actor.kind !== 'agent')
    throw invalidField(stray, 'must be a UUID');
  return (await next()) as unknown;
};
