import type { Database, Transaction } from '../client';

/** The callbacks of a merchant to one endpoint: scheme, host and port. */
export interface EndpointRow {
  readonly merchantId: string;
  readonly endpoint: string;
  readonly delivered: number;
  readonly failed: number;
  /** Under way, or waiting for the next attempt. */
  readonly waiting: number;
  /** When the order of the oldest waiting one changed. */
  readonly oldestWaitingAt: Date | null;
}

/** Which callbacks are counted or resent. */
export interface EndpointFilter {
  /** Only of orders that changed since then. */
  readonly since: Date;
  /** Null: all merchants. */
  readonly merchantIds: readonly string[] | null;
}

/** Callbacks by merchant and endpoint, those with the most failures first. */
export const findEndpoints = async (
  { read: sql }: Database,
  { since, merchantIds }: EndpointFilter,
  limit: number,
): Promise<EndpointRow[]> =>
  await sql<EndpointRow[]>`
    select n.merchant_id, callback_origin(n.target_url) as endpoint,
      (count(*) filter (where n.status = 'SUCCESS'))::integer as delivered,
      (count(*) filter (where n.status = 'FAILED'))::integer as failed,
      (count(*) filter (where n.status in ('SENDING', 'WAITING_RETRY')))::integer as waiting,
      min(n.created_at) filter (where n.status in ('SENDING', 'WAITING_RETRY')) as oldest_waiting_at
    from notification_logs n
    where n.created_at >= ${since}
      and (${merchantIds as string[] | null}::uuid[] is null or n.merchant_id = any(${merchantIds as string[] | null}::uuid[]))
    group by 1, 2 order by failed desc, waiting desc, delivered desc, 1, 2 limit ${limit}`;

/** Resends failed callbacks, the oldest first. @returns how many */
export async function rearmFailed(
  tx: Transaction,
  {
    since,
    merchantIds,
    endpoint,
    limit,
  }: EndpointFilter & { readonly endpoint: string | null; readonly limit: number },
  actor: string,
  reason: string,
  now: Date,
): Promise<number> {
  const [row] = await tx<{ armed: number }[]>`
    select rearm_failed_callbacks(${since}, ${merchantIds as string[] | null}::uuid[], ${endpoint}, ${limit},
      ${actor}, ${reason}, ${now}) as armed`;
  return row?.armed ?? 0;
}
