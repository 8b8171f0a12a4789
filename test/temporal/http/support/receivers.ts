import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { KeyPair } from './certificates';

/** A receiver of callbacks on loopback. */
export interface Receiver {
  readonly port: number;
  /** TCP connections accepted so far. */
  readonly connections: () => number;
  /** Of them, those not yet closed. */
  readonly open: () => number;
  readonly close: () => Promise<void>;
}

async function listen(server: Server, host: string): Promise<Receiver> {
  const open = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    open: () => open.size,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** It closes no idle connection by itself, however long the next request takes to come. */
export const httpReceiver = async (answer: RequestListener): Promise<Receiver> =>
  await listen(createServer({ keepAliveTimeout: 0 }, answer), '127.0.0.1');

export const httpsReceiver = async (pair: KeyPair, answer: RequestListener): Promise<Receiver> =>
  await listen(createTlsServer({ ...pair }, answer), '127.0.0.1');

/** Raw TCP: `serve` is called with each connection. */
export const tcpReceiver = async (serve: (socket: Socket) => void, host = '127.0.0.1'): Promise<Receiver> =>
  await listen(
    createTcpServer((socket) => {
      serve(socket);
      // Unread, a socket does not see its other end close.
      socket.resume();
    }),
    host,
  );

/** Answers each request with these bytes, then does `after`. */
export const cannedReceiver = async (
  bytes: string,
  after: (socket: Socket) => void = () => undefined,
): Promise<Receiver> =>
  await tcpReceiver((socket) => {
    socket.once('data', () => {
      socket.write(bytes, () => {
        after(socket);
      });
    });
  });
