import { setTimeout as sleep } from 'node:timers/promises';
import { isStopped, sendSignal, stopProcess, type StopStep } from '../local/processes';
import { type RoleCommand, RoleProcess, STOP_ROLE } from '../local/role-process';
import { until } from './until';

const RESTART_AFTER_MS = 100;
/** A process that ends in any other way was not killed by us. */
const KILLED = 'killed by SIGKILL';
/** In order. */
const ENDED = 'exit code 0';
const SERVES_WITHIN_MS = 60_000;
/** Longer than a role takes to drain and to end what it does (docs/production.md). */
const ROLLED: readonly StopStep[] = [
  ['SIGTERM', 30_000],
  ['SIGKILL', 2_000],
];

/** One process of a role, restarted when it ends, as a supervisor does. */
export class Member {
  /** How many processes were started here; the last one is the current one. */
  life = 0;
  /** The last process that became ready. */
  private serving = 0;
  /** The ends of processes that the campaign did not kill. */
  readonly crashes: string[] = [];
  kills = 0;
  /** Whether it may end in order by itself, such as a worker whose clock is off; it is still restarted. */
  mayEnd = false;
  /** How often it did. */
  ends = 0;
  private current: RoleProcess | undefined;
  private stopping = false;
  private replacing = false;
  private readonly kept: Promise<void>;

  constructor(
    readonly name: string,
    private command: RoleCommand,
  ) {
    this.command = { ...command, name };
    this.kept = this.keep();
  }

  /** Whether its process runs this program. */
  isOf(program: string): boolean {
    return this.command.program === program;
  }

  /** Stops its process in order and starts one of another program; returns when that serves. */
  async replaceBy(program: string, steps: readonly StopStep[] = STOP_ROLE): Promise<void> {
    const { life } = this;
    this.command = { ...this.command, program };
    this.replacing = true;
    if (this.current?.record) await stopProcess(this.current.record, steps);
    await this.serves(life);
  }

  /** The same as a deployment does it: a process that does not end in order within the grace counts as a crash. */
  async rollTo(program: string): Promise<void> {
    const { crashes } = this;
    const process_ = this.current;
    void process_?.ended.then((how) => {
      if (how !== ENDED) crashes.push(`${this.name}, rolled: ${how}`);
    });
    await this.replaceBy(program, ROLLED);
  }

  /** Kills its process, as a power cut would. */
  kill(): void {
    this.signal('SIGKILL');
  }

  /** Freezes its process with SIGSTOP; it may be continued. */
  freeze(): void {
    this.signal('SIGSTOP');
  }

  thaw(): void {
    this.signal('SIGCONT');
  }

  /** Whether its process is frozen. */
  get isFrozen(): boolean {
    return this.current?.record !== undefined && isStopped(this.current.record);
  }

  /** Whether its current process serves. */
  get isServing(): boolean {
    return this.serving === this.life;
  }

  /** Waits until the current process serves, or, if it is about to end, the next one. @throws if that takes a minute */
  async serves(afterLife = 0): Promise<void> {
    const isServing = (): boolean => this.isServing && this.life > afterLife;
    if (!(await until(isServing, SERVES_WITHIN_MS)))
      throw this.current?.failure('does not serve') ?? new Error(`${this.name} does not start`);
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.thaw();
    if (this.current?.record) await stopProcess(this.current.record, STOP_ROLE);
    await this.kept;
  }

  private signal(signal: NodeJS.Signals): void {
    if (this.current?.record) sendSignal(this.current.record.pid, signal);
  }

  private async keep(): Promise<void> {
    while (!this.isStopping()) {
      const process_ = new RoleProcess(this.command);
      const life = ++this.life;
      this.current = process_;
      void process_.serves.then(() => (this.serving = life));
      const how = await process_.ended;
      this.current = undefined;
      if (this.isStopping()) return;
      if (this.replacing) this.replacing = false;
      else if (how === KILLED) this.kills += 1;
      else if (how === ENDED && this.mayEnd) this.ends += 1;
      else this.crashes.push(`${this.name}: ${how}`);
      await sleep(RESTART_AFTER_MS);
    }
  }

  /** Read again after a wait: another step may have set it. */
  private isStopping(): boolean {
    return this.stopping;
  }
}
