import { sql, type SQLWrapper } from 'drizzle-orm';
import {
  bigint,
  boolean,
  char,
  check,
  customType,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

/*
 * The tables. Functions and triggers are in the hand-written migrations beside the generated ones.
 * No column takes its default from the database's clock, and ids are made by the application.
 * Money is numeric(20,4); times are UTC with milliseconds.
 */
const money = (name: string) => numeric(name, { precision: 20, scale: 4 });
/** Numbers, codes and names that are searched by how they begin: compared by their bytes, whatever the database's language. */
const code = customType<{ data: string }>({ dataType: () => 'text collate "C"' });
/** Exact bytes. */
const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
/** A bank's reference as such are compared (normaliseReference). */
const bankReferenceKey = (column: SQLWrapper) => sql`bank_reference_key(${column})`;
/** A beneficiary's number as those are compared that must not be passed by writing them otherwise. */
const accountNumberKey = (column: SQLWrapper) => sql`account_number_key(${column})`;

/** A person who runs the platform. */
export const operators = pgTable('operators', {
  id: uuid().primaryKey(),
  login: text().notNull().unique(),
  passwordHash: text('password_hash').notNull(),
  /** Where mails for the operator go. */
  email: text(),
  /** Sees and touches only what belongs to its rows of operator_merchants. */
  restricted: boolean().notNull().default(false),
  /** Wants to be mailed what alerts arise. */
  alertMails: boolean('alert_mails').notNull().default(true),
  /** May not log in since then. */
  disabledAt: at('disabled_at'),
  createdAt: at('created_at').notNull(),
});

/** Sets of permissions under a name: the built-in ones of domain/permissions.ts, and what a deployment adds. */
export const roles = pgTable(
  'roles',
  {
    name: text().primaryKey(),
    permissions: text().array().notNull(),
    /** By currency the most that may be approved, plain decimals; null: any amount. */
    approveLimits: jsonb('approve_limits'),
    /** Never changed. */
    builtIn: boolean('built_in').notNull(),
  },
  (t) => [
    check(
      'roles_permissions',
      sql`${t.permissions} <@ array['VIEW', 'SUPPORT', 'RECONCILE', 'APPROVE', 'TREASURER', 'CONFIGURE', 'ADMIN']`,
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

/** An operator's authenticator app. It counts once a code has confirmed it. */
export const operatorTotp = pgTable('operator_totp', {
  operatorId: uuid('operator_id')
    .primaryKey()
    .references(() => operators.id),
  sealedSecret: text('sealed_secret').notNull(),
  confirmedAt: at('confirmed_at'),
  /** The newest time step whose code was used: each counts once. */
  lastStep: bigint('last_step', { mode: 'number' }),
});

/** Each stands in once for the authenticator app, found by its keyed hash. */
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

/** Failed logins in a row, of a login that may not exist or of an address; found by keyed hashes. */
export const loginThrottles = pgTable(
  'login_throttles',
  {
    key: text().primaryKey(),
    failures: integer().notNull(),
    /** Nothing is tried before this. */
    blockedUntil: at('blocked_until'),
    lastAt: at('last_at').notNull(),
  },
  (t) => [index('login_throttles_last').on(t.lastAt)],
);

/** Links that are good once and for a while, found by the keyed hash of their secret. */
export const operatorLinks = pgTable(
  'operator_links',
  {
    id: uuid().primaryKey(),
    purpose: text().notNull(),
    tokenHash: text('token_hash').notNull().unique(),
    /** For the mail; gone once that is sent, or needed no more. */
    sealedToken: text('sealed_token'),
    email: text().notNull(),
    /** Whose password it resets; null for an invitation. */
    operatorId: uuid('operator_id').references(() => operators.id),
    /** What an invited person will be. */
    roles: text().array(),
    merchantIds: uuid('merchant_ids').array(),
    /** Null: the deployment itself. */
    createdBy: uuid('created_by').references(() => operators.id),
    createdAt: at('created_at').notNull(),
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

/** Mails to send, and how far each got. What a mail says is made of its link when it is sent. */
export const mails = pgTable(
  'mails',
  {
    id: uuid().primaryKey(),
    /** The platform event. */
    event: text().notNull(),
    recipient: text().notNull(),
    /** Of a mail that brings a link. */
    linkId: uuid('link_id').references(() => operatorLinks.id),
    /** Of a mail that tells of alerts: whose, to be judged by what that operator may see. */
    operatorId: uuid('operator_id').references(() => operators.id),
    status: text().notNull(),
    attempts: integer().notNull(),
    lastError: text('last_error'),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
    sentAt: at('sent_at'),
  },
  (t) => [
    index('mails_newest').on(t.createdAt.desc(), t.id.desc()),
    index('mails_queued')
      .on(t.createdAt)
      .where(sql`${t.status} = 'QUEUED'`),
    check('mails_status', sql`${t.status} in ('QUEUED', 'SENT', 'FAILED')`),
    check('mails_sent', sql`(${t.status} = 'SENT') = (${t.sentAt} is not null)`),
    index('mails_of_alerts')
      .on(t.createdAt)
      .where(sql`${t.event} = 'alerts'`),
    check(
      'mails_event',
      sql`case ${t.event}
        when 'alerts' then ${t.operatorId} is not null and ${t.linkId} is null
        else ${t.event} in ('tenant_owner_invite', 'operator_password_reset')
          and ${t.linkId} is not null and ${t.operatorId} is null end`,
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
    scopes: text().array().notNull(),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    revokedAt: at('revoked_at'),
    /** To the minute. */
    lastUsedAt: at('last_used_at'),
  },
  (t) => [
    index('api_tokens_operator').on(t.operatorId),
    check(
      'api_tokens_scopes',
      sql`${t.scopes} <@ array['VIEW', 'SUPPORT', 'RECONCILE', 'TREASURER', 'CONFIGURE']`,
    ),
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
    /** A browser's: the token is good as its cookie alone; else as a Bearer token alone. */
    cookie: boolean().notNull(),
    /** Where it was opened from. */
    address: text(),
    userAgent: text('user_agent'),
    createdAt: at('created_at').notNull(),
    /** To the minute. */
    lastSeenAt: at('last_seen_at').notNull(),
    expiresAt: at('expires_at').notNull(),
  },
  (t) => [index('operator_sessions_operator').on(t.operatorId)],
);

/** What one person proposed and another decides on: applied once, in the transaction of its effect. */
export const changeRequests = pgTable(
  'change_requests',
  {
    id: uuid().primaryKey(),
    kind: text().notNull(),
    subjectKind: text('subject_kind').notNull(),
    /** Of what it changes; also of what it makes, which has its id before it is there. */
    subjectId: text('subject_id').notNull(),
    /** As people knew it when it was proposed. */
    subjectName: text('subject_name').notNull(),
    /** The merchant that it concerns; null where it is not about one alone. */
    merchantId: uuid('merchant_id'),
    summary: text().notNull(),
    /** What changes, by field, secrets masked. */
    before: jsonb().notNull(),
    after: jsonb().notNull(),
    /** The fields that change. */
    touches: text().array().notNull(),
    /** The money that it moves. */
    amount: money('amount'),
    currencyCode: char('currency_code', { length: 3 }),
    /** What applying it takes, secrets sealed; gone once it is decided. */
    payload: jsonb(),
    /** The subject as it stood, in one text; approving compares. Null where nothing can have changed. */
    basis: text(),
    reason: text().notNull(),
    evidence: text(),
    evidenceLinks: text('evidence_links').array().notNull(),
    status: text().notNull(),
    /** Why one person was enough; null where it took two. */
    alone: text(),
    proposedBy: uuid('proposed_by')
      .notNull()
      .references(() => operators.id),
    proposedAt: at('proposed_at').notNull(),
    /** Nobody may approve it from then on. */
    expiresAt: at('expires_at').notNull(),
    decidedBy: uuid('decided_by').references(() => operators.id),
    decidedAt: at('decided_at'),
    decisionReason: text('decision_reason'),
  },
  (t) => [
    index('change_requests_newest').on(t.proposedAt, t.id),
    index('change_requests_open')
      .on(t.proposedAt, t.id)
      .where(sql`${t.status} = 'PROPOSED'`),
    index('change_requests_subject').on(t.subjectKind, t.subjectId, t.proposedAt, t.id),
    index('change_requests_merchant').on(t.merchantId, t.proposedAt, t.id),
    index('change_requests_proposer').on(t.proposedBy, t.proposedAt, t.id),
    check('change_requests_money', sql`(${t.amount} is null) = (${t.currencyCode} is null)`),
    check('change_requests_alone', sql`${t.alone} in ('CLOSING', 'SANDBOX')`),
    // Two people, unless the row says why not; and what is decided holds nothing to apply any more.
    check(
      'change_requests_decision',
      sql`coalesce((${t.status} = 'PROPOSED') = (${t.payload} is not null)
        and (${t.status} = 'PROPOSED') = (${t.decidedAt} is null)
        and case ${t.status}
          when 'PROPOSED' then ${t.decidedBy} is null and ${t.alone} is null
          when 'APPLIED' then (${t.decidedBy} = ${t.proposedBy}) = (${t.alone} is not null)
          when 'REJECTED' then ${t.decidedBy} <> ${t.proposedBy} and ${t.alone} is null
          when 'WITHDRAWN' then ${t.decidedBy} = ${t.proposedBy} and ${t.alone} is null
          when 'EXPIRED' then ${t.decidedBy} is null and ${t.alone} is null
        end, false)`,
    ),
  ],
);

/**
 * What operators and their tools did, one row a mutation, login or export: append-only, each row's hash made over the
 * row and the hash before it.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    /** 1, 2, 3 without a gap. */
    seq: bigint({ mode: 'bigint' }).primaryKey(),
    id: uuid().notNull(),
    at: at('at').notNull(),
    /** Who; null where nobody is known, as at a refused login. */
    operatorId: uuid('operator_id').references(() => operators.id),
    login: text(),
    /** `session` or `token`, and which; null without a login. */
    via: text(),
    credential: text(),
    address: text(),
    userAgent: text('user_agent'),
    /** The mutation, or `export` and the like. */
    action: text().notNull(),
    /** Such as `merchant:{id}`. */
    subject: text(),
    reason: text(),
    /** Secrets masked. */
    before: jsonb(),
    after: jsonb(),
    /** `OK`, or the kind of the refusal. */
    outcome: text().notNull(),
    traceId: text('trace_id').notNull(),
    hash: text().notNull(),
  },
  (t) => [
    index('audit_log_operator').on(t.operatorId, t.at, t.id),
    index('audit_log_action').on(t.action, t.at, t.id),
    index('audit_log_subject').on(t.subject, t.at, t.id),
    index('audit_log_newest').on(t.at, t.id),
  ],
);

/** The end of the audit log's chain: one row, locked by whoever appends. */
export const auditHead = pgTable(
  'audit_head',
  {
    id: smallint().primaryKey(),
    seq: bigint({ mode: 'bigint' }).notNull(),
    hash: text().notNull(),
  },
  (t) => [check('audit_head_one', sql`${t.id} = 1`)],
);

/** What operators had done under keys of their clients', so that the same sent again does nothing more. */
export const operatorRequests = pgTable(
  'operator_requests',
  {
    operatorId: uuid('operator_id')
      .notNull()
      .references(() => operators.id),
    key: text().notNull(),
    mutation: text().notNull(),
    /** SHA-256: arguments may hold what is kept nowhere else. */
    argumentsHash: text('arguments_hash').notNull(),
    /** By which the answer is found again. */
    reference: text().notNull(),
    at: at('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.operatorId, t.key] })],
);

/**
 * What operators should look at. Numbered after the commit, and anew with each change, so that subscribers see each
 * alert as it stands and miss none.
 */
export const alerts = pgTable(
  'alerts',
  {
    id: uuid().primaryKey(),
    kind: text().notNull(),
    /** What raises it twice raises it once. */
    key: text().notNull().unique(),
    /** Whose it is; null where it is no merchant's. */
    merchantId: uuid('merchant_id').references(() => merchants.id),
    /** What it is about: ids, numbers and reasons. */
    about: jsonb().notNull(),
    raisedAt: at('raised_at').notNull(),
    acknowledgedAt: at('acknowledged_at'),
    acknowledgedBy: uuid('acknowledged_by').references(() => operators.id),
    /** When the mails were queued that tell of it; null until then. */
    mailedAt: at('mailed_at'),
    position: bigint({ mode: 'bigint' }).notNull().generatedAlwaysAsIdentity(),
    /** Given by the relay; null until then, and again after a change. */
    seq: bigint({ mode: 'bigint' }).unique(),
  },
  (t) => [
    index('alerts_raised').on(t.raisedAt, t.id),
    index('alerts_of_merchant').on(t.merchantId, t.raisedAt, t.id),
    index('alerts_waiting')
      .on(t.raisedAt, t.id)
      .where(sql`${t.acknowledgedAt} is null`),
    index('alerts_unnumbered')
      .on(t.position)
      .where(sql`${t.seq} is null`),
    index('alerts_unmailed')
      .on(t.raisedAt)
      .where(sql`${t.mailedAt} is null`),
    index('alerts_mailed').on(t.mailedAt, t.id),
    check(
      'alerts_acknowledged',
      sql`(${t.acknowledgedAt} is null) = (${t.acknowledgedBy} is null)`,
    ),
  ],
);

/** Customers of the platform, with their settings. */
export const merchants = pgTable(
  'merchants',
  {
    id: uuid().primaryKey(),
    merchantCode: code('merchant_code').notNull().unique(),
    name: text().notNull(),
    enabled: boolean().notNull(),
    canDeposit: boolean('can_deposit').notNull(),
    canWithdraw: boolean('can_withdraw').notNull(),
    depositExpireMinutes: integer('deposit_expire_minutes').notNull(),
    callbackTimeoutSeconds: integer('callback_timeout_seconds').notNull(),
    defaultCallbackUrl: text('default_callback_url'),
    /** http and loopback targets for callbacks: for sandboxes, refused in production. */
    allowInsecureCallbacks: boolean('allow_insecure_callbacks').notNull(),
    /** Where set, callbacks go to these hosts alone. */
    callbackHosts: text('callback_hosts').array(),
    notifyDepositExpired: boolean('notify_deposit_expired').notNull(),
    notifyDepositCancelled: boolean('notify_deposit_cancelled').notNull(),
    /** Caps on live PENDING deposits: a client gone wild must not fill the platform. */
    maxOpenDeposits: integer('max_open_deposits').notNull().default(10_000),
    maxOpenDepositsPerUser: integer('max_open_deposits_per_user').notNull().default(1_000),
    /** A cashier session expires so long after its creation, apart from the deposit that comes of it. */
    cashierSessionExpireMinutes: integer('cashier_session_expire_minutes').notNull().default(15),
    /** What the payer's page shows of the merchant; its name unless there is another for payers. */
    cashierName: text('cashier_name'),
    cashierLogoUrl: text('cashier_logo_url'),
    /** #rrggbb */
    cashierColour: text('cashier_colour'),
    /** Where the payer's page leads when it is over. */
    cashierReturnUrl: text('cashier_return_url'),
    /** Credited deposits are available only when so many UTC days are over; 0: at once. */
    holdDays: smallint('hold_days').notNull().default(0),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    index('merchants_by_name').on(t.name, t.id),
    index('merchants_name_begins').on(sql`lower(${t.name}) collate "C"`),
    check('merchants_deposit_expire', sql`${t.depositExpireMinutes} between 1 and 1440`),
    check(
      'merchants_cashier_session_expire',
      sql`${t.cashierSessionExpireMinutes} between 1 and 1440`,
    ),
    check('merchants_cashier_colour', sql`${t.cashierColour} ~ '^#[0-9a-f]{6}$'`),
    check('merchants_hold_days', sql`${t.holdDays} between 0 and 90`),
    check('merchants_callback_timeout', sql`${t.callbackTimeoutSeconds} between 1 and 60`),
    check(
      'merchants_open_deposits',
      sql`${t.maxOpenDeposits} > 0 and ${t.maxOpenDepositsPerUser} > 0`,
    ),
  ],
);

/** The currencies that a merchant may use, and what a deposit and a withdrawal in each cost it. */
export const merchantCurrencies = pgTable(
  'merchant_currencies',
  {
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    enabled: boolean().notNull(),
    depositFeePercent: numeric('deposit_fee_percent', { precision: 7, scale: 4 }).notNull(),
    depositFeeFixed: money('deposit_fee_fixed').notNull(),
    /** The amounts that payers choose from in the cashier. */
    cashierDenominations: money('cashier_denominations').array().notNull().default([]),
    /** Any amount within these, too, where they are set. */
    cashierCustomMin: money('cashier_custom_min'),
    cashierCustomMax: money('cashier_custom_max'),
    withdrawalFeePercent: numeric('withdrawal_fee_percent', { precision: 7, scale: 4 })
      .notNull()
      .default('0'),
    withdrawalFeeFixed: money('withdrawal_fee_fixed').notNull().default('0'),
    /** What one withdrawal may be; null is no limit. */
    withdrawalMin: money('withdrawal_min'),
    withdrawalMax: money('withdrawal_max'),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.currencyCode] }),
    check(
      'merchant_currencies_cashier',
      sql`0 < all(${t.cashierDenominations})
        and (${t.cashierCustomMin} is null) = (${t.cashierCustomMax} is null)
        and ${t.cashierCustomMin} > 0 and ${t.cashierCustomMin} <= ${t.cashierCustomMax}`,
    ),
    check(
      'merchant_currencies_fee',
      sql`${t.depositFeePercent} >= 0 and ${t.depositFeePercent} < 100 and ${t.depositFeeFixed} >= 0`,
    ),
    check(
      'merchant_currencies_withdrawal',
      sql`${t.withdrawalFeePercent} >= 0 and ${t.withdrawalFeePercent} < 100 and ${t.withdrawalFeeFixed} >= 0
        and ${t.withdrawalMin} > 0 and ${t.withdrawalMax} > 0`,
    ),
  ],
);

/** Credentials of merchants: found by keyed hash, kept sealed so that callbacks can be signed. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid().primaryKey(),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    lookupHash: text('lookup_hash').notNull().unique(),
    sealedKey: text('sealed_key').notNull(),
    /** The last four characters, so that people can tell keys apart. */
    hint: text().notNull(),
    createdAt: at('created_at').notNull(),
    /** A rotated key works until then. */
    retiresAt: at('retires_at'),
    revokedAt: at('revoked_at'),
  },
  (t) => [index('api_keys_merchant').on(t.merchantId, t.createdAt)],
);

/** Bank accounts that we manage and payers transfer to. One mode, one currency each. */
export const bankAccounts = pgTable(
  'bank_accounts',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    bankCode: text('bank_code').notNull(),
    bankName: text('bank_name').notNull(),
    bankBranch: text('bank_branch'),
    accountNo: code('account_no').notNull(),
    accountHolder: text('account_holder').notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    mode: text().notNull(),
    status: text().notNull(),
    /** Why it is paused. */
    statusReason: text('status_reason'),
    /** What one deposit may be; null is no limit. */
    minAmount: money('min_amount'),
    maxAmount: money('max_amount'),
    /** What all deposits of one UTC day may add up to; null is no limit. */
    maxDailyAmount: money('max_daily_amount'),
    /** Cap on live PENDING deposits. */
    maxOpenDeposits: integer('max_open_deposits').notNull().default(1_000),
    /** Of mode FLOAT: the amount is moved in such steps, so far up and so far down. */
    floatStep: money('float_step'),
    floatUp: money('float_up'),
    floatDown: money('float_down'),
    /** Of mode FLOAT: an amount is given to no other deposit until this long after its deposit's expiry. */
    quarantineMinutes: integer('quarantine_minutes').notNull().default(60),
    /** The newest balance that a bank told, and the bank's time of it. */
    bankBalance: money('bank_balance'),
    bankBalanceAt: at('bank_balance_at'),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    unique('bank_accounts_number').on(t.bankCode, t.accountNo),
    index('bank_accounts_by_name').on(t.name, t.id),
    index('bank_accounts_routable')
      .on(t.currencyCode)
      .where(sql`${t.status} = 'ACTIVE'`),
    check('bank_accounts_mode', sql`${t.mode} in ('REMARK', 'FLOAT')`),
    check(
      'bank_accounts_limits',
      sql`${t.minAmount} > 0 and ${t.maxAmount} > 0 and ${t.maxDailyAmount} > 0
        and ${t.maxOpenDeposits} > 0 and ${t.quarantineMinutes} between 0 and 10080`,
    ),
    check(
      'bank_accounts_float',
      sql`case ${t.mode}
        when 'FLOAT' then coalesce(${t.floatStep} > 0 and ${t.floatUp} >= 0 and ${t.floatDown} >= 0, false)
        else ${t.floatStep} is null and ${t.floatUp} is null and ${t.floatDown} is null end`,
    ),
    check('bank_accounts_status', sql`${t.status} in ('ACTIVE', 'PAUSED', 'DISABLED')`),
  ],
);

/** Keys of the agents that watch bank accounts and report what arrives. */
export const agentKeys = pgTable(
  'agent_keys',
  {
    id: uuid().primaryKey(),
    keyId: text('key_id').notNull().unique(),
    label: text().notNull(),
    sealedSecret: text('sealed_secret').notNull(),
    /** Ceilings of what this key may have credited without a person; null is none. */
    maxTransferAmount: money('max_transfer_amount'),
    maxDailyAmount: money('max_daily_amount'),
    createdAt: at('created_at').notNull(),
    revokedAt: at('revoked_at'),
  },
  (t) => [
    index('agent_keys_newest').on(t.createdAt, t.id),
    check('agent_keys_ceilings', sql`${t.maxTransferAmount} > 0 and ${t.maxDailyAmount} > 0`),
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

/** Nonces that an agent key has used; older than the timestamp window they are pruned. */
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

/** One namespace of merchant order numbers over all kinds of orders. A claimed number is never free again. */
export const merchantOrderNumbers = pgTable(
  'merchant_order_numbers',
  {
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    merchantOrderNo: code('merchant_order_no').notNull(),
    noun: text().notNull(),
    orderId: uuid('order_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.merchantOrderNo] })],
);

/** Deposits (contract, "DepositOrder"). */
export const depositOrders = pgTable(
  'deposit_orders',
  {
    id: uuid().primaryKey(),
    orderNo: code('order_no').notNull().unique(),
    merchantId: uuid('merchant_id').notNull(),
    merchantOrderNo: code('merchant_order_no').notNull(),
    orderType: text('order_type').notNull(),
    /** The session that it came from; of a CASHIER order. */
    cashierSessionId: uuid('cashier_session_id'),
    accountId: uuid('account_id')
      .notNull()
      .references(() => bankAccounts.id),
    requestedAmount: money('requested_amount').notNull(),
    /** What the payer must transfer. */
    amount: money('amount').notNull(),
    /** The quote at creation, the charge once completed. */
    fee: money('fee').notNull(),
    /** Gross received; zero until completed. */
    actualAmount: money('actual_amount').notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    expectedRemark: code('expected_remark'),
    /** The UTC day of its account's quota that it counts against; null where the account has none, or once released. */
    quotaDay: date('quota_day'),
    /** Names the request that made it, in every log line about it. */
    traceId: text('trace_id'),
    status: text().notNull(),
    expireAt: at('expire_at').notNull(),
    matchedAt: at('matched_at'),
    completedAt: at('completed_at'),
    callbackUrl: text('callback_url'),
    extraData: text('extra_data'),
    userId: code('user_id'),
    payerName: text('payer_name'),
    payerMobile: text('payer_mobile'),
    payerEmail: text('payer_email'),
    payerBankCode: text('payer_bank_code'),
    payerAccountNo: text('payer_account_no'),
    payerAccountLast4: text('payer_account_last4'),
    /** What the payer was shown, enough to show it again: an object of strings. */
    paymentSnapshot: jsonb('payment_snapshot').notNull(),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'deposit_orders_number',
      columns: [t.merchantId, t.merchantOrderNo],
      foreignColumns: [merchantOrderNumbers.merchantId, merchantOrderNumbers.merchantOrderNo],
    }),
    // That a number is one order's is merchant_order_numbers' to guard; by it orders are found, too.
    // A remark names one order of its account, for ever.
    unique('deposit_orders_remark').on(t.expectedRemark, t.accountId),
    // The lists, each read in either direction; docs/performance.md says what each costs.
    index('deposit_orders_newest').on(t.createdAt, t.id),
    index('deposit_orders_of_merchant').on(t.merchantId, t.createdAt, t.id),
    index('deposit_orders_of_account').on(t.accountId, t.createdAt, t.id),
    index('deposit_orders_of_user')
      .on(t.userId, t.createdAt, t.id)
      .where(sql`${t.userId} is not null`),
    index('deposit_orders_of_payer')
      .on(t.payerAccountLast4, t.createdAt, t.id)
      .where(sql`${t.payerAccountLast4} is not null`),
    index('deposit_orders_by_amount').on(t.amount, t.id),
    index('deposit_orders_by_completion')
      .on(t.completedAt, t.id)
      .where(sql`${t.completedAt} is not null`),
    // A session makes one order.
    uniqueIndex('deposit_orders_of_session')
      .on(t.cashierSessionId)
      .where(sql`${t.cashierSessionId} is not null`),
    // What is rare, and may be anywhere: most orders leave it when they end.
    index('deposit_orders_unsettled')
      .on(t.status, t.createdAt, t.id)
      .where(sql`${t.status} not in ('COMPLETED', 'EXPIRED')`),
    // The caps on live orders count along these.
    index('deposit_orders_pending_of_merchant')
      .on(t.merchantId, t.userId)
      .where(sql`${t.status} = 'PENDING'`),
    index('deposit_orders_pending_of_account')
      .on(t.accountId)
      .where(sql`${t.status} = 'PENDING'`),
    index('deposit_orders_open')
      .on(t.expireAt)
      .where(sql`${t.status} in ('PENDING', 'MATCHED')`),
    check('deposit_orders_type', sql`${t.orderType} in ('DIRECT', 'CASHIER')`),
    check(
      'deposit_orders_cashier',
      sql`${t.cashierSessionId} is null or ${t.orderType} = 'CASHIER'`,
    ),
    check(
      'deposit_orders_status',
      sql`${t.status} in ('PENDING', 'MATCHED', 'COMPLETED', 'EXPIRED', 'CANCELLED', 'FAILED')`,
    ),
    check(
      'deposit_orders_amounts',
      sql`${t.requestedAmount} > 0 and ${t.amount} > 0 and ${t.fee} >= 0 and ${t.actualAmount} >= 0`,
    ),
    check(
      'deposit_orders_completed',
      sql`(${t.status} = 'COMPLETED') = (${t.completedAt} is not null)
        and (${t.status} = 'COMPLETED') = (${t.actualAmount} > 0)
        and (${t.completedAt} is null or (${t.matchedAt} is not null and ${t.fee} < ${t.actualAmount}))`,
    ),
  ],
);

/** What a payer is led through on the hosted page (contract, "States and transitions", cashier session). */
export const cashierSessions = pgTable(
  'cashier_sessions',
  {
    id: uuid().primaryKey(),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    merchantOrderNo: code('merchant_order_no').notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    userId: code('user_id'),
    /** The merchant's default where the request named none; null: no callbacks. */
    callbackUrl: text('callback_url'),
    extraData: text('extra_data'),
    /** The payer's cards as the merchant told them: a list of objects of strings. */
    payerBankCards: jsonb('payer_bank_cards').notNull(),
    /** Which of them the payer chose, from 0. */
    chosenCard: smallint('chosen_card'),
    status: text().notNull(),
    /** Rises when what the payer chooses from changes: tokens of an older version may look, not act. */
    version: integer().notNull(),
    /** The order that came of it. */
    depositOrderId: uuid('deposit_order_id')
      .unique()
      .references(() => depositOrders.id),
    traceId: text('trace_id'),
    expireAt: at('expire_at').notNull(),
    submittedAt: at('submitted_at'),
    /** An operator ended it: its tokens open nothing. */
    revokedAt: at('revoked_at'),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'cashier_sessions_number',
      columns: [t.merchantId, t.merchantOrderNo],
      foreignColumns: [merchantOrderNumbers.merchantId, merchantOrderNumbers.merchantOrderNo],
    }),
    // One at most that a payer can go on with (contract, "Session reuse").
    uniqueIndex('cashier_sessions_of_user')
      .on(t.merchantId, t.userId)
      .where(sql`${t.status} = 'PENDING' and ${t.userId} <> ''`),
    index('cashier_sessions_newest').on(t.createdAt, t.id),
    index('cashier_sessions_of_merchant').on(t.merchantId, t.createdAt, t.id),
    index('cashier_sessions_by_number').on(t.merchantOrderNo),
    index('cashier_sessions_by_user')
      .on(t.userId, t.createdAt, t.id)
      .where(sql`${t.userId} is not null`),
    index('cashier_sessions_pending')
      .on(t.expireAt, t.id)
      .where(sql`${t.status} = 'PENDING'`),
    check('cashier_sessions_status', sql`${t.status} in ('PENDING', 'SUBMITTED', 'EXPIRED')`),
    check('cashier_sessions_version', sql`${t.version} > 0`),
    check(
      'cashier_sessions_submitted',
      sql`(${t.status} = 'SUBMITTED') = (${t.depositOrderId} is not null)
        and (${t.status} = 'SUBMITTED') = (${t.submittedAt} is not null)`,
    ),
    check('cashier_sessions_revoked', sql`${t.revokedAt} is null or ${t.status} = 'EXPIRED'`),
    check(
      'cashier_sessions_cards',
      sql`jsonb_typeof(${t.payerBankCards}) = 'array' and jsonb_array_length(${t.payerBankCards}) <= 10
        and (${t.chosenCard} is null or ${t.chosenCard} between 0 and jsonb_array_length(${t.payerBankCards}) - 1)`,
    ),
  ],
);

/** Payers who say that they have paid: it ranks candidates for a person to look at, and credits nothing. */
export const paymentClaims = pgTable(
  'payment_claims',
  {
    id: uuid().primaryKey(),
    depositId: uuid('deposit_id')
      .notNull()
      .unique()
      .references(() => depositOrders.id),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    /** The bank's reference as the payer tells it. */
    reference: text().notNull(),
    /** The same, normalised: compared with that of transfers. */
    referenceKey: code('reference_key').notNull(),
    /** A picture, as it came. */
    receipt: bytea('receipt'),
    /** What its first bytes say that it is. */
    receiptType: text('receipt_type'),
    at: at('at').notNull(),
    /** A person has looked; null while it waits. */
    closedAt: at('closed_at'),
    closedBy: uuid('closed_by').references(() => operators.id),
  },
  (t) => [
    index('payment_claims_open')
      .on(t.at, t.id)
      .where(sql`${t.closedAt} is null`),
    index('payment_claims_reference').on(t.referenceKey),
    check('payment_claims_reference', sql`char_length(${t.reference}) between 1 and 128`),
    check(
      'payment_claims_receipt',
      sql`(${t.receipt} is null) = (${t.receiptType} is null)
        and ${t.receiptType} in ('image/png', 'image/jpeg', 'image/webp')
        and octet_length(${t.receipt}) <= 2097152`,
    ),
    check('payment_claims_closed', sql`(${t.closedAt} is null) = (${t.closedBy} is null)`),
  ],
);

/** What an account's deposits of one UTC day add up to, those that were cancelled, expired or failed left out. */
export const accountDays = pgTable(
  'account_days',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => bankAccounts.id),
    day: date().notNull(),
    amount: money('amount').notNull(),
    deposits: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.accountId, t.day] }),
    check('account_days_never_negative', sql`${t.amount} >= 0 and ${t.deposits} >= 0`),
  ],
);

