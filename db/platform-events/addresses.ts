import type { PlatformEvent } from '../../domain/platform-event';
import type { Database, Transaction } from '../client';
import { columnsOf, type RowOf } from '../rows';
import type { eventAddresses } from '../schema/platform-events';

/** A version of the addresses of an event. */
export type EventAddressesRow = RowOf<typeof eventAddresses>;

/** The merchant of the event; null: the platform's own. */
export interface AddressedEvent {
  readonly event: PlatformEvent;
  readonly merchantId: string | null;
}

/** The addresses in force: the newest version of each event and merchant. */
export const findEventAddresses = async ({ sql }: Database): Promise<EventAddressesRow[]> =>
  await sql<EventAddressesRow[]>`
    select distinct on (event, merchant_id) * from event_addresses
    order by event, merchant_id, version desc`;

/** The newest version of an event and merchant. */
export async function findNewestAddresses(
  sql: Database['sql'] | Transaction,
  { event, merchantId }: AddressedEvent,
): Promise<EventAddressesRow | undefined> {
  const [row] = await sql<EventAddressesRow[]>`
    select * from event_addresses
    where event = ${event} and merchant_id is not distinct from ${merchantId}::uuid
    order by version desc limit 1`;
  return row;
}

/** The newest version, locked: no other is added until the transaction ends. */
export async function lockNewestAddresses(tx: Transaction, of: AddressedEvent): Promise<EventAddressesRow | undefined> {
  const key = `event_addresses ${of.event} ${of.merchantId ?? ''}`;
  await tx`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
  return await findNewestAddresses(tx, of);
}

/** A version by its id. */
export async function findAddressesById({ sql }: Database, id: string): Promise<EventAddressesRow | undefined> {
  const [row] = await sql<EventAddressesRow[]>`select * from event_addresses where id = ${id}`;
  return row;
}

/**
 * Marks the secret of the addresses in force as fetched, once.
 * @returns the sealed secret; undefined if it was fetched before, is a merchant's, or these addresses are not in force
 */
export async function takeEventSecret(
  tx: Transaction,
  id: string,
  now: Date,
): Promise<Pick<EventAddressesRow, 'sealedSecret' | 'secretId'> | undefined> {
  const [row] = await tx<Pick<EventAddressesRow, 'sealedSecret' | 'secretId'>[]>`
    update event_addresses a set secret_taken_at = ${now}
    where a.id = ${id} and a.merchant_id is null and a.secret_id is not null and a.secret_taken_at is null
      and not exists (select from event_addresses n
        where n.event = a.event and n.merchant_id is null and n.version > a.version)
    returning a.sealed_secret, a.secret_id`;
  return row;
}

/** Adds a version, under the lock of its event and merchant. */
export async function insertAddresses(tx: Transaction, row: EventAddressesRow): Promise<void> {
  await tx`
    insert into event_addresses
    select * from jsonb_populate_record(null::event_addresses, ${tx.json(columnsOf(row))}::jsonb)`;
}
