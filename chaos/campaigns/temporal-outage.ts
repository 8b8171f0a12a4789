import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { Arena } from '../arena';
import type { Campaign } from '../campaign';
import { until } from '../until';

const OUTAGE_MS = 60_000;
/** Orders are created for this long; during the rest of the outage none are. */
const COMING_MS = 45_000;
/** Orders after the recovery; some expire. */
const AFTERWARDS = 40;
/** From Temporal's return to the last workflow. */
const STARTED_WITHIN_MS = 120_000;

/** How many runs each order's workflow has, by workflow id, as Temporal lists them. */
async function runsOfDeposits(address: string): Promise<Map<string, number>> {
  const connection = await Connection.connect({ address });
  try {
    const runs = new Map<string, number>();
    const client = new Client({ connection });
    for await (const { workflowId } of client.workflow.list({
      query: "WorkflowType='depositOrder'",
    }))
      runs.set(workflowId, (runs.get(workflowId) ?? 0) + 1);
    return runs;
  } finally {
    await connection.close();
  }
}

/** Checks that every order has exactly one workflow. */
async function countWorkflows({ platform, orders, found, say }: Arena): Promise<void> {
  let runs = new Map<string, number>();
  const all = await until(async () => {
    runs = await runsOfDeposits(platform.temporalAddress);
    return runs.size >= orders;
  }, STARTED_WITHIN_MS);
  if (!all) found.lost.push(`${runs.size} workflows for ${orders} orders`);
  for (const [id, times] of runs) if (times > 1) found.double.push(`${id} was started ${times} times`);
  say(`${runs.size} workflows, ${[...runs.values()].filter((times) => times > 1).length} of them twice`);
}

export const temporalOutage: Campaign = {
  name: 'temporal-outage',
  about: 'stops Temporal for 60 s while orders are created; all are 201, then each has one workflow',
  size: { gateways: 1, workers: 1 },
  orders: 500,
  run: async (arena) => {
    const { platform, load, gateways, orders, found, say } = arena;
    // Payments and expiries come only after the workflows are counted, because a settled order may be woken for
    // nothing.
    const letPay = load.holdPayments();
    await platform.stopTemporal();
    const back = Date.now() + OUTAGE_MS;
    say('Temporal is stopped');
    const before = gateways.answers.length;
    await load.start(orders, COMING_MS, Infinity);
    await sleep(1_000);
    const creates = gateways.answers.slice(before);
    const refused = creates.filter(({ status }) => status === 0 || status >= 500);
    const created = creates.filter(({ status }) => status === 201);
    if (refused.length > 0 || created.length !== orders)
      found.breaches.push(`${created.length} of ${orders} were answered 201, ${refused.length} failed`);
    say(`${created.length} orders were answered 201 without Temporal`);
    await sleep(back - Date.now());
    await platform.startTemporal();
    say('Temporal is back');
    await countWorkflows(arena);
    letPay();
    await load.start(AFTERWARDS, COMING_MS / 10);
  },
};
