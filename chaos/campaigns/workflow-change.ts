import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { locate, temporalCli } from '../../local/servers';
import type { Arena } from '../arena';
import { makeCarelessRelease } from '../careless-release';
import type { Campaign } from '../campaign';
import { ChannelDeposits } from '../channel-deposits';
import { OtherOrders } from '../other-orders';
import { until } from '../until';

const ORDERS_A_SECOND = 5;
/** Many orders come faster, so that no part lasts longer. */
const LONGEST_MS = 300_000;
/**
 * The same under the careless release: credits wait meanwhile, and from 120 s on the platform accepts no more deposits.
 */
const LONGEST_CARELESS_MS = 60_000;
/** To this many deposits there is one withdrawal, one cashier session and one deposit at a channel. */
const OTHERS_EVERY = 4;
/** Orders before the careless release, under it, and after its rollback. */
const PARTS = 3;
/** So many callbacks come just before the first change; merchants' servers answer half of all attempts by an error. */
const CALLED_BACK = 12;
const CALLED_BACK_WITHIN_MS = 2_000;
const CALLBACK_ERRORS = 0.5;
/** Until some of each kind are open. */
const OPEN_WITHIN_MS = 30_000;
/** The same query as in the runbook. */
const STUCK = 'TemporalReportedProblems is not null and ExecutionStatus = "Running"';
const { BATCH_OPERATION_STATE_RUNNING: RUNNING } = temporal.api.enums.v1.BatchOperationState;
const LOOK_EVERY_MS = 15_000;
/** After the first, for this long no more workflows may become stuck: the server reports one after some failed tasks. */
const CALM_MS = 60_000;
const OVER_AFTER_MS = 300_000;
/** And so much longer for each order: a batch resets some of them in a second, and each runs again. */
const OVER_AFTER_MS_EACH = 100;

/** Whether a batch still runs: the server runs one at a time, some 50 resets a second, and refuses another meanwhile. */
async function aBatchRuns({ connection, options }: Client): Promise<boolean> {
  const { namespace } = options;
  const { operationInfo } = await connection.workflowService.listBatchOperations({ namespace });
  return operationInfo.some(({ state }) => state === RUNNING);
}

/**
 * The runbook's batch reset, repeated until no more workflows are stuck.
 * @param first waits for the first stuck workflow however long that takes to show
 * @returns how many were reset
 */
async function mend({ platform, orders, say }: Arena, first: boolean): Promise<number> {
  const connection = await Connection.connect({ address: platform.temporalAddress });
  const client = new Client({ connection });
  let reset = 0;
  const began = Date.now();
  let calmSince = began;
  try {
    const isOver = (): boolean =>
      Date.now() - began > OVER_AFTER_MS + orders * OVER_AFTER_MS_EACH ||
      ((reset > 0 || !first) && Date.now() - calmSince > CALM_MS);
    while (!isOver()) {
      const { count } = await client.workflow.count(STUCK);
      if (count > 0) calmSince = Date.now();
      if (count > 0 && !(await aBatchRuns(client))) {
        await promisify(execFile)(locate(temporalCli, process.env), [
          ...['workflow', 'reset', '--address', platform.temporalAddress, '--yes'],
          ...['--query', STUCK, '--type', 'FirstWorkflowTask'],
          ...['--reason', 'started under a careless release'],
        ]);
        reset += count;
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
    'a careless release changes every workflow while deposits to accounts and at a channel, callbacks, sessions and withdrawals are open; rolled back, and repaired by one reset of all',
  size: { gateways: 1, workers: 2 },
  orders: 200,
  fault: (random) => (random.chance(CALLBACK_ERRORS) ? 'error' : 'none'),
  run: async (arena) => {
    const { platform, load, orders, found, say } = arena;
    const careless = makeCarelessRelease(path.join(platform.folder, 'careless'));
    const part = Math.ceil(orders / PARTS);
    const others = await OtherOrders.provision(arena);
    const atChannel = await ChannelDeposits.provision(arena);
    const overMs = Math.min((part / ORDERS_A_SECOND) * 1_000, LONGEST_MS);
    const carelessMs = Math.min(overMs, LONGEST_CARELESS_MS);
    const begin = async (withinMs: number): Promise<void> => {
      const some = Math.ceil(part / OTHERS_EVERY);
      await Promise.all([load.start(part, withinMs), ...[others, atChannel].map((one) => one.start(some, withinMs))]);
    };
    const countOpen = async (): Promise<Readonly<Record<string, number>>> => {
      const { opened, matched } = await atChannel.countOpen();
      const { deposits, ...rest } = await others.countOpen();
      return {
        deposits: deposits - opened - matched,
        ...rest,
        'deposits opened at a channel': opened,
        'deposits matched at a channel': matched,
      };
    };
    const runBy = async (program: string): Promise<void> => {
      const isEachOpen = async (): Promise<boolean> => !Object.values(await countOpen()).includes(0);
      await until(isEachOpen, OPEN_WITHIN_MS);
      const open = await countOpen();
      for (const [kind, count] of Object.entries(open))
        if (count === 0) found.breaches.push(`no ${kind} were open when the release changed`);
      say(`under ${JSON.stringify(open)}`);
      for (const worker of platform.workers) await worker.replaceBy(program);
    };

    const payFirst = load.holdPayments();
    await begin(overMs);
    // Only these are paid at once.
    load.holdPayments()();
    await load.start(CALLED_BACK, CALLED_BACK_WITHIN_MS, Infinity);
    await runBy(careless);
    say('every worker runs the careless release');
    const paySecond = load.holdPayments();
    payFirst();
    // The first half of the new orders is paid only in the middle: their workflows begin unpaid.
    const coming = begin(carelessMs);
    await sleep(carelessMs / 2);
    paySecond();
    atChannel.payThird();
    await coming;
    await runBy(platform.program);
    say('it is rolled back');
    load.holdPayments()();
    if ((await mend(arena, true)) === 0) found.breaches.push('the careless release blocked no workflow');
    await begin(overMs);
    await load.done();
    await mend(arena, false);
    await Promise.all([others.finish(arena), atChannel.finish(arena)]);
  },
};
