import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Connections } from '../../gateway/connections';
import { LogLines } from '../support/log-lines';

const CONNECTIONS = 100;
/** A request takes so much of the event loop, milliseconds. */
const BUSY_MS = 2;

describe('a listener to which many connect at once', () => {
  it('begins the first request of each before a second one of any', async () => {
    /** For each request begun: how many its connection had sent before. */
    const begun: number[] = [];
    const earlier = new WeakMap<object, number>();
    const server = createServer((request, response) => {
      const before = earlier.get(request.socket) ?? 0;
      earlier.set(request.socket, before + 1);
      begun.push(before);
      for (const until = performance.now() + BUSY_MS; performance.now() < until;);
      response.end('x');
    });
    new Connections(new LogLines().log, 1_000).watch(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        const socket = connect(port, '127.0.0.1');
        socket.write(request);
        for (let answers = 0; answers < 3; answers++) {
          await once(socket, 'data');
          socket.write(request);
        }
        socket.destroy();
      }),
    );
    server.close();
    server.closeAllConnections();
    const lastFirst = begun.lastIndexOf(0);
    expect(begun.filter((before) => before === 0)).toHaveLength(CONNECTIONS);
    expect(begun.slice(0, lastFirst).filter((before) => before > 0)).toEqual([]);
  });
});
