import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

/** An event as a test's subscriber selects it. */
export interface Heard {
  readonly seq: string;
  readonly event: { readonly type: string; readonly orderId: string };
  /** Null if it is about a withdrawal. */
  readonly deposit: { readonly orderNo: string; readonly status: string } | null;
  readonly withdrawal: { readonly orderNo: string; readonly status: string } | null;
}

const DOCUMENT = `subscription ($filter: OrderChangeFilter, $afterSeq: Sequence) {
  ordersChanged(filter: $filter, afterSeq: $afterSeq) {
    seq
    event { type orderId }
    deposit { orderNo status }
    withdrawal { orderNo status }
  }
}`;

/** A client of `ordersChanged` as documented: it resumes with the last number it saw. */
export class Subscriber {
  readonly heard: Heard[] = [];
  /** Close codes of its sockets. */
  readonly closed: number[] = [];
  private readonly client;
  private waiting: (() => void)[] = [];

  /** @param afterSeq undefined: from now on */
  constructor(
    url: () => string,
    token: string,
    { afterSeq, filter }: { afterSeq?: string; filter?: Record<string, unknown> } = {},
  ) {
    this.client = createClient({
      url: () => url().replace('http', 'ws'),
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${token}` },
      retryAttempts: 10_000,
      retryWait: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
      },
      shouldRetry: () => true,
      on: {
        closed: (event) => this.closed.push((event as { code: number }).code),
      },
    });
    const variables: Record<string, unknown> = { filter, afterSeq };
    this.client.subscribe<{ ordersChanged: Heard }>(
      { query: DOCUMENT, variables },
      {
        next: ({ data, errors }) => {
          if (!data) throw new Error(JSON.stringify(errors));
          this.heard.push(data.ordersChanged);
          // Sent again after a reconnect.
          variables['afterSeq'] = data.ordersChanged.seq;
          for (const wake of this.waiting.splice(0)) wake();
        },
        error: () => undefined,
        complete: () => undefined,
      },
    );
  }

  /** Waits until something is true. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition())
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
      });
  }

  get seqs(): bigint[] {
    return this.heard.map(({ seq }) => BigInt(seq));
  }

  async close(): Promise<void> {
    await this.client.dispose();
  }
}
