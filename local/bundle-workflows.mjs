import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const { bundleWorkflowCode } = createRequire(import.meta.url)('@temporalio/worker');

/**
 * Bundles the compiled workflows once, so that a worker starts fast, and names the build by the hash of what runs in it.
 * @param dist the folder of the compiled program
 */
export async function bundleWorkflows(dist) {
  const { code } = await bundleWorkflowCode({
    workflowsPath: path.join(dist, 'workflows/index.js'),
    workflowInterceptorModules: [path.join(dist, 'workflows/trace.js')],
    // Loaded once a worker instead of once a workflow: no module of ours keeps state.
    preloadModules: [path.join(dist, 'workflows/index.js'), path.join(dist, 'workflows/trace.js')],
    logger: {
      ...{ trace() {}, debug() {}, info() {}, log() {} },
      ...{ warn: console.warn, error: console.error },
    },
  });
  writeFileSync(path.join(dist, 'workflow-bundle.js'), code);
  writeFileSync(path.join(dist, 'workflow-build-id'), buildIdOf(code, dist));
}

/** The hash is the same for the same code, wherever it was built: without the source map and folder names. */
function buildIdOf(code, dist) {
  const [runs] = code.split('//# sourceMappingURL');
  return createHash('sha256').update(runs.replaceAll(dist, '')).digest('hex').slice(0, 12);
}

// For a campaign that makes a release of its own: node local/bundle-workflows.mjs FOLDER
if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleWorkflows(process.argv[2]);
