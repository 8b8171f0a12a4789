import type { Decider } from '../../domain/change-request';
import { CatalogueError, notFound } from '../../domain/errors';
import type { AuthenticatedMerchant } from '../../db/merchants/merchants';
import { reaches } from '../../domain/permissions';
import type { OperatorWithAuthority } from '../../db/operators/operators';
import type { Actor } from './actor';

/** The calling operator. @throws AUTHORIZATION_ERROR for any other actor */
export function operatorOf(actor: Actor): OperatorWithAuthority {
  if (actor.kind === 'operator') return actor.operator;
  throw new CatalogueError('AUTHORIZATION_ERROR', 'operators only');
}

/** The calling operator as an approver. @throws AUTHORIZATION_ERROR for any other actor */
export const deciderOf = (actor: Actor): Decider => ({
  ...operatorOf(actor),
  via: actor.kind === 'operator' ? actor.via : 'token',
});

/** The calling merchant. @throws AUTHORIZATION_ERROR for any other actor */
export function merchantOf(actor: Actor): AuthenticatedMerchant {
  if (actor.kind === 'merchant') return actor.merchant;
  throw new CatalogueError('AUTHORIZATION_ERROR', 'merchants only');
}

/**
 * Whether an operator sees money of this merchant; null: money of no merchant, which only unrestricted operators see.
 */
export function seesMoneyOf(actor: Actor, merchantId: string | null): boolean {
  const operator = operatorOf(actor);
  return merchantId === null ? operator.merchantIds === null : reaches(operator, merchantId);
}

/** @throws NOT_FOUND for an operator restricted to other merchants, as if the row did not exist */
export function requireReach(actor: Actor, merchantId: string, what: string): void {
  if (actor.kind === 'operator' && !reaches(actor.operator, merchantId)) throw notFound(what);
}

/** The name of an actor in events and allocations. */
export function actorName(actor: Actor): string {
  switch (actor.kind) {
    case 'anonymous':
      return 'anonymous';
    case 'operator':
      return `operator:${actor.operator.id}`;
    case 'merchant':
      return `merchant:${actor.merchant.id}`;
    case 'agent':
      return `agent:${actor.key.id}`;
    case 'payer':
      return `payer:${actor.sessionId}`;
    case 'owner':
      return `owner:${actor.linkId}`;
    case 'enroller':
      return `enroller:${actor.linkId}`;
    case 'channel':
      return `channel:${actor.channelId}`;
  }
}
