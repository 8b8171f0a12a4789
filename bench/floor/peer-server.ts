import { mkdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { stopLeftover } from '../../local/processes';
import { startServer } from '../../local/server-process';
import { STOP } from '../../local/temporal-server';
import type { Watched } from '../cpu';
import { watch } from '../servers';

/** How to start a server of a peer. */
export interface PeerCommand {
  /** For people. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly isReady: () => Promise<boolean>;
}

/** A running server of a peer. */
export interface PeerServer {
  readonly watched: readonly Watched[];
  readonly stop: () => Promise<void>;
}

const pidFileIn = (folder: string): string => path.join(folder, 'server.pid');

/** An empty folder for a peer's server; one that a killed bench left there is stopped. */
export async function peerFolder(...names: readonly string[]): Promise<string> {
  const folder = path.join(...names);
  await stopLeftover(pidFileIn(folder), STOP);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Starts a peer's server, which runs as long as the bench at most. Its folder goes when it is stopped. */
export async function startPeer(folder: string, server: PeerCommand): Promise<PeerServer> {
  const pidFile = pidFileIn(folder);
  const started = await startServer({
    ...server,
    pidFile,
    log: path.join(folder, 'server.log'),
    stopSteps: STOP,
    killSignal: 'SIGKILL',
  });
  const kill = (): void => {
    started.kill();
  };
  process.once('exit', kill);
  return {
    watched: watch(server.name, pidFile),
    stop: async () => {
      await started.stop();
      process.off('exit', kill);
      rmSync(folder, { recursive: true });
    },
  };
}

/** Whether something listens on a port of this machine. */
export async function listens(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const end = (connected: boolean) => () => {
      socket.destroy();
      resolve(connected);
    };
    socket.once('connect', end(true)).once('error', end(false));
  });
}
