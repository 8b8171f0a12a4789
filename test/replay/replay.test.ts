import { itInFull } from '../support/in-full';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { bundleWorkflowCode, Worker } from '@temporalio/worker';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import * as workflows from '../../workflows';
import { workflowBundlePath } from '../support/temporal';
import '../support/workers';

const HISTORIES = path.join(__dirname, 'histories');

interface Recorded {
  readonly name: string;
  readonly json: unknown;
}

const recorded: Recorded[] = readdirSync(HISTORIES).flatMap((day) =>
  readdirSync(path.join(HISTORIES, day)).map((file) => ({
    name: `${day}/${path.basename(file, '.json')}`,
    json: JSON.parse(readFileSync(path.join(HISTORIES, day, file), 'utf8')) as unknown,
  })),
);

const PATHS = [
  'deposit-completed',
  'deposit-completed-at-once',
  'deposit-expired',
  'deposit-expired-after-waiting',
  'deposit-cancelled',
  'deposit-woken-for-nothing',
  'deposit-final-already',
  'callback-success',
  'callback-refused',
  'callback-retried',
  'callback-exhausted',
  'callback-rearmed',
  'reconcile',
  'payout-sweep',
  'callback-sweep',
  'hold-release',
  'day-close',
  'books-proof',
  'books-proof-whole',
  'billing-issue',
  'settlement-run',
  'sandbox-purge',
  'cashier-submitted',
  'cashier-submitted-at-once',
  'cashier-expired',
  'cashier-revoked',
  'cashier-reused',
  'mail-sent',
  'mail-failed',
  'mail-retried',
  'withdrawal-paid-by-channel',
  'withdrawal-answer-lost',
  'withdrawal-payout-failed',
  'withdrawal-transferred',
  'withdrawal-approved-by-two-and-cancelled',
  'withdrawal-late-and-rejected',
  'withdrawal-refused-then-paid',
  'withdrawal-intervention-resolved',
  'withdrawal-paid-after-failure',
  'withdrawal-returned',
  'channel-watch',
  'channel-deposit-completed',
  'channel-deposit-refused',
  'channel-deposit-failed',
  'channel-deposit-contradicted',
  'channel-deposit-expired',
  'channel-deposit-cancelled',
  'channel-deposit-bound',
  'platform-event-delivered',
  'platform-event-refused',
  'platform-event-armed-again',
];

async function replay(codePath: string, { json }: Recorded): Promise<void> {
  await Worker.runReplayHistory({ workflowBundle: { codePath } }, historyFromJSON(json));
}

describe('the histories of landed versions', () => {
  it('cover every path', () => {
    const names = recorded.map(({ name }) => path.basename(name));
    expect(names).toEqual(expect.arrayContaining(PATHS));
  });

  it('include every workflow', () => {
    const types = recorded.map(
      ({ json }) => historyFromJSON(json).events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name,
    );
    expect([...new Set(types)].sort()).toEqual(Object.keys(workflows).sort());
  });

  it.each(recorded)('replay: $name', async (history) => {
    await expect(replay(workflowBundlePath(), history)).resolves.toBeUndefined();
  });

  itInFull('do not replay on a workflow that was changed without a patch', async () => {
    const { code } = await bundleWorkflowCode({
      workflowsPath: path.join(__dirname, 'changed-workflows.ts'),
    });
    const changed = { workflowBundle: { code } };
    for (const { json } of recorded)
      await expect(Worker.runReplayHistory(changed, historyFromJSON(json))).rejects.toMatchObject({
        name: 'DeterminismViolationError',
      });
  });
});
