import { businessError, CatalogueError } from '../../domain/errors';
import { feeOn, type FeeRule, type FeeTerms, type PricedOrder, scheduleFor, termsAt } from '../../domain/fees';
import { currencyDecimals, type Money, ZERO } from '../../domain/money';
import type { ChannelRow } from '../../db/channels/channels';
import type { OrderToAccept } from '../../db/deposits/deposits';
import { type FeeSchedule, termsOfRow } from '../../db/fees/fee-schedules';
import type { MerchantCurrency, MerchantWithCurrencies } from '../../db/merchants/merchants';
import type { Needs } from '../context';

/** What prices an order. */
export interface Pricing {
  readonly terms: FeeRule | FeeTerms;
  /** Null: the fee of the merchant's currency applies. */
  readonly schedule: FeeSchedule | null;
  /** The commission rate of the fee; null: no reseller. */
  readonly commissionRateId: string | null;
}

/** The order's channel; null: none, or not known yet. */
export type PricedWay = { readonly id: string; readonly walletKind: string | null } | null;

/** What prices an order of a merchant's currency now. */
export function pricingOf(currency: MerchantCurrency, kind: PricedOrder, way: PricedWay = null): Pricing {
  const schedules = currency.feeSchedules.filter(({ orderKind }) => orderKind === kind);
  const schedule = scheduleFor(schedules, way) ?? null;
  const plain = kind === 'DEPOSIT' ? currency.depositFee : currency.withdrawalFee;
  return {
    terms: schedule ? termsAt(schedule.volume, schedule) : plain,
    schedule,
    commissionRateId: currency.commissionRates[kind],
  };
}

/** An order's fee, and the version that priced it, as they are stored on the order. */
export interface Price {
  readonly fee: Money;
  readonly feeScheduleId: string | null;
  /** The volume completed in the month so far, if the tiers depend on it. */
  readonly feeVolume: Money | null;
  /** The commission rate of the fee; null: no reseller. */
  readonly commissionRateId: string | null;
}

/** A deposit's fee, and the part that is held in the merchant's balance until the credit; null: none is held. */
export interface DepositPrice extends Price {
  readonly feeHeld: Money | null;
}

/** The fee of an order of this amount. */
export function priceOf(amount: Money, { terms, schedule, commissionRateId }: Pricing, currencyCode: string): Price {
  const decimals = currencyDecimals(currencyCode) ?? 0;
  return {
    fee: feeOn(amount, terms, decimals),
    feeScheduleId: schedule?.id ?? null,
    feeVolume: schedule?.tierBy === 'MONTH_VOLUME' ? schedule.volume : null,
    commissionRateId,
  };
}

/** Our expected cost of an order of this amount at a channel. @param decimals of the currency */
export const costOn = (
  amount: Money,
  kind: PricedOrder,
  channel: Pick<ChannelRow, 'cost' | 'depositCost'>,
  decimals: number,
): Money => feeOn(amount, kind === 'DEPOSIT' ? channel.depositCost : channel.cost, decimals);

/** A deposit's fee on its route, or why it is refused there. */
export type DepositPrices = (way: PricedWay) => DepositPrice | CatalogueError;

const FEE_EXCEEDS = businessError('AMOUNT', 'the fee exceeds the amount');

/**
 * The prices of a deposit, or why it is refused on every route. The refusal is returned, not thrown, because it must
 * not hide that the number is taken.
 */
export function quoteDeposit(
  merchant: MerchantWithCurrencies,
  { amount, currencyCode }: OrderToAccept,
): DepositPrices | CatalogueError {
  const currency = merchant.currencies.find((c) => c.currencyCode === currencyCode && c.enabled);
  if (currencyDecimals(currencyCode) === undefined || !currency)
    return businessError('NOT_ENABLED', `currency ${currencyCode} is not enabled`);
  const { depositMin, depositMax, feeSchedules } = currency;
  if (depositMin && amount.lt(depositMin)) return businessError('AMOUNT', 'the amount is below the deposit minimum');
  if (depositMax && amount.gt(depositMax)) return businessError('AMOUNT', 'the amount is above the deposit maximum');
  const prices: DepositPrices = (way) => {
    const price = priceOf(amount, pricingOf(currency, 'DEPOSIT', way), currencyCode);
    if (price.fee.gte(amount)) return FEE_EXCEEDS;
    return { ...price, feeHeld: currency.prepaid && price.fee.gt(0) ? price.fee : null };
  };
  const narrowed = feeSchedules.filter(
    ({ orderKind, channelId, walletKind }) => orderKind === 'DEPOSIT' && (channelId !== null || walletKind !== null),
  );
  const ways = [null, ...narrowed.map((s) => ({ id: s.channelId ?? '', walletKind: s.walletKind }))];
  return ways.every((way) => prices(way) instanceof CatalogueError) ? FEE_EXCEEDS : prices;
}

/**
 * The fee of an order for another amount than its own: by the version that priced it, else by its merchant's present
 * fee.
 */
export async function termsOfOrder(
  { loaders }: Needs<'loaders'>,
  { feeScheduleId, feeVolume }: Pick<Price, 'feeScheduleId' | 'feeVolume'>,
  currency: MerchantCurrency,
): Promise<FeeRule | FeeTerms> {
  const row = feeScheduleId === null ? undefined : await loaders.feeSchedules.load(feeScheduleId);
  return row ? termsAt(feeVolume ?? ZERO, termsOfRow(row)) : currency.depositFee;
}
