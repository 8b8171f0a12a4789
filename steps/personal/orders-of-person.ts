import { blindIndexes } from '../../crypto/blind-index';
import { soughtAccount } from '../../crypto/beneficiary';
import { openBeneficiary, openPayer, type Seals } from '../../crypto/personal';
import { PAYER_ACCOUNT, PAYER_EMAIL, PAYER_MOBILE, type SearchForm } from '../../domain/search-forms';
import type { Database, Transaction } from '../../db/client';
import { findOrdersOfPerson, findPerson, type PersonOrder } from '../../db/personal/erase';

/**
 * The orders of one merchant that are of the same person as this one, itself included; none where there is no such
 * order.
 */
export async function ordersOfPerson(
  sql: Database['sql'] | Transaction,
  { sealer, lookup }: Seals,
  orderId: string,
): Promise<PersonOrder[]> {
  const kept = await findPerson(sql, orderId);
  if (!kept) return [];
  const { payerAccountNo, payerMobile, payerEmail } = openPayer(sealer, kept);
  const { orderNo, beneficiaryAccount } = kept;
  const account =
    beneficiaryAccount === null ? payerAccountNo : openBeneficiary(sealer, { orderNo, beneficiaryAccount });
  /** None of a value without a form, such as a number without a digit: many have that one. */
  const indexes = (form: SearchForm, value: string | null): string[] =>
    value === null || form.of(value) === '' ? [] : blindIndexes(lookup, form, value);
  return await findOrdersOfPerson(sql, orderId, {
    beneficiaryIndexes: account === null ? [] : soughtAccount(lookup, account).indexes,
    accountIndexes: indexes(PAYER_ACCOUNT, account),
    mobileIndexes: indexes(PAYER_MOBILE, payerMobile),
    emailIndexes: indexes(PAYER_EMAIL, payerEmail),
  });
}
