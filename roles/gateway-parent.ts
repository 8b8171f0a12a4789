import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config';
import { SharedLimits } from '../gateway/limits/shared-limits';
import type { Logger } from '../runtime/log';
import { mergedMetrics } from '../runtime/merged-metrics';
import { metrics, registry } from '../runtime/metrics';
import { buildMetricsServer } from '../runtime/metrics-listener';
import { type FromParent, type Measured, PROCESS_NUMBER, type ToParent } from './gateway-line';
import { ready } from './role';

/** The pause before a process that has ended is started again, milliseconds. */
const AGAIN_MS = 500;
/** How long a scrape waits for a process, milliseconds. */
const MEASURE_WITHIN_MS = 1_000;

/** A process of the gateway. */
interface Child {
  readonly worker: Worker;
  serves: boolean;
  readonly measuring: Map<number, (metrics: Measured) => void>;
}

/**
 * The parent of a gateway's processes. It owns the port and hands each new connection to the next process; it counts
 * what callers may do, serves the metrics of all, and starts a process again that has ended. It sees no request.
 */
export class GatewayParent {
  private readonly children = new Map<number, Child>();
  private readonly limits = new SharedLimits();
  private readonly metrics: FastifyInstance;
  private stopping = false;
  private lastMeasure = 0;
  private announced = false;

  constructor(
    private readonly config: Config,
    private readonly log: Logger,
    /** Ends this process. */
    private readonly exit: (code: number) => void,
  ) {
    this.metrics = buildMetricsServer(log, [], async () => await this.measure());
  }

  async run(): Promise<void> {
    const { gatewayProcesses: processes, gatewayMetrics } = this.config;
    // Numbers such as NaN stay what they are.
    cluster.setupPrimary({ args: ['gateway'], serialization: 'advanced' });
    cluster.schedulingPolicy = cluster.SCHED_RR;
    const url = await this.metrics.listen(gatewayMetrics);
    this.log.info({ url: `${url}/metrics` }, 'metrics are served');
    for (let number = 1; number <= processes; number++) this.start(number);
    const end = (cause: string): void => {
      void this.end(cause, 0);
    };
    process.on('SIGTERM', end);
    process.on('SIGINT', end);
    process.on('disconnect', () => {
      end('the parent process ended');
    });
  }

  private start(number: number): void {
    const worker = cluster.fork({ [PROCESS_NUMBER]: String(number) });
    const child: Child = { worker, serves: false, measuring: new Map() };
    this.children.set(number, child);
    this.log.info({ of: number, pid: worker.process.pid }, 'a process of the gateway starts');
    worker.on('message', (message: ToParent | { readonly ready: true; readonly url?: string }) => {
      if ('ready' in message) this.note(child, message.url);
      else this.hear(child, message);
    });
    worker.on('error', (error) => {
      this.log.warn({ err: error, of: number }, 'a process of the gateway could not be reached');
    });
    worker.once('exit', (code, signal: string | null) => {
      this.children.delete(number);
      this.limits.forget(worker.id);
      this.count();
      if (this.stopping) return;
      this.log.error({ of: number, code, signal }, 'a process of the gateway ended');
      void this.startAgain(number, child.serves);
    });
  }

  private async startAgain(number: number, hadServed: boolean): Promise<void> {
    // None serves and one cannot: a supervisor must know.
    if (!hadServed && !this.isServing()) {
      await this.end('no process of the gateway serves', 1);
      return;
    }
    await sleep(AGAIN_MS);
    if (!this.stopping) this.start(number);
  }

  private hear(child: Child, message: ToParent): void {
    const { worker, measuring } = child;
    const now = performance.now();
    if (message.kind === 'ask') {
      const answer = this.limits.answer(worker.id, message.question, now);
      send(worker, { kind: 'answer', id: message.id, answer });
    } else if (message.kind === 'tell') this.limits.note(worker.id, message.notice, now);
    else measuring.get(message.id)?.(message.metrics);
  }

  private note(child: Child, url: string | undefined): void {
    child.serves = true;
    this.count();
    const all = [...this.children.values()];
    if (this.announced || all.some(({ serves }) => !serves)) return;
    this.announced = true;
    this.log.info({ processes: all.length }, 'serving');
    ready(url);
  }

  private isServing(): boolean {
    return [...this.children.values()].some(({ serves }) => serves);
  }

  private count(): void {
    metrics.gatewayProcesses.set([...this.children.values()].filter(({ serves }) => serves).length);
    metrics.ready.set(this.isServing() && !this.stopping ? 1 : 0);
  }

  /** The metrics of all processes, by their numbers; those of one that does not answer are left out. */
  private async measure(): Promise<string> {
    const of = await Promise.all(
      [...this.children.values()].map(async (child) => {
        const measured = await this.measureOne(child);
        if (measured) return measured;
        metrics.sourceFailures.inc();
        this.log.warn('metrics are incomplete');
        return [];
      }),
    );
    return await mergedMetrics(await registry.getMetricsAsJSON(), of);
  }

  private async measureOne({ worker, measuring }: Child): Promise<Measured | undefined> {
    const id = ++this.lastMeasure;
    const answer = new Promise<Measured>((resolve) => measuring.set(id, resolve));
    send(worker, { kind: 'measure', id });
    try {
      return await Promise.race([answer, sleep(MEASURE_WITHIN_MS, undefined, { ref: false })]);
    } finally {
      measuring.delete(id);
    }
  }

  /** Ends all processes in order, each of which drains first. */
  private async end(cause: string, code: number): Promise<void> {
    if (this.stopping) return;
    this.stopping = true;
    this.log.info({ cause }, 'stopping');
    this.count();
    await Promise.all(
      [...this.children.values()].map(async ({ worker }) => {
        const ended = once(worker, 'exit');
        worker.process.kill('SIGTERM');
        await ended;
      }),
    );
    await this.metrics.close();
    this.exit(code);
  }
}

/** A process that has just ended receives nothing. */
function send(worker: Worker, message: FromParent): void {
  if (worker.isConnected()) worker.send(message);
}
