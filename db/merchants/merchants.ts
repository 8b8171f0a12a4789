import type { CashierAmounts } from '../../domain/cashier';
import type { FeeRule, PricedOrder } from '../../domain/fees';
import type { Money } from '../../domain/money';
import { type PayerRules, readPayerRules } from '../../domain/payer-rules';
import type { Database, Transaction } from '../client';
import { type FeeSchedule, type FeeScheduleJson, scheduleOfJson } from '../fees/fee-schedules';
import type { PayerRulesJson } from '../payers/rules';
import { amountFieldsOf, parametersOf, type Raw, type RowOf, rowReader } from '../rows';
import { merchantCurrencies, merchants } from '../schema/merchants';

/** A merchant as stored. */
export type MerchantRow = RowOf<typeof merchants>;
/** A merchant's settings. Times in the units of their names. */
export type MerchantSettings = Omit<MerchantRow, 'id' | 'merchantCode' | 'name' | 'createdAt' | 'updatedAt'>;

/** A currency of a merchant, with the fees and limits of its orders. */
export interface MerchantCurrency {
  readonly currencyCode: string;
  readonly enabled: boolean;
  /** The fee of deposits for which no schedule is in force. */
  readonly depositFee: FeeRule;
  /** The pool of its accounts and channels; null: the default one of the currency. */
  readonly poolId: string | null;
  /** Limits of one deposit; null is no limit. */
  readonly depositMin: Money | null;
  readonly depositMax: Money | null;
  /** The fee of withdrawals for which no schedule is in force, added to the amount. */
  readonly withdrawalFee: FeeRule;
  /** Limits of one withdrawal; null is no limit. */
  readonly withdrawalMin: Money | null;
  readonly withdrawalMax: Money | null;
  /** The mobile wallet that takes its deposits, instead of everything else; null: none. */
  readonly walletChannelId: string | null;
  /** Whether the fee of a deposit is held from the balance at its creation. */
  readonly prepaid: boolean;
  /** The fee schedules in force when the currency was read. */
  readonly feeSchedules: readonly FeeSchedule[];
  /** The commission rates in force when the currency was read; null: none. */
  readonly commissionRates: Readonly<Record<PricedOrder, string | null>>;
  /** The version of the rules by which its deposits were routed when it was read; null: there are none. */
  readonly routingRulesId: string | null;
  /** The payer rules in force; null: none. */
  readonly payerRules: PayerRules | null;
  /** Whether any payer was on a list when the currency was read. */
  readonly payersListed: boolean;
}

/** A currency with the amounts that payers may choose in the cashier. */
export interface MerchantCurrencyRules extends MerchantCurrency {
  readonly cashierAmounts: CashierAmounts;
}

type Stored = RowOf<typeof merchantCurrencies>;
type Currency = Omit<Stored, `cashier${string}`>;
/** What is read in addition to a currency's row. */
interface Beside {
  readonly feeSchedules: readonly FeeScheduleJson[];
  readonly commissionRates: Readonly<Record<PricedOrder, string | null>> | null;
  readonly routingRulesId: string | null;
  readonly payerRules: PayerRulesJson | null;
  readonly payersListed: boolean;
}

const readStored = rowReader<Stored>(amountFieldsOf(merchantCurrencies));
const readCurrency = rowReader<Currency>({
  depositFeePercent: true,
  depositFeeFixed: true,
  withdrawalFeePercent: true,
  withdrawalFeeFixed: true,
  depositMin: true,
  depositMax: true,
  withdrawalMin: true,
  withdrawalMax: true,
});

const NO_COMMISSION = { DEPOSIT: null, WITHDRAWAL: null } as const;

const currencyOf = (row: Currency, beside: Beside): MerchantCurrency => ({
  currencyCode: row.currencyCode,
  enabled: row.enabled,
  depositFee: { percent: row.depositFeePercent, fixed: row.depositFeeFixed },
  poolId: row.poolId,
  depositMin: row.depositMin,
  depositMax: row.depositMax,
  withdrawalFee: { percent: row.withdrawalFeePercent, fixed: row.withdrawalFeeFixed },
  withdrawalMin: row.withdrawalMin,
  withdrawalMax: row.withdrawalMax,
  walletChannelId: row.walletChannelId,
  prepaid: row.prepaid,
  routingRulesId: beside.routingRulesId,
  feeSchedules: beside.feeSchedules.map(scheduleOfJson),
  commissionRates: beside.commissionRates ?? NO_COMMISSION,
  payerRules: beside.payerRules && readPayerRules(beside.payerRules),
  payersListed: beside.payersListed,
});

