import path from 'node:path';
import { migrate } from '../../db/migrate';
import { freePort } from '../../local/ports';
import { startPostgres } from '../../local/postgres';
import { loadSecrets } from '../../local/secrets';
import { takeFreshFolder } from '../fresh-folder';
import { runLedger } from './run';

/** Its entry in the list of `npm run chaos`. */
export const LEDGER = {
  name: 'ledger',
  about:
    'moves merchants’ money by the platform’s own statements, in any order, and compares it with a model of the ledger',
  cases: 10_000,
} as const;

/** The options of the campaign. */
export interface LedgerOptions {
  readonly cases: number;
  readonly seed: number;
  /** The campaign's own folder; it is emptied first. */
  readonly folder: string;
  readonly say: (line: string) => void;
  /** Ends it early. */
  readonly signal: AbortSignal;
}

/** Runs the cases on a separate PostgreSQL and prints the result. @returns whether all passed */
export async function runLedgerCampaign(options: LedgerOptions): Promise<boolean> {
  const { folder, cases, seed, say, signal } = options;
  const release = await takeFreshFolder(folder);
  try {
    const server = await startPostgres({
      dataDir: path.join(folder, 'postgres'),
      port: await freePort(),
      password: loadSecrets(folder, {}).POSTGRES_PASSWORD,
      database: 'causeway',
      log: path.join(folder, 'logs', 'postgres.log'),
      // Its data is worthless afterwards.
      durable: false,
      signal,
    });
    try {
      await migrate(server.url, 'sandbox');
      say('PostgreSQL serves; the cases begin');
      const { taken, violations } = await runLedger(server.url, { cases, seed });
      for (const violation of violations) say(violation);
      const times = Object.entries(taken).map(([act, n]) => `${act}=${n}`);
      say(`steps by their effect: ${times.join(' ')}`);
      console.log(`seed=${seed} cases=${cases} violations=${violations.length}`);
      return violations.length === 0;
    } finally {
      await server.stop();
    }
  } finally {
    release();
  }
}
