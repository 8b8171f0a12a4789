import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedCallback {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a merchant's server does with the n-th callback, counted from 0. */
export type Behaviour = (response: ServerResponse, n: number) => void;

export const answering =
  (status: number): Behaviour =>
  (response) => {
    response.writeHead(status, { location: 'http://127.0.0.1:9/' }).end('done');
  };

/** Never answers. */
export const hanging: Behaviour = () => undefined;

/** A merchant's server: a real one, with faults on demand. */
export class Receiver {
  readonly received: ReceivedCallback[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async listen(behaviour: Behaviour = answering(200)): Promise<Receiver> {
    let self: Receiver | undefined = undefined;
    const server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8');
      request.on('data', (part: string) => {
        body += part;
      });
      request.on('end', () => {
        const n = self?.received.push({ headers: request.headers, body }) ?? 1;
        behaviour(response, n - 1);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    self = new Receiver(server, `http://127.0.0.1:${port}/callback`);
    return self;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }
}
