import { execFileSync } from 'node:child_process';
import { cpSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const BUILD = path.join(__dirname, '..');
const ROOT = path.join(BUILD, '..');
/** A pause at the beginning of every workflow: neither version can replay the other's histories. */
const CARELESS = `
const { sleep } = require('@temporalio/workflow');
for (const [name, workflow] of Object.entries(require('./landed.js')))
  exports[name] = async (start) => {
    await sleep('2s');
    return await workflow(start);
  };
`;

/**
 * Copies the build and changes the copy's workflows in a forbidden way.
 * @returns its program: `node <program> <role>`
 */
export function makeCarelessRelease(folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  cpSync(BUILD, folder, { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  const workflows = path.join(folder, 'workflows');
  renameSync(path.join(workflows, 'index.js'), path.join(workflows, 'landed.js'));
  writeFileSync(path.join(workflows, 'index.js'), CARELESS);
  execFileSync(process.execPath, [path.join(ROOT, 'local/bundle-workflows.mjs'), folder]);
  return path.join(folder, 'main.js');
}
