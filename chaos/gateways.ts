import { Agent, request } from 'undici';

/** The result of a request. */
export interface Answer {
  /** HTTP status; 0 without an answer: refused, reset or timed out. */
  readonly status: number;
  /** The envelope's data; null without one. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** A timed answer. */
export interface Timed {
  /** When it was requested, milliseconds since the epoch. */
  readonly at: number;
  readonly ms: number;
  readonly status: number;
}

/** How long the slowest answer took, milliseconds; 0 without any. They may be more than `Math.max` takes arguments. */
export const slowestMs = (answers: readonly Timed[]): number =>
  answers.reduce((slowest, { ms }) => Math.max(slowest, ms), 0);

/** Longer than the platform promises, so that late answers are measured. */
const PATIENCE_MS = 10_000;
/** How long a gateway that did not answer is avoided, if there is another one. */
const AVOIDED_MS = 5_000;

/** The gateways as clients see them behind a load balancer: each request goes to the next gateway that answers. */
export class Gateways {
  /** Every answer to every client. */
  readonly answers: Timed[] = [];
  private readonly agent = new Agent({
    connections: 128,
    pipelining: 1,
    connect: { timeout: 3_000 },
    headersTimeout: PATIENCE_MS,
    bodyTimeout: PATIENCE_MS,
  });
  private turn = 0;
  private readonly avoidedUntil = new Map<string, number>();

  constructor(private readonly origins: readonly string[]) {}

  async ask(
    method: 'GET' | 'POST',
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<Answer> {
    const origin = this.next();
    const at = Date.now();
    const began = performance.now();
    const answer = await this.send(origin + path, method, headers, body);
    this.answers.push({ at, ms: performance.now() - began, status: answer.status });
    if (answer.status === 0) this.avoidedUntil.set(origin, Date.now() + AVOIDED_MS);
    return answer;
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private next(): string {
    const now = Date.now();
    const well = this.origins.filter((origin) => (this.avoidedUntil.get(origin) ?? 0) <= now);
    const some = well.length > 0 ? well : this.origins;
    return some[this.turn++ % some.length] ?? '';
  }

  private async send(
    url: string,
    method: 'GET' | 'POST',
    headers: Readonly<Record<string, string>>,
    body: string | undefined,
  ): Promise<Answer> {
    try {
      const { statusCode, body: answer } = await request(url, {
        method,
        headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
        body: body ?? null,
        dispatcher: this.agent,
      });
      const { data } = (await answer.json()) as Pick<Answer, 'data'>;
      return { status: statusCode, data };
    } catch {
      // Killed while answering, refused or silent: the same to a client.
      return { status: 0, data: null };
    }
  }
}
