/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** What an account takes. A limit that is left out or null is none. */
export type AccountLimitsInput = {
  /** The most that one deposit may be. */
  readonly maxAmount?: string | null | undefined;
  /** What the deposits of one UTC day may add up to, from when it is set; those that end without money do not count. */
  readonly maxDailyAmount?: string | null | undefined;
  /** Live PENDING deposits at once; default 1000. */
  readonly maxOpenDeposits?: number | null | undefined;
  /** The least that one deposit may be. */
  readonly minAmount?: string | null | undefined;
};

/** Why one person was enough for a change. */
export type AloneReason =
  /** There was no other operator yet whom one could have asked. */
  | 'BOOTSTRAP'
  /** It only took away what could be done before: safety never waits. */
  | 'CLOSING'
  /** The setting ONE_PERSON_CHANGES, which no production has. */
  | 'SANDBOX';

/** How an account of mode FLOAT tells deposits of the same amount apart. */
export type AmountFloatInput = {
  /** How far below. */
  readonly down: string;
  /** 0-10080 minutes, default 60. */
  readonly quarantineMinutes?: number | null | undefined;
  /** The distance between two amounts. */
  readonly step: string;
  /** How far above the requested amount a payable one may lie. */
  readonly up: string;
};

/** Amounts in the currency of the row; both ends belong to it. */
export type AmountRange = {
  /** Open unless given. */
  readonly max?: string | null | undefined;
  /** Open unless given. */
  readonly min?: string | null | undefined;
};

/** Which rows of the audit log to show: all that is given must hold. */
export type AuditLogFilter = {
  /** One of these, such as `approveChange`. */
  readonly action?: ReadonlyArray<string> | null | undefined;
  readonly at?: TimeRange | null | undefined;
  /** Of one of these operators. */
  readonly operatorId?: ReadonlyArray<string> | null | undefined;
  /** `OK`, or kinds of refusal. */
  readonly outcome?: ReadonlyArray<string> | null | undefined;
  /** Exactly this, such as `merchant:{id}`. */
  readonly subject?: string | null | undefined;
};

/** How the list is sorted; rows of the same value go by their ids. */
export type AuditLogSort =
  /** By time, the least or earliest first. */
  | 'AT_ASC'
  /** By time, the greatest or latest first. */
  | 'AT_DESC';

/** Which accounts to show: all that is given must hold. */
export type BankAccountFilter = {
  /** How the number begins. */
  readonly accountNo?: string | null | undefined;
  /** At one of these banks. */
  readonly bankCode?: ReadonlyArray<string> | null | undefined;
  /** One of these, ISO 4217. */
  readonly currencyCode?: ReadonlyArray<string> | null | undefined;
  readonly mode?: BankAccountMode | null | undefined;
  /** One of these. */
  readonly status?: ReadonlyArray<BankAccountStatus> | null | undefined;
};

/** How transfers on an account find their order. */
export type BankAccountMode =
  /** Each deposit has an amount of its own, near what was asked for. */
  | 'FLOAT'
  /** The payer writes a remark into the memo. */
  | 'REMARK';

/** Whether an account takes new deposits. */
export type BankAccountStatus =
  /** Takes new deposits. */
  | 'ACTIVE'
  /** Out of use. */
  | 'DISABLED'
  /** Takes no new deposit; what arrives is matched by people alone. */
  | 'PAUSED';

/** Which way the money went, seen from the account. */
export type BankTransferDirection =
  /** It arrived. */
  | 'CREDIT';

/** Which transfers to show: all that is given must hold. */
export type BankTransferFilter = {
  /** On one of these bank accounts. */
  readonly accountId?: ReadonlyArray<string> | null | undefined;
  readonly amount?: AmountRange | null | undefined;
  /** When the bank booked it. */
  readonly bankTime?: TimeRange | null | undefined;
  /** In one of these, ISO 4217. */
  readonly currencyCode?: ReadonlyArray<string> | null | undefined;
  readonly direction?: BankTransferDirection | null | undefined;
  /** When we were told. */
  readonly receivedAt?: TimeRange | null | undefined;
  /** Who reported it: `operator:{id}` or `agent:{id}`. */
  readonly source?: string | null | undefined;
  /** True: those that wait for a person. False: those that pay a deposit. */
  readonly unmatched?: boolean | null | undefined;
  /** They wait for one of these. */
  readonly unmatchedReason?: ReadonlyArray<UnmatchedReason> | null | undefined;
};

/** How the list is sorted; rows of the same value go by their ids. */
export type BankTransferSort =
  /** By when the bank booked them, the least or earliest first. */
  | 'BANK_TIME_ASC'
  /** By when the bank booked them, the greatest or latest first. */
  | 'BANK_TIME_DESC'
  /** By when we were told, the least or earliest first. */
  | 'RECEIVED_AT_ASC'
  /** By when we were told, the greatest or latest first. */
  | 'RECEIVED_AT_DESC';

/** What speaks for a deposit as that which a transfer was meant for. */
export type CandidateReason =
  /** It was to be paid exactly this. */
  | 'AMOUNT'
  /** It was to be paid this but for two in a hundred. */
  | 'AMOUNT_NEAR'
  /** The bank booked it while the order could be paid. */
  | 'IN_TIME'
  /** The payer's account number ends as was announced. */
  | 'PAYER_ACCOUNT'
  /** The payer has the announced name. */
  | 'PAYER_NAME'
  /** Its remark stands in the memo. */
  | 'REMARK'
  /** Its remark stands in the memo but for one or two characters. */
  | 'REMARK_ALIKE';

/** What a change request does once it is approved. */
export type ChangeKind =
  /** Corrects a merchant's balance, up or down. */
  | 'ADJUST_BALANCE'
  /** Lets an agent report on accounts. */
  | 'CREATE_AGENT_KEY'
  /** Registers a managed bank account. */
  | 'CREATE_BANK_ACCOUNT'
  /** Adds a merchant with its currencies. */
  | 'CREATE_MERCHANT'
  /** Adds a role. */
  | 'CREATE_ROLE'
  /** Removes a role that nobody has. */
  | 'DELETE_ROLE'
  /** Mails an invitation to become an operator. */
  | 'INVITE_OPERATOR'
  /** A key beside those that the merchant has. */
  | 'ISSUE_API_KEY'
  /** Ends an agent's key. */
  | 'REVOKE_AGENT_KEY'
  /** Ends a merchant's key. */
  | 'REVOKE_API_KEY'
  /** A key in the place of those that the merchant has. */
  | 'ROTATE_API_KEY'
  /** Activates, pauses or disables an account. */
  | 'SET_BANK_ACCOUNT_STATUS'
  /** Gives an operator other roles or merchants. */
  | 'SET_OPERATOR_ACCESS'
  /** Shuts an operator out, or lets it in again. */
  | 'SET_OPERATOR_DISABLED'
  /** Adds what a merchant paid in beforehand. */
  | 'TOP_UP_BALANCE'
  /** Changes an account's name, limits and float. */
  | 'UPDATE_BANK_ACCOUNT'
  /** Changes settings, limits, fee rules, callback hosts, permissions. */
  | 'UPDATE_MERCHANT'
  /** Changes what a role allows. */
  | 'UPDATE_ROLE';

/** Which change requests to show: all that is given must hold. */
export type ChangeRequestFilter = {
  /** One of these. */
  readonly kind?: ReadonlyArray<ChangeKind> | null | undefined;
  /** That concern one of these merchants. */
  readonly merchantId?: ReadonlyArray<string> | null | undefined;
  /** True: leaves out what you proposed yourself. */
  readonly notMine?: boolean | null | undefined;
  readonly proposedAt?: TimeRange | null | undefined;
  /** Proposed by one of these operators. */
  readonly proposedBy?: ReadonlyArray<string> | null | undefined;
  /** One of these. */
  readonly status?: ReadonlyArray<ChangeStatus> | null | undefined;
  /** Exactly this subject. */
  readonly subjectId?: string | null | undefined;
  readonly subjectKind?: ChangeSubjectKind | null | undefined;
  /** That change one of these fields. */
  readonly touches?: ReadonlyArray<string> | null | undefined;
};

/** How the list is sorted; rows of the same value go by their ids. */
export type ChangeRequestSort =
  /** By the time of the proposal, the least or earliest first. */
  | 'PROPOSED_AT_ASC'
  /** By the time of the proposal, the greatest or latest first. */
  | 'PROPOSED_AT_DESC';

/** Where a change request stands. */
export type ChangeStatus =
  /** Approved, and carried out in the same moment. */
  | 'APPLIED'
  /** Nobody decided in time. */
  | 'EXPIRED'
  /** Waits for another person; has no effect yet. */
  | 'PROPOSED'
  /** Another person refused it. */
  | 'REJECTED'
  /** Its proposer took it back. */
  | 'WITHDRAWN';

/** What a change request is about. */
export type ChangeSubjectKind =
  | 'agent_key'
  | 'api_key'
  | 'bank_account'
  | 'merchant'
  | 'operator'
  | 'role';

/** An agent key to issue. */
export type CreateAgentKeyInput = {
  /** The accounts it may report on. */
  readonly accountIds: ReadonlyArray<string>;
  /** What operators call it. */
  readonly label: string;
  /** No ceiling unless given. */
  readonly maxDailyAmount?: string | null | undefined;
  /** No ceiling unless given. */
  readonly maxTransferAmount?: string | null | undefined;
};

/** A bank account to register. */
export type CreateBankAccountInput = {
  /** 1-128 characters. */
  readonly accountHolder: string;
  /** 1-64 characters. */
  readonly accountNo: string;
  readonly bankBranch?: string | null | undefined;
  /** 1-32 characters. Unique together with accountNo. */
  readonly bankCode: string;
  readonly bankName: string;
  /** ISO 4217. */
  readonly currencyCode: string;
  /** For mode FLOAT, which needs it; for no other. */
  readonly float?: AmountFloatInput | null | undefined;
  readonly limits?: AccountLimitsInput | null | undefined;
  readonly mode?: BankAccountMode;
  /** What operators call it. */
  readonly name: string;
};

