/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** A credit on a managed account, as its bank shows it. */
export type BankNotificationInput = {
  readonly accountId: string;
  /** A plain decimal, such as "1500.00". */
  readonly amount: string;
  /** The account's balance after it. */
  readonly balanceAfter?: string | null | undefined;
  /** The bank's own reference; best against duplicates. */
  readonly bankReference?: string | null | undefined;
  /** When the bank booked it. */
  readonly bankTime: string;
  /** ISO 4217. */
  readonly currencyCode: string;
  /** The memo, as the bank shows it; at most 512 characters. */
  readonly memo: string;
  readonly payerAccount?: string | null | undefined;
  readonly payerName?: string | null | undefined;
};

/** Contract, "POST /orders/deposit". */
export type CreateDepositInput = {
  readonly accountHolder?: string | null | undefined;
  readonly accountNo?: string | null | undefined;
  /** A plain decimal, as the merchant wrote it. */
  readonly amount: string;
  readonly bankCode?: string | null | undefined;
  readonly callbackUrl: string;
  readonly currencyCode: string;
  readonly email?: string | null | undefined;
  readonly extraData?: string | null | undefined;
  readonly merchantOrderNo: string;
  readonly mobile?: string | null | undefined;
  readonly userId?: string | null | undefined;
};

/** How a deposit came to be. */
export type DepositOrderType =
  /** Created through the hosted cashier. */
  | 'CASHIER'
  /** Created through the Direct API. */
  | 'DIRECT';

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

export type DepositOrderFieldsFragment = { readonly id: string, readonly orderNo: string, readonly merchantOrderNo: string, readonly merchantId: string, readonly accountId: string | null, readonly orderType: DepositOrderType, readonly requestedAmount: string, readonly amount: string, readonly fee: string, readonly actualAmount: string, readonly currencyCode: string, readonly expectedRemark: string | null, readonly status: DepositStatus, readonly expireAt: string, readonly matchedAt: string | null, readonly completedAt: string | null, readonly callbackUrl: string | null, readonly callbackStatus: NotificationStatus | null, readonly callbackCount: number, readonly userId: string | null, readonly payerBankCode: string | null, readonly payerAccountLast4: string | null, readonly paymentSnapshot: Record<string, string>, readonly createdAt: string, readonly updatedAt: string, readonly merchant: { readonly id: string, readonly merchantCode: string, readonly name: string }, readonly account: { readonly id: string, readonly accountNo: string, readonly name: string, readonly bankCode: string, readonly bankName: string, readonly accountHolder: string } | null };

export type CreateDepositMutationVariables = Exact<{
  input: CreateDepositInput;
}>;


export type CreateDepositMutation = { readonly createDeposit: { readonly orderNo: string, readonly requestedAmount: string, readonly amount: string, readonly currencyCode: string, readonly expireAt: string, readonly expectedRemark: string | null, readonly paymentSnapshot: Record<string, string> } };

export type DepositByOrderNoQueryVariables = Exact<{
  orderNo: string;
}>;


export type DepositByOrderNoQuery = { readonly merchantDeposit: { readonly id: string, readonly orderNo: string, readonly merchantOrderNo: string, readonly merchantId: string, readonly accountId: string | null, readonly orderType: DepositOrderType, readonly requestedAmount: string, readonly amount: string, readonly fee: string, readonly actualAmount: string, readonly currencyCode: string, readonly expectedRemark: string | null, readonly status: DepositStatus, readonly expireAt: string, readonly matchedAt: string | null, readonly completedAt: string | null, readonly callbackUrl: string | null, readonly callbackStatus: NotificationStatus | null, readonly callbackCount: number, readonly userId: string | null, readonly payerBankCode: string | null, readonly payerAccountLast4: string | null, readonly paymentSnapshot: Record<string, string>, readonly createdAt: string, readonly updatedAt: string, readonly merchant: { readonly id: string, readonly merchantCode: string, readonly name: string }, readonly account: { readonly id: string, readonly accountNo: string, readonly name: string, readonly bankCode: string, readonly bankName: string, readonly accountHolder: string } | null } | null };

export type DepositByMerchantOrderNoQueryVariables = Exact<{
  merchantOrderNo: string;
}>;


export type DepositByMerchantOrderNoQuery = { readonly merchantDeposit: { readonly id: string, readonly orderNo: string, readonly merchantOrderNo: string, readonly merchantId: string, readonly accountId: string | null, readonly orderType: DepositOrderType, readonly requestedAmount: string, readonly amount: string, readonly fee: string, readonly actualAmount: string, readonly currencyCode: string, readonly expectedRemark: string | null, readonly status: DepositStatus, readonly expireAt: string, readonly matchedAt: string | null, readonly completedAt: string | null, readonly callbackUrl: string | null, readonly callbackStatus: NotificationStatus | null, readonly callbackCount: number, readonly userId: string | null, readonly payerBankCode: string | null, readonly payerAccountLast4: string | null, readonly paymentSnapshot: Record<string, string>, readonly createdAt: string, readonly updatedAt: string, readonly merchant: { readonly id: string, readonly merchantCode: string, readonly name: string }, readonly account: { readonly id: string, readonly accountNo: string, readonly name: string, readonly bankCode: string, readonly bankName: string, readonly accountHolder: string } | null } | null };

export type MerchantBalancesQueryVariables = Exact<{ [key: string]: never; }>;


export type MerchantBalancesQuery = { readonly merchantBalances: ReadonlyArray<{ readonly id: string, readonly merchantId: string, readonly currencyCode: string, readonly available: string, readonly frozen: string, readonly total: string, readonly version: number, readonly createdAt: string, readonly updatedAt: string }> };

