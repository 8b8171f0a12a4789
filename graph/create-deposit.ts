import { randomBytes, randomInt } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { CALLBACK_URL_PROBLEMS, checkCallbackUrl } from '../domain/callback-target';
import { businessError, CatalogueError, invalidField } from '../domain/errors';
import { feeOn } from '../domain/fees';
import { orderNo } from '../domain/ids';
import { currencyDecimals, formatMoney, type Money, parseAmount, ZERO } from '../domain/money';
import { newRemark } from '../domain/remark';
import { chooseAccount } from '../domain/routing';
import { type BankAccountRow, findRoutableAccounts } from '../db/bank-accounts';
import { type DepositView, insertDeposit, isNumberClaimed, type NewDeposit } from '../db/deposits';
import type { AuthenticatedMerchant } from '../db/merchants';
import { brokenConstraint } from '../db/refusals';
import type { GraphContext } from './context';

/** A Direct API deposit as the merchant asks for it (contract, "POST /orders/deposit"). */
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

/** Where a deposit goes and what it costs. */
interface Route {
  readonly amount: Money;
  readonly fee: Money;
  readonly accounts: readonly BankAccountRow[];
}

/** A remark collides once in billions; an account may be paused while we look at it. */
const TRIES = 3;

/** Fields that the types and lengths of the request cannot check. @throws INVALID_FIELD */
function checkFields(
  { environment }: GraphContext,
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

/** Business rules, as a verdict: a refusal must not hide that the number is taken. */
async function route(
  { database }: GraphContext,
  merchant: AuthenticatedMerchant,
  currencyCode: string,
  amount: Money,
): Promise<Route | CatalogueError> {
  const decimals = currencyDecimals(currencyCode);
  const currency = merchant.currencies.find((c) => c.currencyCode === currencyCode && c.enabled);
  if (decimals === undefined || !currency)
    return businessError(`currency ${currencyCode} is not enabled`);
  const fee = feeOn(amount, currency.depositFee, decimals);
  if (fee.gte(amount)) return businessError('the fee would eat up the amount');
  const accounts = await findRoutableAccounts(database, currencyCode);
  return accounts.length === 0
    ? businessError('no account can take this deposit now')
    : { amount, fee, accounts };
}

const present = (pairs: Readonly<Record<string, string | null>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(pairs).filter((pair): pair is [string, string] => pair[1] !== null),
  );

/** The last four characters, by code points. */
const lastFour = (text: string | null): string | null =>
  text === null ? null : Array.from(text).slice(-4).join('');

/** The order, remembering what the payer is shown, so that it can be shown again. */
function newDeposit(
  { now, traceId }: GraphContext,
  merchant: AuthenticatedMerchant,
  request: DepositRequest,
  { amount, fee }: Route,
  account: BankAccountRow,
): NewDeposit {
  const remark = newRemark(randomBytes(32));
  return {
    id: uuidv7(),
    orderNo: orderNo('D', now, randomBytes(12)),
    merchantId: merchant.id,
    merchantOrderNo: request.merchantOrderNo,
    orderType: 'DIRECT',
    accountId: account.id,
    requestedAmount: amount,
    amount,
    fee,
    currencyCode: request.currencyCode,
    expectedRemark: remark,
    expireAt: new Date(now.getTime() + merchant.depositExpireMinutes * 60_000),
    callbackUrl: request.callbackUrl,
    extraData: request.extraData ?? null,
    userId: request.userId ?? null,
    payerName: request.accountHolder ?? null,
    payerMobile: request.mobile ?? null,
    payerEmail: request.email ?? null,
    payerBankCode: request.bankCode ?? null,
    payerAccountNo: request.accountNo ?? null,
    payerAccountLast4: lastFour(request.accountNo ?? null),
    paymentSnapshot: present({
      bank_code: account.bankCode,
      bank_name: account.bankName,
      bank_branch: account.bankBranch,
      account_no: account.accountNo,
      account_holder: account.accountHolder,
      amount: formatMoney(amount),
      currency_code: request.currencyCode,
      remark,
    }),
    traceId,
    createdAt: now,
  };
}

const viewOf = (deposit: NewDeposit): DepositView => ({
  ...deposit,
  actualAmount: ZERO,
  status: 'PENDING',
  matchedAt: null,
  completedAt: null,
  updatedAt: deposit.createdAt,
  callbackStatus: null,
  callbackCount: 0,
});

/**
 * Creates a deposit: checks the fields, routes, commits. A refused one leaves nothing behind.
 * @throws INVALID_FIELD, then CONFLICT for a claimed number, then BUSINESS_ERROR
 */
export async function createDeposit(
  context: GraphContext,
  merchant: AuthenticatedMerchant,
  request: DepositRequest,
): Promise<DepositView> {
  const { database } = context;
  const refusal = async (error: CatalogueError): Promise<CatalogueError> =>
    (await isNumberClaimed(database, merchant.id, request.merchantOrderNo))
      ? new CatalogueError('CONFLICT', 'merchant_order_no is taken')
      : error;

  const amount = checkFields(context, request, merchant);
  const routed = await route(context, merchant, request.currencyCode, amount);
  if (routed instanceof CatalogueError) throw await refusal(routed);

  for (let tried = 0; tried < TRIES; tried++) {
    const account = chooseAccount(routed.accounts, randomInt(2 ** 32) / 2 ** 32);
    if (!account) break;
    const deposit = newDeposit(context, merchant, request, routed, account);
    try {
      if (await insertDeposit(database, deposit)) return viewOf(deposit);
    } catch (error) {
      if (brokenConstraint(error) !== 'deposit_orders_remark') throw error;
    }
  }
  throw await refusal(businessError('no account can take this deposit now'));
}
