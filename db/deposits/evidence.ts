import type { DepositAttemptStatus } from '../../domain/channel-deposit';
import type { Database } from '../client';

/** Evidence of why a deposit is not credited (domain/deposit-evidence.ts). Times UTC. */
export interface EvidenceRow {
  readonly id: string;
  /** Bank credits that wait for an operator and may be its payment. */
  readonly creditIds: readonly string[];
  /** Bank credits that were matched to it before. */
  readonly onceIds: readonly string[];
  readonly claimReference: string | null;
  readonly claimKey: string | null;
  readonly claimedAt: Date | null;
  /** When a credit or a debit of its account was last reported. */
  readonly lastReportAt: Date | null;
  /** Its account; null without one. */
  readonly accountPaused: boolean | null;
  /** Its newest attempt at a channel; null without one. */
  readonly channelName: string | null;
  readonly channelStatus: DepositAttemptStatus | null;
  readonly channelAt: Date | null;
  readonly channelError: string | null;
}

/** The most waiting credits that are read for one deposit: the first since the day before it. */
const LOOKED_AT = 1_000;
/** At most this many of them, with the nearest amounts, are ranked. */
const RANKED = 100;

/**
 * The evidence about several deposits: waiting credits on their accounts since the day before; on any account, waiting
 * credits whose memo names them or whose reference is claimed; and what was matched to them before.
 */
export const findEvidence = async ({ read: sql }: Database, ids: readonly string[]): Promise<EvidenceRow[]> =>
  await sql<EvidenceRow[]>`
    select d.id, coalesce(w.credit_ids, '{}') as credit_ids, coalesce(o.once_ids, '{}') as once_ids, c.reference as claim_reference, c.reference_key as claim_key,
      c.at as claimed_at, greatest(
        (select t.received_at from bank_transfers t where t.account_id = d.account_id
          order by t.bank_time desc, t.id desc limit 1),
        (select b.received_at from bank_debits b where b.account_id = d.account_id
          order by b.received_at desc, b.id desc limit 1)) as last_report_at,
      a.status <> 'ACTIVE' as account_paused, h.name as channel_name, p.status as channel_status,
      p.updated_at as channel_at, p.last_error as channel_error
    from deposit_orders d
    left join payment_claims c on c.deposit_id = d.id
    left join bank_accounts a on a.id = d.account_id
    left join lateral (
      select * from deposit_attempts where deposit_id = d.id order by number desc limit 1) p on true
    left join channels h on h.id = p.channel_id
    cross join lateral (
      select array_agg(t.transfer_id order by t.at) as once_ids from transfer_allocations t
      join bank_transfers b on b.id = t.transfer_id and b.unmatched_reason is not null
      where t.deposit_id = d.id and t.released_at is not null) o
    cross join lateral (
      select array_agg(n.id) as credit_ids from (
        select t.id from (
          select u.* from bank_transfers u
          where u.unmatched_reason is not null and u.received_at >= d.created_at - interval '1 day'
          order by u.received_at, u.id limit ${LOOKED_AT}) t
        where t.account_id = d.account_id or names_order(t, d.expected_remark)
          or bank_reference_key(t.bank_reference) = c.reference_key
        order by coalesce(names_order(t, d.expected_remark), false) desc, abs(t.amount - d.amount), t.id
        limit ${RANKED}) n) w
    where d.id = any(${ids as string[]}::uuid[])`;