/** The amounts of accounts of mode FLOAT that are given out: each names one deposit, and stays with it for a while. */
export const reservedAmounts = pgTable(
  'reserved_amounts',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => bankAccounts.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    amount: money('amount').notNull(),
    depositId: uuid('deposit_id')
      .notNull()
      .unique()
      .references(() => depositOrders.id),
    /** Until then no other deposit gets this amount. */
    freeAt: at('free_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.currencyCode, t.amount] })],
);

/** Everything that happened to an order, appended in the transaction that did it; numbered after the commit. */
export const orderEvents = pgTable(
  'order_events',
  {
    id: uuid().primaryKey(),
    orderId: uuid('order_id').notNull(),
    noun: text().notNull(),
    type: text().notNull(),
    /** Who: `merchant:…`, `operator:…`, `agent:…`, `system`. */
    actor: text().notNull(),
    detail: jsonb().notNull(),
    at: at('at').notNull(),
    /** Drawn while the order's row is locked, so that an order's events are in the order in which they happened. */
    position: bigint({ mode: 'bigint' }).notNull().generatedAlwaysAsIdentity(),
    /** Given by the relay in an order that no reader can miss; null until then. */
    seq: bigint({ mode: 'bigint' }).unique(),
  },
  (t) => [
    index('order_events_order').on(t.orderId, t.position),
    index('order_events_unnumbered')
      .on(t.position)
      .where(sql`${t.seq} is null`),
  ],
);

/** The hosts that a merchant's callbacks have gone to: a new one may be somebody else's. */
export const callbackHostsSeen = pgTable(
  'callback_hosts_seen',
  {
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    host: text().notNull(),
    firstSeenAt: at('first_seen_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.host] })],
);

/** What banks reported on our accounts, each transfer once. */
export const bankTransfers = pgTable(
  'bank_transfers',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => bankAccounts.id),
    direction: text().notNull(),
    amount: money('amount').notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    bankReference: text('bank_reference'),
    /** The normalised bank reference, else a hash of what the bank told. */
    dedupeKey: code('dedupe_key').notNull(),
    bankTime: at('bank_time').notNull(),
    payerName: text('payer_name'),
    payerAccount: text('payer_account'),
    memo: text().notNull(),
    balanceAfter: money('balance_after'),
    /** Who reported it: `operator:…` or `agent:…`. */
    source: text().notNull(),
    /** Why it waits for a person; null while allocated to a deposit. */
    unmatchedReason: text('unmatched_reason'),
    receivedAt: at('received_at').notNull(),
  },
  (t) => [
    unique('bank_transfers_once').on(t.accountId, t.direction, t.dedupeKey),
    index('bank_transfers_unmatched')
      .on(t.receivedAt, t.id)
      .where(sql`${t.unmatchedReason} is not null`),
    index('bank_transfers_newest').on(t.receivedAt, t.id),
    index('bank_transfers_by_bank_time').on(t.bankTime, t.id),
    index('bank_transfers_of_account').on(t.accountId, t.bankTime, t.id),
    index('bank_transfers_alike').on(t.accountId, t.amount, t.bankTime),
    index('bank_transfers_source').on(t.source, t.receivedAt),
    check('bank_transfers_direction', sql`${t.direction} in ('CREDIT')`),
    check('bank_transfers_amount', sql`${t.amount} > 0`),
  ],
);

/** Which deposit a transfer paid. A transfer is consumed once, a deposit paid once; a release keeps the row. */
export const transferAllocations = pgTable(
  'transfer_allocations',
  {
    id: uuid().primaryKey(),
    transferId: uuid('transfer_id')
      .notNull()
      .references(() => bankTransfers.id),
    depositId: uuid('deposit_id')
      .notNull()
      .references(() => depositOrders.id),
    /** What the deposit will be charged, fixed at the match. */
    fee: money('fee').notNull(),
    /** `system` for the automatic rule, else the operator. */
    matchedBy: text('matched_by').notNull(),
    reason: text(),
    at: at('at').notNull(),
    releasedAt: at('released_at'),
  },
  (t) => [
    index('transfer_allocations_transfer').on(t.transferId),
    index('transfer_allocations_of_deposit').on(t.depositId),
    uniqueIndex('transfer_allocations_once')
      .on(t.transferId)
      .where(sql`${t.releasedAt} is null`),
    uniqueIndex('transfer_allocations_deposit')
      .on(t.depositId)
      .where(sql`${t.releasedAt} is null`),
  ],
);

/** Ways to pay out besides our own accounts: the sandbox's mock, and upstreams that are reached over HTTP. */
export const channels = pgTable(
  'channels',
  {
    id: uuid().primaryKey(),
    /** Names it in addresses and settings: a-z, 0-9 and -. */
    channelCode: code('channel_code').notNull().unique(),
    name: text().notNull(),
    kind: text().notNull(),
    /** ISO 4217. */
    currencies: text().array().notNull(),
    /** What one payout may be; null is no limit. */
    minAmount: money('min_amount'),
    maxAmount: money('max_amount'),
    /** A balance of its below this is alerted, in each currency; null never is. */
    lowBalance: money('low_balance'),
    /** The lowest goes first; among equals the weight says how often. */
    priority: integer().notNull(),
    weight: integer().notNull(),
    enabled: boolean().notNull(),
    /** Of a mock channel: what becomes of each payout from now on. */
    mockOutcome: text('mock_outcome'),
    /** Of an HTTP channel: where it is, and the key that signs, whose secret is sealed. */
    baseUrl: text('base_url'),
    keyId: text('key_id'),
    sealedSecret: text('sealed_secret'),
    /** One request may take so long, seconds. */
    timeoutSeconds: integer('timeout_seconds').notNull(),
    /** What a payout costs us: percent of the amount, and a fixed part in its currency. */
    costPercent: numeric('cost_percent', { precision: 7, scale: 4 }).notNull(),
    costFixed: money('cost_fixed').notNull(),
    /** A failure that the channel reports is final only after this, if a query confirms it then; seconds. */
    failureFinalDelaySeconds: integer('failure_final_delay_seconds').notNull(),
    /** Without a clear answer for so long a payout waits for a person, seconds. */
    answerWithinSeconds: integer('answer_within_seconds').notNull(),
    /** What the last check of its health found. */
    health: text().notNull(),
    healthReason: text('health_reason'),
    healthAt: at('health_at'),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    index('channels_by_name').on(t.name, t.id),
    check('channels_code', sql`${t.channelCode} ~ '^[a-z0-9][a-z0-9-]{0,31}$'`),
    check('channels_kind', sql`${t.kind} in ('MOCK', 'HTTP')`),
    check('channels_currencies', sql`cardinality(${t.currencies}) > 0`),
    check('channels_health', sql`${t.health} in ('UNKNOWN', 'UP', 'DOWN')`),
    check(
      'channels_of_kind',
      sql`case ${t.kind}
        when 'MOCK' then coalesce(${t.mockOutcome} in ('PENDING', 'COMPLETED', 'FAILED'), false)
          and num_nonnulls(${t.baseUrl}, ${t.keyId}, ${t.sealedSecret}) = 0
        else ${t.mockOutcome} is null and num_nulls(${t.baseUrl}, ${t.keyId}, ${t.sealedSecret}) = 0 end`,
    ),
    check(
      'channels_numbers',
      sql`${t.minAmount} > 0 and ${t.maxAmount} > 0 and ${t.priority} between 0 and 1000
        and ${t.weight} between 1 and 1000 and ${t.timeoutSeconds} between 1 and 60
        and ${t.costPercent} >= 0 and ${t.costPercent} < 100 and ${t.costFixed} >= 0
        and ${t.failureFinalDelaySeconds} between 0 and 604800
        and ${t.answerWithinSeconds} between 1 and 604800`,
    ),
  ],
);

/** What a channel calls our banks, by currency; one that it does not name is not paid through it. */
export const channelBanks = pgTable(
  'channel_banks',
  {
    channelId: uuid('channel_id')
      .notNull()
      .references(() => channels.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    /** Ours, as in the bank directory. */
    bankCode: text('bank_code').notNull(),
    channelBankCode: text('channel_bank_code').notNull(),
  },
  (t) => [primaryKey({ columns: [t.channelId, t.currencyCode, t.bankCode] })],
);

/** What channels said that they hold for us, as last asked. */
export const channelBalances = pgTable(
  'channel_balances',
  {
    channelId: uuid('channel_id')
      .notNull()
      .references(() => channels.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    balance: money('balance').notNull(),
    at: at('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.channelId, t.currencyCode] })],
);

/** What channels sent us, as it came: each message once, kept for a while. */
export const channelMessages = pgTable(
  'channel_messages',
  {
    id: uuid().primaryKey(),
    channelId: uuid('channel_id')
      .notNull()
      .references(() => channels.id),
    /** The channel's own name of the message. */
    messageId: text('message_id').notNull(),
    /** Which payout it is about, by our reference. */
    reference: text().notNull(),
    /** What it tells of it: domain/payout.ts. */
    told: text().notNull(),
    headers: jsonb().notNull(),
    /** The exact bytes. */
    body: bytea('body').notNull(),
    receivedAt: at('received_at').notNull(),
  },
  (t) => [
    unique('channel_messages_once').on(t.channelId, t.messageId),
    index('channel_messages_reference').on(t.reference, t.id),
    index('channel_messages_received').on(t.receivedAt),
  ],
);

/**
 * Each try at paying a withdrawal out, by a channel or by a person from a managed account. At most one of a
 * withdrawal is open, unknown or paid.
 */
export const payoutAttempts = pgTable(
  'payout_attempts',
  {
    id: uuid().primaryKey(),
    withdrawalId: uuid('withdrawal_id')
      .notNull()
      .references(() => withdrawalOrders.id),
    /** 1, 2, 3 … of its withdrawal. */
    number: smallint().notNull(),
    method: text().notNull(),
    channelId: uuid('channel_id').references(() => channels.id),
    /** The managed account that pays; of a manual task that is claimed. */
    accountId: uuid('account_id').references(() => bankAccounts.id),
    /** By which the payer knows it, for ever: `{order_no}-{number}`. A channel pays a reference once. */
    reference: text().notNull().unique(),
    status: text().notNull(),
    /** The channel's own number of it. */
    channelOrderNo: text('channel_order_no'),
    /** What the channel charged, as it said or as agreed; null until paid. */
    cost: money('cost'),
    claimedBy: uuid('claimed_by').references(() => operators.id),
    claimedAt: at('claimed_at'),
    /** Since then the person is paying: only a second person releases it. */
    sendingAt: at('sending_at'),
    /** The bank's number of the transfer. */
    bankReference: text('bank_reference'),
    /** Where the proof is kept. */
    proof: text(),
    lastError: text('last_error'),
    /** When the request to the channel was about to be sent: from then on only queries tell what became of it. */
    sentAt: at('sent_at'),
    /** When the channel told something that does not fit how the try ended, or is to be asked whether it still stands; null once it was asked. */
    doubtedAt: at('doubted_at'),
    /** When the channel first reported a failure that is not final yet. */
    failureReportedAt: at('failure_reported_at'),
    /** When a channel first told of a success; a failure told besides contradicts it. */
    successReportedAt: at('success_reported_at'),
    /** When a clear answer came last: accepted, not paid yet. */
    answeredAt: at('answered_at'),
    /** How often it was asked for again after it had failed for good, and when it is next; null: no more. */
    rechecked: smallint().notNull().default(0),
    recheckAt: at('recheck_at'),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
    finishedAt: at('finished_at'),
  },
  (t) => [
    unique('payout_attempts_number').on(t.withdrawalId, t.number),
    uniqueIndex('payout_attempts_one')
      .on(t.withdrawalId)
      .where(sql`${t.status} not in ('REFUSED', 'FAILED', 'CANCELLED')`),
    uniqueIndex('payout_attempts_bank_reference')
      .on(t.accountId, bankReferenceKey(t.bankReference))
      .where(sql`${t.bankReference} is not null`),
    index('payout_attempts_recheck')
      .on(t.recheckAt, t.id)
      .where(sql`${t.recheckAt} is not null`),
    index('payout_attempts_by_hand')
      .on(t.accountId, t.finishedAt)
      .where(sql`${t.accountId} is not null`),
    index('payout_attempts_open')
      .on(t.createdAt, t.id)
      .where(sql`${t.status} in ('PREPARED', 'SENT', 'UNKNOWN', 'OPEN', 'CLAIMED', 'SENDING')`),
    check(
      'payout_attempts_status',
      sql`case ${t.method}
        when 'CHANNEL' then ${t.channelId} is not null and ${t.accountId} is null
          and ${t.status} in ('PREPARED', 'SENT', 'UNKNOWN', 'SUCCEEDED', 'REFUSED', 'FAILED')
        when 'MANUAL' then ${t.channelId} is null
          and ${t.status} in ('OPEN', 'CLAIMED', 'SENDING', 'COMPLETED', 'CANCELLED')
        else false end`,
    ),
    check(
      'payout_attempts_sent',
      sql`${t.method} = 'MANUAL' or (${t.status} = 'PREPARED') = (${t.sentAt} is null)
        or ${t.status} = 'REFUSED'`,
    ),
    check('payout_attempts_recheck', sql`${t.recheckAt} is null or ${t.status} = 'FAILED'`),
    check(
      'payout_attempts_finished',
      sql`(${t.status} in ('SUCCEEDED', 'REFUSED', 'FAILED', 'COMPLETED', 'CANCELLED')) = (${t.finishedAt} is not null)`,
    ),
    check(
      'payout_attempts_claimed',
      sql`(${t.status} in ('CLAIMED', 'SENDING')) <= (${t.claimedBy} is not null and ${t.accountId} is not null)
        and (${t.status} = 'SENDING') <= (${t.sendingAt} is not null)
        and (${t.status} = 'COMPLETED') <= (${t.bankReference} is not null and ${t.accountId} is not null)`,
    ),
  ],
);

/** Papers that prove a transfer by hand: kept as they came, never changed, opened by nobody here. */
export const transferProofs = pgTable(
  'transfer_proofs',
  {
    id: uuid().primaryKey(),
    attemptId: uuid('attempt_id')
      .notNull()
      .references(() => payoutAttempts.id),
    /** What its first bytes say that it is. */
    type: text().notNull(),
    file: bytea('file').notNull(),
    /** Of the file, hex. */
    sha256: char({ length: 64 }).notNull(),
    attachedBy: uuid('attached_by')
      .notNull()
      .references(() => operators.id),
    at: at('at').notNull(),
  },
  (t) => [
    unique('transfer_proofs_once').on(t.attemptId, t.sha256),
    check(
      'transfer_proofs_type',
      sql`${t.type} in ('image/png', 'image/jpeg', 'image/webp', 'application/pdf')`,
    ),
    check('transfer_proofs_size', sql`octet_length(${t.file}) between 1 and 2097152`),
  ],
);

/** What left our accounts as banks reported it, each debit once: evidence of payouts, which it posts none of. */
export const bankDebits = pgTable(
  'bank_debits',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => bankAccounts.id),
    amount: money('amount').notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    bankReference: text('bank_reference'),
    /** The normalised bank reference, else a hash of what the bank told. */
    dedupeKey: code('dedupe_key').notNull(),
    bankTime: at('bank_time').notNull(),
    payeeName: text('payee_name'),
    payeeAccount: text('payee_account'),
    memo: text().notNull(),
    balanceAfter: money('balance_after'),
    /** Who reported it: `operator:…` or `agent:…`. */
    source: text().notNull(),
    receivedAt: at('received_at').notNull(),
    /** The manual transfer that it paid out. */
    attemptId: uuid('attempt_id').references(() => payoutAttempts.id),
    /** `system` for the automatic rule, else the operator; null while it waits for a person. */
    explainedBy: text('explained_by'),
    explainedAt: at('explained_at'),
    /** What a person says that it was. */
    reason: text(),
  },
  (t) => [
    unique('bank_debits_once').on(t.accountId, t.dedupeKey),
    uniqueIndex('bank_debits_attempt')
      .on(t.attemptId)
      .where(sql`${t.attemptId} is not null`),
    index('bank_debits_open')
      .on(t.receivedAt, t.id)
      .where(sql`${t.explainedAt} is null`),
    index('bank_debits_open_of_account')
      .on(t.accountId, t.amount)
      .where(sql`${t.explainedAt} is null`),
    index('bank_debits_newest').on(t.receivedAt, t.id),
    index('bank_debits_of_account').on(t.accountId, t.receivedAt, t.id),
    check('bank_debits_amount', sql`${t.amount} > 0`),
    check(
      'bank_debits_explained',
      sql`(${t.explainedAt} is null) = (${t.explainedBy} is null)
        and (${t.explainedAt} is not null) = (${t.attemptId} is not null or ${t.reason} is not null)`,
    ),
  ],
);

/** A merchant's money in one currency: the projection of its ledger entries, and the row that postings lock. */
export const merchantBalances = pgTable(
  'merchant_balances',
  {
    id: uuid().primaryKey(),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    available: money('available').notNull(),
    frozen: money('frozen').notNull(),
    total: money('total').generatedAlwaysAs(sql`available + frozen`),
    /** What the merchant owes us. Until it is covered nothing is available: what comes in covers it first. */
    receivable: money('receivable').notNull().default('0'),
    /** Rises by one with each transfer that touches this balance. */
    version: bigint({ mode: 'number' }).notNull(),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    unique('merchant_balances_currency').on(t.merchantId, t.currencyCode),
    check('merchant_balances_never_negative', sql`${t.available} >= 0 and ${t.frozen} >= 0`),
    check('merchant_balances_receivable', sql`${t.receivable} >= 0`),
  ],
);

/** Credits of merchants whose money is held for some days: part of what is frozen until they are released. */
export const heldCredits = pgTable(
  'held_credits',
  {
    depositId: uuid('deposit_id')
      .primaryKey()
      .references(() => depositOrders.id),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    amount: money('amount').notNull(),
    heldAt: at('held_at').notNull(),
    releaseAt: at('release_at').notNull(),
    releasedAt: at('released_at'),
    /** The deposit was recalled before. */
    recalledAt: at('recalled_at'),
  },
  (t) => [
    index('held_credits_due')
      .on(t.releaseAt, t.depositId)
      .where(sql`${t.releasedAt} is null and ${t.recalledAt} is null`),
    index('held_credits_of_balance')
      .on(t.merchantId, t.currencyCode, t.releaseAt, t.depositId)
      .where(sql`${t.releasedAt} is null and ${t.recalledAt} is null`),
    check('held_credits_amount', sql`${t.amount} > 0 and ${t.releaseAt} > ${t.heldAt}`),
    check('held_credits_once', sql`${t.releasedAt} is null or ${t.recalledAt} is null`),
  ],
);

/** Completed deposits whose money went back to the payer, and from where it was taken: once a deposit. */
export const depositRecalls = pgTable(
  'deposit_recalls',
  {
    depositId: uuid('deposit_id')
      .primaryKey()
      .references(() => depositOrders.id),
    /** What two people agreed on. */
    changeId: uuid('change_id')
      .notNull()
      .references(() => changeRequests.id),
    /** The managed account that the money went back from. */
    accountId: uuid('account_id')
      .notNull()
      .references(() => bankAccounts.id),
    /** What had been received: all of it goes back. */
    amount: money('amount').notNull(),
    /** From what its own credit was held with. */
    fromHeld: money('from_held').notNull().default('0'),
    fromAvailable: money('from_available').notNull(),
    /** What the merchant did not have. */
    owed: money('owed').notNull(),
    reason: text().notNull(),
    at: at('at').notNull(),
  },
  (t) => [
    check(
      'deposit_recalls_amounts',
      sql`${t.amount} > 0 and ${t.fromHeld} >= 0 and ${t.fromAvailable} >= 0 and ${t.owed} >= 0
        and ${t.amount} = ${t.fromHeld} + ${t.fromAvailable} + ${t.owed}`,
    ),
  ],
);

/** A posted business event: append-only. `key` makes each event post once. */
export const ledgerTransfers = pgTable(
  'ledger_transfers',
  {
    id: uuid().primaryKey(),
    type: text().notNull(),
    key: text().notNull().unique(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    orderId: uuid('order_id'),
    bankTransferId: uuid('bank_transfer_id'),
    at: at('at').notNull(),
  },
  (t) => [
    index('ledger_transfers_order').on(t.orderId),
    index('ledger_transfers_rare')
      .on(t.type, t.id)
      .where(sql`${t.type} not in ('BANK_CREDIT', 'DEPOSIT_CREDIT')`),
  ],
);

/** The lines of a transfer: append-only, summing to zero. Credit positive, debit negative. */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    transferId: uuid('transfer_id')
      .notNull()
      .references(() => ledgerTransfers.id),
    line: smallint().notNull(),
    account: text().notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    amount: money('amount').notNull(),
    /** Of merchant accounts only: the balance around this entry and the version of its row. */
    balanceBefore: money('balance_before'),
    balanceAfter: money('balance_after'),
    version: bigint({ mode: 'number' }),
  },
  (t) => [
    primaryKey({ columns: [t.transferId, t.line] }),
    uniqueIndex('ledger_entries_chain').on(t.account, t.currencyCode, t.version),
    // A transfer's id begins with its time.
    index('ledger_entries_account').on(t.account, t.transferId, t.line),
    check('ledger_entries_amount', sql`${t.amount} <> 0`),
    check(
      'ledger_entries_account',
      sql`${t.account} ~ '^(suspense|fee_income|channel_cost|loss|treasury|adjustment|(bank|channel|merchant_receivable):[0-9a-f-]{36}|merchant:[0-9a-f-]{36}:(available|frozen))$'`,
    ),
    check(
      'ledger_entries_balance',
      sql`case when ${t.account} like 'merchant:%'
        then ${t.balanceBefore} is not null and ${t.version} is not null
          and ${t.balanceAfter} = ${t.balanceBefore} + ${t.amount}
        else ${t.balanceBefore} is null and ${t.balanceAfter} is null and ${t.version} is null end`,
    ),
  ],
);

/** One callback to a merchant: what is sent, and how far delivery got. */
export const notificationLogs = pgTable(
  'notification_logs',
  {
    id: uuid().primaryKey(),
    orderId: uuid('order_id').notNull(),
    orderNo: text('order_no').notNull(),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    notificationType: text('notification_type').notNull(),
    targetUrl: text('target_url').notNull(),
    /** The exact bytes, UTF-8. */
    requestBody: text('request_body').notNull(),
    /** Made at the first attempt, with the key named beside it. */
    signature: text(),
    apiKeyId: uuid('api_key_id').references(() => apiKeys.id),
    status: text().notNull(),
    /** Attempts since the row was last armed; the fifth is the last. */
    attemptCount: smallint('attempt_count').notNull(),
    /** Attempts ever; never reset. */
    totalAttempts: integer('total_attempts').notNull(),
    /** Rises when an operator arms the row again: what an older attempt reports is then void. */
    generation: integer().notNull(),
    nextAttemptAt: at('next_attempt_at'),
    /** While SENDING: nobody else may attempt before this. */
    leaseUntil: at('lease_until'),
    responseStatus: integer('response_status'),
    responseBody: text('response_body'),
    lastError: text('last_error'),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    unique('notification_logs_once').on(t.orderId, t.notificationType),
    // The lists. An id begins with the time of its row.
    index('notification_logs_of_merchant').on(t.merchantId, t.id),
    index('notification_logs_unsettled')
      .on(t.status, t.id)
      .where(sql`${t.status} <> 'SUCCESS'`),
    index('notification_logs_failed')
      .on(t.merchantId)
      .where(sql`${t.status} = 'FAILED'`),
    index('notification_logs_waiting')
      .on(t.nextAttemptAt)
      .where(sql`${t.status} = 'WAITING_RETRY'`),
    index('notification_logs_sending')
      .on(t.leaseUntil)
      .where(sql`${t.status} = 'SENDING'`),
    check(
      'notification_logs_status',
      sql`${t.status} in ('SENDING', 'WAITING_RETRY', 'SUCCESS', 'FAILED')`,
    ),
    check('notification_logs_attempts', sql`${t.attemptCount} between 0 and 5`),
    check(
      'notification_logs_lease',
      sql`(${t.status} = 'SENDING') = (${t.leaseUntil} is not null)`,
    ),
    check(
      'notification_logs_next',
      sql`(${t.status} = 'WAITING_RETRY') = (${t.nextAttemptAt} is not null)`,
    ),
    check('notification_logs_signed', sql`(${t.signature} is null) = (${t.apiKeyId} is null)`),
  ],
);

/** Every attempt at a callback and what came of it. */
export const callbackAttempts = pgTable(
  'callback_attempts',
  {
    notificationId: uuid('notification_id')
      .notNull()
      .references(() => notificationLogs.id),
    generation: integer().notNull(),
    attempt: smallint().notNull(),
    startedAt: at('started_at').notNull(),
    endedAt: at('ended_at'),
    responseStatus: integer('response_status'),
    responseBody: text('response_body'),
    error: text(),
  },
  (t) => [primaryKey({ columns: [t.notificationId, t.generation, t.attempt] })],
);

/** Workflows to start or wake. The relay deletes a row once Temporal has it. */
export const outbox = pgTable(
  'outbox',
  {
    id: uuid().primaryKey(),
    /** The noun whose workflow it is, as in domain/ids.ts. */
    noun: text().notNull(),
    /** The workflow id. */
    key: text().notNull(),
    /** The workflow's whole start arguments, with their version. */
    arguments: jsonb().notNull(),
    dueAt: at('due_at').notNull(),
    /** How often Temporal refused it as it is; being away does not count. */
    refusals: integer().notNull(),
    /** Set when the relay gave up: a person looks at it. */
    parkedAt: at('parked_at'),
    lastError: text('last_error'),
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    index('outbox_due')
      .on(t.dueAt)
      .where(sql`${t.parkedAt} is null`),
    index('outbox_parked')
      .on(t.id)
      .where(sql`${t.parkedAt} is not null`),
  ],
);

/** The directory of banks that withdrawals may go to, per currency. */
export const banks = pgTable(
  'banks',
  {
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    bankCode: code('bank_code').notNull(),
    name: text().notNull(),
    /** New withdrawals may go there. */
    enabled: boolean().notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.currencyCode, t.bankCode] })],
);

