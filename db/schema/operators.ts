import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { Permission } from '../../domain/permissions';
import { at } from './columns';
import { merchants } from './merchants';

/** A person who operates the platform. */
export const operators = pgTable('operators', {
  id: uuid().primaryKey(),
  login: text().notNull().unique(),
  passwordHash: text('password_hash').notNull(),
  /** Where mails for the operator go. */
  email: text(),
  /** Restricts the operator to the merchants of its rows in operator_merchants. */
  restricted: boolean().notNull().default(false),
  /** Gets mails about new alerts. */
  alertMails: boolean('alert_mails').notNull().default(true),
  /** When its login was disabled. */
  disabledAt: at('disabled_at'),
  createdAt: at('created_at').notNull(),
  /** May not decide before then, because its permission to decide or to manage operators is new. Null: at once. */
  decidesFrom: at('decides_from'),
});

/** Sets of permissions under a name: the built-in ones of domain/permissions.ts, and what a deployment adds. */
export const roles = pgTable(
  'roles',
  {
    name: text().primaryKey(),
    permissions: text().array().$type<readonly Permission[]>().notNull(),
    /** The most that may be approved, by currency, plain decimals; null: any amount. */
    approveLimits: jsonb('approve_limits').$type<Readonly<Record<string, string>>>(),
    /** Whether it is built in and never changes. */
    builtIn: boolean('built_in').notNull(),
  },
  (t) => [
    check(
      'roles_permissions',
      sql`${t.permissions} <@ array['VIEW', 'SUPPORT', 'RECONCILE', 'APPROVE', 'TREASURER', 'CONFIGURE', 'ADMIN', 'READ_PERSONAL']`,
    ),
  ],
);

/** Who has which roles. */
export const operatorRoles = pgTable(
  'operator_roles',
  {
    operatorId: uuid('operator_id')
      .notNull()
      .references(() => operators.id),
    role: text()
      .notNull()
      .references(() => roles.name),
  },
  (t) => [primaryKey({ columns: [t.operatorId, t.role] }), index('operator_roles_role').on(t.role)],
);

/** The merchants that a restricted operator is restricted to. */
export const operatorMerchants = pgTable(
  'operator_merchants',
  {
    operatorId: uuid('operator_id')
      .notNull()
      .references(() => operators.id),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
  },
  (t) => [primaryKey({ columns: [t.operatorId, t.merchantId] })],
);

/** An operator's authenticator app. It is in force once a code has confirmed it. */
export const operatorTotp = pgTable('operator_totp', {
  operatorId: uuid('operator_id')
    .primaryKey()
    .references(() => operators.id),
  sealedSecret: text('sealed_secret').notNull(),
  confirmedAt: at('confirmed_at'),
  /** The newest time step whose code was used: each counts once. */
  lastStep: bigint('last_step', { mode: 'number' }),
});

/** Recovery codes: each replaces the authenticator app once; found by its keyed hash. */
export const operatorRecoveryCodes = pgTable(
  'operator_recovery_codes',
  {
    codeHash: text('code_hash').primaryKey(),
    operatorId: uuid('operator_id')
      .notNull()
      .references(() => operators.id),
    usedAt: at('used_at'),
  },
  (t) => [index('operator_recovery_codes_operator').on(t.operatorId)],
);

/** A passkey of an operator: a key pair whose private key only the device has. */
export const operatorPasskeys = pgTable(
  'operator_passkeys',
  {
    id: uuid().primaryKey(),
    operatorId: uuid('operator_id')
      .notNull()
      .references(() => operators.id),
    /** The credential id of the device; base64url, as the next. */
    credentialId: text('credential_id').notNull().unique(),
    /** COSE. */
    publicKey: text('public_key').notNull(),
    /** The device's signature counter; always 0 if the device does not count. Never decreases. */
    counter: bigint({ mode: 'number' }).notNull(),
    /** How browsers reach it, such as `usb` and `internal`. */
    transports: text().array().notNull(),
    /** The owner's name for it. */
    label: text().notNull(),
    createdAt: at('created_at').notNull(),
    lastUsedAt: at('last_used_at'),
  },
  (t) => [index('operator_passkeys_operator').on(t.operatorId)],
);

/** Challenges that a passkey must sign, once: deleted when an answer comes. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    /** 256 random bits, base64url. */
    challenge: text().primaryKey(),
    operatorId: uuid('operator_id')
      .notNull()
      .references(() => operators.id),
    purpose: text().$type<'ADD' | 'SIGN_IN' | 'CONFIRM'>().notNull(),
    expiresAt: at('expires_at').notNull(),
  },
  (t) => [
    index('passkey_challenges_operator').on(t.operatorId),
    check('passkey_challenges_purpose', sql`${t.purpose} in ('ADD', 'SIGN_IN', 'CONFIRM')`),
  ],
);

