import { sealExtraData } from '../../crypto/personal';
import { CALLBACK_URL_PROBLEMS, checkCallbackUrl } from '../../domain/callback-target';
import { invalidField } from '../../domain/errors';
import { currencyDecimals, type Money, parseAmount } from '../../domain/money';
import { type DepositView, isNumberClaimed, type OrderToAccept } from '../../db/deposits/deposits';
import type { AuthenticatedMerchant } from '../../db/merchants/merchants';
import type { Needs } from '../context';
import { type DepositNeeds, acceptDeposit, numberTaken } from './accept-deposit';
import { untilOpened } from './opening';

/** A Direct API deposit as the merchant requests it (contract, "POST /orders/deposit"). */
export interface DepositRequest {
  readonly merchantOrderNo: string;
  readonly amount: string;
  readonly currencyCode: string;
  readonly callbackUrl: string;
  readonly extraData?: string | null;
  readonly userId?: string | null;
  readonly accountHolder?: string | null;
  readonly mobile?: string | null;
  readonly email?: string | null;
  readonly bankCode?: string | null;
  readonly accountNo?: string | null;
}

/** Fields that the types and lengths of the request cannot check. @throws INVALID_FIELD */
function checkFields(
  { environment }: Needs<'environment'>,
  request: DepositRequest,
  merchant: AuthenticatedMerchant,
): Money {
  const decimals = currencyDecimals(request.currencyCode) ?? 4;
  const amount = parseAmount(request.amount, decimals);
  if ('problem' in amount) throw invalidField('amount', amount.problem);
  const problem = checkCallbackUrl(request.callbackUrl, {
    allowInsecure: merchant.allowInsecureCallbacks && environment === 'sandbox',
  });
  if (problem !== 'ok') throw invalidField('callback_url', CALLBACK_URL_PROBLEMS[problem]);
  return amount;
}

/** The requested order. */
const orderOf = (
  { sealer }: Needs<'sealer'>,
  { id: merchantId }: AuthenticatedMerchant,
  request: DepositRequest,
  amount: Money,
): OrderToAccept => ({
  orderType: 'DIRECT',
  merchantOrderNo: request.merchantOrderNo,
  amount,
  currencyCode: request.currencyCode,
  callbackUrl: request.callbackUrl,
  extraData: sealExtraData(sealer, { ...request, merchantId }),
  userId: request.userId ?? null,
  payerName: request.accountHolder ?? null,
  payerMobile: request.mobile ?? null,
  payerEmail: request.email ?? null,
  payerBankCode: request.bankCode ?? null,
  payerAccountNo: request.accountNo ?? null,
  payerOutcome: null,
  payerFindings: null,
});

/**
 * Creates a deposit: checks the fields, prices it, finds an account or a channel, commits, and waits for the channel's
 * details. A refused request stores nothing, unless a channel refused it (untilOpened).
 * @throws INVALID_FIELD, then CONFLICT for a claimed number, then BUSINESS_ERROR
 */
export async function createDeposit(
  context: DepositNeeds &
    Needs<'deposits' | 'environment' | 'merchantDeposits' | 'openWithinMs' | 'openings' | 'relayHints'>,
  merchant: AuthenticatedMerchant,
  request: DepositRequest,
): Promise<DepositView> {
  const { database, deposits } = context;
  const amount = checkFields(context, request, merchant);
  const deposit = await acceptDeposit(context, merchant, orderOf(context, merchant, request, amount), {
    commit: async (deposit, taker) => await deposits.accepted(deposit, taker),
    refusal: async (error) =>
      (await isNumberClaimed(database, merchant.id, request.merchantOrderNo)) ? numberTaken() : error,
  });
  return deposit.accountId === null ? await untilOpened(context, deposit) : deposit;
}