/** Withdrawals (contract, "WithdrawalOrder"). amount + fee is frozen from creation until the end. */
export const withdrawalOrders = pgTable(
  'withdrawal_orders',
  {
    id: uuid().primaryKey(),
    orderNo: code('order_no').notNull().unique(),
    merchantId: uuid('merchant_id').notNull(),
    merchantOrderNo: code('merchant_order_no').notNull(),
    /** Who asked: the merchant by its API, or operators who pay the merchant its balance. */
    origin: text().notNull(),
    amount: money('amount').notNull(),
    fee: money('fee').notNull(),
    /** Paid to the beneficiary; zero until completed. */
    actualAmount: money('actual_amount').notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    beneficiaryName: text('beneficiary_name').notNull(),
    beneficiaryAccount: code('beneficiary_account').notNull(),
    beneficiaryBankCode: code('beneficiary_bank_code').notNull(),
    beneficiaryBankName: text('beneficiary_bank_name').notNull(),
    beneficiaryBankBranch: text('beneficiary_bank_branch'),
    status: text().notNull(),
    /** How many people must approve; 0: the review engine alone did. */
    peopleNeeded: smallint('people_needed').notNull(),
    /** Why, for people: reasons, and the version of the rules. */
    review: jsonb().notNull(),
    /** People should have decided by then. */
    decideBy: at('decide_by').notNull(),
    /** Nobody had: those in charge were told. */
    escalatedAt: at('escalated_at'),
    /** Who looks at it now, so that two people do not do the same work. */
    claimedBy: uuid('claimed_by').references(() => operators.id),
    claimedAt: at('claimed_at'),
    isAutoApproved: boolean('is_auto_approved').notNull(),
    approvedAt: at('approved_at'),
    /** `system`, or the id of the operator whose approval was the last needed. */
    approvedBy: text('approved_by'),
    approvalRemarks: text('approval_remarks'),
    /** CHANNEL or MANUAL; null until routed. */
    payoutMethod: text('payout_method'),
    /** The managed account that pays. */
    accountId: uuid('account_id').references(() => bankAccounts.id),
    channelId: uuid('channel_id').references(() => channels.id),
    channelOrderNo: text('channel_order_no'),
    estimatedChannelCost: money('estimated_channel_cost'),
    actualChannelCost: money('actual_channel_cost'),
    /** When it was first dispatched. */
    processedAt: at('processed_at'),
    completedAt: at('completed_at'),
    /** When it was rejected, failed or cancelled. */
    endedAt: at('ended_at'),
    /** Why it failed or was cancelled. */
    endReason: text('end_reason'),
    bankReference: text('bank_reference'),
    needsManualIntervention: boolean('needs_manual_intervention').notNull(),
    manualReason: text('manual_reason'),
    callbackUrl: text('callback_url'),
    extraData: text('extra_data'),
    /** Names the request that made it, in every log line about it. */
    traceId: text('trace_id'),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'withdrawal_orders_number',
      columns: [t.merchantId, t.merchantOrderNo],
      foreignColumns: [merchantOrderNumbers.merchantId, merchantOrderNumbers.merchantOrderNo],
    }),
    index('withdrawal_orders_newest').on(t.createdAt, t.id),
    index('withdrawal_orders_of_merchant').on(t.merchantId, t.createdAt, t.id),
    index('withdrawal_orders_by_amount').on(t.amount, t.id),
    // The beneficiary's history, for review.
    index('withdrawal_orders_of_beneficiary').on(
      t.beneficiaryAccount,
      t.beneficiaryBankCode,
      t.createdAt,
      t.id,
    ),
    index('withdrawal_orders_bank_reference')
      .on(bankReferenceKey(t.bankReference), t.createdAt, t.id)
      .where(sql`${t.bankReference} is not null`),
    index('withdrawal_orders_open')
      .on(t.status, t.createdAt, t.id)
      .where(sql`${t.status} in ('PENDING', 'APPROVED')`),
    index('withdrawal_orders_interventions')
      .on(t.createdAt, t.id)
      .where(sql`${t.needsManualIntervention}`),
    index('withdrawal_orders_settlements')
      .on(t.createdAt, t.id)
      .where(sql`${t.origin} = 'SETTLEMENT'`),
    // No person or rule but two people pays a merchant its balance, and nobody is told by a callback.
    check(
      'withdrawal_orders_settlement',
      sql`${t.origin} = 'MERCHANT' or (${t.peopleNeeded} > 0 and ${t.callbackUrl} is null)`,
    ),
    check('withdrawal_orders_origin', sql`${t.origin} in ('MERCHANT', 'SETTLEMENT')`),
    check(
      'withdrawal_orders_status',
      sql`${t.status} in ('PENDING', 'APPROVED', 'COMPLETED', 'REJECTED', 'FAILED', 'CANCELLED')`,
    ),
    check(
      'withdrawal_orders_amounts',
      sql`${t.amount} > 0 and ${t.fee} >= 0 and ${t.actualAmount} >= 0`,
    ),
    check('withdrawal_orders_people', sql`${t.peopleNeeded} between 0 and 2`),
    check(
      'withdrawal_orders_approved',
      sql`(${t.approvedAt} is not null) = (${t.status} in ('APPROVED', 'COMPLETED', 'FAILED', 'CANCELLED'))
        and (${t.approvedAt} is null) = (${t.approvedBy} is null)
        and ${t.isAutoApproved} = (${t.peopleNeeded} = 0)
        and (${t.approvedBy} is null or ${t.isAutoApproved} = (${t.approvedBy} = 'system'))`,
    ),
    check(
      'withdrawal_orders_completed',
      sql`(${t.status} = 'COMPLETED') = (${t.completedAt} is not null)
        and (${t.status} = 'COMPLETED') = (${t.actualAmount} > 0)`,
    ),
    check(
      'withdrawal_orders_ended',
      sql`(${t.status} in ('REJECTED', 'FAILED', 'CANCELLED')) = (${t.endedAt} is not null)`,
    ),
    check('withdrawal_orders_claimed', sql`(${t.claimedBy} is null) = (${t.claimedAt} is null)`),
    check('withdrawal_orders_method', sql`${t.payoutMethod} in ('CHANNEL', 'MANUAL')`),
    // Nothing is sent anywhere, and nobody has to look into a payout, before it is approved.
    check(
      'withdrawal_orders_dispatched',
      sql`${t.approvedAt} is not null or (${t.payoutMethod} is null and ${t.processedAt} is null
        and not ${t.needsManualIntervention})`,
    ),
    check(
      'withdrawal_orders_intervention',
      sql`not ${t.needsManualIntervention} or ${t.manualReason} is not null`,
    ),
  ],
);

