import { createServer } from 'node:net';
import { pid } from 'node:process';
import { isNodeError } from './processes';

const HOST = '127.0.0.1';

/** Below the range that systems use for outgoing connections: a port found free here stays free for a while. */
const QUIET = { from: 15_000, to: 32_000 };
/** Ports in a row for a process: those that start beside each other find theirs in other rows. */
const ROW = 211;
const TRIES = 200;

/** Each port is proposed once in a long while: a start listens on the first only after it has found the last. */
let proposed = pid * ROW;
const propose = (): number => QUIET.from + (proposed++ % (QUIET.to - QUIET.from));

/** A port that is free at this moment. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++)
    try {
      return await listenOnce(propose());
    } catch (error) {
      if (!isNodeError(error, 'EADDRINUSE') && !isNodeError(error, 'EACCES')) throw error;
    }
  return await listenOnce(0);
}

/** A port that a start needs, and the variable that changes it. */
export interface WantedPort {
  readonly what: string;
  readonly variable: string;
  readonly port: number;
}

/**
 * The ports to use: 0 becomes any free one; ports of listeners that are off stay 0.
 * @throws one error that names every port in use and its variable
 */
export async function claimPorts<Name extends string>(
  wanted: Readonly<Record<Name, WantedPort | undefined>>,
): Promise<Record<Name, number>> {
  const busy: string[] = [];
  const claimed: Partial<Record<Name, number>> = {};
  for (const name of Object.keys(wanted) as Name[]) {
    const port = wanted[name];
    claimed[name] = port === undefined ? 0 : await claim(port, busy);
  }
  if (busy.length > 0) throw new Error(busy.join('\n'));
  return claimed as Record<Name, number>;
}

async function claim({ what, variable, port }: WantedPort, busy: string[]): Promise<number> {
  try {
    return port === 0 ? await freePort() : await listenOnce(port);
  } catch (error) {
    if (!isNodeError(error, 'EADDRINUSE') && !isNodeError(error, 'EACCES')) throw error;
    const why = error.code === 'EACCES' ? 'is not allowed to this user' : 'is in use';
    busy.push(`Port ${port} for ${what} ${why}: set ${variable} to another port, or to 0 for any free one.`);
    return 0;
  }
}

/** @throws unless the port is a whole number from 0 to 65535 */
export function parsePort(variable: string, text: string | undefined, otherwise: number): number {
  if (text === undefined || text === '') return otherwise;
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new Error(`${variable} is ${JSON.stringify(text)}; a port is a number from 0 to 65535.`);
  return port;
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host: HOST, exclusive: true }, () => {
      const address = server.address();
      server.close(() => {
        if (address && typeof address === 'object') resolve(address.port);
        else reject(new Error(`Port ${port} has no address`));
      });
    });
  });
}
