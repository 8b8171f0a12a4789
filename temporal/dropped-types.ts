import type { Client } from '@temporalio/client';
import { DataRefused } from '../runtime/data-refused';

/** Workflow types of earlier states that this release does not have. */
const DROPPED_TYPES = ['callbackBatch', 'callbackDelivery'] as const;

/**
 * Open workflows of a type that the bundle lacks would fail each of their tasks, again and again. So a worker asks for
 * them before it takes a task.
 * @throws DataRefused if there are some, with their number, their types and what to do
 */
export async function requireNoDroppedTypes({ workflow }: Pick<Client, 'workflow'>): Promise<void> {
  const counted = await Promise.all(
    DROPPED_TYPES.map(async (type) => {
      const query = `WorkflowType = '${type}' and ExecutionStatus = 'Running'`;
      return { type, open: (await workflow.count(query)).count };
    }),
  );
  const named = counted.filter(({ open }) => open > 0).map(({ type, open }) => `${open} ${type}`);
  if (named.length > 0)
    throw new DataRefused(
      `Temporal has open workflows of types that this release does not have (${named.join(', ')}): move the data ` +
        'folder of `npm start` away (.causeway, or CAUSEWAY_DATA); on a server of your own, let workers of the earlier ' +
        'release end them, or terminate them.',
    );
}
