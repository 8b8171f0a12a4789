import { commissionOn } from '../../domain/commission';
import type { Money } from '../../domain/money';
import type { Needs } from '../context';

/** A reseller's share of a fee; null: no reseller. @param rateId the version in force */
export async function commissionOf(
  { loaders }: Needs<'loaders'>,
  rateId: string | null,
  fee: Money,
): Promise<Money | null> {
  const rate = rateId === null ? undefined : await loaders.commissionRates.load(rateId);
  return rate ? commissionOn(fee, rate.percent, rate.decimals) : null;
}
