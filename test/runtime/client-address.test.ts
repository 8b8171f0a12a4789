import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addressBehind, type AddressOf } from '../../runtime/client-address';

/** Over real connections, all from this machine's loopback. */
describe('whose address a request comes from', () => {
  let addressOf: AddressOf;
  let server: Server;
  beforeAll(async () => {
    server = createServer((request, response) => response.end(addressOf(request)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.close();
  });

  const seen = async (proxies: readonly string[], forwardedFor?: string): Promise<string> => {
    addressOf = addressBehind(proxies);
    const { port } = server.address() as AddressInfo;
    const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
    return await (await fetch(`http://127.0.0.1:${port}/`, { headers })).text();
  };

  it.each([
    ['nobody of ours in between', [], undefined, '127.0.0.1'],
    ['a payer who writes the header himself', [], '203.0.113.9', '127.0.0.1'],
    ['a proxy of ours', ['127.0.0.0/8'], '203.0.113.9', '203.0.113.9'],
    ['a proxy of ours that says nothing', ['127.0.0.1'], undefined, '127.0.0.1'],
    ['two of ours', ['127.0.0.1', '10.0.0.0/8'], '203.0.113.9, 10.1.2.3', '203.0.113.9'],
    ['a payer who lies to a proxy of ours', ['127.0.0.1'], '10.9.9.9, 203.0.113.9', '203.0.113.9'],
    ['IPv6', ['127.0.0.1'], '2001:db8::1', '2001:db8::1'],
  ])('%s', async (_, proxies, forwardedFor, address) => {
    expect(await seen(proxies, forwardedFor)).toBe(address);
  });

  it('refuses proxies that are not addresses', () => {
    expect(() => addressBehind(['proxy.example.com'])).toThrow(TypeError);
  });
});