/** Accounts of merchants at banks that settlements go to. One that is not used any more is registered anew. */
export const settlementAccounts = pgTable(
  'settlement_accounts',
  {
    id: uuid().primaryKey(),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    bankCode: text('bank_code').notNull(),
    bankBranch: text('bank_branch'),
    accountNo: code('account_no').notNull(),
    accountHolder: text('account_holder').notNull(),
    createdAt: at('created_at').notNull(),
    /** Settlements may go there from then on. */
    usableAt: at('usable_at').notNull(),
    disabledAt: at('disabled_at'),
    disabledReason: text('disabled_reason'),
  },
  (t) => [
    uniqueIndex('settlement_accounts_number')
      .on(t.merchantId, t.currencyCode, t.bankCode, t.accountNo)
      .where(sql`${t.disabledAt} is null`),
    index('settlement_accounts_newest').on(t.createdAt, t.id),
    index('settlement_accounts_of_merchant').on(t.merchantId, t.createdAt, t.id),
    check('settlement_accounts_usable', sql`${t.usableAt} >= ${t.createdAt}`),
    check(
      'settlement_accounts_disabled',
      sql`(${t.disabledAt} is null) = (${t.disabledReason} is null)`,
    ),
  ],
);

/** Withdrawals by which operators pay merchants their balances: where to, and who proposed it. */
export const settlements = pgTable(
  'settlements',
  {
    withdrawalId: uuid('withdrawal_id')
      .primaryKey()
      .references(() => withdrawalOrders.id),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    accountId: uuid('account_id')
      .notNull()
      .references(() => settlementAccounts.id),
    /** The operators' own: of its row in a file. */
    reference: code('reference').notNull(),
    reason: text().notNull(),
    proposedBy: uuid('proposed_by')
      .notNull()
      .references(() => operators.id),
  },
  (t) => [
    unique('settlements_reference').on(t.merchantId, t.reference),
    index('settlements_account').on(t.accountId),
  ],
);

