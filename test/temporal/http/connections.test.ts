import { attempt } from '../../../temporal/http/attempt';
import { Connections } from '../../../temporal/http/connections';
import { KeptBody } from '../../../temporal/http/kept-body';
import { dnsLookup } from '../../../temporal/http/lookup';
import { until } from '../../support/until';
import { cannedReceiver, type Receiver } from './support/receivers';
import { INSECURE } from './support/request';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n';

let receiver: Receiver;
const connections = new Connections({ verifyTls: true, lookup: dnsLookup(), ca: [] });
afterEach(async () => {
  await receiver.close();
});

/** One attempt; its connection is returned if possible. */
async function post(): Promise<void> {
  const connection = connections.take(`http://127.0.0.1:${receiver.port}`, INSECURE);
  const rest = { kept: new KeptBody([]), timeoutMs: 30_000, connectMs: 30_000, signal: undefined };
  await attempt(connection, { method: 'POST', path: '/', headers: {}, body: '{}', ...rest }, (reusable) => {
    if (reusable) connections.giveBack(connection);
    else connections.end(connection);
  });
}

test('a connection that the receiver will not serve again is not kept', async () => {
  receiver = await cannedReceiver(`${OK}Connection: close\r\n\r\n`);
  await post();
  expect(connections.size).toBe(0);
});

test('an idle connection that the receiver closes is forgotten', async () => {
  receiver = await cannedReceiver(`${OK}\r\n`, (socket) => {
    setTimeout(() => socket.end(), 50);
  });
  await post();
  expect(connections.size).toBe(1);
  await until('no connection kept', () => connections.size === 0);
});

test('nothing goes out after its time, although the process stood still while it connected', async () => {
  let asked = 0;
  receiver = await cannedReceiver(`${OK}\r\n`, () => asked++);
  const read = performance.now.bind(performance);
  const sending = post();
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => read() + 31_000);
  await sending;
  clock.mockRestore();
  expect([receiver.connections(), asked, connections.size]).toEqual([1, 0, 0]);
});

test('no more than 32 idle connections are kept for an origin', async () => {
  receiver = await cannedReceiver(`${OK}\r\n`);
  await Promise.all(Array.from({ length: 50 }, post));
  expect(connections.size).toBe(32);
  connections.close();
  expect(connections.size).toBe(0);
});
