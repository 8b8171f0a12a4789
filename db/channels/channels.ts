import type { ChannelHealth, ChannelKind, MockOutcome } from '../../domain/channel';
import type { FeeRule } from '../../domain/fees';
import { money, type Money } from '../../domain/money';
import type { Database, Transaction } from '../client';

/** What may be changed of a channel that is in use. Amounts in the currency of each payout; periods in seconds. */
export interface ChannelChange {
  readonly name: string;
  /** ISO 4217. */
  readonly currencies: readonly string[];
  readonly minAmount: Money | null;
  readonly maxAmount: Money | null;
  /** A balance of its below this is alerted, in each currency; null never is. */
  readonly lowBalance: Money | null;
  readonly priority: number;
  readonly weight: number;
  /** Of kind HTTP alone, as the next two. */
  readonly baseUrl: string | null;
  readonly keyId: string | null;
  readonly sealedSecret: string | null;
  readonly timeoutSeconds: number;
  /** What a payout costs us. */
  readonly cost: FeeRule;
  readonly failureFinalDelaySeconds: number;
  readonly answerWithinSeconds: number;
}

/** A way to pay out. Times UTC. */
export interface ChannelRow extends ChannelChange {
  readonly id: string;
  readonly channelCode: string;
  readonly kind: ChannelKind;
  readonly enabled: boolean;
  /** Of kind MOCK alone. */
  readonly mockOutcome: MockOutcome | null;
  readonly health: ChannelHealth;
  readonly healthReason: string | null;
  readonly healthAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** As PostgreSQL returns it. */
export type RawChannel = Omit<ChannelRow, 'minAmount' | 'maxAmount' | 'lowBalance' | 'cost'> & {
  readonly minAmount: string | null;
  readonly maxAmount: string | null;
  readonly lowBalance: string | null;
  readonly costPercent: string;
  readonly costFixed: string;
};

const moneyOrNull = (text: string | null): Money | null => (text === null ? null : money(text));

/** In our own types. */
export const channelOf = ({ costPercent, costFixed, ...raw }: RawChannel): ChannelRow => ({
  ...raw,
  minAmount: moneyOrNull(raw.minAmount),
  maxAmount: moneyOrNull(raw.maxAmount),
  lowBalance: moneyOrNull(raw.lowBalance),
  cost: { percent: money(costPercent), fixed: money(costFixed) },
});

const columnsOf = (change: ChannelChange) => ({
  name: change.name,
  currencies: change.currencies as string[],
  min_amount: change.minAmount?.toFixed() ?? null,
  max_amount: change.maxAmount?.toFixed() ?? null,
  low_balance: change.lowBalance?.toFixed() ?? null,
  priority: change.priority,
  weight: change.weight,
  base_url: change.baseUrl,
  key_id: change.keyId,
  sealed_secret: change.sealedSecret,
  timeout_seconds: change.timeoutSeconds,
  cost_percent: change.cost.percent.toFixed(),
  cost_fixed: change.cost.fixed.toFixed(),
  failure_final_delay_seconds: change.failureFinalDelaySeconds,
  answer_within_seconds: change.answerWithinSeconds,
});

/** A code that is taken violates channels_channel_code_unique. */
export async function insertChannel(
  tx: Transaction,
  channel: ChannelChange & Pick<ChannelRow, 'id' | 'channelCode' | 'kind' | 'mockOutcome'>,
  now: Date,
): Promise<void> {
  const row = {
    id: channel.id,
    channel_code: channel.channelCode,
    kind: channel.kind,
    mock_outcome: channel.mockOutcome,
    ...columnsOf(channel),
    enabled: true,
    health: 'UNKNOWN',
    created_at: now,
    updated_at: now,
  };
  await tx`insert into channels ${tx(row)}`;
}

/** @returns whether there is such a channel */
export async function updateChannel(
  tx: Transaction,
  id: string,
  change: ChannelChange,
  now: Date,
): Promise<boolean> {
  const columns = { ...columnsOf(change), updated_at: now };
  const { count } = await tx`update channels set ${tx(columns)} where id = ${id}`;
  return count > 0;
}

/** @returns whether there is such a channel */
export async function setChannelEnabled(
  tx: Transaction,
  id: string,
  enabled: boolean,
  now: Date,
): Promise<boolean> {
  const { count } = await tx`
    update channels set enabled = ${enabled}, updated_at = ${now} where id = ${id}`;
  return count > 0;
}

/** @returns whether there is such a mock channel */
export async function setMockOutcome(
  tx: Transaction,
  id: string,
  outcome: MockOutcome,
  now: Date,
): Promise<boolean> {
  const { count } = await tx`
    update channels set mock_outcome = ${outcome}, updated_at = ${now} where id = ${id} and kind = 'MOCK'`;
  return count > 0;
}

/** A channel, its row locked against other changes. */
export async function lockChannel(tx: Transaction, id: string): Promise<ChannelRow | undefined> {
  const [row] = await tx<RawChannel[]>`select * from channels where id = ${id} for no key update`;
  return row && channelOf(row);
}

/** Several channels by their ids. */
export async function findChannels(
  { sql }: Database,
  ids: readonly string[],
): Promise<ChannelRow[]> {
  const rows = await sql<RawChannel[]>`select * from channels where id = any(${ids as string[]})`;
  return rows.map(channelOf);
}

/** The channel that a webhook's address names. */
export async function findChannelByCode(
  { sql }: Database,
  channelCode: string,
): Promise<ChannelRow | undefined> {
  const [row] = await sql<RawChannel[]>`select * from channels where channel_code = ${channelCode}`;
  return row && channelOf(row);
}

/** Channels that may get payouts: their health and balances are queried. */
export async function findEnabledChannels({ sql }: Database): Promise<ChannelRow[]> {
  const rows = await sql<RawChannel[]>`select * from channels where enabled order by id`;
  return rows.map(channelOf);
}

/** What a channel calls one of our banks. */
export interface ChannelBank {
  readonly currencyCode: string;
  readonly bankCode: string;
  readonly channelBankCode: string;
}

/** Puts these in the place of all that a channel had. */
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

/** Our balance at a channel, as it reported. */
export interface ChannelBalance {
  readonly channelId: string;
  readonly currencyCode: string;
  readonly balance: Money;
  /** When it was asked. */
  readonly at: Date;
}

/** The balances of several channels, by currency. */
export async function findChannelBalances(
  { sql }: Database,
  channelIds: readonly string[],
): Promise<ChannelBalance[]> {
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
