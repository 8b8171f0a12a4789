import path from 'node:path';
import { readConfig } from '../config';
import { type AuditSigner, createAuditSigner } from '../crypto/audit-signer';
import { auditKeysOf } from '../crypto/key-settings';
import { localAuditKeys } from '../local/audit-keys';
import { withLocalDatabase } from '../local/database';
import { runOperation } from '../local/op';
import { readSettings } from '../local/settings';
import { createLogger } from '../runtime/log';
import { kmsOf, withSecrets } from '../runtime/secret-settings';
import { readDatabase } from '../runtime/server-settings';
import { askPayoutsOnce, periodOf } from './ask-payouts';
import { archiveOnce, readArchiveSettings } from './archive-command';
import { eraseOnce, readEraseDays } from './erase-command';
import { readStreamSettings, streamAudit, verifyStreamOnce } from './audit-stream';
import { askBreakGlass, openBreakGlassOnce } from './break-glass';
import { checkKeysOnce, newKeyOnce, rotateKeysOnce } from './key-commands';
import { recoveryOnce } from './recovery-command';
import { askedRange, notedHeads, notedRow, type NotedHead, verifyAuditOnce, verifyLedgerOnce } from './verify';

/**
 * A task that an operator runs beside the roles, which ends; it sets the exit code.
 * @throws if there is no such command
 */
export async function runTask(command: string, args: readonly string[]): Promise<void> {
  const env = await withSecrets(process.env);
  switch (command) {
    case 'ledger:verify':
      await withLocalDatabase(env, async (url) => {
        const address = readDatabase(env, url);
        if (!(await verifyLedgerOnce(address, askedRange(args), localHeads(env)))) process.exitCode = 1;
      });
      return;
    case 'payouts:ask':
      if (!(await askPayoutsOnce(readConfig(env), periodOf(args)))) process.exitCode = 1;
      return;
    case 'recovery':
      if (!(await recoveryOnce(readConfig(env), args))) process.exitCode = 1;
      return;
    case 'break-glass:ask':
      process.stdout.write(askBreakGlass(readConfig(env), args, new Date()));
      return;
    case 'break-glass:open': {
      const config = readConfig(env);
      await openBreakGlassOnce(config, args, createLogger('break-glass', config.logLevel));
      return;
    }
    case 'keys:new':
      await newKeyOnce(await kmsOf(env));
      return;
    case 'keys:rotate':
    case 'keys:check':
      await withLocalDatabase(env, async (url) => {
        const address = readDatabase(env, url);
        const done =
          command === 'keys:rotate' ? await rotateKeysOnce(env, address, args) : await checkKeysOnce(env, address);
        if (!done) process.exitCode = 1;
      });
      return;
    case 'archive': {
      const settings = readArchiveSettings(args, env['CAUSEWAY_ENV'] === 'production');
      const signer = localSigner(env);
      await withLocalDatabase(env, async (url) => {
        await archiveOnce(readDatabase(env, url), settings, signer, (line) => {
          process.stdout.write(`${line}\n`);
        });
      });
      return;
    }
    case 'erase': {
      const days = readEraseDays(args, env['CAUSEWAY_ENV'] === 'production');
      const signer = localSigner(env);
      await withLocalDatabase(env, async (url) => {
        await eraseOnce(readDatabase(env, url), { days }, signer, (line) => {
          process.stdout.write(`${line}\n`);
        });
      });
      return;
    }
    case 'op':
      await runOperation(env, args[0], args[1]);
      return;
    case 'audit:verify': {
      const noted = notedRow(args);
      const signer = localSigner(env);
      await withLocalDatabase(env, async (url) => {
        const address = readDatabase(env, url);
        if (!(await verifyAuditOnce(address, signer, noted))) process.exitCode = 1;
      });
      return;
    }
    case 'audit:stream':
      await withLocalDatabase(env, async (url) => {
        const log = createLogger('audit-stream', 'info');
        await streamAudit(readDatabase(env, url), readStreamSettings(env), args[0], log);
      });
      return;
    case 'audit:verify-stream':
      if (!(await verifyStreamOnce(args))) process.exitCode = 1;
      return;
    default:
      throw new Error(
        `unknown command ${command}: gateway, graph, worker, migrate, ledger:verify, payouts:ask, recovery, audit:verify, audit:stream, audit:verify-stream, break-glass:ask, break-glass:open, keys:new, keys:rotate, keys:check, archive, erase, op or none`,
      );
  }
}

/**
 * The heads of the ledger's chain that this machine's worker has recorded: in LEDGER_HEADS_FILE, else in the sandbox's
 * folder.
 */
function localHeads(env: NodeJS.ProcessEnv): NotedHead[] {
  const { dataDir, databaseUrl } = readSettings(env);
  const own = databaseUrl === undefined ? path.join(dataDir, 'ledger-heads.jsonl') : undefined;
  const file = env['LEDGER_HEADS_FILE'] ?? own;
  if (file === undefined) return [];
  return notedHeads(file, () => localSigner(env));
}

/** Verifies what this machine's platform signed. */
const localSigner = (env: NodeJS.ProcessEnv): AuditSigner => createAuditSigner(auditKeysOf(localAuditKeys(env)));
