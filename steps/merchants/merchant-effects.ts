import type { CashierAmounts } from '../../domain/cashier';
import type { Plain, Settings } from '../../domain/change-request';
import { notFound } from '../../domain/errors';
import type { FeeRule } from '../../domain/fees';
import { type Money, money, ZERO } from '../../domain/money';
import * as db from '../../db/merchants/merchants';
import { effect } from '../changes/change-effect';

/** A currency's change as a proposal stores it. */
export type CurrencyPayload = Readonly<{
  currencyCode: string;
  enabled: boolean;
  percent: string | null;
  fixed: string | null;
  /** This and the next are absent in older proposals. */
  withdrawalFee?: KeptFee | null;
  withdrawalLimits?: KeptLimits | null;
  depositLimits?: KeptLimits | null;
  pool?: Readonly<{ id: string | null }> | null;
  /** Absent in older proposals. */
  cashierAmounts?: PlainAmounts | null;
  /** Absent: unchanged. */
  walletChannelId?: string | null;
  prepaid?: boolean | null;
  balanceId: string;
}>;

type KeptFee = Readonly<{ percent: string; fixed: string }>;
type KeptLimits = Readonly<{ min: string | null; max: string | null }>;

const keptFee = (fee: FeeRule): KeptFee => ({
  percent: fee.percent.toFixed(),
  fixed: fee.fixed.toFixed(),
});
const keptLimits = ({ min, max }: db.OrderLimits): KeptLimits => ({
  min: min?.toFixed() ?? null,
  max: max?.toFixed() ?? null,
});
const limitsOf = (kept: KeptLimits | null | undefined): db.OrderLimits | null =>
  kept ? { min: maybeMoney(kept.min), max: maybeMoney(kept.max) } : null;
const maybeMoney = (amount: string | null): Money | null => (amount === null ? null : money(amount));

/** The amounts that payers may choose, as JSON. */
type PlainAmounts = Readonly<{
  denominations: readonly string[];
  custom: Readonly<{ min: string; max: string }> | null;
}>;

const plainAmounts = ({ denominations, custom }: CashierAmounts): PlainAmounts => ({
  denominations: denominations.map((amount) => amount.toFixed()),
  custom: custom && { min: custom.min.toFixed(), max: custom.max.toFixed() },
});

const amountsOf = ({ denominations, custom }: PlainAmounts): CashierAmounts => ({
  denominations: denominations.map((amount) => money(amount)),
  custom: custom && { min: money(custom.min), max: money(custom.max) },
});

/** A new merchant as a proposal stores it. */
export type CreateMerchantPayload = Readonly<{
  id: string;
  merchantCode: string;
  name: string;
  settings: PlainSettings;
  currencies: readonly CurrencyPayload[];
}>;

/** A merchant's changed settings and currencies as a proposal stores them. */
export type UpdateMerchantPayload = Readonly<{
  id: string;
  settings: Partial<PlainSettings>;
  currencies: readonly CurrencyPayload[];
}>;

/** Settings as JSON, their only form. */
type PlainSettings = { readonly [Key in keyof db.MerchantSettings]: db.MerchantSettings[Key] };

/** A currency's change in the form that a proposal stores. */
export const currencyPayload = (change: db.CurrencyChange): CurrencyPayload => ({
  currencyCode: change.currencyCode,
  enabled: change.enabled,
  percent: change.depositFee?.percent.toFixed() ?? null,
  fixed: change.depositFee?.fixed.toFixed() ?? null,
  withdrawalFee: change.withdrawalFee && keptFee(change.withdrawalFee),
  withdrawalLimits: change.withdrawalLimits && keptLimits(change.withdrawalLimits),
  depositLimits: change.depositLimits && keptLimits(change.depositLimits),
  pool: change.pool,
  cashierAmounts: change.cashierAmounts && plainAmounts(change.cashierAmounts),
  ...(change.walletChannelId !== undefined && { walletChannelId: change.walletChannelId }),
  ...(change.prepaid !== null && { prepaid: change.prepaid }),
  balanceId: change.balanceId,
});

const currencyOf = (kept: CurrencyPayload): db.CurrencyChange => ({
  currencyCode: kept.currencyCode,
  enabled: kept.enabled,
  depositFee:
    kept.percent === null || kept.fixed === null ? null : { percent: money(kept.percent), fixed: money(kept.fixed) },
  withdrawalFee: kept.withdrawalFee
    ? { percent: money(kept.withdrawalFee.percent), fixed: money(kept.withdrawalFee.fixed) }
    : null,
  withdrawalLimits: limitsOf(kept.withdrawalLimits),
  depositLimits: limitsOf(kept.depositLimits),
  pool: kept.pool ?? null,
  cashierAmounts: kept.cashierAmounts ? amountsOf(kept.cashierAmounts) : null,
  walletChannelId: kept.walletChannelId,
  prepaid: kept.prepaid ?? null,
  balanceId: kept.balanceId,
});

