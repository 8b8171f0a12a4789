import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { vaultTransit } from '../../runtime/kms';
import { kmsOf, withSecrets } from '../../runtime/secret-settings';
import { temporaryFolder } from '../support/temporary-folder';

/** How the server fails the next requests, before it works: an HTTP status, or a connection that is cut. */
type Fault = number | 'CUT' | 'NO_FIELD';

/** Vault's transit engine as its HTTP API shows it: it wraps by hiding the key in its own memory. */
class Transit {
  readonly faults: Fault[] = [];
  asked = 0;
  private readonly kept = new Map<string, string>();
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      void this.answer(request).then((answer) => {
        if (answer === null) request.socket.destroy();
        else response.writeHead(answer.status).end(JSON.stringify(answer.body));
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async answer(request: IncomingMessage): Promise<{ status: number; body: object } | null> {
    this.asked++;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>;
    const fault = this.faults.shift();
    if (fault === 'CUT') return null;
    if (typeof fault === 'number') return { status: fault, body: { errors: ['sealed'] } };
    if (fault === 'NO_FIELD') return { status: 200, body: { data: {} } };
    if (request.headers['x-vault-token'] !== 'a-token') return { status: 403, body: { errors: [] } };
    if (request.url === '/v1/transit/encrypt/causeway') {
      const ciphertext = `vault:v1:${randomBytes(8).toString('hex')}`;
      this.kept.set(ciphertext, body['plaintext'] ?? '');
      return { status: 200, body: { data: { ciphertext } } };
    }
    const plaintext = this.kept.get(body['ciphertext'] ?? '');
    if (request.url !== '/v1/transit/decrypt/causeway' || plaintext === undefined)
      return { status: 400, body: { errors: ['invalid ciphertext'] } };
    return { status: 200, body: { data: { plaintext } } };
  }
}

describe('secrets of settings', () => {
  const folder = temporaryFolder();
  const transit = new Transit();
  let address: string;
  beforeAll(async () => {
    address = await transit.listen();
  });
  afterAll(async () => {
    await transit.close();
  });
  const key = randomBytes(32);
  const vault = (token = 'a-token') =>
    vaultTransit({ address, token, key: 'causeway', mount: 'transit', pausesMs: [0, 0, 0] });
  const settings = () => ({
    VAULT_ADDR: address,
    VAULT_TOKEN: 'a-token',
    VAULT_TRANSIT_KEY: 'causeway',
  });

  it('unwraps what it wrapped, and shows nothing of it', async () => {
    const wrapped = await vault().wrap(key);
    expect(wrapped).toMatch(/^vault:v1:/);
    expect(wrapped).not.toContain(key.toString('base64'));
    expect(await vault().unwrap(wrapped)).toEqual(key);
  });

  it('asks again while the service is sealed, busy or cut off', async () => {
    const wrapped = await vault().wrap(key);
    transit.faults.push(503, 'CUT', 429);
    expect(await vault().unwrap(wrapped)).toEqual(key);
    transit.faults.push(503, 503, 503, 503);
    await expect(vault().unwrap(wrapped)).rejects.toThrow('does not answer');
  });

  it('does not ask again where it is refused', async () => {
    const wrapped = await vault().wrap(key);
    const before = transit.asked;
    await expect(vault('another').unwrap(wrapped)).rejects.toThrow('HTTP 403');
    await expect(vault().unwrap('vault:v1:nothing')).rejects.toThrow('HTTP 400');
    transit.faults.push('NO_FIELD');
    await expect(vault().unwrap(wrapped)).rejects.toThrow('without plaintext');
    expect(transit.asked).toBe(before + 3);
  });

  it('reads keys that are wrapped beside keys that are not', async () => {
    const wrapped = await vault().wrap(key);
    const plain = randomBytes(32).toString('base64');
    const env = await withSecrets({ ...settings(), CAUSEWAY_KEYS: `${plain},${wrapped}` });
    expect(env['CAUSEWAY_KEYS']).toBe(`${plain},${key.toString('base64')}`);
    await expect(withSecrets({ CAUSEWAY_KEYS: wrapped })).rejects.toThrow('set VAULT_ADDR');
    await expect(kmsOf({ VAULT_ADDR: address })).rejects.toThrow('VAULT_TOKEN');
    await expect(kmsOf({ VAULT_ADDR: address, VAULT_TOKEN: 'x' })).rejects.toThrow('VAULT_TRANSIT_KEY');
  });

  it('reads secrets of files, and refuses a setting beside its file', async () => {
    const file = path.join(folder, 'secret');
    await writeFile(file, ' a-secret\n');
    expect(await withSecrets({ SMTP_URL_FILE: file, OTHER: 'x' })).toMatchObject({
      SMTP_URL: 'a-secret',
      OTHER: 'x',
    });
    await expect(withSecrets({ SMTP_URL: 'x', SMTP_URL_FILE: file })).rejects.toThrow('both set');
    const nowhere = path.join(folder, 'nowhere');
    await expect(withSecrets({ CAUSEWAY_KEYS_FILE: nowhere })).rejects.toThrow('CAUSEWAY_KEYS_FILE');
    await writeFile(file, '');
    expect((await withSecrets({ CAUSEWAY_KEYS_FILE: file }))['CAUSEWAY_KEYS']).toBeUndefined();
  });
});
