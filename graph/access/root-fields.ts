import type { AuthCheckerInterface, MiddlewareFn, ResolverData } from 'type-graphql';
import { CatalogueError } from '../../domain/errors';
import type { GraphContext } from '../context';
import { within } from '../../steps/deadline';
import { catalogueErrors } from '../errors';
import { requireIds } from '../ids';
import { ROOT_TYPES, timed } from '../operation-metrics';
import { authorize, PUBLIC_FIELDS, type Role } from './authorization';

/**
 * A root field has its answer within this: a little more than the slowest list may take, milliseconds; multiplied by
 * the database's patience.
 */
const ANSWERED_WITHIN_MS = 16_000;

/** type-graphql calls this for each field with @Authorized. */
export class AuthChecker implements AuthCheckerInterface<GraphContext, Role> {
  check({ context, root }: ResolverData<GraphContext>, roles: Role[]): boolean {
    authorize(context.actor, root, roles);
    return true;
  }
}

/** Denies by default: a root field without @Authorized is closed to anonymous callers. @throws UNAUTHENTICATED */
function requireLogin({ context, info }: ResolverData<GraphContext>): void {
  if (PUBLIC_FIELDS.has(`${info.parentType.name}.${info.fieldName}`)) return;
  if (context.actor.kind === 'anonymous') throw new CatalogueError('UNAUTHENTICATED', 'log in first');
}

/** Times of what a mutation writes would be wrong. Reads go on: somebody must see why. @throws SERVICE_UNAVAILABLE */
function requireClock({ context, info }: ResolverData<GraphContext>): void {
  if (info.parentType.name === 'Mutation' && context.isClockOff?.() === true)
    throw new CatalogueError('SERVICE_UNAVAILABLE', "this machine's clock is off");
}

/**
 * Around each resolver of ours: errors are those of the catalogue, and ids are ids. A root field is also timed and counted
 * under its name (clients choose names of operations), closed to anonymous callers, and answered in time, or with an
 * error. One middleware, because each costs several promises a field, and a page of a list has hundreds of fields.
 */
export const aroundFields: MiddlewareFn<GraphContext> = async (field, next) => {
  const { context, info } = field;
  const type = info.parentType.name;
  if (!ROOT_TYPES.has(type))
    return (await catalogueErrors(field, () => {
      requireIds(field);
      return next();
    })) as unknown;
  return await timed<unknown>(`${type}.${info.fieldName}`, () =>
    catalogueErrors(field, () => {
      requireClock(field);
      requireLogin(field);
      requireIds(field);
      return within<unknown>(ANSWERED_WITHIN_MS * context.database.patience, next());
    }),
  );
};