/** A merchant to add. */
export type CreateMerchantInput = {
  readonly currencies: ReadonlyArray<MerchantCurrencyInput>;
  /** 1-64 letters, digits, - or _; unique. */
  readonly merchantCode: string;
  readonly name: string;
  readonly settings?: MerchantSettingsInput | null | undefined;
};

/** Which deposits to show: all that is given must hold. */
export type DepositFilter = {
  /** To one of these bank accounts. */
  readonly accountId?: ReadonlyArray<string> | null | undefined;
  /** What the payer must transfer. */
  readonly amount?: AmountRange | null | undefined;
  /** How its newest callback fares, as `callbackStatus` tells it. */
  readonly callbackStatus?: ReadonlyArray<NotificationStatus> | null | undefined;
  /** The completed alone. */
  readonly completedAt?: TimeRange | null | undefined;
  readonly createdAt?: TimeRange | null | undefined;
  /** In one of these, ISO 4217. */
  readonly currencyCode?: ReadonlyArray<string> | null | undefined;
  readonly expireAt?: TimeRange | null | undefined;
  /** Of one of these merchants. */
  readonly merchantId?: ReadonlyArray<string> | null | undefined;
  readonly orderType?: DepositOrderType | null | undefined;
  /** Of the payer's account number. */
  readonly payerAccountLast4?: string | null | undefined;
  /** One of these. */
  readonly status?: ReadonlyArray<DepositStatus> | null | undefined;
  /** Exactly the merchant's identifier. */
  readonly userId?: string | null | undefined;
};

/** How a deposit came to be. */
export type DepositOrderType =
  /** Created through the hosted cashier. */
  | 'CASHIER'
  /** Created through the Direct API. */
  | 'DIRECT';

/** How the list is sorted; rows of the same value go by their ids. */
export type DepositSort =
  /** By what the payer must transfer, the least or earliest first. */
  | 'AMOUNT_ASC'
  /** By what the payer must transfer, the greatest or latest first. */
  | 'AMOUNT_DESC'
  /** By their completion; the completed alone, the least or earliest first. */
  | 'COMPLETED_AT_ASC'
  /** By their completion; the completed alone, the greatest or latest first. */
  | 'COMPLETED_AT_DESC'
  /** By their creation, the least or earliest first. */
  | 'CREATED_AT_ASC'
  /** By their creation, the greatest or latest first. */
  | 'CREATED_AT_DESC'
  /** By their expiry; the PENDING and MATCHED alone, the least or earliest first. */
  | 'EXPIRE_AT_ASC'
  /** By their expiry; the PENDING and MATCHED alone, the greatest or latest first. */
  | 'EXPIRE_AT_DESC';

/** Where a deposit stands (contract, "States and transitions"). */
export type DepositStatus =
  /** Cancelled by an operator. Final. */
  | 'CANCELLED'
  /** The money is in the merchant's balance. Final. */
  | 'COMPLETED'
  /** Nothing came in time. Final. */
  | 'EXPIRED'
  /** A channel reported failure. Final. */
  | 'FAILED'
  /** The money was recognised and is about to be credited. */
  | 'MATCHED'
  /** Waits for the payer's money. */
  | 'PENDING';

/** What speaks for a change, for whoever decides. */
export type EvidenceInput = {
  /** https addresses: tickets, documents; at most 10. */
  readonly links?: ReadonlyArray<string> | null | undefined;
  /** At most 4000 characters. */
  readonly text?: string | null | undefined;
};

/** A fee rule; both parts default to zero. */
export type FeeRuleInput = {
  readonly fixed?: string | null | undefined;
  readonly percent?: string | null | undefined;
};

/** A currency that a merchant may use. */
export type MerchantCurrencyInput = {
  /** ISO 4217. */
  readonly currencyCode: string;
  /** Left as it is unless given; a new currency has none. */
  readonly depositFee?: FeeRuleInput | null | undefined;
  /** True unless said otherwise. */
  readonly enabled?: boolean | null | undefined;
};

/** Which merchants to show: all that is given must hold. */
export type MerchantFilter = {
  readonly canDeposit?: boolean | null | undefined;
  readonly canWithdraw?: boolean | null | undefined;
  /** Has one of these enabled, ISO 4217. */
  readonly currencyCode?: ReadonlyArray<string> | null | undefined;
  readonly enabled?: boolean | null | undefined;
  /** One of these. */
  readonly id?: ReadonlyArray<string> | null | undefined;
  /** How the code begins. */
  readonly merchantCode?: string | null | undefined;
  /** How the name begins, in whatever case. */
  readonly name?: string | null | undefined;
};

/** Settings of a merchant. What is left out stays as it is, or takes its default at creation. */
export type MerchantSettingsInput = {
  /** Default false; refused in production. */
  readonly allowInsecureCallbacks?: boolean | null | undefined;
  /** An empty list clears it. */
  readonly callbackHosts?: ReadonlyArray<string> | null | undefined;
  /** 1-60 seconds, default 10. */
  readonly callbackTimeoutSeconds?: number | null | undefined;
  /** Default true. */
  readonly canDeposit?: boolean | null | undefined;
  /** Default false. */
  readonly canWithdraw?: boolean | null | undefined;
  /** An empty string clears it. */
  readonly defaultCallbackUrl?: string | null | undefined;
  /** 1-1440 minutes, default 15. */
  readonly depositExpireMinutes?: number | null | undefined;
  /** Default true. */
  readonly enabled?: boolean | null | undefined;
  /** Live PENDING deposits at once; default 10000. */
  readonly maxOpenDeposits?: number | null | undefined;
  /** Live PENDING deposits of one user_id at once; default 1000. */
  readonly maxOpenDepositsPerUser?: number | null | undefined;
  /** Default false. */
  readonly notifyDepositCancelled?: boolean | null | undefined;
  /** Default false. */
  readonly notifyDepositExpired?: boolean | null | undefined;
};

/** How the list is sorted; rows of the same value go by their ids. */
export type MerchantSort =
  /** By their code, the least or earliest first. */
  | 'CODE_ASC'
  /** By their code, the greatest or latest first. */
  | 'CODE_DESC'
  /** By their name, the least or earliest first. */
  | 'NAME_ASC'
  /** By their name, the greatest or latest first. */
  | 'NAME_DESC';

/** Where a callback stands (contract, "NotificationLog status"). */
export type NotificationStatus =
  /** The merchant refused it, or five attempts have failed. */
  | 'FAILED'
  /** An attempt is under way. */
  | 'SENDING'
  /** The merchant acknowledged it. */
  | 'SUCCESS'
  /** Waits for its next attempt, or for its first. */
  | 'WAITING_RETRY';

/** Which orders are followed: all of the fields given must fit. Not by status, or nobody would hear of an order that leaves it. */
export type OrderChangeFilter = {
  /** At most 500. */
  readonly accountIds?: ReadonlyArray<string> | null | undefined;
  /** At most 500. */
  readonly merchantIds?: ReadonlyArray<string> | null | undefined;
  /** Gateway numbers, such as those on the screen; at most 500. */
  readonly orderNos?: ReadonlyArray<string> | null | undefined;
};

/** What an operator may do. */
export type Permission =
  /** Manages operators, roles and their sessions, and sees the audit log. */
  | 'ADMIN'
  /** Decides change requests and withdrawals, up to the limits of its roles. */
  | 'APPROVE'
  /** Proposes accounts, merchants, keys, limits, fees and hosts. */
  | 'CONFIGURE'
  /** Records and matches bank transfers, works unmatched money. */
  | 'RECONCILE'
  /** Resends callbacks, cancels deposits, releases outbox rows. */
  | 'SUPPORT'
  /** Proposes top-ups, adjustments and settlements. */
  | 'TREASURER'
  /** Sees orders, money, callbacks and settings. */
  | 'VIEW';

/** What of a row the search looks at. */
export type SearchedField =
  /** Exactly this amount, in whatever currency. */
  | 'AMOUNT'
  /** The bank's own reference of a transfer. */
  | 'BANK_REFERENCE'
  /** A merchant's code. */
  | 'MERCHANT_CODE'
  /** A merchant's name. */
  | 'MERCHANT_NAME'
  /** The merchant's number. */
  | 'MERCHANT_ORDER_NO'
  /** The gateway's number. */
  | 'ORDER_NO'
  /** How the payer's account number ends. */
  | 'PAYER_LAST4'
  /** What the payer was to write into the memo. */
  | 'REMARK'
  /** The merchant's identifier of the payer. */
  | 'USER_ID';

/** A span of time. */
export type TimeRange = {
  /** From then on. Open unless given. */
  readonly from?: string | null | undefined;
  /** Before then. Open unless given. */
  readonly to?: string | null | undefined;
};

/** What a ledger transfer records; see docs/ledger.md. */
export type TransferType =
  | 'BALANCE_ADJUSTMENT'
  | 'BALANCE_TOP_UP'
  /** Money arrived on a managed account: bank → suspense. */
  | 'BANK_CREDIT'
  /** It became a merchant's: suspense → merchant and fee income. */
  | 'DEPOSIT_CREDIT';

/** Why a transfer waits for a person. */
export type UnmatchedReason =
  /** Its account is paused or disabled. */
  | 'ACCOUNT_PAUSED'
  /** The amount is not exactly what was to be paid. */
  | 'AMOUNT_DIFFERS'
  /** An operator entered it, so another one matches it. */
  | 'ENTERED_BY_PERSON'
  /** The same account, amount, memo and time was told of in another way. */
  | 'NEAR_DUPLICATE'
  /** No order of its account waits, or waited lately, for this amount. */
  | 'NO_AMOUNT'
  /** The memo names no order. */
  | 'NO_REMARK'
  /** The order is paid or closed already. */
  | 'ORDER_NOT_PENDING'
  /** The order was to be paid to another account. */
  | 'OTHER_ACCOUNT'
  /** The currency is not the account's or not the order's. */
  | 'OTHER_CURRENCY'
  /** Beyond a ceiling of the agent key that reported it. */
  | 'OVER_AGENT_LIMIT'
  /** Its bank reference came before, with another amount or currency. */
  | 'REFERENCE_REUSED'
  /** Its order was cancelled or failed after the match. */
  | 'REOPENED'
  /** The memo names more than one order. */
  | 'SEVERAL_REMARKS'
  /** The bank booked it before the order existed. */
  | 'TOO_EARLY';

