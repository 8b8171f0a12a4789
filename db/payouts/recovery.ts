import { money, type Money } from '../../domain/money';
import type { PayoutAttemptStatus } from '../../domain/payout';
import type { WithdrawalStatus } from '../../domain/withdrawal';
import { type OpenableChannel, openableChannels, openableOf, type RawOpenable } from '../channels/channels';
import type { Database } from '../client';

/** An attempt for which its channel is queried. */
export interface AskedAttempt {
  readonly id: string;
  readonly number: number;
  readonly channelId: string | null;
  readonly reference: string;
  readonly status: PayoutAttemptStatus;
}

/** A withdrawal for which every channel is queried. */
export interface AskedWithdrawal {
  readonly id: string;
  readonly orderNo: string;
  readonly status: WithdrawalStatus;
  readonly amount: Money;
  readonly currencyCode: string;
  readonly attempts: readonly AskedAttempt[];
}

/** Begins the next epoch of references. @returns the epoch; channels may know references of earlier ones */
export async function raiseEpoch({ sql }: Database): Promise<number> {
  const [row] = await sql<{ epoch: number }[]>`select raise_epoch() as epoch`;
  if (!row) throw new Error('the database has no platform row');
  return row.epoch;
}

/** All channels that keep records, also disabled ones. */
export async function findBookChannels({ sql }: Database): Promise<OpenableChannel[]> {
  const rows = await sql<RawOpenable[]>`
    ${openableChannels(sql)} where c.kind = 'HTTP' and (not c.mapped or m.mapping is not null) order by c.id`;
  return rows.map(openableOf);
}

/** Which withdrawals are queried. */
export interface AskedWhich {
  /** Final ones only if they changed at or after this. */
  readonly since: Date;
  /** Only those that existed by then. */
  readonly until: Date;
  /** Only those for which a channel has not answered in this recovery. */
  readonly unansweredIn?: string | undefined;
}

/** The next withdrawals to query, after an id. */
export async function findWithdrawalsToAsk(
  { sql }: Database,
  { since, until, unansweredIn }: AskedWhich,
  after: string | null,
  limit: number,
): Promise<AskedWithdrawal[]> {
  const rows = await sql<(Omit<AskedWithdrawal, 'amount'> & { amount: string })[]>`
    select w.id, w.order_no, w.status, w.amount::text, w.currency_code,
      coalesce((select jsonb_agg(jsonb_build_object('id', a.id, 'number', a.number, 'channelId', a.channel_id,
          'reference', a.reference, 'status', a.status) order by a.number)
        from payout_attempts a where a.withdrawal_id = w.id), '[]') as attempts
    from withdrawal_orders w
    where (w.status in ('PENDING', 'APPROVED') or w.updated_at >= ${since})
      and w.created_at <= ${until}
      and (${unansweredIn ?? null}::uuid is null or w.id in (
        select withdrawal_id from recovery_findings
        where recovery_id = ${unansweredIn ?? null} and kind = 'UNANSWERED' and explained_by is null))
      and (${after}::uuid is null or w.id > ${after}::uuid)
    order by w.id limit ${limit}`;
  return rows.map((row) => ({ ...row, amount: money(row.amount) }));
}

/** An attempt that a channel knows. */
export interface AdoptedPayout {
  /** The id of the row, if there is none yet. */
  readonly attemptId: string;
  readonly withdrawalId: string;
  readonly number: number;
  readonly channelId: string;
  readonly reference: string;
  /** Why the channel refused it; null: it did not. */
  readonly refused: string | null;
  /** Open attempts of which their channels know nothing: they have ended if this one is known. */
  readonly absent: readonly string[];
}

/** Adopts an attempt that a channel knows. @returns whether this call inserted it */
export async function adoptPayout({ sql }: Database, a: AdoptedPayout, now: Date): Promise<boolean> {
  const [row] = await sql<{ done: boolean }[]>`
    select adopt_payout(${a.attemptId}, ${a.withdrawalId}, ${a.number}, ${a.channelId}, ${a.reference},
      ${a.refused}, ${now}, ${a.absent as string[]}) as done`;
  return row?.done ?? false;
}

/** Puts an ended attempt in doubt, because its channel contradicts the outcome. */
export async function doubtPayout({ sql }: Database, attemptId: string, now: Date): Promise<void> {
  await sql`
    update payout_attempts set doubted_at = coalesce(doubted_at, ${now})
    where id = ${attemptId} and status in ('REFUSED', 'FAILED', 'SUCCEEDED')`;
}
