import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { OperatorClient } from '../../local/operator-client';
import type { Sandbox } from '../../local/sandbox';
import { attack, held, summary } from './attack';
import { provision } from './provision';
import type { Place } from './wire';

const STARTED_WITHIN_MS = 90_000;

/** A whole platform of its own, as `npm start` runs it. */
async function startPlatform(dataDir: string): Promise<{ sandbox: Sandbox; stop: () => Promise<void> }> {
  const free = { GATEWAY_PORT: '0', GRAPH_PORT: '0', POSTGRES_PORT: '0' };
  const child: ChildProcess = spawn(process.execPath, [path.join(__dirname, '..', '..', 'main.js')], {
    env: {
      ...process.env,
      ...free,
      TEMPORAL_PORT: '0',
      TEMPORAL_UI_PORT: '0',
      CAUSEWAY_DATA: dataDir,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
  };
  const file = path.join(dataDir, 'sandbox.json');
  const deadline = Date.now() + STARTED_WITHIN_MS;
  while (!existsSync(file)) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error('the platform did not start');
    }
    await sleep(100);
  }
  return { sandbox: JSON.parse(readFileSync(file, 'utf8')) as Sandbox, stop };
}

const placeOf = (url: string): Place => {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
};

/** Starts a platform, attacks it and prints the result. @returns whether it held */
export async function run(seed: number, requests: number): Promise<boolean> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'causeway-attack-'));
  const { sandbox, stop } = await startPlatform(dataDir);
  const sql = postgres(sandbox.databaseUrl, { max: 1 });
  try {
    const operator = new OperatorClient(sandbox.graphql);
    await operator.login(sandbox.operator.login, sandbox.operator.password);
    const world = await provision({
      gateway: placeOf(sandbox.merchantApi),
      graph: placeOf(sandbox.graphql),
      now: () => new Date(),
      operate: async (name, variables) => await operator.run(name, variables),
      count: async () => {
        const [row] = await sql<{ deposits: number; transfers: number }[]>`
          select (select count(*)::int from deposit_orders) as deposits,
            (select count(*)::int from bank_transfers) as transfers`;
        return row ?? { deposits: 0, transfers: 0 };
      },
    });
    const result = await attack(world, { seed, requests });
    for (const failure of result.failures) process.stdout.write(`${failure}\n`);
    process.stdout.write(`seed=${seed} ${summary(result)}\n`);
    return held(result);
  } finally {
    await sql.end({ timeout: 1 });
    await stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
