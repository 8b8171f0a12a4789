import { type GraphQLFieldConfig, getNullableType, GraphQLObjectType, GraphQLSchema } from 'graphql';
import type { Role } from './access/authorization';
import { accessOfField } from './access/guard';

type Root = GraphQLFieldConfig<unknown, unknown>;
type Change = (root: Root, name: string) => Root | null;

/** Roles given by a signature, in process; no login has them. */
const GATEWAY_ROLES: ReadonlySet<Role> = new Set<Role>([
  ...(['MERCHANT', 'DEPOSITOR', 'WITHDRAWER', 'AGENT', 'CHANNEL', 'PAYER', 'OWNER'] as const),
  ...(['ENROLLER'] as const),
]);
const isOfGateway = (role: Role): boolean => GATEWAY_ROLES.has(role);
const rolesOf = ({ extensions }: Root): readonly Role[] => accessOfField({ extensions: extensions ?? {} }).roles;

/** Queries that fail only by a fault of ours. */
const NEVER_NULL: ReadonlySet<string> = new Set([...['me', 'lastEventSeq', 'lastAlertSeq', 'queues', 'search']]);

/** A root type with changed fields, and without those that `change` drops. */
function rootType<Type extends GraphQLObjectType | null | undefined>(
  type: Type,
  change: Change,
): Type | GraphQLObjectType {
  if (!type) return type;
  const { fields, ...config } = type.toConfig();
  const kept = Object.entries(fields).flatMap(([name, root]) => {
    const field = change(root as Root, name);
    return field ? [[name, field] as const] : [];
  });
  return new GraphQLObjectType({ ...config, fields: Object.fromEntries(kept) });
}

/** The schema with changed queries and mutations, and only the types that they still reach. */
const withRoots = (schema: GraphQLSchema, change: Change): GraphQLSchema =>
  new GraphQLSchema({
    query: rootType(schema.getQueryType(), change),
    mutation: rootType(schema.getMutationType(), change),
    subscription: schema.getSubscriptionType(),
  });

/**
 * The operators' schema: the roots that a login may use. If a root fails, only that root is null: the others of the
 * document keep their answers, and later mutations run.
 */
export const operatorSchemaOf = (whole: GraphQLSchema): GraphQLSchema =>
  withRoots(whole, (root, name) => {
    if (rolesOf(root).every(isOfGateway)) return null;
    return NEVER_NULL.has(name) ? root : { ...root, type: getNullableType(root.type) };
  });

/**
 * The schema that the gateway runs in process for merchants, agents, payers and channels: an answer is complete, or an
 * error.
 * @public to local/generate.mjs, which prints it
 */
export const gatewaySchemaOf = (whole: GraphQLSchema): GraphQLSchema => {
  const { query, mutation } = withRoots(whole, (root) => (rolesOf(root).some(isOfGateway) ? root : null)).toConfig();
  return new GraphQLSchema({ query, mutation });
};
