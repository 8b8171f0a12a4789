import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { locate, temporalCli } from '../../local/servers';
import type { Arena } from '../arena';
import { makeCarelessRelease } from '../careless-release';
import type { Campaign } from '../campaign';

const ORDERS_A_SECOND = 5;
/** Orders before the careless release, under it, and after its rollback. */
const PARTS = 3;
/** The same query as in the runbook. */
const STUCK = 'TemporalReportedProblems is not null and ExecutionStatus = "Running"';
const LOOK_EVERY_MS = 15_000;
/** For this long no more workflows may become stuck: the server reports one after some failed tasks. */
const CALM_MS = 60_000;
const OVER_AFTER_MS = 300_000;

/** The runbook's batch reset, repeated until no more workflows are stuck. @returns how many were reset */
async function mend({ platform, say }: Arena): Promise<number> {
  const connection = await Connection.connect({ address: platform.temporalAddress });
  const { workflow } = new Client({ connection });
  let reset = 0;
  const began = Date.now();
  let calmSince = began;
  try {
    while (Date.now() - calmSince < CALM_MS && Date.now() - began < OVER_AFTER_MS) {
      const { count } = await workflow.count(STUCK);
      if (count > 0) {
        await promisify(execFile)(locate(temporalCli, process.env), [
          ...['workflow', 'reset', '--address', platform.temporalAddress, '--yes'],
          ...['--query', STUCK, '--type', 'FirstWorkflowTask'],
          ...['--reason', 'started under a careless release'],
        ]);
        reset += count;
        calmSince = Date.now();
        say(`${count} workflows fit neither release and were reset`);
      }
      await sleep(LOOK_EVERY_MS);
    }
  } finally {
    await connection.close();
  }
  return reset;
}

export const workflowChange: Campaign = {
  name: 'workflow-change',
  about:
    'a careless release changes every workflow while orders are open; rolled back, and repaired by one reset of all',
  size: { gateways: 1, workers: 2 },
  orders: 200,
  run: async (arena) => {
    const { platform, load, orders, found, say } = arena;
    const careless = makeCarelessRelease(path.join(platform.folder, 'careless'));
    const part = Math.ceil(orders / PARTS);
    const begin = async (): Promise<void> => {
      await load.start(part, (part / ORDERS_A_SECOND) * 1_000);
    };
    const runBy = async (program: string): Promise<void> => {
      for (const worker of platform.workers) await worker.replaceBy(program);
    };

    const payFirst = load.holdPayments();
    await begin();
    await runBy(careless);
    say('every worker runs the careless release');
    const paySecond = load.holdPayments();
    payFirst();
    // Half of the new orders are paid under the careless release, half after its rollback.
    const coming = begin();
    await sleep((part / ORDERS_A_SECOND) * 500);
    paySecond();
    await coming;
    await runBy(platform.program);
    say('it is rolled back');
    load.holdPayments()();
    await begin();
    await load.done();
    if ((await mend(arena)) === 0) found.breaches.push('the careless release blocked no workflow');
  },
};
