import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type LookupFunction, type Socket } from 'node:net';
import path from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { judgeStream } from '../../crypto/audit-stream';
import { AuditStream, readStreamSettings, type StreamSettings } from '../../roles/audit-stream';
import { Syslog } from '../../runtime/syslog';
import { certificate } from '../support/certificates';
import { Tenant } from '../support/tenant';
import { temporaryFolder } from '../support/temporary-folder';
import { until } from '../support/until';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');

/** A server of syslog: the messages that it got, without their frames. */
async function listen(port = 0, secure = false) {
  const messages: string[] = [];
  const sockets = new Set<Socket>();
  const take = (socket: Socket): void => {
    sockets.add(socket);
    let waiting = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (part) => {
      waiting = Buffer.concat([waiting, part]);
      for (;;) {
        const [, length] = /^(\d+) /.exec(waiting.subarray(0, 20).toString('latin1')) ?? [];
        if (length === undefined) return;
        const from = length.length + 1;
        if (waiting.length < from + Number(length)) return;
        messages.push(waiting.subarray(from, from + Number(length)).toString());
        waiting = waiting.subarray(from + Number(length));
      }
    });
  };
  const identity = { cert: certificate('server.pem'), key: certificate('server.key') };
  const server = secure ? createTlsServer(identity, take) : createServer(take);
  server.on('tlsClientError', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    messages,
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('the stream of the audit log', () => {
  let tenant: Tenant;
  let settings: StreamSettings;

  beforeAll(async () => {
    tenant = await Tenant.create();
    for (let made = 0; made < 30; made++) await tenant.merchant();
  });
  beforeEach(() => {
    const file = path.join(temporaryFolder(), 'audit.log');
    settings = { file, key: privateKey, syslog: null };
  });
  afterAll(async () => {
    await tenant.close();
  });

  /** Streams what there is, as a process that then ends. */
  const stream = async (): Promise<void> => {
    const one = await AuditStream.open(tenant.database, settings);
    try {
      await one.step(new Date());
    } finally {
      await one.close();
    }
  };
  const lines = (): string[] => readFileSync(settings.file, 'utf8').split('\n');
  const head = async () => {
    const [row] = await tenant.database.sql<{ seq: string; hash: string }[]>`
      select seq::text, hash from audit_head`;
    return { rows: Number(row?.seq), seq: row?.seq, hash: row?.hash };
  };

  it('has each row once, also when processes take turns, and ends with the last', async () => {
    await stream();
    await tenant.merchant();
    await stream();
    await stream();
    const { rows, seq, hash } = await head();
    expect(rows).toBeGreaterThan(30);
    const verdict = await judgeStream(lines(), publicKey);
    expect(verdict).toMatchObject({ rows, last: { seq, hash }, faults: [] });
    expect(lines().join()).toContain('"action":"createMerchant"');
  });

  it('writes a line again that was cut off', async () => {
    await stream();
    const whole = readFileSync(settings.file, 'utf8');
    const cut = whole.slice(0, whole.lastIndexOf('\n', whole.length - 2) + 40);
    writeFileSync(settings.file, cut + 'x'.repeat(100_000));
    await stream();
    const { rows } = await head();
    expect(await judgeStream(lines(), publicKey)).toMatchObject({ rows, faults: [] });
  });

  it.each<[string, (all: string[]) => string[], string]>([
    ['a changed row', (all) => all.map((l) => l.replace('createMerchant', 'x')), 'line 1: it was'],
    ['a line that is gone', ([first = '', , ...rest]) => [first, ...rest], 'line 2: the line bef'],
    ['lines that changed places', ([a = '', b = '', ...r]) => [b, a, ...r], 'line 1: the line bef'],
    ['a begin that is gone', ([, ...rest]) => rest, 'line 1: the line before'],
    ['a line of another', (all) => [...all.slice(0, -1), 'AAAA {}'], 'it was not signed'],
  ])('shows %s', async (_what, tamper, fault) => {
    await stream();
    expect(lines().length).toBeGreaterThan(3);
    const { faults } = await judgeStream(tamper(lines()), publicKey);
    expect(faults).toEqual([expect.stringContaining(fault)]);
  });

  it('is verified only by its own key', async () => {
    await stream();
    const { faults } = await judgeStream(lines(), other.publicKey);
    expect(faults).toEqual([expect.stringContaining('not signed with this key')]);
  });

  it('goes to syslog unchanged, and continues after an outage of the server', async () => {
    const first = await listen();
    const { port } = first;
    settings = { ...settings, syslog: new URL(`tcp://127.0.0.1:${port}`) };
    await stream();
    const there = lines().length - 1;
    await until('the messages', () => first.messages.length === there);
    await first.close();
    await tenant.merchant();
    await expect(stream()).rejects.toThrow();
    const second = await listen(port);
    await stream();
    await until('the rest', () => second.messages.length === lines().length - 1 - there);
    const got = [...first.messages, ...second.messages];
    expect(got[0]).toMatch(/^<110>1 \S+Z \S+ causeway \d+ audit - /);
    const sent = got.map((message) => message.replace(/^(\S+ ){6}- /, ''));
    expect([...sent, '']).toEqual(lines());
    await second.close();
  });

  it('goes by TLS, and only to a server with a trusted certificate for its name', async () => {
    const server = await listen(0, true);
    const url = new URL(`tls://server.test:${server.port}`);
    const lookup: LookupFunction = (_name, _options, found) => {
      found(null, [{ address: '127.0.0.1', family: 4 }]);
    };
    const ca = certificate('authority.pem');
    const connection = await Syslog.connect(url, { lookup, ca });
    await connection.send('a line', new Date());
    await until('the message', () => server.messages.length === 1);
    expect(server.messages[0]).toMatch(/ audit - a line$/);
    await connection.close();
    await expect(Syslog.connect(url, { lookup })).rejects.toThrow('certificate');
    const named = new URL(`tls://other.test:${server.port}`);
    await expect(Syslog.connect(named, { lookup, ca })).rejects.toThrow('altnames');
    await server.close();
  });

  it('requires its settings', () => {
    const key = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
    const env = { AUDIT_STREAM_FILE: settings.file, AUDIT_STREAM_KEY: key };
    expect(readStreamSettings(env)).toMatchObject({ file: settings.file, syslog: null });
    const tls = { ...env, AUDIT_STREAM_SYSLOG: 'tls://logs.example:6514' };
    expect(readStreamSettings(tls).syslog?.href).toBe('tls://logs.example:6514');
    expect(() => readStreamSettings({})).toThrow('AUDIT_STREAM_FILE');
    expect(() => readStreamSettings({ ...env, AUDIT_STREAM_KEY: 'x' })).toThrow('AUDIT_STREAM_KEY');
    const udp = { ...env, AUDIT_STREAM_SYSLOG: 'udp://logs.example:514' };
    expect(() => readStreamSettings(udp)).toThrow('AUDIT_STREAM_SYSLOG: must be tcp');
    const file = path.join(temporaryFolder(), 'key');
    writeFileSync(file, `${key}\n`);
    const fromFile = { AUDIT_STREAM_FILE: settings.file, AUDIT_STREAM_KEY_FILE: file };
    expect(readStreamSettings(fromFile).file).toBe(settings.file);
    rmSync(file);
    expect(() => readStreamSettings(fromFile)).toThrow();
  });
});
