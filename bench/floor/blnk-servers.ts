import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { freePort } from '../../local/ports';
import { makeDatabase, type Steps } from '../servers';
import { listens, type PeerCommand, peerFolder, type PeerServer, startPeer } from './peer-server';

/** What Blnk consists of. */
export interface BlnkServers {
  /** Of its HTTP. */
  readonly url: string;
  readonly databaseUrl: string;
  readonly servers: readonly PeerServer[];
  /** What ends it. */
  readonly closing: Steps;
}

/**
 * Starts Blnk as its docker-compose.yaml does: the server, its workers and a Redis, with its own settings except one; here in
 * a database of its own on the bench's PostgreSQL.
 * @param binary Blnk; its folder has that of Redis too
 */
export async function startBlnk(
  bench: { readonly databaseUrl: string; readonly folder: string },
  binary: string,
): Promise<BlnkServers> {
  const closing: Steps = [];
  const start = async (server: PeerCommand): Promise<PeerServer> => {
    const started = await startPeer(await peerFolder(bench.folder, server.name), server);
    closing.push(started.stop);
    return started;
  };
  const databaseUrl = await makeDatabase(bench.databaseUrl, closing);
  const [port, redisPort, workersPort] = [await freePort(), await freePort(), await freePort()];
  const env = {
    BLNK_DATA_SOURCE_DNS: `${databaseUrl}?sslmode=disable`,
    BLNK_REDIS_DNS: `127.0.0.1:${redisPort}`,
    BLNK_SERVER_PORT: `${port}`,
    BLNK_QUEUE_MONITORING_PORT: `${workersPort}`,
    // By default a request fails if it waits for a balance longer than three seconds.
    BLNK_TRANSACTION_LOCK_WAIT_TIMEOUT: '60s',
    GIN_MODE: 'release',
  };
  const redis = await start({
    name: 'redis',
    command: path.join(path.dirname(binary), 'redis-server'),
    // It keeps nothing on disk.
    args: ['--bind', '127.0.0.1', '--port', `${redisPort}`, '--save', ''],
    isReady: async () => await listens(redisPort),
  });
  execFileSync(binary, ['migrate', 'up'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const server = await start({
    name: 'blnk',
    command: binary,
    args: ['start'],
    env,
    isReady: async () => await listens(port),
  });
  const workers = await start({
    name: 'blnk-workers',
    command: binary,
    args: ['workers'],
    env,
    isReady: async () => await listens(workersPort),
  });
  const url = `http://127.0.0.1:${port}`;
  return { url, databaseUrl, servers: [redis, server, workers], closing };
}
