import { businessError, CatalogueError } from '../../domain/errors';
import {
  feeOn,
  type FeeRule,
  type FeeTerms,
  type PricedOrder,
  scheduleFor,
  termsAt,
} from '../../domain/fees';
import { currencyDecimals, type Money, ZERO } from '../../domain/money';
import type { ChannelRow } from '../../db/channels/channels';
import type { OrderToAccept } from '../../db/deposits/deposits';
import { type FeeSchedule, termsOfRow } from '../../db/fees/fee-schedules';
import type { MerchantCurrency, MerchantWithCurrencies } from '../../db/merchants/merchants';
import type { GraphContext } from '../context';

/** By what an order is priced. */
export interface Pricing {
  readonly terms: FeeRule | FeeTerms;
  /** Null: the fee of the merchant's currency is it. */
  readonly schedule: FeeSchedule | null;
  /** By which a reseller earns a share of the fee; null: nobody does. */
  readonly commissionRateId: string | null;
}

/** The channel that an order goes to; null: none, or not known yet. */
export type PricedWay = { readonly id: string; readonly walletKind: string | null } | null;

/** By what an order of a merchant's currency is priced now. */
export function pricingOf(
  currency: MerchantCurrency,
  kind: PricedOrder,
  way: PricedWay = null,
): Pricing {
  const schedules = currency.feeSchedules.filter(({ orderKind }) => orderKind === kind);
  const schedule = scheduleFor(schedules, way) ?? null;
  const plain = kind === 'DEPOSIT' ? currency.depositFee : currency.withdrawalFee;
  return {
    terms: schedule ? termsAt(schedule.volume, schedule) : plain,
    schedule,
    commissionRateId: currency.commissionRates[kind],
  };
}

/** What an order costs, and by which version; as it is frozen on the order. */
export interface Price {
  readonly fee: Money;
  readonly feeScheduleId: string | null;
  /** What was completed in the month so far, where the tiers go by that. */
  readonly feeVolume: Money | null;
  /** By which a reseller earns a share of it; null: nobody does. */
  readonly commissionRateId: string | null;
}

/** What a deposit costs, and what of it the merchant's balance holds until it is credited; null: nothing. */
export interface DepositPrice extends Price {
  readonly feeHeld: Money | null;
}

/** What an order of this amount costs. */
export function priceOf(
  amount: Money,
  { terms, schedule, commissionRateId }: Pricing,
  currencyCode: string,
): Price {
  const decimals = currencyDecimals(currencyCode) ?? 0;
  return {
    fee: feeOn(amount, terms, decimals),
    feeScheduleId: schedule?.id ?? null,
    feeVolume: schedule?.tierBy === 'MONTH_VOLUME' ? schedule.volume : null,
    commissionRateId,
  };
}

/** What an order of this amount is expected to cost us at a channel. @param decimals of the currency */
export const costOn = (
  amount: Money,
  kind: PricedOrder,
  channel: Pick<ChannelRow, 'cost' | 'depositCost'>,
  decimals: number,
): Money => feeOn(amount, kind === 'DEPOSIT' ? channel.depositCost : channel.cost, decimals);

/** What a deposit costs on its way, or why the merchant may not have it there. */
export type DepositPrices = (way: PricedWay) => DepositPrice | CatalogueError;

const FEE_EXCEEDS = businessError('AMOUNT', 'the fee exceeds the amount');

/**
 * The prices of a deposit, or why the merchant may not have it on any way: a refusal must not hide that the number is
 * taken.
 */
export function quoteDeposit(
  merchant: MerchantWithCurrencies,
  { amount, currencyCode }: OrderToAccept,
): DepositPrices | CatalogueError {
  const currency = merchant.currencies.find((c) => c.currencyCode === currencyCode && c.enabled);
  if (currencyDecimals(currencyCode) === undefined || !currency)
    return businessError('NOT_ENABLED', `currency ${currencyCode} is not enabled`);
  const { depositMin, depositMax, feeSchedules } = currency;
  if (depositMin && amount.lt(depositMin))
    return businessError('AMOUNT', 'the amount is below the deposit minimum');
  if (depositMax && amount.gt(depositMax))
    return businessError('AMOUNT', 'the amount is above the deposit maximum');
  const prices: DepositPrices = (way) => {
    const price = priceOf(amount, pricingOf(currency, 'DEPOSIT', way), currencyCode);
    if (price.fee.gte(amount)) return FEE_EXCEEDS;
    return { ...price, feeHeld: currency.prepaid && price.fee.gt(0) ? price.fee : null };
  };
  const narrowed = feeSchedules.filter(
    ({ orderKind, channelId, walletKind }) =>
      orderKind === 'DEPOSIT' && (channelId !== null || walletKind !== null),
  );
  const ways = [
    null,
    ...narrowed.map((s) => ({ id: s.channelId ?? '', walletKind: s.walletKind })),
  ];
  return ways.every((way) => prices(way) instanceof CatalogueError) ? FEE_EXCEEDS : prices;
}

/** What another amount than its own costs of an order: by the version that priced it, else by its merchant's fee of now. */
export async function termsOfOrder(
  { loaders }: GraphContext,
  { feeScheduleId, feeVolume }: Pick<Price, 'feeScheduleId' | 'feeVolume'>,
  currency: MerchantCurrency,
): Promise<FeeRule | FeeTerms> {
  const row = feeScheduleId === null ? undefined : await loaders.feeSchedules.load(feeScheduleId);
  return row ? termsAt(feeVolume ?? ZERO, termsOfRow(row)) : currency.depositFee;
}
