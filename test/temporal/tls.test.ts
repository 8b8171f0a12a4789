import { createSecureServer, type Http2SecureServer, type IncomingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { NativeConnection } from '@temporalio/worker';
import { connectionOptions, openTemporalClient } from '../../temporal/client';
import type { Tls } from '../../runtime/tls';
import { certificate } from '../support/certificates';

/** Answers each call with an empty message: enough for both clients, which query the server's capabilities first. */
const EMPTY = Buffer.alloc(5);

describe('TLS to Temporal', () => {
  let server: Http2SecureServer;
  let address: string;
  const seen: { readonly path: string; readonly key: string; readonly client: string }[] = [];

  beforeAll(async () => {
    const ca = certificate('authority.pem');
    server = createSecureServer({
      cert: certificate('server.pem'),
      key: certificate('server.key'),
      ca,
      requestCert: true,
      rejectUnauthorized: true,
    });
    server.on('sessionError', () => undefined);
    server.on('stream', (stream, headers: IncomingHttpHeaders) => {
      const socket = stream.session?.socket as {
        getPeerCertificate?: () => { subject: { CN: string } };
      };
      seen.push({
        path: String(headers[':path']),
        key: headers.authorization ?? '',
        client: socket.getPeerCertificate?.().subject.CN ?? '',
      });
      stream.on('error', () => undefined);
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => {
        stream.sendTrailers({ 'grpc-status': '0' });
      });
      stream.end(EMPTY);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
  });

  const ours: Tls = {
    ca: certificate('authority.pem'),
    client: { cert: certificate('client.pem'), key: certificate('client.key') },
    serverName: 'server.test',
  };
  const called = {
    path: '/temporal.api.workflowservice.v1.WorkflowService/GetSystemInfo',
    key: 'Bearer a-key',
    client: 'client.test',
  };

  it('is used by the client, with our certificate and the api key', async () => {
    seen.length = 0;
    const { connection } = openTemporalClient({
      address,
      namespace: 'ours',
      tls: ours,
      apiKey: 'a-key',
    });
    await connection.workflowService.getSystemInfo({});
    await connection.close();
    expect(seen).toContainEqual(called);
  });

  it('is used by the worker, too', async () => {
    seen.length = 0;
    const connection = await NativeConnection.connect(connectionOptions({ address, tls: ours, apiKey: 'a-key' }));
    await connection.close();
    expect(seen).toContainEqual(called);
  });

  it.each([
    ['of another name', { ...ours, serverName: 'other.test' }],
    ['of an unknown authority', { ...ours, ca: null }],
  ])('trusts no server %s', async (_what, tls) => {
    seen.length = 0;
    await expect(NativeConnection.connect(connectionOptions({ address, tls }))).rejects.toThrow();
    const { connection } = openTemporalClient({ address, namespace: 'ours', tls });
    await expect(
      connection.withDeadline(Date.now() + 1_000, async () => await connection.workflowService.getSystemInfo({})),
    ).rejects.toThrow();
    await connection.close();
    expect(seen).toEqual([]);
  });

  it('is off by default', () => {
    expect(connectionOptions({ address })).toEqual({ address });
  });
});
