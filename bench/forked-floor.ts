import { fork } from 'node:child_process';
import path from 'node:path';
import type { Watched } from './cpu';

/** A floor that runs as a process of its own. */
export interface ForkedFloor {
  readonly url: string;
  readonly watched: readonly Watched[];
  /** Makes it send these texts; only the floor of fan-out. */
  send(texts: readonly string[]): void;
  stop(): void;
}

/**
 * Starts a floor that is not the product's: a program of `floor/` that reports its address once it listens.
 * @throws if it ends earlier
 */
export async function forkFloor(
  program: 'apollo' | 'fanout' | 'fastify',
  env: NodeJS.ProcessEnv = {},
): Promise<ForkedFloor> {
  const child = fork(path.join(__dirname, 'floor', `${program}.js`), {
    env: { ...process.env, NODE_ENV: 'production', ...env },
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => {
      resolve((message as { url: string }).url);
    });
    child.once('exit', (code) => {
      reject(new Error(`the floor ${program} ended (${code ?? 'killed'})`));
    });
  });
  return {
    url,
    watched: [{ name: 'the floor', pid: child.pid ?? 0 }],
    send: (texts) => {
      child.send(texts);
    },
    stop: () => {
      child.disconnect();
    },
  };
}