/** Changes of an account. What is left out or null stays as it is. */
export type UpdateBankAccountInput = {
  /** Replaces the float. Deposits that are open keep their amounts. */
  readonly float?: AmountFloatInput | null | undefined;
  /** Replaces all limits. */
  readonly limits?: AccountLimitsInput | null | undefined;
  /** What operators call it. */
  readonly name?: string | null | undefined;
};

export type SignInMutationVariables = Exact<{
  login: string;
  password: string;
  code?: string | null | undefined;
}>;


export type SignInMutation = { readonly signIn: { readonly expiresAt: string } };

export type LogoutMutationVariables = Exact<{ [key: string]: never; }>;


export type LogoutMutation = { readonly logout: boolean };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { readonly me: { readonly id: string, readonly login: string, readonly roles: ReadonlyArray<string>, readonly permissions: ReadonlyArray<Permission>, readonly merchantIds: ReadonlyArray<string> | null } };

export type AccountRowFragment = { readonly id: string, readonly name: string, readonly bankCode: string, readonly bankName: string, readonly bankBranch: string | null, readonly accountNo: string, readonly accountHolder: string, readonly currencyCode: string, readonly mode: BankAccountMode, readonly status: BankAccountStatus, readonly statusReason: string | null, readonly minAmount: string | null, readonly maxAmount: string | null, readonly maxDailyAmount: string | null, readonly maxOpenDeposits: number, readonly createdAt: string, readonly float: { readonly step: string, readonly up: string, readonly down: string, readonly quarantineMinutes: number } | null, readonly use: { readonly todayDeposits: number, readonly todayAmount: string, readonly openDeposits: number } };

export type AccountsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: BankAccountFilter | null | undefined;
}>;


export type AccountsQuery = { readonly bankAccounts: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly bankCode: string, readonly bankName: string, readonly bankBranch: string | null, readonly accountNo: string, readonly accountHolder: string, readonly currencyCode: string, readonly mode: BankAccountMode, readonly status: BankAccountStatus, readonly statusReason: string | null, readonly minAmount: string | null, readonly maxAmount: string | null, readonly maxDailyAmount: string | null, readonly maxOpenDeposits: number, readonly createdAt: string, readonly float: { readonly step: string, readonly up: string, readonly down: string, readonly quarantineMinutes: number } | null, readonly use: { readonly todayDeposits: number, readonly todayAmount: string, readonly openDeposits: number } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null } } };

export type AgentKeyRowFragment = { readonly id: string, readonly keyId: string, readonly label: string, readonly accountIds: ReadonlyArray<string>, readonly maxTransferAmount: string | null, readonly maxDailyAmount: string | null, readonly createdAt: string, readonly revokedAt: string | null };

export type AgentKeysQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type AgentKeysQuery = { readonly agentKeys: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly keyId: string, readonly label: string, readonly accountIds: ReadonlyArray<string>, readonly maxTransferAmount: string | null, readonly maxDailyAmount: string | null, readonly createdAt: string, readonly revokedAt: string | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null } }, readonly bankAccounts: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly currencyCode: string }> } };

export type CreateBankAccountMutationVariables = Exact<{
  input: CreateBankAccountInput;
  reason: string;
  evidence?: EvidenceInput | null | undefined;
}>;


export type CreateBankAccountMutation = { readonly createBankAccount: { readonly change: { readonly id: string, readonly status: ChangeStatus, readonly summary: string }, readonly account: { readonly id: string } | null } };

export type UpdateBankAccountMutationVariables = Exact<{
  id: string;
  input: UpdateBankAccountInput;
  reason: string;
  evidence?: EvidenceInput | null | undefined;
}>;


export type UpdateBankAccountMutation = { readonly updateBankAccount: { readonly change: { readonly id: string, readonly status: ChangeStatus, readonly summary: string }, readonly account: { readonly id: string } | null } };

export type SetBankAccountStatusMutationVariables = Exact<{
  id: string;
  status: BankAccountStatus;
  reason: string;
  evidence?: EvidenceInput | null | undefined;
}>;


export type SetBankAccountStatusMutation = { readonly setBankAccountStatus: { readonly change: { readonly id: string, readonly status: ChangeStatus, readonly summary: string }, readonly account: { readonly id: string } | null } };

export type CreateAgentKeyMutationVariables = Exact<{
  input: CreateAgentKeyInput;
  reason: string;
  evidence?: EvidenceInput | null | undefined;
}>;


export type CreateAgentKeyMutation = { readonly createAgentKey: { readonly keyId: string, readonly secret: string, readonly change: { readonly id: string, readonly status: ChangeStatus, readonly summary: string }, readonly key: { readonly id: string } | null } };

export type RevokeAgentKeyMutationVariables = Exact<{
  id: string;
  reason: string;
}>;


export type RevokeAgentKeyMutation = { readonly revokeAgentKey: { readonly change: { readonly id: string, readonly status: ChangeStatus, readonly summary: string }, readonly key: { readonly id: string }, readonly credited: ReadonlyArray<{ readonly id: string, readonly orderNo: string | null, readonly amount: string, readonly currencyCode: string, readonly receivedAt: string }> } };

export type AuditRowFragment = { readonly id: string, readonly seq: string, readonly at: string, readonly login: string | null, readonly via: string | null, readonly credential: string | null, readonly address: string | null, readonly userAgent: string | null, readonly action: string, readonly subject: string | null, readonly reason: string | null, readonly before: Readonly<Record<string, unknown>> | null, readonly after: Readonly<Record<string, unknown>> | null, readonly outcome: string, readonly traceId: string, readonly hash: string };

export type AuditQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: AuditLogFilter | null | undefined;
  sort: AuditLogSort;
}>;


export type AuditQuery = { readonly auditLog: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly seq: string, readonly at: string, readonly login: string | null, readonly via: string | null, readonly credential: string | null, readonly address: string | null, readonly userAgent: string | null, readonly action: string, readonly subject: string | null, readonly reason: string | null, readonly before: Readonly<Record<string, unknown>> | null, readonly after: Readonly<Record<string, unknown>> | null, readonly outcome: string, readonly traceId: string, readonly hash: string }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null } } };

export type ProposedFragment = { readonly id: string, readonly status: ChangeStatus, readonly summary: string };

export type ChangeRowFragment = { readonly id: string, readonly kind: ChangeKind, readonly status: ChangeStatus, readonly summary: string, readonly alone: AloneReason | null, readonly proposedAt: string, readonly expiresAt: string, readonly decidedAt: string | null, readonly money: { readonly amount: string, readonly currencyCode: string } | null, readonly subject: { readonly kind: ChangeSubjectKind, readonly id: string, readonly name: string }, readonly proposedBy: { readonly id: string, readonly login: string }, readonly decidedBy: { readonly id: string, readonly login: string } | null };

export type ChangesQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: ChangeRequestFilter | null | undefined;
  sort: ChangeRequestSort;
}>;


export type ChangesQuery = { readonly changeRequests: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly kind: ChangeKind, readonly status: ChangeStatus, readonly summary: string, readonly alone: AloneReason | null, readonly proposedAt: string, readonly expiresAt: string, readonly decidedAt: string | null, readonly money: { readonly amount: string, readonly currencyCode: string } | null, readonly subject: { readonly kind: ChangeSubjectKind, readonly id: string, readonly name: string }, readonly proposedBy: { readonly id: string, readonly login: string }, readonly decidedBy: { readonly id: string, readonly login: string } | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null } } };

export type ChangeQueryVariables = Exact<{
  id: string;
}>;


export type ChangeQuery = { readonly changeRequest: { readonly before: Readonly<Record<string, unknown>>, readonly after: Readonly<Record<string, unknown>>, readonly reason: string, readonly refusal: string | null, readonly decisionReason: string | null, readonly id: string, readonly kind: ChangeKind, readonly status: ChangeStatus, readonly summary: string, readonly alone: AloneReason | null, readonly proposedAt: string, readonly expiresAt: string, readonly decidedAt: string | null, readonly evidence: { readonly text: string | null, readonly links: ReadonlyArray<string> }, readonly money: { readonly amount: string, readonly currencyCode: string } | null, readonly subject: { readonly kind: ChangeSubjectKind, readonly id: string, readonly name: string }, readonly proposedBy: { readonly id: string, readonly login: string }, readonly decidedBy: { readonly id: string, readonly login: string } | null } | null };

export type OpenChangesQueryVariables = Exact<{ [key: string]: never; }>;


export type OpenChangesQuery = { readonly changeRequests: { readonly countUpTo: number } };

export type ApproveChangeMutationVariables = Exact<{
  id: string;
  reason: string;
}>;


export type ApproveChangeMutation = { readonly approveChange: { readonly id: string, readonly status: ChangeStatus, readonly summary: string } };

export type RejectChangeMutationVariables = Exact<{
  id: string;
  reason: string;
}>;


export type RejectChangeMutation = { readonly rejectChange: { readonly id: string, readonly status: ChangeStatus, readonly summary: string } };

export type WithdrawChangeMutationVariables = Exact<{
  id: string;
  reason: string;
}>;


export type WithdrawChangeMutation = { readonly withdrawChange: { readonly id: string, readonly status: ChangeStatus, readonly summary: string } };

export type DepositRowFragment = { readonly id: string, readonly orderNo: string, readonly merchantOrderNo: string, readonly status: DepositStatus, readonly amount: string, readonly actualAmount: string, readonly currencyCode: string, readonly expectedRemark: string | null, readonly callbackStatus: NotificationStatus | null, readonly callbackCount: number, readonly userId: string | null, readonly payerAccountLast4: string | null, readonly createdAt: string, readonly expireAt: string, readonly merchant: { readonly id: string, readonly merchantCode: string }, readonly account: { readonly id: string, readonly name: string } | null };

export type DepositsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: DepositFilter | null | undefined;
  sort: DepositSort;
}>;


