import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/**
 * The floor of fan-out: a server that sends the texts of its parent process to each socket, and does nothing else. Each
 * message of the parent is a list of texts.
 */
const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });

server.on('listening', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ ready: true, url: `ws://127.0.0.1:${port}` });
});
process.on('message', (texts: readonly string[]) => {
  for (const text of texts) for (const socket of server.clients) socket.send(text);
});
process.on('disconnect', () => {
  process.exit(0);
});
