import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

const HOST = '127.0.0.1';

/** A stable address that leads to one server at a time, as a cluster's virtual address or proxy does. */
export class Address {
  private target: number | undefined;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (client) => {
      this.forward(client);
    });
  }

  static async listen(): Promise<Address> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
    return new Address(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Leads to another port from now on; undefined: to nowhere. Open connections are reset. */
  leadTo(port: number | undefined): void {
    this.target = port;
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    this.leadTo(undefined);
    await new Promise((resolve) => this.server.close(resolve));
  }

  private forward(client: Socket): void {
    if (this.target === undefined) {
      client.resetAndDestroy();
      return;
    }
    const server = connect({ host: HOST, port: this.target, noDelay: true });
    client.setNoDelay(true);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(one);
      one.pipe(other);
      // The end of one, for any reason, is the end of the other.
      one.on('error', () => undefined);
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
    }
  }
}