/** What people decided on a withdrawal: a row is what counts, an Update or a signal without one does nothing. */
export const withdrawalDecisions = pgTable(
  'withdrawal_decisions',
  {
    id: uuid().primaryKey(),
    withdrawalId: uuid('withdrawal_id')
      .notNull()
      .references(() => withdrawalOrders.id),
    operatorId: uuid('operator_id')
      .notNull()
      .references(() => operators.id),
    verdict: text().notNull(),
    remarks: text(),
    at: at('at').notNull(),
    /** When the order followed it. */
    appliedAt: at('applied_at'),
  },
  (t) => [
    unique('withdrawal_decisions_once').on(t.withdrawalId, t.operatorId),
    check('withdrawal_decisions_verdict', sql`${t.verdict} in ('APPROVE', 'REJECT')`),
    check(
      'withdrawal_decisions_remarks',
      sql`${t.verdict} = 'APPROVE' or btrim(coalesce(${t.remarks}, '')) <> ''`,
    ),
  ],
);

/** What a merchant asked to be paid out on one UTC day: in all (beneficiary empty) and to each beneficiary. */
export const withdrawalDays = pgTable(
  'withdrawal_days',
  {
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    day: date().notNull(),
    /** `{bank code}:{account_number_key of the account}`, or empty for all. */
    beneficiary: code().notNull(),
    orders: integer().notNull(),
    amount: money('amount').notNull(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.currencyCode, t.day, t.beneficiary] })],
);

