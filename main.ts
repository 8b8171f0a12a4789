import 'reflect-metadata';
import path from 'node:path';
import { readConfig } from './config';
import { type AuditSigner, createAuditSigner } from './crypto/audit-signer';
import { auditKeysOf } from './crypto/key-settings';
import { withLocalDatabase } from './local/database';
import { runOperation } from './local/op';
import { localAuditKeys } from './local/audit-keys';
import { readSettings } from './local/settings';
import { createLogger } from './runtime/log';
import { kmsOf, withSecrets } from './runtime/secret-settings';
import { readDatabase } from './runtime/server-settings';
import { askBreakGlass, openBreakGlassOnce } from './roles/break-glass';
import { askPayoutsOnce, periodOf } from './roles/ask-payouts';
import { recoveryOnce } from './roles/recovery-command';
import { checkKeysOnce, newKeyOnce, rotateKeysOnce } from './roles/key-commands';
import { migrateOnce } from './roles/migrate';
import { serve } from './roles/serve';
import {
  askedRange,
  notedHeads,
  notedRow,
  type NotedHead,
  verifyAuditOnce,
  verifyLedgerOnce,
} from './roles/verify';

/** Loaded on demand: an image has no servers of its own, nor the packages that run them. */
async function runHere(): Promise<number> {
  const { runLocal } = await import('./local/run.js');
  return await runLocal(process.env);
}

/** One program: a role, a task that ends, or (without a command) the whole platform on this machine. */
async function main(command: string | undefined, ...args: string[]): Promise<void> {
  switch (command) {
    case undefined:
      process.exitCode = await runHere();
      return;
    case 'gateway':
    case 'graph':
    case 'worker':
      await serve(command, process.env);
      return;
    default:
      await task(command, args, await withSecrets(process.env));
  }
}

/** A task that ends. @param env with the secrets in the clear */
async function task(command: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  switch (command) {
    case 'migrate': {
      const config = readConfig(env);
      await migrateOnce(config, createLogger('migrate', config.logLevel));
      return;
    }
    case 'ledger:verify':
      await withLocalDatabase(env, async (url) => {
        const address = readDatabase(env, url);
        if (!(await verifyLedgerOnce(address, askedRange(args), localHeads(env))))
          process.exitCode = 1;
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
          command === 'keys:rotate'
            ? await rotateKeysOnce(env, address, args)
            : await checkKeysOnce(env, address);
        if (!done) process.exitCode = 1;
      });
      return;
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
    default:
      throw new Error(
        `unknown command ${command}: gateway, graph, worker, migrate, ledger:verify, payouts:ask, recovery, audit:verify, break-glass:ask, break-glass:open, keys:new, keys:rotate, keys:check, op or none`,
      );
  }
}

main(process.argv[2], ...process.argv.slice(3)).catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});

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
const localSigner = (env: NodeJS.ProcessEnv): AuditSigner =>
  createAuditSigner(auditKeysOf(localAuditKeys(env)));
