import { callbackBatchId } from '../domain/ids';
import type { OutboxRow } from '../db/events/outbox';
import { SEARCH_ATTRIBUTES as attribute } from '../workflows/attributes';
import type { CallbackBatchStart } from '../workflows/callback-batch';
import type { CallbackDeliveryStart } from '../workflows/callback-delivery';
import { CALLBACKS_TASK_QUEUE } from '../workflows/shared';
import { priorityOf, waitsAttributes } from './starts';

/** Outbox rows that go to Temporal in one call: those of one workflow, or of several callbacks. */
export type Rows = readonly [OutboxRow, ...OutboxRow[]];

/** Whether these are rows of several callbacks. */
export const isBatch = ([first, ...others]: Rows): boolean =>
  others.some(({ key }) => key !== first.key);

/** Callbacks that wait for longer than this share a workflow, milliseconds: then more is due than can be started. */
const LATE_MS = 500;

/** A late callback. One that Temporal has refused goes alone, so that it stops no other. */
const fitsBatch = ([{ noun, refusals, createdAt }]: Rows, now: Date): boolean =>
  noun === 'callback' && refusals === 0 && now.getTime() - createdAt.getTime() > LATE_MS;

/** Gathers rows by their workflow, and late callbacks in one batch, in the order of their age. */
export function byWorkflow(rows: readonly OutboxRow[], now: Date): Rows[] {
  const workflows = new Map<string, Rows>();
  for (const row of [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const same = workflows.get(row.key);
    workflows.set(row.key, same ? [...same, row] : [row]);
  }
  const all = [...workflows.values()];
  const [first, ...others] = all.filter((same) => fitsBatch(same, now));
  if (!first || others.length === 0) return all;
  return [...all.filter((same) => !fitsBatch(same, now)), [...first, ...others.flat()]];
}

/** How the workflow of several callbacks is started. @param now since when they wait for their merchants */
export function batchOptions(rows: Rows, now: Date) {
  const [{ id, rank, arguments: first }] = rows;
  const byKey = new Map(
    rows.map((row) => [row.key, row.arguments as unknown as CallbackDeliveryStart]),
  );
  const callbacks = [...byKey.values()];
  const start: CallbackBatchStart = { version: 1, callbacks };
  const orderNos = new Set(callbacks.map(({ orderNo }) => orderNo));
  return {
    type: 'callbackBatch',
    args: [start] as [CallbackBatchStart],
    workflowId: callbackBatchId(id),
    taskQueue: CALLBACKS_TASK_QUEUE,
    typedSearchAttributes: [
      { key: attribute.orderNos, value: [...orderNos] },
      ...waitsAttributes('callback', first as unknown as CallbackDeliveryStart, rank, now),
    ],
    staticSummary: `${callbacks.length} callbacks`,
    priority: { priorityKey: priorityOf(rank) },
  };
}
