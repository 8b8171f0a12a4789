import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy to a server that delays every answer. */
export interface SlowLine {
  /** The server's URL through this proxy. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts a proxy before PostgreSQL. The server's data arrives in order.
 * @param delay the delay of a chunk, milliseconds, called for each
 */
export async function slowLine(url: string, delay: () => number): Promise<SlowLine> {
  const server = new URL(url);
  const sockets = new Set<Socket>();
  const line = createServer((client) => {
    const upstream = connect(Number(server.port || '5432'), server.hostname);
    let last = Promise.resolve();
    upstream.on('data', (piece) => {
      const arrives = new Promise<void>((resolve) => setTimeout(resolve, delay()));
      last = last.then(async () => {
        await arrives;
        client.write(piece);
      });
    });
    client.on('data', (piece) => upstream.write(piece));
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  const { port } = line.address() as AddressInfo;
  const slow = new URL(url);
  slow.hostname = '127.0.0.1';
  slow.port = String(port);
  return {
    url: slow.href,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => {
        line.close(() => {
          resolve();
        });
      });
    },
  };
}
