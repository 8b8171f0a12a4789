import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { claimPorts, parsePort } from '../../local/ports';

test('names every busy port, its purpose, and its variable', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  await expect(
    claimPorts({
      gateway: { what: 'the merchant API', variable: 'GATEWAY_PORT', port },
      graph: { what: 'GraphQL', variable: 'GRAPH_PORT', port },
    }),
  ).rejects.toThrow(
    `Port ${port} for the merchant API is in use: set GATEWAY_PORT to another port, or to 0 for any free one.\n` +
      `Port ${port} for GraphQL is in use: set GRAPH_PORT`,
  );
  taken.close();
});

test('0 is any free port, and unwanted listeners take none', async () => {
  const { graph, postgres } = await claimPorts({
    graph: { what: 'GraphQL', variable: 'GRAPH_PORT', port: 0 },
    postgres: undefined,
  });
  expect(graph).toBeGreaterThan(1023);
  expect(postgres).toBe(0);
});

test.each(['-1', '65536', '80a', '8 0', '1e3'])('%j is not a port', (text) => {
  expect(() => parsePort('GRAPH_PORT', text, 4000)).toThrow('GRAPH_PORT is');
});

test.each([
  [undefined, 4000],
  ['', 4000],
  ['0', 0],
  ['65535', 65535],
])('%j is port %d', (text, port) => {
  expect(parsePort('GRAPH_PORT', text, 4000)).toBe(port);
});