export type DepositsQuery = { readonly lastEventSeq: string, readonly deposits: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly orderNo: string, readonly merchantOrderNo: string, readonly status: DepositStatus, readonly amount: string, readonly actualAmount: string, readonly currencyCode: string, readonly expectedRemark: string | null, readonly callbackStatus: NotificationStatus | null, readonly callbackCount: number, readonly userId: string | null, readonly payerAccountLast4: string | null, readonly createdAt: string, readonly expireAt: string, readonly merchant: { readonly id: string, readonly merchantCode: string }, readonly account: { readonly id: string, readonly name: string } | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null } } };

export type MerchantChoicesQueryVariables = Exact<{ [key: string]: never; }>;


export type MerchantChoicesQuery = { readonly merchants: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly merchantCode: string, readonly currencies: ReadonlyArray<{ readonly currencyCode: string }> }> } };

export type DepositQueryVariables = Exact<{
  orderNo: string;
}>;


export type DepositQuery = { readonly deposit: { readonly requestedAmount: string, readonly fee: string, readonly orderType: DepositOrderType, readonly matchedAt: string | null, readonly completedAt: string | null, readonly updatedAt: string, readonly callbackUrl: string | null, readonly payerBankCode: string | null, readonly paymentSnapshot: Readonly<Record<string, unknown>>, readonly traceId: string | null, readonly id: string, readonly orderNo: string, readonly merchantOrderNo: string, readonly status: DepositStatus, readonly amount: string, readonly actualAmount: string, readonly currencyCode: string, readonly expectedRemark: string | null, readonly callbackStatus: NotificationStatus | null, readonly callbackCount: number, readonly userId: string | null, readonly payerAccountLast4: string | null, readonly createdAt: string, readonly expireAt: string, readonly merchant: { readonly id: string, readonly merchantCode: string, readonly name: string }, readonly account: { readonly id: string, readonly name: string, readonly bankCode: string, readonly accountNo: string } | null, readonly timeline: ReadonlyArray<{ readonly id: string, readonly type: string, readonly actor: string, readonly detail: unknown, readonly at: string, readonly seq: string | null }>, readonly ledgerEntries: ReadonlyArray<{ readonly transferId: string, readonly type: TransferType, readonly at: string, readonly line: number, readonly account: string, readonly currencyCode: string, readonly amount: string, readonly balanceBefore: string | null, readonly balanceAfter: string | null }>, readonly bankTransfers: ReadonlyArray<{ readonly id: string, readonly amount: string, readonly currencyCode: string, readonly bankReference: string | null, readonly bankTime: string, readonly payerName: string | null, readonly payerAccount: string | null, readonly memo: string, readonly source: string, readonly receivedAt: string }>, readonly callbacks: ReadonlyArray<{ readonly id: string, readonly notificationType: string, readonly targetUrl: string, readonly requestBody: string, readonly status: NotificationStatus, readonly attemptCount: number, readonly totalAttempts: number, readonly nextAttemptAt: string | null, readonly createdAt: string, readonly updatedAt: string, readonly attempts: ReadonlyArray<{ readonly generation: number, readonly attempt: number, readonly startedAt: string, readonly endedAt: string | null, readonly responseStatus: number | null, readonly responseBody: string | null, readonly error: string | null }>, readonly workflow: { readonly id: string, readonly url: string | null, readonly waitsFor: string | null, readonly since: string | null } }>, readonly workflow: { readonly id: string, readonly url: string | null, readonly waitsFor: string | null, readonly since: string | null } } | null };

export type CancelDepositMutationVariables = Exact<{
  orderNo: string;
  reason: string;
}>;


export type CancelDepositMutation = { readonly cancelDeposit: { readonly id: string, readonly status: DepositStatus } };

export type ResendCallbackMutationVariables = Exact<{
  id: string;
  reason: string;
}>;


export type ResendCallbackMutation = { readonly resendCallback: { readonly id: string, readonly status: NotificationStatus } };

export type DepositChangedSubscriptionVariables = Exact<{
  orderNo: string;
  afterSeq?: string | null | undefined;
}>;


export type DepositChangedSubscription = { readonly depositChanged: { readonly id: string, readonly type: string, readonly seq: string | null } };

export type DepositsChangedSubscriptionVariables = Exact<{
  filter?: OrderChangeFilter | null | undefined;
  afterSeq?: string | null | undefined;
}>;


export type DepositsChangedSubscription = { readonly ordersChanged: { readonly seq: string, readonly deposit: { readonly id: string, readonly orderNo: string, readonly merchantOrderNo: string, readonly status: DepositStatus, readonly amount: string, readonly actualAmount: string, readonly currencyCode: string, readonly expectedRemark: string | null, readonly callbackStatus: NotificationStatus | null, readonly callbackCount: number, readonly userId: string | null, readonly payerAccountLast4: string | null, readonly createdAt: string, readonly expireAt: string, readonly merchant: { readonly id: string, readonly merchantCode: string }, readonly account: { readonly id: string, readonly name: string } | null } } };

export type MerchantSettingsFragment = { readonly id: string, readonly merchantCode: string, readonly name: string, readonly enabled: boolean, readonly canDeposit: boolean, readonly canWithdraw: boolean, readonly depositExpireMinutes: number, readonly callbackTimeoutSeconds: number, readonly defaultCallbackUrl: string | null, readonly allowInsecureCallbacks: boolean, readonly callbackHosts: ReadonlyArray<string> | null, readonly notifyDepositExpired: boolean, readonly notifyDepositCancelled: boolean, readonly maxOpenDeposits: number, readonly maxOpenDepositsPerUser: number, readonly createdAt: string, readonly updatedAt: string, readonly currencies: ReadonlyArray<{ readonly currencyCode: string, readonly enabled: boolean, readonly depositFee: { readonly percent: string, readonly fixed: string } }> };

export type ApiKeyRowFragment = { readonly id: string, readonly hint: string, readonly createdAt: string, readonly retiresAt: string | null, readonly revokedAt: string | null };

export type MerchantsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: MerchantFilter | null | undefined;
  sort: MerchantSort;
}>;


export type MerchantsQuery = { readonly merchants: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly merchantCode: string, readonly name: string, readonly enabled: boolean, readonly canDeposit: boolean, readonly canWithdraw: boolean, readonly depositExpireMinutes: number, readonly callbackTimeoutSeconds: number, readonly defaultCallbackUrl: string | null, readonly allowInsecureCallbacks: boolean, readonly callbackHosts: ReadonlyArray<string> | null, readonly notifyDepositExpired: boolean, readonly notifyDepositCancelled: boolean, readonly maxOpenDeposits: number, readonly maxOpenDepositsPerUser: number, readonly createdAt: string, readonly updatedAt: string, readonly currencies: ReadonlyArray<{ readonly currencyCode: string, readonly enabled: boolean, readonly depositFee: { readonly percent: string, readonly fixed: string } }> }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null } } };

export type MerchantQueryVariables = Exact<{
  id: string;
}>;


export type MerchantQuery = { readonly merchant: { readonly id: string, readonly merchantCode: string, readonly name: string, readonly enabled: boolean, readonly canDeposit: boolean, readonly canWithdraw: boolean, readonly depositExpireMinutes: number, readonly callbackTimeoutSeconds: number, readonly defaultCallbackUrl: string | null, readonly allowInsecureCallbacks: boolean, readonly callbackHosts: ReadonlyArray<string> | null, readonly notifyDepositExpired: boolean, readonly notifyDepositCancelled: boolean, readonly maxOpenDeposits: number, readonly maxOpenDepositsPerUser: number, readonly createdAt: string, readonly updatedAt: string, readonly apiKeys: ReadonlyArray<{ readonly id: string, readonly hint: string, readonly createdAt: string, readonly retiresAt: string | null, readonly revokedAt: string | null }>, readonly balances: ReadonlyArray<{ readonly id: string, readonly currencyCode: string, readonly available: string, readonly frozen: string, readonly total: string, readonly updatedAt: string }>, readonly currencies: ReadonlyArray<{ readonly currencyCode: string, readonly enabled: boolean, readonly depositFee: { readonly percent: string, readonly fixed: string } }> } | null };

export type CreateMerchantMutationVariables = Exact<{
  input: CreateMerchantInput;
  reason: string;
  evidence?: EvidenceInput | null | undefined;
}>;


export type CreateMerchantMutation = { readonly createMerchant: { readonly change: { readonly id: string, readonly status: ChangeStatus, readonly summary: string }, readonly merchant: { readonly id: string } | null } };

export type UpdateMerchantMutationVariables = Exact<{
  id: string;
  settings?: MerchantSettingsInput | null | undefined;
  currencies?: ReadonlyArray<MerchantCurrencyInput> | MerchantCurrencyInput | null | undefined;
  reason: string;
  evidence?: EvidenceInput | null | undefined;
}>;


export type UpdateMerchantMutation = { readonly updateMerchant: { readonly change: { readonly id: string, readonly status: ChangeStatus, readonly summary: string }, readonly merchant: { readonly id: string } | null } };

export type IssueApiKeyMutationVariables = Exact<{
  merchantId: string;
  reason: string;
  evidence?: EvidenceInput | null | undefined;
}>;


export type IssueApiKeyMutation = { readonly issueApiKey: { readonly apiKey: string, readonly change: { readonly id: string, readonly status: ChangeStatus, readonly summary: string }, readonly key: { readonly id: string } | null } };

export type RotateApiKeyMutationVariables = Exact<{
  merchantId: string;
  overlapSeconds: number;
  reason: string;
  evidence?: EvidenceInput | null | undefined;
}>;


export type RotateApiKeyMutation = { readonly rotateApiKey: { readonly apiKey: string, readonly change: { readonly id: string, readonly status: ChangeStatus, readonly summary: string }, readonly key: { readonly id: string } | null } };

export type RevokeApiKeyMutationVariables = Exact<{
  id: string;
  reason: string;
}>;


export type RevokeApiKeyMutation = { readonly revokeApiKey: { readonly change: { readonly id: string, readonly status: ChangeStatus, readonly summary: string }, readonly key: { readonly id: string } } };

export type TopUpBalanceMutationVariables = Exact<{
  merchantId: string;
  currencyCode: string;
  amount: string;
  reason: string;
  evidence: EvidenceInput;
}>;


export type TopUpBalanceMutation = { readonly topUpBalance: { readonly change: { readonly id: string, readonly status: ChangeStatus, readonly summary: string }, readonly balance: { readonly id: string } | null } };

