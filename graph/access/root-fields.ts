import type { AuthCheckerInterface, MiddlewareFn, ResolverData } from 'type-graphql';
import { CatalogueError } from '../../domain/errors';
import type { GraphContext } from '../context';
import { ANSWERED_WITHIN_MS, within } from '../deadline';
import { ROOT_TYPES } from '../operation-metrics';
import { authorize, PUBLIC_FIELDS, type Role } from './authorization';

/** type-graphql calls this for each field with @Authorized. */
export class AuthChecker implements AuthCheckerInterface<GraphContext, Role> {
  check({ context, root }: ResolverData<GraphContext>, roles: Role[]): boolean {
    authorize(context.actor, root, roles);
    return true;
  }
}

/** Denies by default: a root field without @Authorized is closed to anonymous callers. */
export const denyAnonymous: MiddlewareFn<GraphContext> = async ({ context, info }, next) => {
  const root = ROOT_TYPES.has(info.parentType.name);
  if (root && !PUBLIC_FIELDS.has(`${info.parentType.name}.${info.fieldName}`))
    if (context.actor.kind === 'anonymous')
      throw new CatalogueError('UNAUTHENTICATED', 'log in first');
  return (await next()) as unknown;
};

/** A root field answers in time, or with an error. */
export const answerInTime: MiddlewareFn<GraphContext> = async ({ info, context }, next) =>
  ROOT_TYPES.has(info.parentType.name)
    ? await within<unknown>(ANSWERED_WITHIN_MS * context.database.patience, next())
    : ((await next()) as unknown);