export type RecordBankNotificationMutationVariables = Exact<{
  input: BankNotificationInput;
}>;


export type RecordBankNotificationMutation = { readonly recordBankNotification: { readonly duplicate: boolean, readonly transfer: { readonly id: string, readonly unmatchedReason: UnmatchedReason | null, readonly depositId: string | null, readonly orderNo: string | null } } };

export const DepositOrderFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DepositOrderFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DepositOrder"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"orderNo"}},{"kind":"Field","name":{"kind":"Name","value":"merchantOrderNo"}},{"kind":"Field","name":{"kind":"Name","value":"merchantId"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"orderType"}},{"kind":"Field","name":{"kind":"Name","value":"requestedAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"fee"}},{"kind":"Field","name":{"kind":"Name","value":"actualAmount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"expectedRemark"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"expireAt"}},{"kind":"Field","name":{"kind":"Name","value":"matchedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"callbackUrl"}},{"kind":"Field","name":{"kind":"Name","value":"callbackStatus"}},{"kind":"Field","name":{"kind":"Name","value":"callbackCount"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"payerBankCode"}},{"kind":"Field","name":{"kind":"Name","value":"payerAccountLast4"}},{"kind":"Field","name":{"kind":"Name","value":"paymentSnapshot"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"merchant"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"merchantCode"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"accountNo"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"bankCode"}},{"kind":"Field","name":{"kind":"Name","value":"bankName"}},{"kind":"Field","name":{"kind":"Name","value":"accountHolder"}}]}}]}}]} as unknown as DocumentNode<DepositOrderFieldsFragment, unknown>;
export const CreateDepositDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateDeposit"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateDepositInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createDeposit"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"orderNo"}},{"kind":"Field","name":{"kind":"Name","value":"requestedAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"expireAt"}},{"kind":"Field","name":{"kind":"Name","value":"expectedRemark"}},{"kind":"Field","name":{"kind":"Name","value":"paymentSnapshot"}}]}}]}}]} as unknown as DocumentNode<CreateDepositMutation, CreateDepositMutationVariables>;
export const DepositByOrderNoDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DepositByOrderNo"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderNo"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"merchantDeposit"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"orderNo"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderNo"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DepositOrderFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DepositOrderFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DepositOrder"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"orderNo"}},{"kind":"Field","name":{"kind":"Name","value":"merchantOrderNo"}},{"kind":"Field","name":{"kind":"Name","value":"merchantId"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"orderType"}},{"kind":"Field","name":{"kind":"Name","value":"requestedAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"fee"}},{"kind":"Field","name":{"kind":"Name","value":"actualAmount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"expectedRemark"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"expireAt"}},{"kind":"Field","name":{"kind":"Name","value":"matchedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"callbackUrl"}},{"kind":"Field","name":{"kind":"Name","value":"callbackStatus"}},{"kind":"Field","name":{"kind":"Name","value":"callbackCount"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"payerBankCode"}},{"kind":"Field","name":{"kind":"Name","value":"payerAccountLast4"}},{"kind":"Field","name":{"kind":"Name","value":"paymentSnapshot"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"merchant"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"merchantCode"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"accountNo"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"bankCode"}},{"kind":"Field","name":{"kind":"Name","value":"bankName"}},{"kind":"Field","name":{"kind":"Name","value":"accountHolder"}}]}}]}}]} as unknown as DocumentNode<DepositByOrderNoQuery, DepositByOrderNoQueryVariables>;
export const DepositByMerchantOrderNoDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DepositByMerchantOrderNo"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"merchantOrderNo"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"merchantDeposit"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"merchantOrderNo"},"value":{"kind":"Variable","name":{"kind":"Name","value":"merchantOrderNo"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DepositOrderFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DepositOrderFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DepositOrder"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"orderNo"}},{"kind":"Field","name":{"kind":"Name","value":"merchantOrderNo"}},{"kind":"Field","name":{"kind":"Name","value":"merchantId"}},{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"orderType"}},{"kind":"Field","name":{"kind":"Name","value":"requestedAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"fee"}},{"kind":"Field","name":{"kind":"Name","value":"actualAmount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"expectedRemark"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"expireAt"}},{"kind":"Field","name":{"kind":"Name","value":"matchedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"callbackUrl"}},{"kind":"Field","name":{"kind":"Name","value":"callbackStatus"}},{"kind":"Field","name":{"kind":"Name","value":"callbackCount"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"payerBankCode"}},{"kind":"Field","name":{"kind":"Name","value":"payerAccountLast4"}},{"kind":"Field","name":{"kind":"Name","value":"paymentSnapshot"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"merchant"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"merchantCode"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"accountNo"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"bankCode"}},{"kind":"Field","name":{"kind":"Name","value":"bankName"}},{"kind":"Field","name":{"kind":"Name","value":"accountHolder"}}]}}]}}]} as unknown as DocumentNode<DepositByMerchantOrderNoQuery, DepositByMerchantOrderNoQueryVariables>;
export const MerchantBalancesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MerchantBalances"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"merchantBalances"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"merchantId"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"frozen"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]}}]} as unknown as DocumentNode<MerchantBalancesQuery, MerchantBalancesQueryVariables>;
export const RecordBankNotificationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RecordBankNotification"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"BankNotificationInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recordBankNotification"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"duplicate"}},{"kind":"Field","name":{"kind":"Name","value":"transfer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"unmatchedReason"}},{"kind":"Field","name":{"kind":"Name","value":"depositId"}},{"kind":"Field","name":{"kind":"Name","value":"orderNo"}}]}}]}}]}}]} as unknown as DocumentNode<RecordBankNotificationMutation, RecordBankNotificationMutationVariables>;