import { condition, patched, proxyLocalActivities, setHandler, setWorkflowOptions, sleep } from '@temporalio/workflow';
import { changed } from '../../../workflows/shared';

/** A release's activities: each step records which release ran it. */
export interface Steps {
  step(name: string): Promise<string>;
}

const { step } = proxyLocalActivities<Steps>({ startToCloseTimeout: '10s' });

/** Its text is replaced in the bundles of later releases. */
const RELEASE: string = 'release-a';

async function untilChanged(): Promise<void> {
  let arrived = false;
  setHandler(changed, () => {
    arrived = true;
  });
  await condition(() => arrived);
}

/** A short order as release A made it. Release B keeps it unchanged until none is open. */
export async function shortOrder(): Promise<string[]> {
  const first = await step('read');
  await untilChanged();
  return [first, await step('credit')];
}

/** The new shape of a short order, beside the old one. Release B starts all new orders with it. */
export async function shortOrder2(): Promise<string[]> {
  await untilChanged();
  return [await step('read and credit')];
}

/** A workflow that can live for days. Release B checks it before it waits; release C, careless, begins with a pause. */
export async function longOrder(): Promise<string[]> {
  if (RELEASE === 'release-c') await sleep(1);
  const done = [await step('read')];
  if (RELEASE === 'release-b' && patched('check-first')) done.push(await step('check'));
  await untilChanged();
  return [...done, await step('pay')];
}

/** Stays with the build that began it. */
export async function pinnedOrder(): Promise<string[]> {
  const first = await step('read');
  await untilChanged();
  return [first, await step(RELEASE)];
}
setWorkflowOptions({ versioningBehavior: 'PINNED' }, pinnedOrder);
