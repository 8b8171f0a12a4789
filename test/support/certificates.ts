import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Test certificates, valid from 2020 to 2119: an authority, a server that is called `server.test`, and a client.
 * @returns the file's path
 */
export const certificateFile = (name: 'authority.pem' | `${'server' | 'client'}.${'pem' | 'key'}`): string =>
  path.join(__dirname, 'certificates', name);

export const certificate = (name: Parameters<typeof certificateFile>[0]): Buffer => readFileSync(certificateFile(name));