export type AdjustBalanceMutationVariables = Exact<{
  merchantId: string;
  currencyCode: string;
  amount: string;
  reason: string;
  evidence: EvidenceInput;
}>;


export type AdjustBalanceMutation = { readonly adjustBalance: { readonly change: { readonly id: string, readonly status: ChangeStatus, readonly summary: string }, readonly balance: { readonly id: string } | null } };

export type MySessionsQueryVariables = Exact<{ [key: string]: never; }>;


export type MySessionsQuery = { readonly me: { readonly id: string, readonly sessions: ReadonlyArray<{ readonly id: string, readonly cookie: boolean, readonly address: string | null, readonly userAgent: string | null, readonly createdAt: string, readonly lastSeenAt: string, readonly expiresAt: string, readonly current: boolean }> } };

export type EndSessionMutationVariables = Exact<{
  id: string;
}>;


export type EndSessionMutation = { readonly endSession: boolean };

export type EndOtherSessionsMutationVariables = Exact<{ [key: string]: never; }>;


export type EndOtherSessionsMutation = { readonly endOtherSessions: number };

export type UnmatchedRowFragment = { readonly id: string, readonly amount: string, readonly currencyCode: string, readonly memo: string, readonly payerName: string | null, readonly payerAccount: string | null, readonly bankReference: string | null, readonly bankTime: string, readonly receivedAt: string, readonly source: string, readonly unmatchedReason: UnmatchedReason | null, readonly orderNo: string | null, readonly account: { readonly id: string, readonly name: string } };

export type UnmatchedQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: BankTransferFilter | null | undefined;
  sort: BankTransferSort;
}>;


export type UnmatchedQuery = { readonly unmatchedTransfers: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly amount: string, readonly currencyCode: string, readonly memo: string, readonly payerName: string | null, readonly payerAccount: string | null, readonly bankReference: string | null, readonly bankTime: string, readonly receivedAt: string, readonly source: string, readonly unmatchedReason: UnmatchedReason | null, readonly orderNo: string | null, readonly account: { readonly id: string, readonly name: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null } } };

export type UnmatchedTransferQueryVariables = Exact<{
  id: string;
}>;


export type UnmatchedTransferQuery = { readonly bankTransfer: { readonly balanceAfter: string | null, readonly id: string, readonly amount: string, readonly currencyCode: string, readonly memo: string, readonly payerName: string | null, readonly payerAccount: string | null, readonly bankReference: string | null, readonly bankTime: string, readonly receivedAt: string, readonly source: string, readonly unmatchedReason: UnmatchedReason | null, readonly orderNo: string | null, readonly candidates: ReadonlyArray<{ readonly reasons: ReadonlyArray<CandidateReason>, readonly score: number, readonly deposit: { readonly id: string, readonly orderNo: string, readonly status: DepositStatus, readonly amount: string, readonly currencyCode: string, readonly expectedRemark: string | null, readonly createdAt: string, readonly expireAt: string, readonly userId: string | null, readonly merchant: { readonly id: string, readonly merchantCode: string } } }>, readonly account: { readonly id: string, readonly name: string } } | null };

export type MatchTransferMutationVariables = Exact<{
  transferId: string;
  orderNo: string;
  reason: string;
}>;


export type MatchTransferMutation = { readonly matchTransfer: { readonly id: string, readonly amount: string, readonly currencyCode: string, readonly memo: string, readonly payerName: string | null, readonly payerAccount: string | null, readonly bankReference: string | null, readonly bankTime: string, readonly receivedAt: string, readonly source: string, readonly unmatchedReason: UnmatchedReason | null, readonly orderNo: string | null, readonly account: { readonly id: string, readonly name: string } } };

export type AccountChoicesQueryVariables = Exact<{ [key: string]: never; }>;


export type AccountChoicesQuery = { readonly bankAccounts: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly currencyCode: string }> } };

export type SearchQueryVariables = Exact<{
  text: string;
}>;


export type SearchQuery = { readonly search: ReadonlyArray<{ readonly field: SearchedField, readonly exact: boolean, readonly found:
      | { readonly __typename: 'BankTransfer', readonly id: string, readonly bankReference: string | null, readonly transferAmount: string, readonly transferCurrency: string, readonly matchedTo: string | null }
      | { readonly __typename: 'DepositOrder', readonly id: string, readonly orderNo: string, readonly merchantOrderNo: string, readonly status: DepositStatus, readonly amount: string, readonly currencyCode: string }
      | { readonly __typename: 'Merchant', readonly id: string, readonly merchantCode: string, readonly name: string }
     }> };

