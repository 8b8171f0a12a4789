import type { ChannelHealth, MockOutcome } from '../../domain/channel';
import type { FeeRule } from '../../domain/fees';
import type { BreakerSettings } from '../../domain/health';
import { money } from '../../domain/money';
import type { DayLimits } from '../../domain/received-limits';
import type { Database, Transaction } from '../client';
import { hasPassed } from './mappings';
import { amountFieldsOf, parametersOf, type Raw, type RowOf, rowReader } from '../rows';
import { type channelBalances, type channelBanks, channels } from '../schema/channels';

type Stored = RowOf<typeof channels>;
/** A payment channel, for payouts and deposits. Amounts in the currency of each order; times UTC. */
export interface ChannelRow extends Omit<
  Stored,
  'costPercent' | 'costFixed' | 'depositCostPercent' | 'depositCostFixed' | LimitColumn
> {
  /** What a payout costs us. */
  readonly cost: FeeRule;
  /** What a deposit costs us. */
  readonly depositCost: FeeRule;
  /** What it may receive in each currency. */
  readonly depositLimits: DayLimits;
}
type LimitColumn = `deposit${Capitalize<keyof DayLimits>}`;

/** What may be changed of a channel in use. */
export type ChannelChange = Pick<
  ChannelRow,
  | ('name' | 'currencies' | 'minAmount' | 'maxAmount' | 'lowBalance' | 'priority' | 'weight')
  | ('baseUrl' | 'keyId' | 'sealedSecret' | 'timeoutSeconds' | 'cost')
  | ('failureFinalDelaySeconds' | 'answerWithinSeconds' | 'confirmRefusals')
  | ('depositCurrencies' | 'depositMin' | 'depositMax' | 'depositsFirst' | 'depositCost')
  | 'depositLimits'
  | ('walletKind' | 'acceptsContact' | 'contactMobile' | 'contactEmail' | 'boundAccountId')
  | ('mockOpening' | 'mockAmounts' | 'timeZone' | keyof BreakerSettings)
>;

/** As PostgreSQL returns it. */
export type RawChannel = Raw<Stored>;

const readAmounts = rowReader<Stored>(amountFieldsOf(channels));

/** In our own types. */
export function channelOf(raw: RawChannel): ChannelRow {
  const row = readAmounts(raw);
  const { costPercent, costFixed, depositCostPercent, depositCostFixed, ...others } = row;
  const { depositMaxDailyAmount: maxDailyAmount, ...more } = others;
  const { depositMaxMonthlyAmount: maxMonthlyAmount, ...rest } = more;
  const { depositMaxDailyCount, depositMaxMonthlyCount, ...channel } = rest;
  return {
    ...channel,
    depositLimits: {
      maxDailyAmount,
      maxMonthlyAmount,
      maxDailyCount: depositMaxDailyCount,
      maxMonthlyCount: depositMaxMonthlyCount,
    },
    cost: { percent: costPercent, fixed: costFixed },
    depositCost: { percent: depositCostPercent, fixed: depositCostFixed },
  };
}

/** A channel with its mapping in force, if it has one: what an adapter needs. */
export type OpenableChannel = ChannelRow & { readonly mapping: unknown };
/** As PostgreSQL returns it. */
export type RawOpenable = RawChannel & { readonly mapping: unknown };

/** Selects channels for adapters, as `c`. */
export const openableChannels = (sql: Database['sql'] | Transaction) => sql`
  select c.*, m.mapping from channels c
  left join channel_mappings m on m.channel_id = c.id and m.version = c.mapping_version`;

/** In our own types. */
export const openableOf = ({ mapping, ...raw }: RawOpenable): OpenableChannel => ({
  ...channelOf(raw),
  mapping,
});

/** Fields of a channel, including its costs and limits, in the form of the columns. */
const columnsOf = ({ cost, depositCost, depositLimits, ...fields }: ChannelChange & Partial<ChannelRow>) =>
  parametersOf(channels, {
    ...fields,
    costPercent: cost.percent,
    costFixed: cost.fixed,
    depositCostPercent: depositCost.percent,
    depositCostFixed: depositCost.fixed,
    depositMaxDailyAmount: depositLimits.maxDailyAmount,
    depositMaxMonthlyAmount: depositLimits.maxMonthlyAmount,
    depositMaxDailyCount: depositLimits.maxDailyCount,
    depositMaxMonthlyCount: depositLimits.maxMonthlyCount,
  });

/** A code that is taken violates channels_channel_code_unique. */
export async function insertChannel(
  tx: Transaction,
  channel: ChannelChange & Pick<ChannelRow, 'id' | 'channelCode' | 'kind' | 'mockOutcome' | 'mapped'>,
  now: Date,
): Promise<void> {
  const row = columnsOf({
    ...channel,
    // A mapped channel cannot be enabled without a mapping that has passed the conformance kit.
    enabled: !channel.mapped,
    health: 'UNKNOWN',
    createdAt: now,
    updatedAt: now,
  });
  await tx`insert into channels ${tx(row)}`;
}

