import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MerchantAccount } from './merchant';
import { type Fields, merchantSignature, unixSeconds } from './signing';

/** What a merchant's server may do with a callback. */
export const FAULTS = {
  /** Answers 200. */
  none: (response: ServerResponse) => {
    response.writeHead(200).end('success');
  },
  /** Answers 503. */
  error: (response: ServerResponse) => {
    response.writeHead(503).end('later');
  },
  /** Reads the request and never answers. */
  hang: () => undefined,
  /** Ends the connection with a reset, unanswered. */
  reset: (response: ServerResponse) => {
    response.socket?.resetAndDestroy();
  },
  /** Closes in the middle of its answer's head. */
  cut: (response: ServerResponse) => {
    response.socket?.end('HTTP/1.1 200 OK\r\nContent-Le');
  },
  /** Answers 200 and closes in the middle of the body: the acknowledgement counts. */
  stump: (response: ServerResponse) => {
    response.writeHead(200, { 'content-length': '1000' }).write('suc', () => {
      response.socket?.destroy();
    });
  },
  /** Answers 500 and closes in the middle of the body. */
  errorStump: (response: ServerResponse) => {
    response.writeHead(500, { 'content-length': '1000' }).write('sor', () => {
      response.socket?.destroy();
    });
  },
  /** Answers 400: never again. */
  refuse: (response: ServerResponse) => {
    response.writeHead(400).end('no');
  },
} as const satisfies Record<string, (response: ServerResponse) => void>;
/** The name of a fault. */
export type Fault = keyof typeof FAULTS;

/** A callback, unchanged: an entry of the receiver's records. */
export interface Arrival {
  readonly orderNo: string;
  readonly event: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The body and the signature, as they came. */
  readonly bytes: string;
  /** Signed with the merchant's key, and its time is now. */
  readonly genuine: boolean;
  readonly fault: Fault;
}

/** The contract's window, seconds. */
const WINDOW_SECONDS = 300;

/** The merchants' server: a real one, with faults on demand. It records every request. */
export class Receiver {
  readonly book: Arrival[] = [];
  private readonly keys = new Map<string, string>();

  private constructor(
    private readonly server: Server,
    /** Each merchant has its code below it. */
    readonly url: string,
  ) {}

  /** @param fault what to do with a callback, by its order and how often it came before */
  static async listen(fault: (orderNo: string, before: number) => Fault): Promise<Receiver> {
    const server = createServer((request, response) => {
      readAll(request).then(
        (body) => {
          const arrival = receiver.note(request, body, fault);
          FAULTS[arrival.fault](response);
        },
        // Killed in the middle of its request: that is no callback.
        () => undefined,
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const receiver = new Receiver(server, `http://127.0.0.1:${port}`);
    return receiver;
  }

  /** The merchants whose callbacks it can verify. */
  knows({ code, apiKey }: Pick<MerchantAccount, 'code' | 'apiKey'>): void {
    this.keys.set(`/${code}`, apiKey);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }

  private note(
    { headers, url }: IncomingMessage,
    body: string,
    fault: (orderNo: string, before: number) => Fault,
  ): Arrival {
    const fields = JSON.parse(body) as Fields;
    const orderNo = fields['order_no'] ?? '';
    const event = fields['event'] ?? '';
    const apiKey = this.keys.get(url ?? '') ?? '';
    const signature = String(headers['x-signature']);
    const age = Math.abs(Number(unixSeconds()) - Number(headers['x-timestamp']));
    const before = this.book.filter((a) => a.orderNo === orderNo && a.event === event).length;
    const arrival: Arrival = {
      orderNo,
      event,
      at: Date.now(),
      bytes: `${signature} ${body}`,
      genuine:
        headers['x-api-key'] === apiKey && signature === merchantSignature(fields, apiKey) && age <= WINDOW_SECONDS,
      fault: fault(orderNo, before),
    };
    this.book.push(arrival);
    return arrival;
  }
}

async function readAll(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
