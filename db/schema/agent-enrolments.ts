import { sql } from 'drizzle-orm';
import { check, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { agentKeys } from './agent-keys';
import { changeRequests } from './change-requests';
import { at } from './columns';

/**
 * Links by which the owner of an agent enrols its public key, once. A link's token is made when it is sent, and only its
 * hash is stored; a link that is sent again gets a new token.
 */
export const agentEnrolments = pgTable(
  'agent_enrolments',
  {
    id: uuid().primaryKey(),
    agentKeyId: uuid('agent_key_id')
      .notNull()
      .unique()
      .references(() => agentKeys.id),
    /** The mail address of the agent's owner. */
    mail: text().notNull(),
    /** The approved change request. */
    changeId: uuid('change_id')
      .notNull()
      .unique()
      .references(() => changeRequests.id),
    /** The keyed hash of the token that was sent last. */
    tokenHash: text('token_hash').unique(),
    expiresAt: at('expires_at'),
    enrolledAt: at('enrolled_at'),
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    check('agent_enrolments_sent', sql`(${t.tokenHash} is null) = (${t.expiresAt} is null)`),
    check('agent_enrolments_used', sql`${t.enrolledAt} is null or ${t.tokenHash} is not null`),
  ],
);
