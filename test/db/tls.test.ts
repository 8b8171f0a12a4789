import { randomBytes } from 'node:crypto';
import { chmodSync, copyFileSync } from 'node:fs';
import path from 'node:path';
import { type Database, openDatabase } from '../../db/client';
import { refusalOf } from '../../db/refusals';
import { freePort } from '../../local/ports';
import { type Postgres, startPostgres } from '../../local/postgres';
import { handOver, postgresUser } from '../../local/postgres-user';
import type { Tls } from '../../runtime/tls';
import { certificate, certificateFile } from '../support/certificates';
import { temporaryFolder } from '../support/temporary-folder';

describe('TLS to PostgreSQL', () => {
  const folder = temporaryFolder();
  let postgres: Postgres;
  const databases: Database[] = [];

  beforeAll(async () => {
    const options = {
      dataDir: path.join(folder, 'tls'),
      port: await freePort(),
      database: 'tls',
      password: randomBytes(16).toString('hex'),
      log: path.join(folder, 'tls.log'),
    };
    // In the cluster's folder, which the server can read.
    const cluster = path.join(options.dataDir, 'cluster');
    await (await startPostgres(options)).stop();
    for (const name of ['server.pem', 'server.key', 'authority.pem'] as const) {
      const file = path.join(cluster, name);
      copyFileSync(certificateFile(name), file);
      chmodSync(file, 0o600);
      handOver(file, postgresUser());
    }
    const settings = ['ssl=on', 'ssl_cert_file=server.pem', 'ssl_key_file=server.key'];
    postgres = await startPostgres({
      ...options,
      durable: false,
      settings: [...settings, 'ssl_ca_file=authority.pem'],
    });
  });
  afterAll(async () => {
    for (const database of databases) await database.close();
    await postgres.stop();
  });

  const ca = certificate('authority.pem');
  const trusted: Tls = { ca, client: null, serverName: 'server.test' };

  function open(tls: Tls | false | null, url = postgres.url): Database {
    const database = openDatabase({ url, tls, applicationName: 'tls', max: 1 });
    databases.push(database);
    return database;
  }
  /** For each pool: whether its connection is encrypted, and the name of our certificate. */
  async function look({ sql, read, measure, transaction }: Database): Promise<unknown[]> {
    const text = `select ssl, client_dn as "client" from pg_stat_ssl where pid = pg_backend_pid()`;
    const rows = await Promise.all([
      ...[sql, read, measure].map(async (pool) => await pool.unsafe(text)),
      transaction(async (tx) => await tx.unsafe(text)),
    ]);
    return rows.map(([row]) => row as unknown);
  }

  it('is used by every pool, with our own certificate if one is set', async () => {
    const client = { cert: certificate('client.pem'), key: certificate('client.key') };
    expect(await look(open({ ...trusted, client }))).toEqual(Array(4).fill({ ssl: true, client: '/CN=client.test' }));
    expect(await look(open(trusted))).toEqual(Array(4).fill({ ssl: true, client: null }));
  });

  it('is off when it is switched off or not set', async () => {
    expect(await look(open(false, `${postgres.url}?sslmode=require`))).toEqual(
      Array(4).fill({ ssl: false, client: null }),
    );
    expect(await look(open(null))).toEqual(Array(4).fill({ ssl: false, client: null }));
  });

  it.each([
    ['of another name', { ...trusted, serverName: 'other.test' }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['without the name of our address', { ...trusted, serverName: null }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['of an unknown authority', { ...trusted, ca: null }, 'SELF_SIGNED_CERT_IN_CHAIN'],
  ])('treats a certificate %s as an outage', async (_what, tls, code) => {
    const refused = open(tls).sql`select 1`.then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(await refused).toMatchObject({ code });
    expect(refusalOf(await refused)?.kind).toBe('SERVICE_UNAVAILABLE');
  });
});
