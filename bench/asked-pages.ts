import { Agent, request } from 'undici';
import { keepBusy, percentile, type Sample } from './harness';

/** Requests one page from a GraphQL server repeatedly, as operators' screens do. */
export class AskedPages {
  private readonly dispatcher: Agent;
  private readonly headers: Readonly<Record<string, string>>;
  private readonly body: string;

  /**
   * @param token of an operator's login; null: the server needs none
   */
  constructor(
    private readonly url: string,
    token: string | null,
    private readonly askers: number,
    query: string,
    variables: Readonly<Record<string, unknown>>,
  ) {
    this.dispatcher = new Agent({ connections: askers });
    this.body = JSON.stringify({ query, variables });
    this.headers = {
      'content-type': 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    };
  }

  /** One page. @throws if it is not answered, or with errors */
  async ask(): Promise<unknown> {
    const { dispatcher, headers, body } = this;
    const answer = await request(this.url, { method: 'POST', headers, body, dispatcher });
    const text = await answer.body.text();
    if (answer.statusCode !== 200 || text.includes('"errors"'))
      throw new Error(`a page was not answered: ${answer.statusCode} ${text.slice(0, 300)}`);
    return JSON.parse(text);
  }

  /** Requests pages as fast as they are answered. */
  async run(seconds: number): Promise<Sample> {
    const latencies: number[] = [];
    const { done, seconds: took } = await keepBusy(this.askers, seconds, async () => {
      const began = performance.now();
      await this.ask();
      latencies.push(performance.now() - began);
    });
    return {
      done,
      seconds: took,
      figures: { 'p50 ms': percentile(latencies, 0.5), 'p95 ms': percentile(latencies, 0.95) },
    };
  }

  async close(): Promise<void> {
    await this.dispatcher.close();
  }
}
