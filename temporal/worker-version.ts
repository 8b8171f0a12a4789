import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, isGrpcServiceError } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import type { Logger } from '../runtime/log';
import { metrics } from '../runtime/metrics';

/** The name of our workers in Temporal; their versions are the builds of the workflows' code. */
export const DEPLOYMENT_NAME = 'causeway';

/** What a worker needs to make its version current. */
export interface WorkerVersionDeps {
  readonly client: Client;
  /** The build of the workflows' code that this process runs. */
  readonly buildId: string;
  readonly log: Logger;
  /** A worker of another version that sends no heartbeat for this long counts as gone, milliseconds. */
  readonly goneAfterMs?: number;
  /** Pause between two checks, milliseconds. */
  readonly everyMs?: number;
}

/** The interval of a worker's heartbeats to Temporal. */
export const HEARTBEAT_INTERVAL = '5s';
/** Three missed heartbeats. */
const GONE_AFTER_MS = 15_000;
const EVERY_MS = 5_000;
/** The pause while nobody gets tasks, or while our own workers are not registered yet. */
const HURRY_MS = 200;
const ANSWER_WITHIN_MS = 2_000;
const GRPC_NOT_FOUND = 5;

const { WORKER_STATUS_RUNNING } = temporal.api.enums.v1.WorkerStatus;

/** Which version gets tasks; `nobody` while that is undecided: the next check follows soon. */
type Served = 'mine' | 'others' | 'nobody';

type Timestamp = temporal.api.deployment.v1.IRoutingConfig['currentVersionChangedTime'];
const millis = (at: Timestamp): number => Number(at?.seconds ?? 0) * 1000 + (at?.nanos ?? 0) / 1e6;

/**
 * Makes the version of this process the one that gets tasks, if it is newer than the current one, or if no worker of
 * the current one lives. So a new release takes over as soon as it serves, an older one that is restarted beside it
 * gets no tasks, and after a rollback, or in an emptied Temporal, no task waits for a person.
 */
export class WorkerVersion {
  private stopping = false;
  private running: Promise<void> | undefined;
  /** The last heartbeat of each worker, and when it changed by our own clock: clocks of machines may differ. */
  private signs = new Map<string, { readonly sign: string; readonly seenAt: number }>();
  /** The last change of the current version, by Temporal's clock, and when we saw it by our own clock. */
  private change = { at: 0, seenAt: 0 };

  constructor(private readonly deps: WorkerVersionDeps) {}

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.running;
  }

  private async run(): Promise<void> {
    const { everyMs = EVERY_MS } = this.deps;
    let due = 0;
    while (!this.stopping) {
      if (performance.now() >= due) due = performance.now() + ((await this.look()) === 'nobody' ? HURRY_MS : everyMs);
      await sleep(HURRY_MS);
    }
  }

  /** Checks once, and takes over if that is due. After an outage the next check follows. */
  async look(): Promise<Served> {
    const { client, log } = this.deps;
    try {
      return await client.connection.withDeadline(
        Date.now() + ANSWER_WITHIN_MS,
        async () => await this.takeOverIfDue(),
      );
    } catch (error) {
      if (this.stopping) return 'others';
      metrics.dependencyFailures.inc({ dependency: 'temporal' });
      log.warn({ err: error }, 'the version of the workers could not be checked');
      return 'others';
    }
  }

  private async takeOverIfDue(): Promise<Served> {
    const { client, buildId, log } = this.deps;
    const { workflowService } = client.connection;
    const { namespace } = client.options;
    const deployment = await this.describe();
    const { versionSummaries, routingConfig } = deployment?.workerDeploymentInfo ?? {};
    const current = routingConfig?.currentDeploymentVersion?.buildId;
    if (current === buildId) return 'mine';
    const versionOf = (id: string | null | undefined) =>
      versionSummaries?.find(({ deploymentVersion }) => deploymentVersion?.buildId === id);
    const [own, theirs] = [versionOf(buildId), versionOf(current)];
    // Our workers have not polled yet: taking over now would leave tasks without a worker.
    if (!own) return 'nobody';
    const older = theirs !== undefined && millis(own.createTime) < millis(theirs.createTime);
    const isNew = this.changedJustNow(millis(routingConfig?.currentVersionChangedTime));
    if (older && (await this.serves(current, isNew))) return 'others';
    await workflowService.setWorkerDeploymentCurrentVersion({
      namespace,
      deploymentName: DEPLOYMENT_NAME,
      buildId,
      // If the current version has changed since our read, it is read again first.
      conflictToken: deployment?.conflictToken ?? null,
      // A queue that only the older version served does not count.
      ignoreMissingTaskQueues: true,
    });
    log.info({ buildId, before: current }, 'this version of the workers gets the tasks now');
    return 'mine';
  }

  private async describe() {
    const { client } = this.deps;
    try {
      return await client.connection.workflowService.describeWorkerDeployment({
        namespace: client.options.namespace,
        deploymentName: DEPLOYMENT_NAME,
      });
    } catch (error) {
      if (isGrpcServiceError(error) && (error.code as number) === GRPC_NOT_FOUND) return undefined;
      throw error;
    }
  }

  /** By Temporal's clock, but no longer than that by our own: clocks of machines may differ. */
  private changedJustNow(changedAt: number): boolean {
    const { goneAfterMs = GONE_AFTER_MS } = this.deps;
    if (this.change.at !== changedAt) this.change = { at: changedAt, seenAt: performance.now() };
    return Date.now() - changedAt < goneAfterMs && performance.now() - this.change.seenAt < goneAfterMs;
  }

  /**
   * Whether a worker of the version lives, as far as we can know.
   * @param isNew the version took over just now: its workers may not have sent their first heartbeat
   */
  private async serves(buildId: string | null | undefined, isNew: boolean): Promise<boolean> {
    const { client, goneAfterMs = GONE_AFTER_MS } = this.deps;
    const now = performance.now();
    const builds = new Set<string>();
    let known = false;
    const signs: typeof this.signs = new Map();
    let nextPageToken: Uint8Array | null = null;
    do {
      const page: temporal.api.workflowservice.v1.IListWorkersResponse =
        await client.connection.workflowService.listWorkers({
          namespace: client.options.namespace,
          nextPageToken,
        });
      for (const { workerHeartbeat } of page.workersInfo ?? []) {
        const { workerInstanceKey, heartbeatTime, status, deploymentVersion } = workerHeartbeat ?? {};
        if (deploymentVersion?.deploymentName !== DEPLOYMENT_NAME) continue;
        known ||= deploymentVersion.buildId === buildId;
        if (status !== WORKER_STATUS_RUNNING) continue;
        const key = workerInstanceKey ?? '';
        const sign = `${String(heartbeatTime?.seconds)}.${String(heartbeatTime?.nanos)}`;
        const before = this.signs.get(key);
        const last = before?.sign === sign ? before : { sign, seenAt: now };
        signs.set(key, last);
        if (now - last.seenAt < goneAfterMs) builds.add(deploymentVersion.buildId ?? '');
      }
      nextPageToken = page.nextPageToken?.length ? page.nextPageToken : null;
    } while (nextPageToken);
    this.signs = signs;
    if (isNew && !known) return true;
    // A list without our own version does not prove that others are missing.
    return builds.has(buildId ?? '') || !builds.has(this.deps.buildId);
  }
}