function rulesOf(raw: Raw<Stored> & Beside): MerchantCurrencyRules {
  const row = readStored(raw);
  const { cashierDenominations: denominations, cashierCustomMin: min, cashierCustomMax: max } = row;
  const custom = min === null || max === null ? null : { min, max };
  return { ...currencyOf(row, raw), cashierAmounts: { denominations, custom } };
}

/** Adds a merchant, its currencies and a zero balance in each. A taken code violates merchants_merchant_code_unique. */
export async function insertMerchant(
  tx: Transaction,
  merchant: MerchantRow,
  currencies: readonly CurrencyChange[],
): Promise<void> {
  await tx`insert into merchants ${tx(parametersOf(merchants, merchant))}`;
  for (const currency of currencies) await putCurrency(tx, merchant.id, currency, merchant.createdAt);
}

/** The limits of one order; null is no limit. */
export interface OrderLimits {
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
  readonly depositLimits: OrderLimits | null;
  /** Null leaves the pool as it is; a new currency has the default one. */
  readonly pool: { readonly id: string | null } | null;
  readonly withdrawalLimits: OrderLimits | null;
  /** Null leaves them as they are; a new currency has none. */
  readonly cashierAmounts: CashierAmounts | null;
  /** Undefined leaves it as it is. */
  readonly walletChannelId?: string | null | undefined;
  /** Null leaves it as it is; a new currency is not. */
  readonly prepaid: boolean | null;
  /** The id of the balance, if the currency is new. */
  readonly balanceId: string;
}

/** Enables, disables or re-prices a currency; a new one gets a zero balance. */
export async function putCurrency(
  tx: Transaction,
  merchantId: string,
  currency: CurrencyChange,
  now: Date,
): Promise<void> {
  const { currencyCode, enabled, depositFee, cashierAmounts, walletChannelId } = currency;
  const { withdrawalFee, withdrawalLimits: limits, depositLimits, pool, prepaid } = currency;
  const [percent, fixed] = pricesOf(depositFee);
  const [outPercent, outFixed] = pricesOf(withdrawalFee);
  const denominations = cashierAmounts?.denominations.map((amount) => amount.toFixed()) ?? null;
  const customMin = cashierAmounts?.custom?.min.toFixed() ?? null;
  const customMax = cashierAmounts?.custom?.max.toFixed() ?? null;
  await tx`
    with currency as (
      insert into merchant_currencies
        (merchant_id, currency_code, enabled, deposit_fee_percent, deposit_fee_fixed,
         withdrawal_fee_percent, withdrawal_fee_fixed, withdrawal_min, withdrawal_max, deposit_min, deposit_max,
         pool_id,
         cashier_denominations, cashier_custom_min, cashier_custom_max, wallet_channel_id, prepaid)
      values
        (${merchantId}, ${currencyCode}, ${enabled}, coalesce(${percent}::numeric, 0),
         coalesce(${fixed}::numeric, 0), coalesce(${outPercent}::numeric, 0),
         coalesce(${outFixed}::numeric, 0), ${limits?.min?.toFixed() ?? null},
         ${limits?.max?.toFixed() ?? null}, ${depositLimits?.min?.toFixed() ?? null},
         ${depositLimits?.max?.toFixed() ?? null}, ${pool?.id ?? null},
         coalesce(${denominations}::text[]::numeric[], '{}'),
         ${customMin}::numeric, ${customMax}::numeric, ${walletChannelId ?? null},
         coalesce(${prepaid}::boolean, false))
      on conflict (merchant_id, currency_code) do update
      set enabled = excluded.enabled,
        prepaid = coalesce(${prepaid}::boolean, merchant_currencies.prepaid),
        wallet_channel_id = case when ${walletChannelId === undefined}
          then merchant_currencies.wallet_channel_id else excluded.wallet_channel_id end,
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
          else merchant_currencies.withdrawal_max end,
        deposit_min = case when ${depositLimits !== null} then excluded.deposit_min
          else merchant_currencies.deposit_min end,
        deposit_max = case when ${depositLimits !== null} then excluded.deposit_max
          else merchant_currencies.deposit_max end,
        pool_id = case when ${pool !== null} then excluded.pool_id else merchant_currencies.pool_id end
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
    update merchants set ${tx(parametersOf(merchants, { ...changes, updatedAt: now }))}
    where id = ${id} returning *`;
  return row;
}

/** A merchant by its code. */
export async function findMerchantByCode({ sql }: Database, merchantCode: string): Promise<MerchantRow | undefined> {
  const [row] = await sql<MerchantRow[]>`
    select * from merchants where merchant_code = ${merchantCode}`;
  return row;
}