/** Consecutive failed logins by the keys of domain/lockout.ts; found by keyed hashes. */
export const loginThrottles = pgTable(
  'login_throttles',
  {
    key: text().primaryKey(),
    failures: integer().notNull(),
    /** Attempts are blocked before this. */
    blockedUntil: at('blocked_until'),
    lastAt: at('last_at').notNull(),
  },
  (t) => [index('login_throttles_last').on(t.lastAt)],
);

/** Links that work once and expire. A link's token is made when its mail is sent, and only its hash is stored. */
export const operatorLinks = pgTable(
  'operator_links',
  {
    id: uuid().primaryKey(),
    purpose: text().$type<'INVITE' | 'RESET'>().notNull(),
    /** The keyed hash of the token that was mailed last; null before its mail is sent. */
    tokenHash: text('token_hash').unique(),
    email: text().notNull(),
    /** Whose password it resets; null for an invitation. */
    operatorId: uuid('operator_id').references(() => operators.id),
    /** The roles and merchants of an invited person. */
    roles: text().array().$type<readonly string[]>(),
    merchantIds: uuid('merchant_ids').array().$type<readonly string[]>(),
    /** Null: the deployment itself. */
    createdBy: uuid('created_by').references(() => operators.id),
    createdAt: at('created_at').notNull(),
    /** When its offer was approved; a link that is sent again keeps it. Null: at its creation. */
    approvedAt: at('approved_at'),
    expiresAt: at('expires_at').notNull(),
    usedAt: at('used_at'),
    revokedAt: at('revoked_at'),
  },
  (t) => [
    index('operator_links_newest').on(t.createdAt.desc(), t.id.desc()),
    index('operator_links_operator').on(t.operatorId),
    check('operator_links_purpose', sql`${t.purpose} in ('INVITE', 'RESET')`),
    check(
      'operator_links_of',
      sql`(${t.purpose} = 'RESET') = (${t.operatorId} is not null)
        and (${t.purpose} = 'INVITE') = (${t.roles} is not null)`,
    ),
  ],
);

/** A personal token of an operator for programs, found by its keyed hash. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: uuid().primaryKey(),
    operatorId: uuid('operator_id')
      .notNull()
      .references(() => operators.id),
    label: text().notNull(),
    tokenHash: text('token_hash').notNull().unique(),
    /** The last four characters. */
    hint: text().notNull(),
    scopes: text().array().$type<readonly Permission[]>().notNull(),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    /** Addresses and networks from which it works; null: from any. */
    allowedAddresses: text('allowed_addresses').array().$type<readonly string[]>(),
    revokedAt: at('revoked_at'),
    /** To the minute. */
    lastUsedAt: at('last_used_at'),
  },
  (t) => [
    index('api_tokens_operator').on(t.operatorId),
    check('api_tokens_scopes', sql`${t.scopes} <@ array['VIEW', 'SUPPORT', 'RECONCILE', 'TREASURER', 'CONFIGURE']`),
  ],
);

/** A login, found by the keyed hash of its token. */
export const operatorSessions = pgTable(
  'operator_sessions',
  {
    tokenHash: text('token_hash').primaryKey(),
    /** Names it among the operator's sessions. */
    id: uuid().notNull().unique(),
    operatorId: uuid('operator_id')
      .notNull()
      .references(() => operators.id),
    /** A browser's session: its token is valid only as a cookie; otherwise only as a Bearer token. */
    cookie: boolean().notNull(),
    /** Where it was opened from. */
    address: text(),
    userAgent: text('user_agent'),
    createdAt: at('created_at').notNull(),
    /** To the minute. */
    lastSeenAt: at('last_seen_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    /** When a second factor last proved the person: at the login, or at a step that asked for it. */
    factorAt: at('factor_at'),
    /** The same, of a passkey. */
    passkeyAt: at('passkey_at'),
    /** The only roles of its owner's that count in it, as an identity provider bounds them; null: all. */
    roles: text().array(),
  },
  (t) => [index('operator_sessions_operator').on(t.operatorId)],
);

/** Operators' requests under idempotency keys, so that a repetition does nothing more. */
export const operatorRequests = pgTable(
  'operator_requests',
  {
    operatorId: uuid('operator_id')
      .notNull()
      .references(() => operators.id),
    key: text().notNull(),
    mutation: text().notNull(),
    /** SHA-256: arguments may hold values that must not be stored. */
    argumentsHash: text('arguments_hash').notNull(),
    /** The subject by which a repeated request finds its answer. */
    reference: text().notNull(),
    at: at('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.operatorId, t.key] })],
);
