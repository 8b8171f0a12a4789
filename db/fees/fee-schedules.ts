import type { FeeScope, FeeTerms, PricedOrder, TierBasis, TierMode } from '../../domain/fees';
import type { WalletKind } from '../../domain/channel-deposit';
import { type Money, money, ZERO } from '../../domain/money';
import type { Database, Transaction } from '../client';
import { amountFieldsOf, columnsOf, type Raw, type RowOf, rowReader } from '../rows';
import { feeSchedules } from '../schema/fee-schedules';

/** A version of a schedule as stored: its tiers are three columns of lists. */
export type FeeScheduleRow = RowOf<typeof feeSchedules>;

/** A version of a schedule that prices orders. */
export interface FeeSchedule extends FeeTerms, FeeScope {
  readonly id: string;
  readonly orderKind: PricedOrder;
  readonly walletKind: WalletKind | null;
  readonly version: number;
  /** The merchant's volume of completed orders in the month, when it was read; zero unless its tiers depend on it. */
  readonly volume: Money;
}

/** As fee_schedule_json writes one. */
export interface FeeScheduleJson {
  readonly id: string;
  readonly orderKind: PricedOrder;
  readonly channelId: string | null;
  readonly walletKind: WalletKind | null;
  readonly version: number;
  readonly percent: string;
  readonly fixed: string;
  readonly minimum: string | null;
  readonly maximum: string | null;
  readonly tierMode: TierMode;
  readonly tierFroms: readonly string[];
  readonly tierPercents: readonly string[];
  readonly tierFixeds: readonly string[];
  readonly tierBy: TierBasis;
  readonly volume?: string;
}

const rowOf = rowReader<FeeScheduleRow>(amountFieldsOf(feeSchedules));

type Stored = Pick<
  FeeScheduleRow,
  ('percent' | 'fixed' | 'minimum' | 'maximum' | 'tierMode') | ('tierFroms' | 'tierPercents' | 'tierFixeds' | 'tierBy')
>;

/** The terms of a stored version. */
export const termsOfRow = (row: Stored): FeeTerms => ({
  percent: row.percent,
  fixed: row.fixed,
  minimum: row.minimum,
  maximum: row.maximum,
  tierMode: row.tierMode,
  tierBy: row.tierBy ?? 'AMOUNT',
  tiers: row.tierFroms.map((from, at) => ({
    from,
    percent: row.tierPercents[at] ?? row.percent,
    fixed: row.tierFixeds[at] ?? row.fixed,
  })),
});

/** A schedule as fee_schedule_json wrote it. */
export const scheduleOfJson = (json: FeeScheduleJson): FeeSchedule => ({
  id: json.id,
  orderKind: json.orderKind,
  channelId: json.channelId,
  walletKind: json.walletKind,
  version: json.version,
  volume: json.volume === undefined ? ZERO : money(json.volume),
  ...termsOfRow({
    tierMode: json.tierMode,
    tierBy: json.tierBy,
    percent: money(json.percent),
    fixed: money(json.fixed),
    minimum: json.minimum === null ? null : money(json.minimum),
    maximum: json.maximum === null ? null : money(json.maximum),
    tierFroms: json.tierFroms.map((text) => money(text)),
    tierPercents: json.tierPercents.map((text) => money(text)),
    tierFixeds: json.tierFixeds.map((text) => money(text)),
  }),
});

/** All versions of the schedules of several merchants, those for the same orders together, the newest first. */
export async function findFeeSchedules({ sql }: Database, merchantIds: readonly string[]): Promise<FeeScheduleRow[]> {
  const rows = await sql<Raw<FeeScheduleRow>[]>`
    select * from fee_schedules where merchant_id = any(${merchantIds as string[]})
    order by currency_code, order_kind, channel_id nulls first, wallet_kind nulls first, version desc`;
  return rows.map(rowOf);
}

/** Several versions by their ids. */
export async function findFeeSchedulesById(
  { sql }: Pick<Database, 'sql'>,
  ids: readonly string[],
): Promise<FeeScheduleRow[]> {
  const rows = await sql<Raw<FeeScheduleRow>[]>`
    select * from fee_schedules where id = any(${ids as string[]})`;
  return rows.map(rowOf);
}

/** The orders to which a schedule applies. */
export type ScheduleKey = Pick<
  FeeScheduleRow,
  'merchantId' | 'currencyCode' | 'orderKind' | 'channelId' | 'walletKind'
>;

/** The newest version for these orders, its merchant locked: no other is added beside it. */
export async function lockNewestSchedule(tx: Transaction, key: ScheduleKey): Promise<FeeScheduleRow | undefined> {
  await tx`select from merchants where id = ${key.merchantId} for no key update`;
  const [row] = await tx<Raw<FeeScheduleRow>[]>`
    select * from fee_schedules
    where merchant_id = ${key.merchantId} and currency_code = ${key.currencyCode} and order_kind = ${key.orderKind}
      and channel_id is not distinct from ${key.channelId} and wallet_kind is not distinct from ${key.walletKind}
    order by version desc limit 1`;
  return row && rowOf(row);
}

/** Adds the next version of a schedule, under the lock of its merchant. */
export async function insertFeeSchedule(tx: Transaction, row: FeeScheduleRow): Promise<void> {
  await tx`
    insert into fee_schedules
    select * from jsonb_populate_record(null::fee_schedules, ${tx.json(columnsOf(row))}::jsonb)`;
}

/** The volume of a merchant's completed orders of this kind in the month of `at`, in its time zone. */
export async function findMonthVolume(
  { sql }: Database,
  key: Pick<FeeScheduleRow, 'merchantId' | 'currencyCode' | 'orderKind'>,
  at: Date,
): Promise<Money> {
  const [row] = await sql<{ volume: string }[]>`
    select month_volume(${key.merchantId}, ${key.currencyCode}, ${key.orderKind}, ${at}) as volume`;
  return money(row?.volume ?? '0');
}
