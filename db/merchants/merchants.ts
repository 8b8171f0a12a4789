import type { CashierAmounts } from '../../domain/cashier';
import type { FeeRule } from '../../domain/fees';
import { money, type Money } from '../../domain/money';
import type { Database, Transaction } from '../client';

/** A merchant's switches and settings. Times in the units that their names say. */
export interface MerchantSettings {
  readonly enabled: boolean;
  readonly canDeposit: boolean;
  readonly canWithdraw: boolean;
  readonly depositExpireMinutes: number;
  readonly callbackTimeoutSeconds: number;
  readonly defaultCallbackUrl: string | null;
  readonly allowInsecureCallbacks: boolean;
  readonly callbackHosts: readonly string[] | null;
  readonly notifyDepositExpired: boolean;
  readonly notifyDepositCancelled: boolean;
  /** Caps on live PENDING deposits. */
  readonly maxOpenDeposits: number;
  readonly maxOpenDepositsPerUser: number;
  readonly cashierSessionExpireMinutes: number;
  /** What payers see of it: its name unless there is another for them, an https picture, #rrggbb. */
  readonly cashierName: string | null;
  readonly cashierLogoUrl: string | null;
  readonly cashierColour: string | null;
  /** Where the payer's page leads when it is over. */
  readonly cashierReturnUrl: string | null;
  /** Credited deposits are available only when so many UTC days are over; 0: at once. */
  readonly holdDays: number;
}

