import { ACCOUNT_STATUSES, type AccountStatus } from './bank-account';
import { Decimal } from './money';
import type { Plain, Settings } from './change-request';

/*
 * Changes that only remove permissions or lower limits, which one person may make at once. Any field that is not named
 * here may open something.
 */

/** Whether the second limit is stricter than the first; null is no limit. */
const isLowered = (before: Plain, after: Plain): boolean =>
  isAmount(after) && (before === null || (isAmount(before) && new Decimal(after).lt(before)));
const isRaised = (before: Plain, after: Plain): boolean =>
  isAmount(after) && (before === null || (isAmount(before) && new Decimal(after).gt(before)));
const isAmount = (value: Plain): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value));
const isOff = (_before: Plain, after: Plain): boolean => after === false;
const isOn = (_before: Plain, after: Plain): boolean => after === true;

type Closes = (before: Plain, after: Plain) => boolean;

const MERCHANT: Readonly<Record<string, Closes>> = {
  enabled: isOff,
  latePayment: (_before, after) => after === 'OFF',
  canDeposit: isOff,
  canWithdraw: isOff,
  allowInsecureCallbacks: isOff,
  maxOpenDeposits: isLowered,
  maxOpenDepositsPerUser: isLowered,
  /** One key a currency: `currencyEnabled.THB`. */
  currencyEnabled: isOff,
  webhookSslVerify: isOn,
  depositMin: isRaised,
  depositMax: isLowered,
  withdrawalMin: isRaised,
  withdrawalMax: isLowered,
};

const ACCOUNT: Readonly<Record<string, Closes>> = {
  minAmount: isRaised,
  maxAmount: isLowered,
  maxDailyAmount: isLowered,
  maxMonthlyAmount: isLowered,
  maxDailyCount: isLowered,
  maxMonthlyCount: isLowered,
  maxBalance: isLowered,
  maxOpenDeposits: isLowered,
  balanceRequired: isOn,
};

/** Whether every one of these changes only closes. An empty change does not. */
const closes =
  (rules: Readonly<Record<string, Closes>>) =>
  (before: Settings, after: Settings): boolean => {
    const fields = Object.keys(after);
    return (
      fields.length > 0 &&
      fields.every((field) => rules[field.split('.')[0] ?? '']?.(before[field] ?? null, after[field] ?? null) ?? false)
    );
  };

/** Whether a change of a merchant's settings only closes. @param before, after the fields that change */
export const closesMerchant = closes(MERCHANT);

/** Whether a change of an account's limits only closes. @param before, after the fields that change */
export const closesAccountLimits = closes(ACCOUNT);

/**
 * Whether an account does less in its new status: ACTIVE takes deposits, PAUSED only receives money, DISABLED takes
 * nothing.
 */
export const closesAccount = (before: AccountStatus, after: AccountStatus): boolean =>
  ACCOUNT_STATUSES.indexOf(after) > ACCOUNT_STATUSES.indexOf(before);
