import type { Plain, Settings } from '../domain/change-request';
import { notFound } from '../domain/errors';
import { money } from '../domain/money';
import * as db from '../db/merchants';
import { effect } from './change-effect';

/** A currency's change as a proposal keeps it. */
export type CurrencyPayload = Readonly<{
  currencyCode: string;
  enabled: boolean;
  percent: string | null;
  fixed: string | null;
  balanceId: string;
}>;

/** A new merchant as a proposal keeps it. */
export type CreateMerchantPayload = Readonly<{
  id: string;
  merchantCode: string;
  name: string;
  settings: PlainSettings;
  currencies: readonly CurrencyPayload[];
}>;

/** A merchant's changed settings and currencies as a proposal keeps them. */
export type UpdateMerchantPayload = Readonly<{
  id: string;
  settings: Partial<PlainSettings>;
  currencies: readonly CurrencyPayload[];
}>;

/** Settings as JSON holds them: they have no other form. */
type PlainSettings = { readonly [Key in keyof db.MerchantSettings]: db.MerchantSettings[Key] };

/** A currency's change in the form that a proposal keeps. */
export const currencyPayload = (change: db.CurrencyChange): CurrencyPayload => ({
  currencyCode: change.currencyCode,
  enabled: change.enabled,
  percent: change.depositFee?.percent.toFixed() ?? null,
  fixed: change.depositFee?.fixed.toFixed() ?? null,
  balanceId: change.balanceId,
});

const currencyOf = (kept: CurrencyPayload): db.CurrencyChange => ({
  currencyCode: kept.currencyCode,
  enabled: kept.enabled,
  depositFee:
    kept.percent === null || kept.fixed === null
      ? null
      : { percent: money(kept.percent), fixed: money(kept.fixed) },
  balanceId: kept.balanceId,
});

/** The settings of a merchant alone, as people compare them. */
export const settingsOf = (merchant: db.MerchantSettings): PlainSettings => ({
  enabled: merchant.enabled,
  canDeposit: merchant.canDeposit,
  canWithdraw: merchant.canWithdraw,
  depositExpireMinutes: merchant.depositExpireMinutes,
  callbackTimeoutSeconds: merchant.callbackTimeoutSeconds,
  defaultCallbackUrl: merchant.defaultCallbackUrl,
  allowInsecureCallbacks: merchant.allowInsecureCallbacks,
  callbackHosts: merchant.callbackHosts,
  notifyDepositExpired: merchant.notifyDepositExpired,
  notifyDepositCancelled: merchant.notifyDepositCancelled,
  maxOpenDeposits: merchant.maxOpenDeposits,
  maxOpenDepositsPerUser: merchant.maxOpenDepositsPerUser,
});

/** A merchant's currencies by field: `currencyEnabled.THB`, `depositFee.THB`. */
export const currencyFields = (currencies: readonly db.MerchantCurrency[]): Settings =>
  Object.fromEntries<Plain>(
    currencies.flatMap(({ currencyCode, enabled, depositFee }): [string, Plain][] => [
      [`currencyEnabled.${currencyCode}`, enabled],
      [
        `depositFee.${currencyCode}`,
        { percent: depositFee.percent.toFixed(), fixed: depositFee.fixed.toFixed() },
      ],
    ]),
  );

/** Adds a merchant with its currencies and a zero balance in each. */
export const createMerchant = effect<CreateMerchantPayload>({
  apply: async (tx, { settings, currencies, ...merchant }, { now }) => {
    const row = { ...merchant, ...settings, createdAt: now, updatedAt: now };
    await db.insertMerchant(tx, row, currencies.map(currencyOf));
  },
});

/** Changes settings and currencies of the merchant that it was proposed for. */
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