/** When withdrawals need people, and how many. The newest version counts; of a merchant's own and everybody's, its own. */
export const reviewRules = pgTable(
  'review_rules',
  {
    id: uuid().primaryKey(),
    /** Null: of all merchants that have none of their own. */
    merchantId: uuid('merchant_id').references(() => merchants.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    version: integer().notNull(),
    rules: jsonb().notNull(),
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    unique('review_rules_version').on(t.merchantId, t.currencyCode, t.version).nullsNotDistinct(),
  ],
);

/** Beneficiaries that are known to be good, or bad. */
export const listedBeneficiaries = pgTable(
  'listed_beneficiaries',
  {
    id: uuid().primaryKey(),
    /** Null: for all merchants. */
    merchantId: uuid('merchant_id').references(() => merchants.id),
    bankCode: code('bank_code').notNull(),
    accountNo: code('account_no').notNull(),
    list: text().notNull(),
    reason: text().notNull(),
    createdAt: at('created_at').notNull(),
    removedAt: at('removed_at'),
  },
  (t) => [
    uniqueIndex('listed_beneficiaries_once')
      .on(
        t.accountNo,
        t.bankCode,
        sql`coalesce(${t.merchantId}, '00000000-0000-0000-0000-000000000000'::uuid)`,
      )
      .where(sql`${t.removedAt} is null`),
    index('listed_beneficiaries_denied')
      .on(accountNumberKey(t.accountNo), t.bankCode)
      .where(sql`${t.list} = 'DENY' and ${t.removedAt} is null`),
    index('listed_beneficiaries_newest').on(t.createdAt, t.id),
    check('listed_beneficiaries_list', sql`${t.list} in ('ALLOW', 'DENY')`),
  ],
);