/** The settings of a merchant without its currencies, as an approver compares them. */
export const settingsOf = (merchant: db.MerchantSettings): PlainSettings => ({
  enabled: merchant.enabled,
  canDeposit: merchant.canDeposit,
  canWithdraw: merchant.canWithdraw,
  depositExpireMinutes: merchant.depositExpireMinutes,
  callbackTimeoutSeconds: merchant.callbackTimeoutSeconds,
  defaultCallbackUrl: merchant.defaultCallbackUrl,
  allowInsecureCallbacks: merchant.allowInsecureCallbacks,
  callbackHosts: merchant.callbackHosts,
  webhookSslVerify: merchant.webhookSslVerify,
  notifyDepositMatched: merchant.notifyDepositMatched,
  hideCosts: merchant.hideCosts,
  allowedAddresses: merchant.allowedAddresses,
  notifyDepositExpired: merchant.notifyDepositExpired,
  notifyDepositCancelled: merchant.notifyDepositCancelled,
  maxOpenDeposits: merchant.maxOpenDeposits,
  maxOpenDepositsPerUser: merchant.maxOpenDepositsPerUser,
  cashierSessionExpireMinutes: merchant.cashierSessionExpireMinutes,
  cashierName: merchant.cashierName,
  cashierLogoUrl: merchant.cashierLogoUrl,
  cashierColour: merchant.cashierColour,
  cashierReturnUrl: merchant.cashierReturnUrl,
  timeZone: merchant.timeZone,
  holdDays: merchant.holdDays,
  latePayment: merchant.latePayment,
  returnsPayoutFee: merchant.returnsPayoutFee,
});

/** The amounts that payers may choose, as an approver compares them. */
export const shownAmounts = ({ denominations, custom }: CashierAmounts): Plain => ({
  denominations: denominations.map((amount) => amount.toFixed()),
  custom: custom && `${custom.min.toFixed()}-${custom.max.toFixed()}`,
});

/** The fields of a merchant's currency that an approver compares: `currencyEnabled.THB`, `depositFee.THB`, … */
const fieldsOf = ({ currencyCode: code, ...currency }: db.MerchantCurrencyRules): [string, Plain][] => [
  [`currencyEnabled.${code}`, currency.enabled],
  [`depositFee.${code}`, keptFee(currency.depositFee)],
  [`pool.${code}`, currency.poolId],
  [`depositMin.${code}`, currency.depositMin?.toFixed() ?? null],
  [`depositMax.${code}`, currency.depositMax?.toFixed() ?? null],
  [`withdrawalFee.${code}`, keptFee(currency.withdrawalFee)],
  [`withdrawalMin.${code}`, currency.withdrawalMin?.toFixed() ?? null],
  [`withdrawalMax.${code}`, currency.withdrawalMax?.toFixed() ?? null],
  [`cashierAmounts.${code}`, shownAmounts(currency.cashierAmounts)],
  [`walletChannel.${code}`, currency.walletChannelId],
  [`prepaid.${code}`, currency.prepaid],
];

/** A merchant's currencies by field. */
export const currencyFields = (currencies: readonly db.MerchantCurrencyRules[]): Settings =>
  Object.fromEntries<Plain>(currencies.flatMap(fieldsOf));

const NO_FEE = { percent: ZERO, fixed: ZERO };
const NO_AMOUNTS: CashierAmounts = { denominations: [], custom: null };

/** A merchant's currencies after changes: fields that a change leaves out stay, and a new currency has no fees. */
export function changedCurrencies(
  current: readonly db.MerchantCurrencyRules[],
  changes: readonly db.CurrencyChange[],
): db.MerchantCurrencyRules[] {
  const all = new Map(current.map((currency) => [currency.currencyCode, currency]));
  for (const change of changes) {
    const { currencyCode, enabled, depositFee, withdrawalFee, withdrawalLimits } = change;
    const { depositLimits } = change;
    const known = all.get(currencyCode);
    const limits = withdrawalLimits ?? { min: known?.withdrawalMin, max: known?.withdrawalMax };
    const deposit = depositLimits ?? { min: known?.depositMin, max: known?.depositMax };
    all.set(currencyCode, {
      currencyCode,
      enabled,
      depositFee: depositFee ?? known?.depositFee ?? NO_FEE,
      withdrawalFee: withdrawalFee ?? known?.withdrawalFee ?? NO_FEE,
      poolId: change.pool ? change.pool.id : (known?.poolId ?? null),
      depositMin: deposit.min ?? null,
      depositMax: deposit.max ?? null,
      withdrawalMin: limits.min ?? null,
      withdrawalMax: limits.max ?? null,
      cashierAmounts: change.cashierAmounts ?? known?.cashierAmounts ?? NO_AMOUNTS,
      walletChannelId: change.walletChannelId === undefined ? (known?.walletChannelId ?? null) : change.walletChannelId,
      prepaid: change.prepaid ?? known?.prepaid ?? false,
      // Schedules and payers' rules have changes of their own.
      feeSchedules: known?.feeSchedules ?? [],
      commissionRates: known?.commissionRates ?? { DEPOSIT: null, WITHDRAWAL: null },
      routingRulesId: known?.routingRulesId ?? null,
      payerRules: known?.payerRules ?? null,
      payersListed: known?.payersListed ?? false,
    });
  }
  return [...all.values()];
}

/** Adds a merchant with its currencies and a zero balance in each. */
export const createMerchant = effect<CreateMerchantPayload>({
  apply: async (tx, { settings, currencies, ...merchant }, { now }) => {
    const row = { ...merchant, ...settings, createdAt: now, updatedAt: now };
    await db.insertMerchant(tx, row, currencies.map(currencyOf));
  },
});

/** Changes settings and currencies of a merchant. */
export const updateMerchant = effect<UpdateMerchantPayload>({
  basis: async (tx, { id }) => {
    const merchant = await db.lockMerchant(tx, id);
    if (!merchant) return null;
    return { ...settingsOf(merchant), ...currencyFields(merchant.currencies) };
  },
  apply: async (tx, { id, settings, currencies }, { now }) => {
    for (const currency of currencies) await db.putCurrency(tx, id, currencyOf(currency), now);
    if (!(await db.updateMerchant(tx, id, settings, now))) throw notFound('merchant');
  },
});
