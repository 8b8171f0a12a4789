import { CALLBACK_URL_PROBLEMS, checkCallbackUrl, isHostAllowed } from '../../domain/callback-target';
import { isNetwork } from '../../domain/address-list';
import { readableOnWhite } from '../../domain/cashier';
import { invalidField } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import type * as db from '../../db/merchants/merchants';
import type { Environment } from '../context';

/** The default settings of a new merchant. */
export const DEFAULT_SETTINGS: db.MerchantSettings = {
  enabled: true,
  canDeposit: true,
  canWithdraw: false,
  depositExpireMinutes: LIMITS.depositExpireMinutes.default,
  callbackTimeoutSeconds: LIMITS.callbackTimeoutSeconds.default,
  defaultCallbackUrl: null,
  allowInsecureCallbacks: false,
  callbackHosts: null,
  webhookSslVerify: true,
  notifyDepositMatched: false,
  hideCosts: false,
  allowedAddresses: null,
  notifyDepositExpired: false,
  notifyDepositCancelled: false,
  maxOpenDeposits: LIMITS.openDeposits.merchant,
  maxOpenDepositsPerUser: LIMITS.openDeposits.user,
  cashierSessionExpireMinutes: LIMITS.cashierSessionExpireMinutes.default,
  cashierName: null,
  cashierLogoUrl: null,
  cashierColour: null,
  cashierReturnUrl: null,
  timeZone: 'UTC',
  holdDays: LIMITS.holdDays.default,
  latePayment: 'OFF',
  returnsPayoutFee: false,
};

/** A host without scheme, port or path. */
const HOST = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;

function between(field: string, value: number, { min, max }: { min: number; max: number }): void {
  if (value < min || value > max) throw invalidField(field, `must be ${min}-${max}`, 'OUT_OF_RANGE');
}

export function checkSettings(settings: db.MerchantSettings, environment: Environment): void {
  const { allowInsecureCallbacks, callbackHosts, defaultCallbackUrl } = settings;
  between('depositExpireMinutes', settings.depositExpireMinutes, LIMITS.depositExpireMinutes);
  between('callbackTimeoutSeconds', settings.callbackTimeoutSeconds, LIMITS.callbackTimeoutSeconds);
  between('holdDays', settings.holdDays, LIMITS.holdDays);
  between('maxOpenDeposits', settings.maxOpenDeposits, LIMITS.openDeposits);
  between('maxOpenDepositsPerUser', settings.maxOpenDepositsPerUser, LIMITS.openDeposits);
  if (allowInsecureCallbacks && environment === 'production')
    throw invalidField('allowInsecureCallbacks', 'is allowed only in a sandbox', 'NOT_ALLOWED');
  if (!settings.webhookSslVerify && environment === 'production')
    throw invalidField('webhookSslVerify', 'may be false only in a sandbox', 'NOT_ALLOWED');
  for (const network of settings.allowedAddresses ?? [])
    if (!isNetwork(network))
      throw invalidField('allowedAddresses', `${network} is not an address or a network such as 203.0.113.0/24`);
  if (defaultCallbackUrl !== null) {
    const problem = checkCallbackUrl(defaultCallbackUrl, { allowInsecure: allowInsecureCallbacks });
    if (problem !== 'ok') throw invalidField('defaultCallbackUrl', CALLBACK_URL_PROBLEMS[problem]);
  }
  if (
    defaultCallbackUrl !== null &&
    !isHostAllowed(new URL(defaultCallbackUrl).hostname, { allowedHosts: callbackHosts })
  )
    throw invalidField('defaultCallbackUrl', 'its host must be one of callbackHosts', 'UNKNOWN_VALUE');
  for (const host of callbackHosts ?? [])
    if (!HOST.test(host)) throw invalidField('callbackHosts', `${host} is not a host name such as pay.example.com`);
  checkCashier(settings);
}

/** The branding that payers see. */
function checkCashier(settings: db.MerchantSettings): void {
  const { cashierName, cashierLogoUrl, cashierColour, cashierReturnUrl } = settings;
  between('cashierSessionExpireMinutes', settings.cashierSessionExpireMinutes, LIMITS.cashierSessionExpireMinutes);
  if (cashierName !== null && Array.from(cashierName).length > LIMITS.cashierName)
    throw invalidField('cashierName', `must have at most ${LIMITS.cashierName} characters`, 'OUT_OF_RANGE');
  if (cashierColour !== null && !readableOnWhite(cashierColour))
    throw invalidField('cashierColour', 'must be #rrggbb, with a contrast of 4.5 or more to white', 'OUT_OF_RANGE');
  const addresses = [
    ['cashierLogoUrl', cashierLogoUrl, false],
    ['cashierReturnUrl', cashierReturnUrl, settings.allowInsecureCallbacks],
  ] as const;
  for (const [field, url, allowInsecure] of addresses) {
    const problem = url === null ? 'ok' : checkCallbackUrl(url, { allowInsecure });
    if (problem !== 'ok') throw invalidField(field, CALLBACK_URL_PROBLEMS[problem]);
  }
}
