import { isNetwork } from '../../domain/address-list';
import { invalidField } from '../../domain/errors';
import type { Permission } from '../../domain/permissions';
import type { Needs } from '../context';

/** The longest life of a token, days. */
const MOST_DAYS = { sandbox: 365, production: 30 };

/** The most addresses and networks of a token. */
const MOST_ADDRESSES = 20;

/** Permissions that no token has if two people are required: it acts for a person who may be absent. */
export const OVER_MONEY: ReadonlySet<Permission> = new Set(['RECONCILE', 'TREASURER', 'CONFIGURE']);

/** @throws INVALID_FIELD */
export function checkEnd(context: Needs<'environment' | 'now'>, expiresAt: Date): void {
  const { now, environment } = context;
  const most = MOST_DAYS[environment];
  if (expiresAt <= now || expiresAt.getTime() > now.getTime() + most * 86_400_000)
    throw invalidField('expiresAt', `must be within ${most} days`, 'OUT_OF_RANGE');
}

/**
 * @throws INVALID_FIELD in production, if the token is bound to no address
 */
export function addressesOf(
  context: Needs<'environment'>,
  given: readonly string[] | null | undefined,
): string[] | null {
  const networks = [...new Set(given?.map((text) => text.trim()))];
  if (networks.length === 0) {
    if (context.environment === 'production')
      throw invalidField('allowedAddresses', 'must name from where the token works', 'REQUIRED');
    return null;
  }
  if (networks.length > MOST_ADDRESSES)
    throw invalidField('allowedAddresses', `must be at most ${MOST_ADDRESSES}`, 'OUT_OF_RANGE');
  for (const network of networks)
    if (!isNetwork(network)) throw invalidField('allowedAddresses', `${network} is no address or network`);
  return networks;
}
