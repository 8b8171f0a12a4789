import { formatMoney, type Money, ZERO } from '../../domain/money';
import type { OrderCostsRow } from '../../db/fees/account-costs';

/** The profit of a fee; null if none of our costs is known. */
export function profitOf(fee: Money, costs: OrderCostsRow | undefined): Money | null {
  if (!costs || (costs.channelCost === null && costs.bankCost === null)) return null;
  return fee
    .minus(costs.channelCost ?? ZERO)
    .minus(costs.bankCost ?? ZERO)
    .minus(costs.commission ?? ZERO);
}

/** The columns of an order's costs in an export: of completed orders, empty if not known. */
export function shownCosts(fee: Money, costs: OrderCostsRow | undefined): Readonly<Record<string, string | undefined>> {
  const shown = (amount: Money | null | undefined): string | undefined => (amount ? formatMoney(amount) : undefined);
  return {
    channelCost: shown(costs?.channelCost),
    bankCost: shown(costs?.bankCost),
    commission: shown(costs?.commission),
    profit: shown(profitOf(fee, costs)),
  };
}

export interface Priced {
  readonly id: string;
  readonly fee: Money;
}
