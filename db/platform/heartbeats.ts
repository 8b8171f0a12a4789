import type { Database } from '../client';

/** A worker process. */
export interface WorkerProcess {
  readonly id: string;
  readonly buildId: string;
  readonly startedAt: Date;
}

/** How long rows of ended processes are kept, seconds. */
const KEPT_SECONDS = 86_400;

/** Records a heartbeat of a worker, and deletes old rows of ended workers, except the newest. */
export async function beat({ measure: sql }: Database, worker: WorkerProcess, now: Date): Promise<void> {
  const { id, buildId, startedAt } = worker;
  await sql`
    with gone as (
      delete from worker_heartbeats
      where beat_at < ${now}::timestamptz - make_interval(secs => ${KEPT_SECONDS})
        and beat_at < (select max(beat_at) from worker_heartbeats))
    insert into worker_heartbeats (id, build_id, started_at, beat_at)
    values (${id}, ${buildId}, ${startedAt}, ${now})
    on conflict (id) do update set beat_at = excluded.beat_at`;
}

/** Records that the worker ends in order, so that it does not count as lost. */
export async function endBeats({ measure: sql }: Database, id: string, now: Date): Promise<void> {
  await sql`update worker_heartbeats set beat_at = ${now}, ended_at = ${now} where id = ${id}`;
}
