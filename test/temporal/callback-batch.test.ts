import type { OutboxRow } from '../../db/events/outbox';
import { OUTBOX_RANK } from '../../domain/outbox';
import { batchOptions, byWorkflow, isBatch } from '../../temporal/callback-batch';

const NOW = new Date('2026-01-02T03:04:05Z');

/** A row of the relay; late by default. */
function row(id: string, key: string, changes: Partial<OutboxRow> = {}): OutboxRow {
  const [noun, orderNo, notificationType] = key.split(':');
  return {
    id,
    ...{ noun: noun as OutboxRow['noun'], key, rank: OUTBOX_RANK.money, refusals: 0 },
    arguments: { version: 1, notificationId: `n-${orderNo}`, orderNo, notificationType },
    ...{ startAt: null, startWaits: false, createdAt: new Date(NOW.getTime() - 501) },
    ...changes,
  };
}

/** The ids of the rows of each call. */
const calls = (rows: readonly OutboxRow[]): string[][] =>
  byWorkflow(rows, NOW).map((same) => same.map(({ id }) => id));

describe('the rows of one call to Temporal', () => {
  it('are those of one workflow', () => {
    const rows = [row('1', 'deposit:D1'), row('2', 'deposit:D2'), row('3', 'deposit:D1')];
    expect(calls(rows)).toEqual([['1', '3'], ['2']]);
  });

  it('are those of all late callbacks, also two of one callback', () => {
    const rows = [
      row('1', 'callback:D1:deposit_completed'),
      row('2', 'deposit:D2'),
      row('3', 'callback:W3:withdrawal_completed'),
      row('4', 'callback:D1:deposit_completed'),
    ];
    expect(calls(rows)).toEqual([['2'], ['1', '4', '3']]);
  });

  it.each([
    ['waits for no longer than half a second', { createdAt: new Date(NOW.getTime() - 500) }],
    ['was refused: it stops no other', { refusals: 1 }],
  ])('are not those of a callback that %s', (_why, changes) => {
    const rows = [
      row('1', 'callback:D1:deposit_completed'),
      row('2', 'callback:D2:deposit_completed', changes),
      row('3', 'callback:D3:deposit_completed'),
    ];
    expect(calls(rows)).toEqual([['2'], ['1', '3']]);
  });

  it('are not a batch where one callback is late', () => {
    const rows = [row('1', 'callback:D1:deposit_completed'), row('2', 'deposit:D2')];
    expect(byWorkflow(rows, NOW).map(isBatch)).toEqual([false, false]);
  });
});

it('a batch is found by the numbers of its orders and by what it waits for', () => {
  const [rows] = byWorkflow(
    [
      row('1', 'callback:D1:deposit_matched'),
      row('2', 'callback:D1:deposit_completed'),
      row('3', 'callback:D2:deposit_completed'),
      row('4', 'callback:D2:deposit_completed'),
    ],
    NOW,
  );
  if (!rows) throw new Error('no call');
  expect(isBatch(rows)).toBe(true);
  const { args, workflowId, typedSearchAttributes, priority } = batchOptions(rows, NOW);
  expect(workflowId).toBe('callback_batch:1');
  expect(args[0].callbacks.map(({ orderNo }) => orderNo)).toEqual(['D1', 'D1', 'D2']);
  expect(
    Object.fromEntries(typedSearchAttributes.map(({ key, value }) => [key.name, value])),
  ).toEqual({ OrderNos: ['D1', 'D2'], WaitsFor: 'MERCHANT', WaitingSince: NOW });
  expect(priority).toEqual({ priorityKey: 1 });
});