/** Use is recounted for new limits at once. @returns whether there is such a channel */
export async function updateChannel(tx: Transaction, id: string, change: ChannelChange, now: Date): Promise<boolean> {
  const columns = columnsOf({ ...change, updatedAt: now });
  const { count } = await tx`update channels set ${tx(columns)} where id = ${id}`;
  if (count > 0) await tx`select recount_channel(${id}, ${now})`;
  return count > 0;
}

/**
 * @returns whether there is such a channel and, if it is mapped, whether its mapping has passed the conformance kit
 */
export async function setChannelEnabled(tx: Transaction, id: string, enabled: boolean, now: Date): Promise<boolean> {
  const { count } = await tx`
    update channels set enabled = ${enabled}, updated_at = ${now}
    where id = ${id} and (not ${enabled} or not mapped or ${hasPassed(tx)})`;
  return count > 0;
}

/** @returns whether there is such a mock channel */
export async function setMockOutcome(tx: Transaction, id: string, outcome: MockOutcome, now: Date): Promise<boolean> {
  const { count } = await tx`
    update channels set mock_outcome = ${outcome}, updated_at = ${now} where id = ${id} and kind = 'MOCK'`;
  if (count > 0) await tx`select wake_mock_deposits(${id}, ${now})`;
  return count > 0;
}

/** A channel, its row locked against other changes. */
export async function lockChannel(tx: Transaction, id: string): Promise<ChannelRow | undefined> {
  const [row] = await tx<RawChannel[]>`select * from channels where id = ${id} for no key update`;
  return row && channelOf(row);
}

/** Several channels by their ids. */
export async function findChannels({ sql }: Database, ids: readonly string[]): Promise<ChannelRow[]> {
  const rows = await sql<RawChannel[]>`select * from channels where id = any(${ids as string[]})`;
  return rows.map(channelOf);
}

/** The channel that a webhook's address names. */
export async function findChannelByCode({ sql }: Database, channelCode: string): Promise<OpenableChannel | undefined> {
  const [row] = await sql<RawOpenable[]>`
    ${openableChannels(sql)} where c.channel_code = ${channelCode}`;
  return row && openableOf(row);
}

/** Channels that may get payouts: their health and balances are queried. */
export async function findEnabledChannels({ sql }: Database): Promise<OpenableChannel[]> {
  const rows = await sql<RawOpenable[]>`${openableChannels(sql)} where c.enabled order by c.id`;
  return rows.map(openableOf);
}

/** A channel's code of one of our banks. */
export type ChannelBank = Omit<RowOf<typeof channelBanks>, 'channelId'>;

/** Replaces all that a channel had. */
export async function replaceChannelBanks(
  tx: Transaction,
  channelId: string,
  banks: readonly ChannelBank[],
): Promise<void> {
  await tx`delete from channel_banks where channel_id = ${channelId}`;
  if (banks.length === 0) return;
  const rows = banks.map((bank) => ({
    channel_id: channelId,
    currency_code: bank.currencyCode,
    bank_code: bank.bankCode,
    channel_bank_code: bank.channelBankCode,
  }));
  await tx`insert into channel_banks ${tx(rows)}`;
}

/** The banks of several channels, by currency and our code. */
export const findChannelBanks = async (
  sql: Database['sql'] | Transaction,
  channelIds: readonly string[],
): Promise<(ChannelBank & { readonly channelId: string })[]> =>
  await sql<(ChannelBank & { readonly channelId: string })[]>`
    select * from channel_banks where channel_id = any(${channelIds as string[]})
    order by currency_code, bank_code`;

/** Our balance at a channel, as the channel reported it. */
export type ChannelBalance = RowOf<typeof channelBalances>;

/** The balances of several channels, by currency. */
export async function findChannelBalances({ sql }: Database, channelIds: readonly string[]): Promise<ChannelBalance[]> {
  const rows = await sql<(Omit<ChannelBalance, 'balance'> & { balance: string })[]>`
    select * from channel_balances where channel_id = any(${channelIds as string[]})
    order by currency_code`;
  return rows.map((row) => ({ ...row, balance: money(row.balance) }));
}

/** Records the result of a channel's check. Deletes balances that are no longer reported. */
export async function noteChannelCheck(
  { sql }: Database,
  channelId: string,
  found: {
    readonly health: ChannelHealth;
    readonly reason: string | null;
    readonly balances: readonly Pick<ChannelBalance, 'currencyCode' | 'balance'>[];
  },
  now: Date,
): Promise<void> {
  const currencies = found.balances.map(({ currencyCode }) => currencyCode);
  const amounts = found.balances.map(({ balance }) => balance.toFixed());
  await sql`
    with checked as (
      update channels set health = ${found.health}, health_reason = ${found.reason}, health_at = ${now}
      where id = ${channelId}
    ), forgotten as (
      delete from channel_balances
      where channel_id = ${channelId} and currency_code <> all(${currencies}::char(3)[])
    )
    insert into channel_balances (channel_id, currency_code, balance, at)
    select ${channelId}, currency_code, balance, ${now}
    from unnest(${currencies}::char(3)[], ${amounts}::numeric[]) as reported(currency_code, balance)
    on conflict (channel_id, currency_code)
    do update set balance = excluded.balance, at = excluded.at`;
}
