import { writeAmount } from '../../domain/mapping/amounts';
import type { MappedRequest, Mapping } from '../../domain/mapping/schema';
import type { Variables } from '../../domain/mapping/template';
import { writeTime } from '../../domain/mapping/times';
import type { DepositRequest, PayoutQuery, PayoutRequest } from '../channel';

/** The values of an order that a provider gets, or why it cannot take the order. */
export type OrderVariables = Variables | { readonly problem: string };

/** The reference, amount and currency of an order. */
export function namedOrder(
  mapping: Mapping,
  request: MappedRequest,
  { reference, amount, currencyCode }: PayoutQuery,
): OrderVariables {
  if (mapping.currency !== undefined && mapping.currency !== currencyCode)
    return { problem: `it serves only ${mapping.currency}` };
  const written = writeAmount(amount, request.money ?? mapping.money);
  return written === null
    ? { problem: 'it cannot write this amount exactly' }
    : { reference, amount: written, currency: currencyCode };
}

/** The values of a payout that a provider gets. */
export const payoutVariables = (request: PayoutRequest): Variables => ({
  bank_code: request.bankCode,
  bank_branch: request.bankBranch,
  beneficiary_name: request.beneficiaryName,
  beneficiary_account: request.beneficiaryAccount,
});

/** The values of a deposit that a provider gets. */
export const depositVariables = ({ time }: Mapping, { contact, account, expireAt }: DepositRequest): Variables => ({
  expire_at: writeTime(expireAt, time),
  contact_mobile: contact.mobile,
  contact_email: contact.email,
  account_bank_code: account?.bankCode ?? null,
  account_no: account?.accountNo ?? null,
  account_remark: account?.remark ?? null,
});