/** Several merchants by their ids. */
export const findMerchants = async ({ sql }: Database, ids: readonly string[]): Promise<MerchantRow[]> =>
  await sql<MerchantRow[]>`select * from merchants where id = any(${ids as string[]})`;

/** The currencies of several merchants, with the fees in force at `at`, by merchant id. */
export async function findCurrencies(
  { sql }: Database,
  merchantIds: readonly string[],
  at: Date,
): Promise<Map<string, MerchantCurrencyRules[]>> {
  const rows = await sql<(Raw<Stored> & Beside)[]>`
    select *, fee_schedules_json(merchant_id, currency_code, ${at}) as fee_schedules,
      commission_rates_json(merchant_id, currency_code, ${at}) as commission_rates,
      routing_rules_in_force(currency_code, 'DEPOSIT') as routing_rules_id,
      payer_rules_json(merchant_id, currency_code) as payer_rules, payers_listed(${at}) as payers_listed
    from merchant_currencies where merchant_id = any(${merchantIds as string[]})
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
  // A change of a merchant does not need schedules and routing rules.
  const currencies = await tx<(Raw<Stored> & Beside)[]>`
    select *, '[]'::jsonb as fee_schedules, null::jsonb as commission_rates, null as routing_rules_id, null::jsonb as payer_rules,
      false as payers_listed
    from merchant_currencies where merchant_id = ${id} order by currency_code`;
  return { ...merchant, currencies: currencies.map(rulesOf) };
}

/** A merchant with the prices of its deposits. */
export interface MerchantWithCurrencies extends MerchantRow {
  readonly currencies: readonly MerchantCurrency[];
  /** Of a signed request only. */
  readonly keyToNote?: string | null;
}

/** The merchant of a live api key, with its currencies: what admits a signed request. */
export interface AuthenticatedMerchant extends MerchantWithCurrencies {
  readonly apiKeyId: string;
  /** Whether a request was signed with the key before. */
  readonly apiKeyUsed: boolean;
  /** The key until a create that it signed was accepted: the first one that is notes that. Null afterwards. */
  readonly keyToNote: string | null;
}

/** The merchants of live api keys, by look-up hash. One statement, because it precedes every signed request. */
export async function findMerchantsByKeys(
  { sql }: Database,
  lookupHashes: readonly string[],
  now: Date,
): Promise<Map<string, AuthenticatedMerchant>> {
  const rows = await sql<
    (MerchantRow & {
      lookupHash: string;
      apiKeyId: string;
      apiKeyUsed: boolean;
      keyToNote: string | null;
      currencies: (Raw<Currency> & Beside)[];
    })[]
  >`
    select m.*, k.lookup_hash, k.id as api_key_id,
      k.first_used_at is not null as api_key_used,
      case when k.first_create_at is null then k.id end as key_to_note,
      (select coalesce(json_agg(json_build_object(
          'merchantId', c.merchant_id, 'currencyCode', c.currency_code, 'enabled', c.enabled,
          'depositFeePercent', c.deposit_fee_percent::text,
          'depositFeeFixed', c.deposit_fee_fixed::text,
          'withdrawalFeePercent', c.withdrawal_fee_percent::text,
          'withdrawalFeeFixed', c.withdrawal_fee_fixed::text,
          'poolId', c.pool_id,
          'depositMin', c.deposit_min::text,
          'depositMax', c.deposit_max::text,
          'withdrawalMin', c.withdrawal_min::text,
          'withdrawalMax', c.withdrawal_max::text,
          'walletChannelId', c.wallet_channel_id,
          'prepaid', c.prepaid,
          'routingRulesId', routing_rules_in_force(c.currency_code, 'DEPOSIT'),
          'feeSchedules', case when exists (select from fee_schedules f where f.merchant_id = m.id)
            then fee_schedules_json(m.id, c.currency_code, ${now}) else '[]' end,
          'commissionRates', case when exists (select from commission_rates r where r.merchant_id = m.id)
            then commission_rates_json(m.id, c.currency_code, ${now}) end,
          'payerRules', case when exists (select from payer_rules) then payer_rules_json(m.id, c.currency_code) end,
          'payersListed', p.listed)), '[]')
        from merchant_currencies c where c.merchant_id = m.id) as currencies
    from api_keys k join merchants m on m.id = k.merchant_id
    cross join (select payers_listed(${now}) as listed) p
    where k.lookup_hash = any(${lookupHashes as string[]}) and k.revoked_at is null
      and (k.retires_at is null or k.retires_at > ${now})`;
  return new Map(
    rows.map(({ lookupHash, ...row }) => [
      lookupHash,
      { ...row, currencies: row.currencies.map((raw) => currencyOf(readCurrency(raw), raw)) },
    ]),
  );
}
