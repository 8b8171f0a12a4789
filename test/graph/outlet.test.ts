import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import WebSocket, { WebSocketServer } from 'ws';
import { Outlet } from '../../graph/events/outlet';
import { textFrame } from '../../graph/events/text-frame';

describe('frames that are sent past ws', () => {
  let server: WebSocketServer;
  let client: WebSocket;
  let served: WebSocket;
  let outlet: Outlet;
  const heard: string[] = [];

  beforeEach(async () => {
    heard.length = 0;
    server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    const connected = once(server, 'connection') as Promise<[WebSocket, IncomingMessage]>;
    client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    client.on('message', (data: Buffer) => heard.push(data.toString()));
    await once(client, 'open');
    const [socket, { socket: raw }] = await connected;
    served = socket;
    outlet = new Outlet(socket, raw);
  });
  afterEach(() => {
    client.terminate();
    server.close();
  });

  const hear = async (count: number): Promise<string[]> => {
    while (heard.length < count) await once(client, 'message');
    return heard;
  };
  const frame = (...texts: readonly string[]): Buffer => textFrame(texts.map((text) => Buffer.from(text)));

  it.each([0, 1, 125, 126, 127, 65_535, 65_536, 200_000])('arrive whole, with %i bytes', async (length) => {
    outlet.send(frame('x'.repeat(length)));
    outlet.send(frame('ส', 'มชาย'));
    expect(await hear(2)).toEqual(['x'.repeat(length), 'สมชาย']);
  });

  it("keep their order among ws' own messages", async () => {
    outlet.send(frame('1'));
    served.send('2');
    outlet.send(frame('3'));
    served.ping();
    await Promise.resolve();
    outlet.send(frame('4'));
    served.send('5');
    expect(await hear(5)).toEqual(['1', '2', '3', '4', '5']);
  });

  it('are not sent after the close', async () => {
    outlet.send(frame('before'));
    served.close(4403, 'log in again');
    outlet.send(frame('after'));
    const [code] = (await once(client, 'close')) as [number];
    expect([code, heard]).toEqual([4403, ['before']]);
  });

  it('wait for a client that reads slowly', async () => {
    client.pause();
    const text = 'x'.repeat(100_000);
    let sent = 0;
    for (; sent < 1_000 && !outlet.isFull; sent++) {
      outlet.send(frame(text));
      await new Promise(setImmediate);
    }
    expect(outlet.isFull).toBe(true);
    const drained = Promise.all([outlet.drained(), outlet.drained()]);
    client.resume();
    await drained;
    expect(outlet.isFull).toBe(false);
    expect(await hear(sent)).toEqual(Array.from({ length: sent }, () => text));
  });

  it('wait no longer once the client has gone', async () => {
    client.pause();
    while (!outlet.isFull) {
      outlet.send(frame('x'.repeat(100_000)));
      await new Promise(setImmediate);
    }
    const drained = outlet.drained();
    served.terminate();
    await drained;
    await outlet.drained();
    expect(served.readyState).not.toBe(WebSocket.OPEN);
  });
});
