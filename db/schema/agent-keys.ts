import { sql } from 'drizzle-orm';
import { check, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bankAccounts } from './bank-accounts';
import { at, money } from './columns';

/** Keys of the agents that watch bank accounts and report what arrives. */
export const agentKeys = pgTable(
  'agent_keys',
  {
    id: uuid().primaryKey(),
    keyId: text('key_id').notNull().unique(),
    label: text().notNull(),
    /** Of a key that signs by HMAC-SHA256. */
    sealedSecret: text('sealed_secret'),
    /**
     * Of one that signs by Ed25519: SPKI, DER in base64. Only its agent has the private key. A key with neither waits for
     * its agent's owner to enrol one.
     */
    publicKey: text('public_key'),
    /** Ceilings of what this key may cause to be credited without a person; null: no ceiling. */
    maxTransferAmount: money('max_transfer_amount'),
    maxDailyAmount: money('max_daily_amount'),
    createdAt: at('created_at').notNull(),
    revokedAt: at('revoked_at'),
  },
  (t) => [
    index('agent_keys_newest').on(t.createdAt, t.id),
    check('agent_keys_ceilings', sql`${t.maxTransferAmount} > 0 and ${t.maxDailyAmount} > 0`),
    check('agent_keys_signs', sql`num_nonnulls(${t.sealedSecret}, ${t.publicKey}) <= 1`),
  ],
);

/** The accounts that an agent key may report on. */
export const agentKeyAccounts = pgTable(
  'agent_key_accounts',
  {
    agentKeyId: uuid('agent_key_id')
      .notNull()
      .references(() => agentKeys.id),
    accountId: uuid('account_id')
      .notNull()
      .references(() => bankAccounts.id),
  },
  (t) => [primaryKey({ columns: [t.agentKeyId, t.accountId] })],
);

/** Nonces that an agent key has used; those older than the timestamp window are deleted. */
export const agentNonces = pgTable(
  'agent_nonces',
  {
    agentKeyId: uuid('agent_key_id')
      .notNull()
      .references(() => agentKeys.id),
    nonce: text().notNull(),
    usedAt: at('used_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.agentKeyId, t.nonce] }), index('agent_nonces_age').on(t.usedAt)],
);
