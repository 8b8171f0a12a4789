import { readFileSync } from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import { bundleWorkflowCode, Worker } from '@temporalio/worker';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared';
import { workflowBundlePath } from '../support/temporal';
import '../support/workers';

const HISTORY = path.join(__dirname, '../replay/histories/0.9.0/callback-success.json');
const history = () => historyFromJSON(JSON.parse(readFileSync(HISTORY, 'utf8')));

afterEach(() => {
  jest.restoreAllMocks();
});

/** The SDK is patched (patches/): threads and stack traces took half of a short workflow's CPU in the worker. */
describe('the sandbox of workflows', () => {
  it('starts a thread that limits its time only where the code of a workflow runs', async () => {
    const runs = jest.spyOn(vm.Script.prototype, 'runInContext');
    await Worker.runReplayHistory({ workflowBundle: { codePath: workflowBundlePath() } }, history());
    const timeouts = runs.mock.calls.filter(([, options]) => {
      const { timeout } = (options ?? {}) as { timeout?: number };
      return timeout !== undefined;
    });
    // Two prepare the sandbox, one starts the workflow, one tells it the result of its step.
    expect(timeouts).toHaveLength(4);
  });

  it('still ends a task that never ends', async () => {
    const { code } = await bundleWorkflowCode({
      workflowsPath: path.join(__dirname, 'endless-workflow.ts'),
    });
    const limited = { workflowBundle: { code }, isolateExecutionTimeout: '200ms' };
    await expect(Worker.runReplayHistory(limited, history())).rejects.toThrow(/timed out/);
  });

  it('makes no stack trace of each promise', () => {
    expect(globalHandlers.promiseHookInstalled).toBe(false);
  });
});
