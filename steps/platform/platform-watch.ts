import { raiseAlert } from '../../db/alerts/alerts';
import type { Database } from '../../db/client';
import { readPlatformSigns } from '../../db/platform/signs';
import {
  type PlatformProblem,
  type PlatformState,
  PROBLEM_KINDS,
  PROBLEM_MEANS,
  type ProblemKind,
  problemsOf,
  stateOf,
} from '../../domain/platform-health';
import type { Logger } from '../../runtime/log';
import { metrics } from '../../runtime/metrics';

/** The interval of checks, milliseconds. */
const LOOK_EVERY_MS = 5_000;
/** A result older than this is not shown, milliseconds. */
const GOOD_FOR_MS = 2 * LOOK_EVERY_MS;

/** The result of a check. */
export interface PlatformHealth {
  readonly state: PlatformState;
  /** The faults, those that stop money first. */
  readonly problems: readonly PlatformProblem[];
  /** When it was checked, UTC. */
  readonly checkedAt: Date;
}

/** What the watch needs. */
interface PlatformWatchDeps {
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
}

/**
 * Judges whether the platform works, from outside its workers: by their heartbeats and by waiting work. Raises an alert
 * for a fault that stops money when a second check still finds it: faults of a start or a restart are over by then.
 */
export class PlatformWatch {
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<PlatformHealth> | undefined;
  private last: { readonly health: PlatformHealth; readonly at: number } | undefined;
  private seen: ReadonlySet<ProblemKind> = new Set();

  constructor(private readonly deps: PlatformWatchDeps) {}

  /** Starts the checks. */
  start(): void {
    this.timer ??= setInterval(() => void this.look(), LOOK_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** The platform's health, at most some seconds old. */
  async now(): Promise<PlatformHealth> {
    const { last } = this;
    if (last && performance.now() - last.at < GOOD_FOR_MS) return last.health;
    return await this.look();
  }

  /** Checks once. While a check hangs, no second one starts. */
  async look(): Promise<PlatformHealth> {
    this.looking ??= this.read().finally(() => {
      this.looking = undefined;
    });
    return await this.looking;
  }

  private async read(): Promise<PlatformHealth> {
    const { database, clock, log } = this.deps;
    const checkedAt = clock();
    let health: PlatformHealth;
    try {
      const problems = problemsOf(await readPlatformSigns(database), checkedAt);
      health = { state: stateOf(problems), problems, checkedAt };
      if (health.state === 'STALLED') await this.raiseAlerts(health);
      this.seen = new Set(problems.map(({ kind }) => kind));
    } catch (error) {
      log.warn({ err: error }, 'whether the platform works could not be read');
      health = { state: 'UNKNOWN', problems: [], checkedAt };
    }
    this.note(health);
    return health;
  }

  /** Once an hour at most for each kind. */
  private async raiseAlerts({ problems, checkedAt }: PlatformHealth): Promise<void> {
    const hour = checkedAt.toISOString().slice(0, 13);
    for (const { kind, since, count } of problems) {
      if (!this.seen.has(kind)) continue;
      const about = {
        reason: PROBLEM_MEANS[kind],
        since: since.toISOString(),
        count: String(count),
      };
      const alert = { kind: 'PLATFORM_STALLED', key: `platform:${kind}:${hour}`, about } as const;
      await raiseAlert(this.deps.database, alert, checkedAt);
    }
  }

  private note(health: PlatformHealth): void {
    const was = this.last?.health.state;
    this.last = { health, at: performance.now() };
    for (const kind of PROBLEM_KINDS) {
      const problem = health.problems.find((one) => one.kind === kind);
      const seconds = problem ? (health.checkedAt.getTime() - problem.since.getTime()) / 1000 : 0;
      metrics.platformProblemSeconds.set({ problem: kind }, seconds);
    }
    if (was === health.state) return;
    const line = { state: health.state, problems: health.problems };
    if (health.state === 'WORKING') this.deps.log.info(line, 'the platform works');
    else this.deps.log.warn(line, 'the platform does not work as it should');
  }
}
