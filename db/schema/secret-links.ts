import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { LinkedSecret } from '../../domain/secret-link';
import { changeRequests } from './change-requests';
import { at } from './columns';
import { merchants } from './merchants';
import { eventAddresses } from './platform-events';

/**
 * Links by which the owner of a merchant fetches a secret, once. A link's token is made when it is sent, and only its
 * hash is stored; a link that is sent again gets a new token.
 */
export const secretLinks = pgTable(
  'secret_links',
  {
    id: uuid().primaryKey(),
    kind: text().$type<LinkedSecret>().notNull(),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    /** The version of addresses whose mail address gets the link. The link becomes invalid with another version. */
    addressesId: uuid('addresses_id')
      .notNull()
      .references(() => eventAddresses.id),
    /** The api key that the fetch will create; for a webhook's secret, the version of addresses with it. */
    subjectId: uuid('subject_id').notNull(),
    /** How long the merchant's other keys stay valid after that; null: unlimited. */
    overlapSeconds: integer('overlap_seconds'),
    /** The approved change request. */
    changeId: uuid('change_id')
      .notNull()
      .unique()
      .references(() => changeRequests.id),
    /** The keyed hash of the token that was sent last. */
    tokenHash: text('token_hash').unique(),
    expiresAt: at('expires_at'),
    takenAt: at('taken_at'),
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    index('secret_links_of_merchant').on(t.merchantId),
    check('secret_links_kind', sql`${t.kind} in ('API_KEY', 'WEBHOOK_SECRET')`),
    check(
      'secret_links_overlap',
      sql`${t.overlapSeconds} is null or (${t.kind} = 'API_KEY' and ${t.overlapSeconds} >= 0)`,
    ),
    check('secret_links_sent', sql`(${t.tokenHash} is null) = (${t.expiresAt} is null)`),
    check('secret_links_taken', sql`${t.takenAt} is null or ${t.tokenHash} is not null`),
  ],
);