/** A merchant as stored. */
export interface MerchantRow extends MerchantSettings {
  readonly id: string;
  readonly merchantCode: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A currency of a merchant, what orders in it cost, and what one withdrawal may be. */
export interface MerchantCurrency {
  readonly currencyCode: string;
  readonly enabled: boolean;
  readonly depositFee: FeeRule;
  /** On top of the amount. */
  readonly withdrawalFee: FeeRule;
  /** Null is no limit. */
  readonly withdrawalMin: Money | null;
  readonly withdrawalMax: Money | null;
}

/** A currency with what payers may choose in the cashier. */
export interface MerchantCurrencyRules extends MerchantCurrency {
  readonly cashierAmounts: CashierAmounts;
}

interface CurrencyRow {
  merchantId: string;
  currencyCode: string;
  enabled: boolean;
  depositFeePercent: string;
  depositFeeFixed: string;
  withdrawalFeePercent: string;
  withdrawalFeeFixed: string;
  withdrawalMin: string | null;
  withdrawalMax: string | null;
}

const currencyOf = (row: CurrencyRow): MerchantCurrency => ({
  currencyCode: row.currencyCode,
  enabled: row.enabled,
  depositFee: { percent: money(row.depositFeePercent), fixed: money(row.depositFeeFixed) },
  withdrawalFee: {
    percent: money(row.withdrawalFeePercent),
    fixed: money(row.withdrawalFeeFixed),
  },
  withdrawalMin: row.withdrawalMin === null ? null : money(row.withdrawalMin),
  withdrawalMax: row.withdrawalMax === null ? null : money(row.withdrawalMax),
});

interface CurrencyRulesRow extends CurrencyRow {
  cashierDenominations: string[];
  cashierCustomMin: string | null;
  cashierCustomMax: string | null;
}

const rulesOf = (row: CurrencyRulesRow): MerchantCurrencyRules => ({
  ...currencyOf(row),
  cashierAmounts: {
    denominations: row.cashierDenominations.map((text) => money(text)),
    custom:
      row.cashierCustomMin === null || row.cashierCustomMax === null
        ? null
        : { min: money(row.cashierCustomMin), max: money(row.cashierCustomMax) },
  },
});

/** Adds a merchant, its currencies and a zero balance in each. A taken code violates merchants_merchant_code_unique. */
export async function insertMerchant(
  tx: Transaction,
  merchant: MerchantRow,
  currencies: readonly CurrencyChange[],
): Promise<void> {
  const m = merchant;
  await tx`
    insert into merchants
      (id, merchant_code, name, enabled, can_deposit, can_withdraw, deposit_expire_minutes,
       callback_timeout_seconds, default_callback_url, allow_insecure_callbacks, callback_hosts,
       notify_deposit_expired, notify_deposit_cancelled, max_open_deposits, max_open_deposits_per_user,
       cashier_session_expire_minutes, cashier_name, cashier_logo_url, cashier_colour, cashier_return_url,
       hold_days, created_at, updated_at)
    values
      (${m.id}, ${m.merchantCode}, ${m.name}, ${m.enabled}, ${m.canDeposit}, ${m.canWithdraw},
       ${m.depositExpireMinutes}, ${m.callbackTimeoutSeconds}, ${m.defaultCallbackUrl},
       ${m.allowInsecureCallbacks}, ${m.callbackHosts as string[] | null}, ${m.notifyDepositExpired},
       ${m.notifyDepositCancelled}, ${m.maxOpenDeposits}, ${m.maxOpenDepositsPerUser},
       ${m.cashierSessionExpireMinutes}, ${m.cashierName}, ${m.cashierLogoUrl}, ${m.cashierColour},
       ${m.cashierReturnUrl}, ${m.holdDays}, ${m.createdAt}, ${m.updatedAt})`;
  for (const currency of currencies) await putCurrency(tx, m.id, currency, m.createdAt);
}

/** What one withdrawal may be; null is no limit. */
export interface WithdrawalLimits {
  readonly min: Money | null;
  readonly max: Money | null;
}

/** A currency to enable, disable or re-price. */
export interface CurrencyChange {
  readonly currencyCode: string;
  readonly enabled: boolean;
  /** Null leaves the fee as it is; a new currency has none. */
  readonly depositFee: FeeRule | null;
  readonly withdrawalFee: FeeRule | null;
  /** Null leaves the limits as they are; a new currency has none. */
  readonly withdrawalLimits: WithdrawalLimits | null;
  /** Null leaves them as they are; a new currency has none. */
  readonly cashierAmounts: CashierAmounts | null;
  /** Of the balance, should the currency be new. */
  readonly balanceId: string;
}

/** Enables, disables or re-prices a currency; a new one gets a zero balance. */
export async function putCurrency(
  tx: Transaction,
  merchantId: string,
  currency: CurrencyChange,
  now: Date,
): Promise<void> {
  const { currencyCode, enabled, depositFee, cashierAmounts } = currency;
  const { withdrawalFee, withdrawalLimits: limits } = currency;
  const [percent, fixed] = pricesOf(depositFee);
  const [outPercent, outFixed] = pricesOf(withdrawalFee);
  const denominations = cashierAmounts?.denominations.map((amount) => amount.toFixed()) ?? null;
  const customMin = cashierAmounts?.custom?.min.toFixed() ?? null;
  const customMax = cashierAmounts?.custom?.max.toFixed() ?? null;
  await tx`
    with currency as (
      insert into merchant_currencies
        (merchant_id, currency_code, enabled, deposit_fee_percent, deposit_fee_fixed,
         withdrawal_fee_percent, withdrawal_fee_fixed, withdrawal_min, withdrawal_max,
         cashier_denominations, cashier_custom_min, cashier_custom_max)
      values
        (${merchantId}, ${currencyCode}, ${enabled}, coalesce(${percent}::numeric, 0),
         coalesce(${fixed}::numeric, 0), coalesce(${outPercent}::numeric, 0),
         coalesce(${outFixed}::numeric, 0), ${limits?.min?.toFixed() ?? null},
         ${limits?.max?.toFixed() ?? null},
         coalesce(${denominations}::text[]::numeric[], '{}'),
         ${customMin}::numeric, ${customMax}::numeric)
      on conflict (merchant_id, currency_code) do update
      set enabled = excluded.enabled,
        cashier_denominations = case when ${cashierAmounts === null}
          then merchant_currencies.cashier_denominations else excluded.cashier_denominations end,
        cashier_custom_min = case when ${cashierAmounts === null}
          then merchant_currencies.cashier_custom_min else excluded.cashier_custom_min end,
        cashier_custom_max = case when ${cashierAmounts === null}
          then merchant_currencies.cashier_custom_max else excluded.cashier_custom_max end,
        deposit_fee_percent = coalesce(${percent}, merchant_currencies.deposit_fee_percent),
        deposit_fee_fixed = coalesce(${fixed}, merchant_currencies.deposit_fee_fixed),
        withdrawal_fee_percent = coalesce(${outPercent}, merchant_currencies.withdrawal_fee_percent),
        withdrawal_fee_fixed = coalesce(${outFixed}, merchant_currencies.withdrawal_fee_fixed),
        withdrawal_min = case when ${limits !== null} then excluded.withdrawal_min
          else merchant_currencies.withdrawal_min end,
        withdrawal_max = case when ${limits !== null} then excluded.withdrawal_max
          else merchant_currencies.withdrawal_max end
    )
    insert into merchant_balances
      (id, merchant_id, currency_code, available, frozen, version, created_at, updated_at)
    values (${currency.balanceId}, ${merchantId}, ${currencyCode}, 0, 0, 0, ${now}, ${now})
    on conflict (merchant_id, currency_code) do nothing`;
}

const pricesOf = (fee: FeeRule | null): [string | null, string | null] => [
  fee?.percent.toFixed() ?? null,
  fee?.fixed.toFixed() ?? null,
];

/** Changes the given settings and no other. @returns undefined if there is no such merchant */
export async function updateMerchant(
  tx: Transaction,
  id: string,
  changes: Partial<MerchantSettings> & { readonly name?: string },
  now: Date,
): Promise<MerchantRow | undefined> {
  const [row] = await tx<MerchantRow[]>`
    update merchants set ${tx(columnsOf({ ...changes, updatedAt: now }))}
    where id = ${id} returning *`;
  return row;
}

const columnsOf = (changes: Record<string, unknown>): Record<string, never> =>
  Object.fromEntries(
    Object.entries(changes)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`), value as never]),
  );

/** A merchant by its code. */
export async function findMerchantByCode(
  { sql }: Database,
  merchantCode: string,
): Promise<MerchantRow | undefined> {
  const [row] = await sql<MerchantRow[]>`
    select * from merchants where merchant_code = ${merchantCode}`;
  return row;
}

/** Several merchants by their ids. */
export const findMerchants = async (
  { sql }: Database,
  ids: readonly string[],
): Promise<MerchantRow[]> =>
  await sql<MerchantRow[]>`select * from merchants where id = any(${ids as string[]})`;

/** The currencies of several merchants, by merchant id. */
export async function findCurrencies(
  { sql }: Database,
  merchantIds: readonly string[],
): Promise<Map<string, MerchantCurrencyRules[]>> {
  const rows = await sql<CurrencyRulesRow[]>`
    select * from merchant_currencies where merchant_id = any(${merchantIds as string[]})
    order by currency_code`;
  const found = new Map<string, MerchantCurrencyRules[]>(merchantIds.map((id) => [id, []]));
  for (const row of rows) found.get(row.merchantId)?.push(rulesOf(row));
  return found;
}

/** A merchant with its currencies, its row locked against other changes of its settings; no deposit waits for it. */
export async function lockMerchant(
  tx: Transaction,
  id: string,
): Promise<(MerchantRow & { readonly currencies: readonly MerchantCurrencyRules[] }) | undefined> {
  const [merchant] = await tx<MerchantRow[]>`
    select * from merchants where id = ${id} for no key update`;
  if (!merchant) return undefined;
  const currencies = await tx<CurrencyRulesRow[]>`
    select * from merchant_currencies where merchant_id = ${id} order by currency_code`;
  return { ...merchant, currencies: currencies.map(rulesOf) };
}

/** A merchant with what its deposits are priced by. */
export interface MerchantWithCurrencies extends MerchantRow {
  readonly currencies: readonly MerchantCurrency[];
}

/** What a signed request is allowed to be: the merchant behind a live api key, with its currencies. */
export interface AuthenticatedMerchant extends MerchantWithCurrencies {
  readonly apiKeyId: string;
}

/** The merchants behind live api keys, by lookup hash. One statement: it stands before every signed request. */
export async function findMerchantsByKeys(
  { sql }: Database,
  lookupHashes: readonly string[],
  now: Date,
): Promise<Map<string, AuthenticatedMerchant>> {
  const rows = await sql<
    (MerchantRow & { lookupHash: string; apiKeyId: string; currencies: CurrencyRow[] })[]
  >`
    select m.*, k.lookup_hash, k.id as api_key_id,
      (select coalesce(json_agg(json_build_object(
          'currencyCode', c.currency_code, 'enabled', c.enabled,
          'depositFeePercent', c.deposit_fee_percent::text,
          'depositFeeFixed', c.deposit_fee_fixed::text,
          'withdrawalFeePercent', c.withdrawal_fee_percent::text,
          'withdrawalFeeFixed', c.withdrawal_fee_fixed::text,
          'withdrawalMin', c.withdrawal_min::text,
          'withdrawalMax', c.withdrawal_max::text)), '[]')
        from merchant_currencies c where c.merchant_id = m.id) as currencies
    from api_keys k join merchants m on m.id = k.merchant_id
    where k.lookup_hash = any(${lookupHashes as string[]}) and k.revoked_at is null
      and (k.retires_at is null or k.retires_at > ${now})`;
  return new Map(
    rows.map(({ lookupHash, ...row }) => [
      lookupHash,
      { ...row, currencies: row.currencies.map(currencyOf) },
    ]),
  );
}
