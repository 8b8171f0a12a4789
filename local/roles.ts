import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLines } from './files';
import { allSettledOrThrow } from './promises';
import { sendSignal, stopLeftover, stopProcess } from './processes';
import { type RoleCommand, RoleProcess, STOP_ROLE } from './role-process';

export interface RolesOptions extends Omit<RoleCommand, 'role' | 'name' | 'env'> {
  /** The environment of a role. */
  readonly envOf: (role: string) => NodeJS.ProcessEnv;
  /** The program of a process that loads a role's modules before it becomes the role; without it there is none. */
  readonly standbyProgram?: string | undefined;
  /** Whether such a process waits for each role's next start, too. */
  readonly keepsStandbys?: boolean | undefined;
  readonly say: (line: string) => void;
  /** Called when a role crashes repeatedly: everything must stop. */
  readonly onGivenUp: (message: string) => void;
}

const RESTART_AFTER_MS = 1_000;
const CRASHES_ALLOWED = 3;
const CRASH_WINDOW_MS = 60_000;

/** Runs the roles as processes of their own and restarts the one that crashes. */
export class Roles {
  private readonly running = new Map<string, RoleProcess>();
  /** The next process of a role. */
  private readonly standbys = new Map<string, RoleProcess>();
  private readonly crashes = new Map<string, number[]>();
  private stopping = false;
  /** How often a role was started afresh: a process that ends after that has begun has not crashed. */
  private readonly generations = new Map<string, number>();

  constructor(private readonly options: RolesOptions) {
    mkdirSync(options.logDir, { recursive: true });
    mkdirSync(options.pidDir, { recursive: true });
  }

  /**
   * Runs a role to its end.
   * @throws if it fails, with the end of its log
   */
  async runToEnd(role: string): Promise<void> {
    const running = this.spawn(role);
    const how = await running.ended;
    if (how !== 'exit code 0') throw running.failure(`failed (${how})`);
  }

  /** Lets the processes of these roles load their modules, before anything that they need is there. */
  prepare(roles: readonly string[]): void {
    for (const role of roles) this.prepareOne(role)?.load();
  }

  /**
   * Starts a role and watches it from then on.
   * @returns the address it serves at, if it has one
   * @throws if it ends, or is not ready within a minute
   */
  async start(role: string): Promise<string | undefined> {
    const running = this.spawn(role);
    const url = await running.started();
    this.watch(role, running);
    if (this.options.keepsStandbys === true) this.prepareOne(role);
    return url;
  }

  /**
   * Ends these roles and starts them again, with the current build. The others run on.
   * @throws if one does not become ready; the next call tries again
   */
  async startAfresh(roles: readonly string[]): Promise<void> {
    for (const role of roles) {
      this.generations.set(role, this.generationOf(role) + 1);
      this.standbys.get(role)?.load();
    }
    await this.endAll(roles.flatMap((role) => this.running.get(role) ?? []));
    await allSettledOrThrow(roles.map((role) => this.start(role)));
  }

  private generationOf(role: string): number {
    return this.generations.get(role) ?? 0;
  }

  /** Stops all roles, and kills those that have not ended within 5 seconds. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.endAll([...this.standbys.values(), ...this.running.values()]);
  }

  /** Kills all roles at once. */
  kill(): void {
    this.stopping = true;
    for (const { record } of [...this.running.values(), ...this.standbys.values()])
      if (record) sendSignal(record.pid, 'SIGKILL');
  }

  private async endAll(processes: readonly RoleProcess[]): Promise<void> {
    await Promise.all(
      processes.map(async ({ record, ended }) => {
        if (record) await stopProcess(record, STOP_ROLE);
        // It has ended, and its parent has noticed: nothing of it is left.
        await ended;
      }),
    );
  }

  private watch(role: string, running: RoleProcess): void {
    const generation = this.generationOf(role);
    void running.ended.then(async (how) => {
      if (generation === this.generationOf(role)) await this.restart(role, running, how);
    });
  }

  private spawn(role: string): RoleProcess {
    if (this.stopping) throw new Error(`${role} is not started: everything is stopping`);
    const { envOf, ...options } = this.options;
    const standby = this.standbys.get(role);
    this.standbys.delete(role);
    standby?.serve();
    const running = standby ?? new RoleProcess({ ...options, role, env: envOf(role) });
    if (running.record) this.running.set(role, running);
    void running.ended.then(() => this.running.delete(role));
    return running;
  }

  /** Starts a standby of the role, where there are any. */
  private prepareOne(role: string): RoleProcess | undefined {
    const { standbyProgram: program, envOf, ...options } = this.options;
    if (program === undefined || this.stopping) return undefined;
    const next = new RoleProcess({ ...options, program, role, env: envOf(role) }, true);
    this.standbys.set(role, next);
    void next.ended.then(() => {
      if (this.standbys.get(role) === next) this.standbys.delete(role);
    });
    return next;
  }

  private async restart(role: string, ended: RoleProcess, how: string): Promise<void> {
    if (this.stopping) return;
    const { say, onGivenUp } = this.options;
    const { log } = ended;
    say(`${role} crashed (${how}). Its log, ${log}, ends with:\n${lastLines(log)}`);
    const now = Date.now();
    const recent = [...(this.crashes.get(role) ?? []), now].filter((at) => at > now - CRASH_WINDOW_MS);
    this.crashes.set(role, recent);
    if (recent.length >= CRASHES_ALLOWED) {
      onGivenUp(`${role} crashed ${recent.length} times within a minute. Its log: ${log}`);
      return;
    }
    const generation = this.generationOf(role);
    await sleep(RESTART_AFTER_MS);
    if (this.isStopping() || generation !== this.generationOf(role)) return;
    const next = this.spawn(role);
    this.watch(role, next);
    void next.serves.then(() => {
      say(`${role} is running again`);
    });
  }

  /** Read again after a pause: another step may have set it. */
  private isStopping(): boolean {
    return this.stopping;
  }
}

/** Stops the roles that a killed run left. They end by themselves too, but their ports are needed now. */
export async function stopLeftoverRoles(pidDir: string, roles: readonly string[]): Promise<boolean> {
  const stopped = await Promise.all(roles.map((role) => stopLeftover(path.join(pidDir, `${role}.pid`), STOP_ROLE)));
  return stopped.includes(true);
}
