import { getNamedType, GraphQLID, type GraphQLField, type GraphQLSchema } from 'graphql';
import { CatalogueError } from '../../domain/errors';
import { metrics } from '../../runtime/metrics';
import { PUBLIC_FIELDS } from '../access/authorization';
import type { Actor } from '../../steps/access/actor';
import type { GraphContext } from '../context';
import type { AuditNote } from '../../steps/audit/audit-trail';
import { recordAudit, shortened } from '../../steps/audit/write-audit';

/** Operators and invited persons; merchants and agents have events and bank rows of their own. */
const isAudited = (actor: Actor, field: string): boolean =>
  actor.kind === 'operator' || (actor.kind === 'anonymous' && PUBLIC_FIELDS.has(`Mutation.${field}`));

type Field = GraphQLField<unknown, GraphContext>;

/** The arguments of a refused mutation that cannot be secrets: ids, and the reason. */
function plainArguments(field: Field, args: Readonly<Record<string, unknown>>): AuditNote {
  const ids = field.args
    .filter((arg) => getNamedType(arg.type) === GraphQLID && typeof args[arg.name] === 'string')
    .map(({ name }) => [name, args[name] as string] as const);
  const { reason } = args;
  return {
    reason: typeof reason === 'string' ? shortened(reason) : null,
    after: ids.length > 0 ? Object.fromEntries(ids) : null,
  };
}

/**
 * Audits every mutation. One that wrote its entry in its transaction needs nothing more; any other is recorded when it
 * has ended, a refused one with the kind of refusal.
 */
export function auditMutations(schema: GraphQLSchema): GraphQLSchema {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {}) as Field[];
  for (const field of mutations) {
    const { name, resolve } = field;
    if (!resolve) throw new Error(`the mutation ${name} has no resolver`);
    field.resolve = async (root, args: Record<string, unknown>, context: GraphContext, info) => {
      if (!isAudited(context.actor, name)) return await resolve(root, args, context, info);
      const { audit } = context;
      audit.start(name);
      let result: unknown;
      try {
        result = await resolve(root, args, context, info);
      } catch (error) {
        const outcome = error instanceof CatalogueError ? error.kind : 'INTERNAL_ERROR';
        const note = { ...plainArguments(field, args), ...audit.note };
        // The caller gets the refusal even if its entry cannot be written.
        await recordAudit(context, name, note, outcome).catch((fault: unknown) => {
          context.log.error({ err: fault, action: name, outcome }, 'a refusal was not audited');
        });
        throw error;
      }
      if (audit.written) metrics.auditEntries.inc({ outcome: 'ok' });
      else await recordAudit(context, name, audit.note);
      return result;
    };
  }
  return schema;
}
