import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const { bundleWorkflowCode } = createRequire(import.meta.url)('@temporalio/worker');

/** Bundles the compiled workflows once, so that a worker starts fast. */
export async function bundleWorkflows(root) {
  const { code } = await bundleWorkflowCode({
    workflowsPath: path.join(root, 'dist/workflows/index.js'),
    workflowInterceptorModules: [path.join(root, 'dist/workflows/trace.js')],
    logger: {
      ...{ trace() {}, debug() {}, info() {}, log() {} },
      ...{ warn: console.warn, error: console.error },
    },
  });
  writeFileSync(path.join(root, 'dist/workflow-bundle.js'), code);
}
