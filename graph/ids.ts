import { GraphQLID, type GraphQLInputType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import type { ResolverData } from 'type-graphql';
import { invalidField } from '../domain/errors';
import type { GraphContext } from './context';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Marks an input field of type ID that may also hold a name, such as a role's. */
export const NAMED_ID = { namedId: true } as const;

/** The path of the first value of an id field that is not an id, in an input of this type; undefined: all are ids. */
function strayId(type: GraphQLInputType, value: unknown, path: string): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (isNonNullType(type)) return strayId(type.ofType, value, path);
  if (isListType(type))
    return Array.isArray(value) ? firstOf(value, (one) => strayId(type.ofType, one, path)) : undefined;
  if (isInputObjectType(type))
    return firstOf(Object.values(type.getFields()), ({ name, type: inside, extensions }) =>
      extensions['namedId'] === true
        ? undefined
        : strayId(inside, (value as Record<string, unknown>)[name], `${path}.${name}`),
    );
  return type === GraphQLID && !(typeof value === 'string' && UUID.test(value)) ? path : undefined;
}

/** The first result that is defined. */
function firstOf<One>(several: readonly One[], answer: (one: One) => string | undefined): string | undefined {
  for (const one of several) {
    const answered = answer(one);
    if (answered !== undefined) return answered;
  }
  return undefined;
}

/**
 * Refuses a text in an id field, such as an account number in the wrong field. It must not reach PostgreSQL, which
 * would quote it in an error message and in the log.
 * @throws INVALID_FIELD
 */
export function requireIds({ args, context, info }: ResolverData<GraphContext>): void {
  const inputs = info.parentType.getFields()[info.fieldName]?.args ?? [];
  const stray = firstOf(inputs, ({ name, type }) => strayId(type, args[name], name));
  // An agent's accounts are compared before they are looked up: so the agent gets the refusal for a foreign account.
  if (stray !== undefined && context.actor.kind !== 'agent') throw invalidField(stray, 'must be a UUID');
}
