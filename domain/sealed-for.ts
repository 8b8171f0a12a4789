/*
 * What each sealed personal value is bound to: it opens nowhere else. A row that is replaced keeps its name here, and a
 * copy of a value has the name of the first.
 */

/** What has the merchant's own number: no two of its orders share one. */
export interface Numbered {
  readonly merchantId: string;
  readonly merchantOrderNo: string;
}

/** The picture of a payment claim: an order has one claim, which a later one replaces. */
export const receiptOf = (depositId: string): string => `receipt:${depositId}`;

/** A merchant's answers to one callback. */
export const answerTo = (notificationId: string): string => `callback_answer:${notificationId}`;

/**
 * The text that a merchant gives an order. A session, its order and their callbacks share the number, so SQL copies the
 * sealed text from one to the next.
 */
export const extraDataOf = (order: Numbered): string => `extra_data:${order.merchantId}:${order.merchantOrderNo}`;

/** The account of a withdrawal's beneficiary. */
export const beneficiaryAccountOf = (orderNo: string): string => `beneficiary_account:${orderNo}`;

/** The name of a withdrawal's beneficiary. */
export const beneficiaryNameOf = (order: Numbered): string =>
  `beneficiary_name:${order.merchantId}:${order.merchantOrderNo}`;

/** The number of a beneficiary on the allowlist or the denylist. */
export const listedBeneficiaryOf = (id: string): string => `listed_beneficiary:${id}`;

/** The branch of a beneficiary's bank. */
export const branchOf = (order: Numbered): string =>
  `beneficiary_bank_branch:${order.merchantId}:${order.merchantOrderNo}`;

/** The name of a payer, which has no search form. */
export const PAYER_NAME = 'payer_name';

/** The name that a bank prints of the payer of a credit. A report that repeats it is sealed for the first one's row. */
export const creditNameOf = (transferId: string): string => `bank_credit_payer_name:${transferId}`;

/** The same of the account. */
export const creditAccountOf = (transferId: string): string => `bank_credit_payer_account:${transferId}`;

/** The same of the text of the transfer. */
export const creditMemoOf = (transferId: string): string => `bank_credit_memo:${transferId}`;

/** What was found about the payer of a credit. */
export const findingOf = (transferId: string): string => `bank_credit_finding:${transferId}`;

/** The name that a bank prints of who was paid by a debit. */
export const debitNameOf = (debitId: string): string => `bank_debit_payee_name:${debitId}`;

/** The same of the account. */
export const debitAccountOf = (debitId: string): string => `bank_debit_payee_account:${debitId}`;

/** The same of the text of the transfer. */
export const debitMemoOf = (debitId: string): string => `bank_debit_memo:${debitId}`;

/** The name of whom money goes back to. */
export const returnNameOf = (returnId: string): string => `payer_return_payee_name:${returnId}`;

/** The same of the account. */
export const returnAccountOf = (returnId: string): string => `payer_return_payee_account:${returnId}`;

/** A message of a bank. */
export const bankTextOf = (id: string): string => `agent_text:${id}`;

/** What a merchant says of the payer of an order. @param what PAYER_NAME, or as domain/search-forms.ts names it */
export const payerOf = (order: Numbered, what: string): string =>
  `${what}:${order.merchantId}:${order.merchantOrderNo}`;

/** The value of a payer on a list. */
export const listedPayerOf = (id: string): string => `listed_payer:${id}`;

/** A part of the file of a bank's statement. */
export const statementPartOf = (statementId: string, part: number | string): string =>
  `statement_part:${statementId}:${part}`;

/** The texts of a line of a statement that may name persons, and their columns. */
export const LINE_TEXTS = {
  memo: 'memo',
  partyName: 'party_name',
  partyAccount: 'party_account',
  raw: 'raw',
} as const;

/** One of them. */
export const lineTextOf = (text: keyof typeof LINE_TEXTS, statementId: string, line: number | string): string =>
  `statement_line_${LINE_TEXTS[text]}:${statementId}:${line}`;
