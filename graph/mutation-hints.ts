import type { GraphQLField, GraphQLSchema } from 'graphql';
import type { GraphContext } from './context';

/**
 * What waits without harm until a relay looks by itself: the workflow of a new deposit has nothing to do before its expiry. One
 * at a channel tells by itself.
 */
const CAN_WAIT: ReadonlySet<string> = new Set(['createDeposit']);

/** Each mutation tells the relays when it has ended: also a failed one may have committed something. */
export function hintRelays(schema: GraphQLSchema): GraphQLSchema {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {}) as GraphQLField<unknown, GraphContext>[];
  for (const field of mutations) {
    const { name, resolve } = field;
    if (!resolve) throw new Error(`the mutation ${name} has no resolver`);
    if (CAN_WAIT.has(name)) continue;
    field.resolve = async (root, args: Record<string, unknown>, context, info) => {
      try {
        return await resolve(root, args, context, info);
      } finally {
        context.relayHints.tell();
      }
    };
  }
  return schema;
}
