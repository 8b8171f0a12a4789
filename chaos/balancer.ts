import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { until } from './until';

const PROBE_EVERY_MS = 500;
const PROBE_WITHIN_MS = 2_000;
/** So many probes in a row that fail take a process out of turn. */
const FAILURES = 2;
const READY_WITHIN_MS = 60_000;

/**
 * A balancer of TCP connections, as a service of Kubernetes is: each new one goes to the next process that says it is
 * ready, and stays with it. It repeats nothing and hides nothing: what a process cuts, its client sees.
 */
export class Balancer {
  /** Failed probes in a row, by address. */
  private readonly failures = new Map<string, number>();
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  private readonly probing: NodeJS.Timeout;
  private turn = 0;
  url = '';

  private constructor(private readonly origins: readonly string[]) {
    this.server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
      this.accept(client);
    });
    this.probing = setInterval(() => {
      for (const origin of origins) void this.probe(origin);
    }, PROBE_EVERY_MS);
  }

  static async listen(origins: readonly string[]): Promise<Balancer> {
    const balancer = new Balancer(origins);
    balancer.server.listen(0, '127.0.0.1');
    await once(balancer.server, 'listening');
    const { port } = balancer.server.address() as AddressInfo;
    balancer.url = `http://127.0.0.1:${port}`;
    await balancer.allReady();
    return balancer;
  }

  /** Waits until each process is in turn. @throws if that takes a minute */
  async allReady(): Promise<void> {
    await Promise.all(
      this.origins.map(async (origin) => {
        await this.probe(origin);
      }),
    );
    if (!(await until(() => this.inTurn.length === this.origins.length, READY_WITHIN_MS)))
      throw new Error(`of ${this.origins.join(', ')} only ${this.inTurn.join(', ')} became ready`);
  }

  close(): void {
    clearInterval(this.probing);
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private get inTurn(): string[] {
    return this.origins.filter((origin) => (this.failures.get(origin) ?? FAILURES) < FAILURES);
  }

  private async probe(origin: string): Promise<void> {
    const isReady = await fetch(`${origin}/health/ready`, {
      signal: AbortSignal.timeout(PROBE_WITHIN_MS),
    }).then(
      ({ ok }) => ok,
      () => false,
    );
    this.failures.set(origin, isReady ? 0 : (this.failures.get(origin) ?? FAILURES) + 1);
  }

  private accept(client: Socket): void {
    const { inTurn } = this;
    const origin = inTurn[this.turn++ % Math.max(1, inTurn.length)];
    if (origin === undefined) {
      client.destroy();
      return;
    }
    const { hostname: host, port } = new URL(origin);
    const server = connect({ host, port: Number(port), allowHalfOpen: true, noDelay: true });
    const pair = [
      [client, server],
      [server, client],
    ] as const;
    for (const [from, to] of pair) {
      this.sockets.add(from);
      from.once('error', () => to.destroy());
      from.once('close', () => {
        this.sockets.delete(from);
      });
      from.pipe(to);
    }
  }
}
