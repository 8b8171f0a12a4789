import 'reflect-metadata';

/**
 * One program: a role, a task that ends, or (without a command) the whole platform on this machine. Each imports its own
 * modules: all of them take two seconds of a core to load, those of a migration half a second. An image has no servers
 * of its own, nor the packages that run them.
 */
async function main(command: string | undefined, ...args: string[]): Promise<void> {
  const { requirePatchedDriver } = await import('./db/driver.js');
  await requirePatchedDriver();
  switch (command) {
    case undefined: {
      const { runLocal } = await import('./local/run.js');
      process.exitCode = await runLocal(process.env);
      return;
    }
    case 'gateway':
    case 'graph':
    case 'worker': {
      const { serve } = await import('./roles/serve.js');
      await serve(command, process.env);
      return;
    }
    case 'migrate': {
      const { migrateOnce } = await import('./roles/migrate.js');
      await migrateOnce(process.env);
      return;
    }
    default: {
      const { runTask } = await import('./roles/tasks.js');
      await runTask(command, args);
    }
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'DataRefused' ? error.message : (error.stack ?? error.message);
}

main(process.argv[2], ...process.argv.slice(3)).catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
