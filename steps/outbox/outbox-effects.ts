import type { Settings } from '../../domain/change-request';
import * as db from '../../db/events/outbox';
import { effect } from '../changes/change-effect';

/** A row as the proposal to drop it stores it. */
export type DropOutboxPayload = Readonly<{ id: string }>;

/** A parked row as an approver compares it. */
export const outboxFields = ({ key, refusals, lastError }: db.OutboxView): Settings => ({
  workflow: key,
  refusals,
  lastError,
});

/** Drops a row that is still parked: if it was released meanwhile, the change is stale. */
export const dropOutboxRow = effect<DropOutboxPayload>({
  basis: async (tx, { id }) => {
    const row = await db.lockParked(tx, id);
    return row ? outboxFields(row) : {};
  },
  apply: async (tx, { id }) => {
    await db.dropParked(tx, id);
  },
});