export const AccountRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AccountRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"BankAccount"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"bankCode"}},{"kind":"Field","name":{"kind":"Name","value":"bankName"}},{"kind":"Field","name":{"kind":"Name","value":"bankBranch"}},{"kind":"Field","name":{"kind":"Name","value":"accountNo"}},{"kind":"Field","name":{"kind":"Name","value":"accountHolder"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"mode"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"minAmount"}},{"kind":"Field","name":{"kind":"Name","value":"maxAmount"}},{"kind":"Field","name":{"kind":"Name","value":"maxDailyAmount"}},{"kind":"Field","name":{"kind":"Name","value":"maxOpenDeposits"}},{"kind":"Field","name":{"kind":"Name","value":"float"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"step"}},{"kind":"Field","name":{"kind":"Name","value":"up"}},{"kind":"Field","name":{"kind":"Name","value":"down"}},{"kind":"Field","name":{"kind":"Name","value":"quarantineMinutes"}}]}},{"kind":"Field","name":{"kind":"Name","value":"use"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"todayDeposits"}},{"kind":"Field","name":{"kind":"Name","value":"todayAmount"}},{"kind":"Field","name":{"kind":"Name","value":"openDeposits"}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<AccountRowFragment, unknown>;
export const AgentKeyRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AgentKeyRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AgentKey"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"keyId"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"accountIds"}},{"kind":"Field","name":{"kind":"Name","value":"maxTransferAmount"}},{"kind":"Field","name":{"kind":"Name","value":"maxDailyAmount"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}}]}}]} as unknown as DocumentNode<AgentKeyRowFragment, unknown>;
export const AuditRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AuditRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuditEntry"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"seq"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"via"}},{"kind":"Field","name":{"kind":"Name","value":"credential"}},{"kind":"Field","name":{"kind":"Name","value":"address"}},{"kind":"Field","name":{"kind":"Name","value":"userAgent"}},{"kind":"Field","name":{"kind":"Name","value":"action"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"before"}},{"kind":"Field","name":{"kind":"Name","value":"after"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"traceId"}},{"kind":"Field","name":{"kind":"Name","value":"hash"}}]}}]} as unknown as DocumentNode<AuditRowFragment, unknown>;
export const ProposedFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Proposed"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChangeRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}}]} as unknown as DocumentNode<ProposedFragment, unknown>;
export const ChangeRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ChangeRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChangeRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}},{"kind":"Field","name":{"kind":"Name","value":"alone"}},{"kind":"Field","name":{"kind":"Name","value":"proposedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"decidedAt"}},{"kind":"Field","name":{"kind":"Name","value":"money"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}},{"kind":"Field","name":{"kind":"Name","value":"subject"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"proposedBy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"login"}}]}},{"kind":"Field","name":{"kind":"Name","value":"decidedBy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"login"}}]}}]}}]} as unknown as DocumentNode<ChangeRowFragment, unknown>;
export const DepositRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DepositRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DepositOrder"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"orderNo"}},{"kind":"Field","name":{"kind":"Name","value":"merchantOrderNo"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"actualAmount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"expectedRemark"}},{"kind":"Field","name":{"kind":"Name","value":"callbackStatus"}},{"kind":"Field","name":{"kind":"Name","value":"callbackCount"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"payerAccountLast4"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"expireAt"}},{"kind":"Field","name":{"kind":"Name","value":"merchant"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"merchantCode"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<DepositRowFragment, unknown>;
export const MerchantSettingsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MerchantSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Merchant"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"merchantCode"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"canDeposit"}},{"kind":"Field","name":{"kind":"Name","value":"canWithdraw"}},{"kind":"Field","name":{"kind":"Name","value":"depositExpireMinutes"}},{"kind":"Field","name":{"kind":"Name","value":"callbackTimeoutSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"defaultCallbackUrl"}},{"kind":"Field","name":{"kind":"Name","value":"allowInsecureCallbacks"}},{"kind":"Field","name":{"kind":"Name","value":"callbackHosts"}},{"kind":"Field","name":{"kind":"Name","value":"notifyDepositExpired"}},{"kind":"Field","name":{"kind":"Name","value":"notifyDepositCancelled"}},{"kind":"Field","name":{"kind":"Name","value":"maxOpenDeposits"}},{"kind":"Field","name":{"kind":"Name","value":"maxOpenDepositsPerUser"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"currencies"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"depositFee"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"fixed"}}]}}]}}]}}]} as unknown as DocumentNode<MerchantSettingsFragment, unknown>;
export const ApiKeyRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ApiKeyRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ApiKey"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"hint"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"retiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}}]}}]} as unknown as DocumentNode<ApiKeyRowFragment, unknown>;
export const UnmatchedRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UnmatchedRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"BankTransfer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"memo"}},{"kind":"Field","name":{"kind":"Name","value":"payerName"}},{"kind":"Field","name":{"kind":"Name","value":"payerAccount"}},{"kind":"Field","name":{"kind":"Name","value":"bankReference"}},{"kind":"Field","name":{"kind":"Name","value":"bankTime"}},{"kind":"Field","name":{"kind":"Name","value":"receivedAt"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"unmatchedReason"}},{"kind":"Field","name":{"kind":"Name","value":"orderNo"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<UnmatchedRowFragment, unknown>;
export const SignInDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SignIn"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"login"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"password"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"code"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"signIn"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"login"},"value":{"kind":"Variable","name":{"kind":"Name","value":"login"}}},{"kind":"Argument","name":{"kind":"Name","value":"password"},"value":{"kind":"Variable","name":{"kind":"Name","value":"password"}}},{"kind":"Argument","name":{"kind":"Name","value":"code"},"value":{"kind":"Variable","name":{"kind":"Name","value":"code"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}}]} as unknown as DocumentNode<SignInMutation, SignInMutationVariables>;
export const LogoutDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Logout"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"logout"}}]}}]} as unknown as DocumentNode<LogoutMutation, LogoutMutationVariables>;
export const MeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"roles"}},{"kind":"Field","name":{"kind":"Name","value":"permissions"}},{"kind":"Field","name":{"kind":"Name","value":"merchantIds"}}]}}]}}]} as unknown as DocumentNode<MeQuery, MeQueryVariables>;
export const AccountsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Accounts"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"last"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"before"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"BankAccountFilter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bankAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"last"},"value":{"kind":"Variable","name":{"kind":"Name","value":"last"}}},{"kind":"Argument","name":{"kind":"Name","value":"before"},"value":{"kind":"Variable","name":{"kind":"Name","value":"before"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"sort"},"value":{"kind":"EnumValue","value":"NAME_ASC"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AccountRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"}},{"kind":"Field","name":{"kind":"Name","value":"startCursor"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AccountRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"BankAccount"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"bankCode"}},{"kind":"Field","name":{"kind":"Name","value":"bankName"}},{"kind":"Field","name":{"kind":"Name","value":"bankBranch"}},{"kind":"Field","name":{"kind":"Name","value":"accountNo"}},{"kind":"Field","name":{"kind":"Name","value":"accountHolder"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"mode"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"statusReason"}},{"kind":"Field","name":{"kind":"Name","value":"minAmount"}},{"kind":"Field","name":{"kind":"Name","value":"maxAmount"}},{"kind":"Field","name":{"kind":"Name","value":"maxDailyAmount"}},{"kind":"Field","name":{"kind":"Name","value":"maxOpenDeposits"}},{"kind":"Field","name":{"kind":"Name","value":"float"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"step"}},{"kind":"Field","name":{"kind":"Name","value":"up"}},{"kind":"Field","name":{"kind":"Name","value":"down"}},{"kind":"Field","name":{"kind":"Name","value":"quarantineMinutes"}}]}},{"kind":"Field","name":{"kind":"Name","value":"use"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"todayDeposits"}},{"kind":"Field","name":{"kind":"Name","value":"todayAmount"}},{"kind":"Field","name":{"kind":"Name","value":"openDeposits"}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<AccountsQuery, AccountsQueryVariables>;
export const AgentKeysDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AgentKeys"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"last"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"before"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"agentKeys"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"last"},"value":{"kind":"Variable","name":{"kind":"Name","value":"last"}}},{"kind":"Argument","name":{"kind":"Name","value":"before"},"value":{"kind":"Variable","name":{"kind":"Name","value":"before"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AgentKeyRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"}},{"kind":"Field","name":{"kind":"Name","value":"startCursor"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"bankAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}},{"kind":"Argument","name":{"kind":"Name","value":"sort"},"value":{"kind":"EnumValue","value":"NAME_ASC"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AgentKeyRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AgentKey"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"keyId"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"accountIds"}},{"kind":"Field","name":{"kind":"Name","value":"maxTransferAmount"}},{"kind":"Field","name":{"kind":"Name","value":"maxDailyAmount"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}}]}}]} as unknown as DocumentNode<AgentKeysQuery, AgentKeysQueryVariables>;
export const CreateBankAccountDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateBankAccount"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateBankAccountInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"reason"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"evidence"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"EvidenceInput"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createBankAccount"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"reason"},"value":{"kind":"Variable","name":{"kind":"Name","value":"reason"}}},{"kind":"Argument","name":{"kind":"Name","value":"evidence"},"value":{"kind":"Variable","name":{"kind":"Name","value":"evidence"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"change"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Proposed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Proposed"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChangeRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}}]} as unknown as DocumentNode<CreateBankAccountMutation, CreateBankAccountMutationVariables>;
export const UpdateBankAccountDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateBankAccount"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateBankAccountInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"reason"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"evidence"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"EvidenceInput"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateBankAccount"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"reason"},"value":{"kind":"Variable","name":{"kind":"Name","value":"reason"}}},{"kind":"Argument","name":{"kind":"Name","value":"evidence"},"value":{"kind":"Variable","name":{"kind":"Name","value":"evidence"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"change"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Proposed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Proposed"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChangeRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}}]} as unknown as DocumentNode<UpdateBankAccountMutation, UpdateBankAccountMutationVariables>;
export const SetBankAccountStatusDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SetBankAccountStatus"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"status"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"BankAccountStatus"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"reason"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"evidence"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"EvidenceInput"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setBankAccountStatus"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"status"},"value":{"kind":"Variable","name":{"kind":"Name","value":"status"}}},{"kind":"Argument","name":{"kind":"Name","value":"reason"},"value":{"kind":"Variable","name":{"kind":"Name","value":"reason"}}},{"kind":"Argument","name":{"kind":"Name","value":"evidence"},"value":{"kind":"Variable","name":{"kind":"Name","value":"evidence"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"change"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Proposed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Proposed"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChangeRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}}]} as unknown as DocumentNode<SetBankAccountStatusMutation, SetBankAccountStatusMutationVariables>;
export const CreateAgentKeyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateAgentKey"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateAgentKeyInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"reason"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"evidence"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"EvidenceInput"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createAgentKey"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"reason"},"value":{"kind":"Variable","name":{"kind":"Name","value":"reason"}}},{"kind":"Argument","name":{"kind":"Name","value":"evidence"},"value":{"kind":"Variable","name":{"kind":"Name","value":"evidence"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"keyId"}},{"kind":"Field","name":{"kind":"Name","value":"secret"}},{"kind":"Field","name":{"kind":"Name","value":"change"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Proposed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"key"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Proposed"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChangeRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}}]} as unknown as DocumentNode<CreateAgentKeyMutation, CreateAgentKeyMutationVariables>;
export const RevokeAgentKeyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RevokeAgentKey"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"reason"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"revokeAgentKey"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"reason"},"value":{"kind":"Variable","name":{"kind":"Name","value":"reason"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"change"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Proposed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"key"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"credited"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"orderNo"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"receivedAt"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Proposed"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChangeRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}}]} as unknown as DocumentNode<RevokeAgentKeyMutation, RevokeAgentKeyMutationVariables>;
export const AuditDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Audit"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"last"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"before"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"AuditLogFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"sort"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AuditLogSort"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"auditLog"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"last"},"value":{"kind":"Variable","name":{"kind":"Name","value":"last"}}},{"kind":"Argument","name":{"kind":"Name","value":"before"},"value":{"kind":"Variable","name":{"kind":"Name","value":"before"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"sort"},"value":{"kind":"Variable","name":{"kind":"Name","value":"sort"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AuditRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"}},{"kind":"Field","name":{"kind":"Name","value":"startCursor"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AuditRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuditEntry"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"seq"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"login"}},{"kind":"Field","name":{"kind":"Name","value":"via"}},{"kind":"Field","name":{"kind":"Name","value":"credential"}},{"kind":"Field","name":{"kind":"Name","value":"address"}},{"kind":"Field","name":{"kind":"Name","value":"userAgent"}},{"kind":"Field","name":{"kind":"Name","value":"action"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"before"}},{"kind":"Field","name":{"kind":"Name","value":"after"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"traceId"}},{"kind":"Field","name":{"kind":"Name","value":"hash"}}]}}]} as unknown as DocumentNode<AuditQuery, AuditQueryVariables>;
export const ChangesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Changes"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"last"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"before"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ChangeRequestFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"sort"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ChangeRequestSort"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"changeRequests"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"last"},"value":{"kind":"Variable","name":{"kind":"Name","value":"last"}}},{"kind":"Argument","name":{"kind":"Name","value":"before"},"value":{"kind":"Variable","name":{"kind":"Name","value":"before"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"sort"},"value":{"kind":"Variable","name":{"kind":"Name","value":"sort"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ChangeRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"}},{"kind":"Field","name":{"kind":"Name","value":"startCursor"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ChangeRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChangeRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}},{"kind":"Field","name":{"kind":"Name","value":"alone"}},{"kind":"Field","name":{"kind":"Name","value":"proposedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"decidedAt"}},{"kind":"Field","name":{"kind":"Name","value":"money"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}},{"kind":"Field","name":{"kind":"Name","value":"subject"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"proposedBy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"login"}}]}},{"kind":"Field","name":{"kind":"Name","value":"decidedBy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"login"}}]}}]}}]} as unknown as DocumentNode<ChangesQuery, ChangesQueryVariables>;
export const ChangeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Change"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"changeRequest"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ChangeRow"}},{"kind":"Field","name":{"kind":"Name","value":"before"}},{"kind":"Field","name":{"kind":"Name","value":"after"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"decisionReason"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"links"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ChangeRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChangeRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}},{"kind":"Field","name":{"kind":"Name","value":"alone"}},{"kind":"Field","name":{"kind":"Name","value":"proposedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"decidedAt"}},{"kind":"Field","name":{"kind":"Name","value":"money"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}},{"kind":"Field","name":{"kind":"Name","value":"subject"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"proposedBy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"login"}}]}},{"kind":"Field","name":{"kind":"Name","value":"decidedBy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"login"}}]}}]}}]} as unknown as DocumentNode<ChangeQuery, ChangeQueryVariables>;
export const OpenChangesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OpenChanges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"changeRequests"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"PROPOSED"}]}},{"kind":"ObjectField","name":{"kind":"Name","value":"notMine"},"value":{"kind":"BooleanValue","value":true}}]}},{"kind":"Argument","name":{"kind":"Name","value":"sort"},"value":{"kind":"EnumValue","value":"PROPOSED_AT_DESC"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"countUpTo"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"max"},"value":{"kind":"IntValue","value":"100"}}]}]}}]}}]} as unknown as DocumentNode<OpenChangesQuery, OpenChangesQueryVariables>;
export const ApproveChangeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ApproveChange"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"reason"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"approveChange"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"reason"},"value":{"kind":"Variable","name":{"kind":"Name","value":"reason"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Proposed"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Proposed"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChangeRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}}]} as unknown as DocumentNode<ApproveChangeMutation, ApproveChangeMutationVariables>;
export const RejectChangeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RejectChange"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"reason"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rejectChange"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"reason"},"value":{"kind":"Variable","name":{"kind":"Name","value":"reason"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Proposed"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Proposed"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChangeRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}}]} as unknown as DocumentNode<RejectChangeMutation, RejectChangeMutationVariables>;
export const WithdrawChangeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"WithdrawChange"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"reason"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"withdrawChange"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"reason"},"value":{"kind":"Variable","name":{"kind":"Name","value":"reason"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Proposed"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Proposed"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChangeRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}}]} as unknown as DocumentNode<WithdrawChangeMutation, WithdrawChangeMutationVariables>;
export const DepositsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Deposits"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"last"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"before"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DepositFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"sort"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DepositSort"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"lastEventSeq"}},{"kind":"Field","name":{"kind":"Name","value":"deposits"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"last"},"value":{"kind":"Variable","name":{"kind":"Name","value":"last"}}},{"kind":"Argument","name":{"kind":"Name","value":"before"},"value":{"kind":"Variable","name":{"kind":"Name","value":"before"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"sort"},"value":{"kind":"Variable","name":{"kind":"Name","value":"sort"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DepositRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"}},{"kind":"Field","name":{"kind":"Name","value":"startCursor"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DepositRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DepositOrder"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"orderNo"}},{"kind":"Field","name":{"kind":"Name","value":"merchantOrderNo"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"actualAmount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"expectedRemark"}},{"kind":"Field","name":{"kind":"Name","value":"callbackStatus"}},{"kind":"Field","name":{"kind":"Name","value":"callbackCount"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"payerAccountLast4"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"expireAt"}},{"kind":"Field","name":{"kind":"Name","value":"merchant"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"merchantCode"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<DepositsQuery, DepositsQueryVariables>;
export const MerchantChoicesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MerchantChoices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"merchants"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"merchantCode"}},{"kind":"Field","name":{"kind":"Name","value":"currencies"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}}]}}]}}]}}]} as unknown as DocumentNode<MerchantChoicesQuery, MerchantChoicesQueryVariables>;
export const DepositDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Deposit"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderNo"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deposit"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"orderNo"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderNo"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DepositRow"}},{"kind":"Field","name":{"kind":"Name","value":"requestedAmount"}},{"kind":"Field","name":{"kind":"Name","value":"fee"}},{"kind":"Field","name":{"kind":"Name","value":"orderType"}},{"kind":"Field","name":{"kind":"Name","value":"matchedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"callbackUrl"}},{"kind":"Field","name":{"kind":"Name","value":"payerBankCode"}},{"kind":"Field","name":{"kind":"Name","value":"paymentSnapshot"}},{"kind":"Field","name":{"kind":"Name","value":"traceId"}},{"kind":"Field","name":{"kind":"Name","value":"merchant"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"merchantCode"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"bankCode"}},{"kind":"Field","name":{"kind":"Name","value":"accountNo"}}]}},{"kind":"Field","name":{"kind":"Name","value":"timeline"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"actor"}},{"kind":"Field","name":{"kind":"Name","value":"detail"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"seq"}}]}},{"kind":"Field","name":{"kind":"Name","value":"ledgerEntries"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"transferId"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"line"}},{"kind":"Field","name":{"kind":"Name","value":"account"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"balanceBefore"}},{"kind":"Field","name":{"kind":"Name","value":"balanceAfter"}}]}},{"kind":"Field","name":{"kind":"Name","value":"bankTransfers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"bankReference"}},{"kind":"Field","name":{"kind":"Name","value":"bankTime"}},{"kind":"Field","name":{"kind":"Name","value":"payerName"}},{"kind":"Field","name":{"kind":"Name","value":"payerAccount"}},{"kind":"Field","name":{"kind":"Name","value":"memo"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"receivedAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"callbacks"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"notificationType"}},{"kind":"Field","name":{"kind":"Name","value":"targetUrl"}},{"kind":"Field","name":{"kind":"Name","value":"requestBody"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"attemptCount"}},{"kind":"Field","name":{"kind":"Name","value":"totalAttempts"}},{"kind":"Field","name":{"kind":"Name","value":"nextAttemptAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generation"}},{"kind":"Field","name":{"kind":"Name","value":"attempt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}},{"kind":"Field","name":{"kind":"Name","value":"responseStatus"}},{"kind":"Field","name":{"kind":"Name","value":"responseBody"}},{"kind":"Field","name":{"kind":"Name","value":"error"}}]}},{"kind":"Field","name":{"kind":"Name","value":"workflow"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"waitsFor"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"workflow"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"waitsFor"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DepositRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DepositOrder"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"orderNo"}},{"kind":"Field","name":{"kind":"Name","value":"merchantOrderNo"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"actualAmount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"expectedRemark"}},{"kind":"Field","name":{"kind":"Name","value":"callbackStatus"}},{"kind":"Field","name":{"kind":"Name","value":"callbackCount"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"payerAccountLast4"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"expireAt"}},{"kind":"Field","name":{"kind":"Name","value":"merchant"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"merchantCode"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<DepositQuery, DepositQueryVariables>;
export const CancelDepositDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CancelDeposit"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderNo"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"reason"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cancelDeposit"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"orderNo"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderNo"}}},{"kind":"Argument","name":{"kind":"Name","value":"reason"},"value":{"kind":"Variable","name":{"kind":"Name","value":"reason"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<CancelDepositMutation, CancelDepositMutationVariables>;
export const ResendCallbackDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ResendCallback"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"reason"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resendCallback"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"reason"},"value":{"kind":"Variable","name":{"kind":"Name","value":"reason"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<ResendCallbackMutation, ResendCallbackMutationVariables>;
export const DepositChangedDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"DepositChanged"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderNo"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"afterSeq"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Sequence"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"depositChanged"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"orderNo"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderNo"}}},{"kind":"Argument","name":{"kind":"Name","value":"afterSeq"},"value":{"kind":"Variable","name":{"kind":"Name","value":"afterSeq"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"seq"}}]}}]}}]} as unknown as DocumentNode<DepositChangedSubscription, DepositChangedSubscriptionVariables>;
export const DepositsChangedDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"DepositsChanged"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"OrderChangeFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"afterSeq"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Sequence"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"ordersChanged"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"afterSeq"},"value":{"kind":"Variable","name":{"kind":"Name","value":"afterSeq"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"seq"}},{"kind":"Field","name":{"kind":"Name","value":"deposit"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DepositRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DepositRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DepositOrder"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"orderNo"}},{"kind":"Field","name":{"kind":"Name","value":"merchantOrderNo"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"actualAmount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"expectedRemark"}},{"kind":"Field","name":{"kind":"Name","value":"callbackStatus"}},{"kind":"Field","name":{"kind":"Name","value":"callbackCount"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"payerAccountLast4"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"expireAt"}},{"kind":"Field","name":{"kind":"Name","value":"merchant"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"merchantCode"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<DepositsChangedSubscription, DepositsChangedSubscriptionVariables>;
export const MerchantsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Merchants"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"last"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"before"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"MerchantFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"sort"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MerchantSort"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"merchants"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"last"},"value":{"kind":"Variable","name":{"kind":"Name","value":"last"}}},{"kind":"Argument","name":{"kind":"Name","value":"before"},"value":{"kind":"Variable","name":{"kind":"Name","value":"before"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"sort"},"value":{"kind":"Variable","name":{"kind":"Name","value":"sort"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MerchantSettings"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"}},{"kind":"Field","name":{"kind":"Name","value":"startCursor"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MerchantSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Merchant"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"merchantCode"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"canDeposit"}},{"kind":"Field","name":{"kind":"Name","value":"canWithdraw"}},{"kind":"Field","name":{"kind":"Name","value":"depositExpireMinutes"}},{"kind":"Field","name":{"kind":"Name","value":"callbackTimeoutSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"defaultCallbackUrl"}},{"kind":"Field","name":{"kind":"Name","value":"allowInsecureCallbacks"}},{"kind":"Field","name":{"kind":"Name","value":"callbackHosts"}},{"kind":"Field","name":{"kind":"Name","value":"notifyDepositExpired"}},{"kind":"Field","name":{"kind":"Name","value":"notifyDepositCancelled"}},{"kind":"Field","name":{"kind":"Name","value":"maxOpenDeposits"}},{"kind":"Field","name":{"kind":"Name","value":"maxOpenDepositsPerUser"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"currencies"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"depositFee"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"fixed"}}]}}]}}]}}]} as unknown as DocumentNode<MerchantsQuery, MerchantsQueryVariables>;
export const MerchantDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Merchant"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"merchant"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MerchantSettings"}},{"kind":"Field","name":{"kind":"Name","value":"apiKeys"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ApiKeyRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"balances"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"frozen"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MerchantSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Merchant"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"merchantCode"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"canDeposit"}},{"kind":"Field","name":{"kind":"Name","value":"canWithdraw"}},{"kind":"Field","name":{"kind":"Name","value":"depositExpireMinutes"}},{"kind":"Field","name":{"kind":"Name","value":"callbackTimeoutSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"defaultCallbackUrl"}},{"kind":"Field","name":{"kind":"Name","value":"allowInsecureCallbacks"}},{"kind":"Field","name":{"kind":"Name","value":"callbackHosts"}},{"kind":"Field","name":{"kind":"Name","value":"notifyDepositExpired"}},{"kind":"Field","name":{"kind":"Name","value":"notifyDepositCancelled"}},{"kind":"Field","name":{"kind":"Name","value":"maxOpenDeposits"}},{"kind":"Field","name":{"kind":"Name","value":"maxOpenDepositsPerUser"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"currencies"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"depositFee"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"fixed"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ApiKeyRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ApiKey"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"hint"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"retiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}}]}}]} as unknown as DocumentNode<MerchantQuery, MerchantQueryVariables>;
export const CreateMerchantDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateMerchant"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateMerchantInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"reason"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"evidence"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"EvidenceInput"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createMerchant"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"reason"},"value":{"kind":"Variable","name":{"kind":"Name","value":"reason"}}},{"kind":"Argument","name":{"kind":"Name","value":"evidence"},"value":{"kind":"Variable","name":{"kind":"Name","value":"evidence"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"change"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Proposed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"merchant"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Proposed"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChangeRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}}]} as unknown as DocumentNode<CreateMerchantMutation, CreateMerchantMutationVariables>;
export const UpdateMerchantDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateMerchant"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"settings"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"MerchantSettingsInput"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"currencies"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MerchantCurrencyInput"}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"reason"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"evidence"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"EvidenceInput"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateMerchant"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"settings"},"value":{"kind":"Variable","name":{"kind":"Name","value":"settings"}}},{"kind":"Argument","name":{"kind":"Name","value":"currencies"},"value":{"kind":"Variable","name":{"kind":"Name","value":"currencies"}}},{"kind":"Argument","name":{"kind":"Name","value":"reason"},"value":{"kind":"Variable","name":{"kind":"Name","value":"reason"}}},{"kind":"Argument","name":{"kind":"Name","value":"evidence"},"value":{"kind":"Variable","name":{"kind":"Name","value":"evidence"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"change"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Proposed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"merchant"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Proposed"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChangeRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}}]} as unknown as DocumentNode<UpdateMerchantMutation, UpdateMerchantMutationVariables>;
export const IssueApiKeyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"IssueApiKey"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"merchantId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"reason"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"evidence"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"EvidenceInput"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issueApiKey"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"merchantId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"merchantId"}}},{"kind":"Argument","name":{"kind":"Name","value":"reason"},"value":{"kind":"Variable","name":{"kind":"Name","value":"reason"}}},{"kind":"Argument","name":{"kind":"Name","value":"evidence"},"value":{"kind":"Variable","name":{"kind":"Name","value":"evidence"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"apiKey"}},{"kind":"Field","name":{"kind":"Name","value":"change"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Proposed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"key"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Proposed"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChangeRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}}]} as unknown as DocumentNode<IssueApiKeyMutation, IssueApiKeyMutationVariables>;
export const RotateApiKeyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RotateApiKey"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"merchantId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"overlapSeconds"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"reason"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"evidence"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"EvidenceInput"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rotateApiKey"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"merchantId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"merchantId"}}},{"kind":"Argument","name":{"kind":"Name","value":"overlapSeconds"},"value":{"kind":"Variable","name":{"kind":"Name","value":"overlapSeconds"}}},{"kind":"Argument","name":{"kind":"Name","value":"reason"},"value":{"kind":"Variable","name":{"kind":"Name","value":"reason"}}},{"kind":"Argument","name":{"kind":"Name","value":"evidence"},"value":{"kind":"Variable","name":{"kind":"Name","value":"evidence"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"apiKey"}},{"kind":"Field","name":{"kind":"Name","value":"change"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Proposed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"key"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Proposed"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChangeRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}}]} as unknown as DocumentNode<RotateApiKeyMutation, RotateApiKeyMutationVariables>;
export const RevokeApiKeyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RevokeApiKey"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"reason"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"revokeApiKey"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"reason"},"value":{"kind":"Variable","name":{"kind":"Name","value":"reason"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"change"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Proposed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"key"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Proposed"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChangeRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}}]} as unknown as DocumentNode<RevokeApiKeyMutation, RevokeApiKeyMutationVariables>;
export const TopUpBalanceDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"TopUpBalance"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"merchantId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"currencyCode"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"amount"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Decimal"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"reason"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"evidence"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"EvidenceInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"topUpBalance"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"merchantId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"merchantId"}}},{"kind":"Argument","name":{"kind":"Name","value":"currencyCode"},"value":{"kind":"Variable","name":{"kind":"Name","value":"currencyCode"}}},{"kind":"Argument","name":{"kind":"Name","value":"amount"},"value":{"kind":"Variable","name":{"kind":"Name","value":"amount"}}},{"kind":"Argument","name":{"kind":"Name","value":"reason"},"value":{"kind":"Variable","name":{"kind":"Name","value":"reason"}}},{"kind":"Argument","name":{"kind":"Name","value":"evidence"},"value":{"kind":"Variable","name":{"kind":"Name","value":"evidence"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"change"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Proposed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"balance"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Proposed"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChangeRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}}]} as unknown as DocumentNode<TopUpBalanceMutation, TopUpBalanceMutationVariables>;
export const AdjustBalanceDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AdjustBalance"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"merchantId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"currencyCode"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"amount"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Decimal"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"reason"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"evidence"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"EvidenceInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"adjustBalance"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"merchantId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"merchantId"}}},{"kind":"Argument","name":{"kind":"Name","value":"currencyCode"},"value":{"kind":"Variable","name":{"kind":"Name","value":"currencyCode"}}},{"kind":"Argument","name":{"kind":"Name","value":"amount"},"value":{"kind":"Variable","name":{"kind":"Name","value":"amount"}}},{"kind":"Argument","name":{"kind":"Name","value":"reason"},"value":{"kind":"Variable","name":{"kind":"Name","value":"reason"}}},{"kind":"Argument","name":{"kind":"Name","value":"evidence"},"value":{"kind":"Variable","name":{"kind":"Name","value":"evidence"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"change"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Proposed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"balance"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Proposed"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChangeRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}}]} as unknown as DocumentNode<AdjustBalanceMutation, AdjustBalanceMutationVariables>;
export const MySessionsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MySessions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sessions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"cookie"}},{"kind":"Field","name":{"kind":"Name","value":"address"}},{"kind":"Field","name":{"kind":"Name","value":"userAgent"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastSeenAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"current"}}]}}]}}]}}]} as unknown as DocumentNode<MySessionsQuery, MySessionsQueryVariables>;
export const EndSessionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"EndSession"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endSession"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<EndSessionMutation, EndSessionMutationVariables>;
export const EndOtherSessionsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"EndOtherSessions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endOtherSessions"}}]}}]} as unknown as DocumentNode<EndOtherSessionsMutation, EndOtherSessionsMutationVariables>;
export const UnmatchedDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Unmatched"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"last"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"before"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"BankTransferFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"sort"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"BankTransferSort"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"unmatchedTransfers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"last"},"value":{"kind":"Variable","name":{"kind":"Name","value":"last"}}},{"kind":"Argument","name":{"kind":"Name","value":"before"},"value":{"kind":"Variable","name":{"kind":"Name","value":"before"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"sort"},"value":{"kind":"Variable","name":{"kind":"Name","value":"sort"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UnmatchedRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"}},{"kind":"Field","name":{"kind":"Name","value":"startCursor"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UnmatchedRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"BankTransfer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"memo"}},{"kind":"Field","name":{"kind":"Name","value":"payerName"}},{"kind":"Field","name":{"kind":"Name","value":"payerAccount"}},{"kind":"Field","name":{"kind":"Name","value":"bankReference"}},{"kind":"Field","name":{"kind":"Name","value":"bankTime"}},{"kind":"Field","name":{"kind":"Name","value":"receivedAt"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"unmatchedReason"}},{"kind":"Field","name":{"kind":"Name","value":"orderNo"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<UnmatchedQuery, UnmatchedQueryVariables>;
export const UnmatchedTransferDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"UnmatchedTransfer"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bankTransfer"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UnmatchedRow"}},{"kind":"Field","name":{"kind":"Name","value":"balanceAfter"}},{"kind":"Field","name":{"kind":"Name","value":"candidates"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"8"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasons"}},{"kind":"Field","name":{"kind":"Name","value":"score"}},{"kind":"Field","name":{"kind":"Name","value":"deposit"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"orderNo"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"expectedRemark"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"expireAt"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"merchant"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"merchantCode"}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UnmatchedRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"BankTransfer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"memo"}},{"kind":"Field","name":{"kind":"Name","value":"payerName"}},{"kind":"Field","name":{"kind":"Name","value":"payerAccount"}},{"kind":"Field","name":{"kind":"Name","value":"bankReference"}},{"kind":"Field","name":{"kind":"Name","value":"bankTime"}},{"kind":"Field","name":{"kind":"Name","value":"receivedAt"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"unmatchedReason"}},{"kind":"Field","name":{"kind":"Name","value":"orderNo"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<UnmatchedTransferQuery, UnmatchedTransferQueryVariables>;
export const MatchTransferDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"MatchTransfer"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"transferId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderNo"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"reason"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"matchTransfer"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"transferId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"transferId"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderNo"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderNo"}}},{"kind":"Argument","name":{"kind":"Name","value":"reason"},"value":{"kind":"Variable","name":{"kind":"Name","value":"reason"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UnmatchedRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UnmatchedRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"BankTransfer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"memo"}},{"kind":"Field","name":{"kind":"Name","value":"payerName"}},{"kind":"Field","name":{"kind":"Name","value":"payerAccount"}},{"kind":"Field","name":{"kind":"Name","value":"bankReference"}},{"kind":"Field","name":{"kind":"Name","value":"bankTime"}},{"kind":"Field","name":{"kind":"Name","value":"receivedAt"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"unmatchedReason"}},{"kind":"Field","name":{"kind":"Name","value":"orderNo"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<MatchTransferMutation, MatchTransferMutationVariables>;
export const AccountChoicesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AccountChoices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bankAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}},{"kind":"Argument","name":{"kind":"Name","value":"sort"},"value":{"kind":"EnumValue","value":"NAME_ASC"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}}]}}]}}]} as unknown as DocumentNode<AccountChoicesQuery, AccountChoicesQueryVariables>;
export const SearchDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Search"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"text"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"search"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"text"},"value":{"kind":"Variable","name":{"kind":"Name","value":"text"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"12"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}},{"kind":"Field","name":{"kind":"Name","value":"exact"}},{"kind":"Field","name":{"kind":"Name","value":"found"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DepositOrder"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"orderNo"}},{"kind":"Field","name":{"kind":"Name","value":"merchantOrderNo"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"BankTransfer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","alias":{"kind":"Name","value":"transferAmount"},"name":{"kind":"Name","value":"amount"}},{"kind":"Field","alias":{"kind":"Name","value":"transferCurrency"},"name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"bankReference"}},{"kind":"Field","alias":{"kind":"Name","value":"matchedTo"},"name":{"kind":"Name","value":"orderNo"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Merchant"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"merchantCode"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]} as unknown as DocumentNode<SearchQuery, SearchQueryVariables>;