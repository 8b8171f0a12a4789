import { randomBytes, randomInt } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { CALLBACK_URL_PROBLEMS, checkCallbackUrl } from '../domain/callback-target';
import { businessError, CatalogueError, invalidField } from '../domain/errors';
import { feeOn } from '../domain/fees';
import { orderNo } from '../domain/ids';
import { currencyDecimals, formatMoney, type Money, parseAmount, ZERO } from '../domain/money';
import { newRemark } from '../domain/remark';
import { planRoute, type RoutingRefusal } from '../domain/routing';
import type { BankAccountRow } from '../db/bank-accounts';
import {
  type DepositView,
  isNumberClaimed,
  type NewDeposit,
  type OpenDepositsScope,
} from '../db/deposits';
import type { AuthenticatedMerchant } from '../db/merchants';
import { brokenConstraint } from '../db/refusals';
import { failpoint } from '../failpoints';
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

/** What is asked for, once its fields are known to be good and its price is known. */
interface Quote {
  readonly amount: Money;
  readonly fee: Money;
}

/** The accounts that do not take it, and why, in the order in which that was found. */
type Refusals = Map<string, RoutingRefusal>;

/** A remark collides once in billions. */
const REMARK_TRIES = 3;
/** As many accounts as the note of a choice names. */
const NOTED_ACCOUNTS = 20;

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

/** What it costs, or why the merchant may not have it: a refusal must not hide that the number is taken. */
function quote(
  merchant: AuthenticatedMerchant,
  currencyCode: string,
  amount: Money,
): Quote | CatalogueError {
  const decimals = currencyDecimals(currencyCode);
  const currency = merchant.currencies.find((c) => c.currencyCode === currencyCode && c.enabled);
  if (decimals === undefined || !currency)
    return businessError(`currency ${currencyCode} is not enabled`);
  const fee = feeOn(amount, currency.depositFee, decimals);
  return fee.gte(amount) ? businessError('the fee would eat up the amount') : { amount, fee };
}

/** Whose live orders this one is counted with, and how many they may be. */
const capsOn = (
  merchant: AuthenticatedMerchant,
  { userId }: DepositRequest,
): { scope: OpenDepositsScope; cap: number }[] => [
  { scope: { of: 'merchant', merchantId: merchant.id }, cap: merchant.maxOpenDeposits },
  ...(userId
    ? [
        {
          scope: { of: 'user', merchantId: merchant.id, userId } as const,
          cap: merchant.maxOpenDepositsPerUser,
        },
      ]
    : []),
];

/** A choice as events and logs tell it. */
const noted = (refused: Refusals): { account: string; reason: RoutingRefusal }[] =>
  [...refused].slice(0, NOTED_ACCOUNTS).map(([account, reason]) => ({ account, reason }));

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
  { amount, fee }: Quote,
  account: BankAccountRow,
  refused: Refusals,
): NewDeposit {
  const remark = account.mode === 'REMARK' ? newRemark(randomBytes(32)) : null;
  return {
    id: uuidv7(),
    orderNo: orderNo('D', now, randomBytes(12)),
    merchantId: merchant.id,
    merchantOrderNo: request.merchantOrderNo,
    orderType: 'DIRECT',
    accountId: account.id,
    requestedAmount: amount,
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
      currency_code: request.currencyCode,
      remark,
    }),
    routing: { account: account.id, refused: noted(refused) },
    traceId,
    createdAt: now,
  };
}

const viewOf = ({ routing: _routing, ...deposit }: NewDeposit, amount: Money): DepositView => ({
  ...deposit,
  amount,
  paymentSnapshot: { ...deposit.paymentSnapshot, amount: formatMoney(amount) },
  actualAmount: ZERO,
  status: 'PENDING',
  matchedAt: null,
  completedAt: null,
  updatedAt: deposit.createdAt,
  callbackStatus: null,
  callbackCount: 0,
});

/** Accepts the deposit on this account. @returns undefined, and why in `refused`, if the account does not take it */
async function acceptOn(
  context: GraphContext,
  merchant: AuthenticatedMerchant,
  request: DepositRequest,
  quoted: Quote,
  account: BankAccountRow,
  refused: Refusals,
): Promise<DepositView | undefined> {
  const { deposits, openDeposits } = context;
  const scope = { of: 'account', accountId: account.id } as const;
  if (await openDeposits.isFull(scope, account.maxOpenDeposits)) {
    refused.set(account.id, 'TOO_MANY_OPEN');
    return undefined;
  }
  for (let tries = 1; ; tries++) {
    const deposit = newDeposit(context, merchant, request, quoted, account, refused);
    await failpoint('deposit.committing', deposit.merchantOrderNo);
    try {
      const acceptance = await deposits.accepted(deposit, account);
      if (acceptance.outcome === 'ACCEPTED') {
        for (const counted of [scope, ...capsOn(merchant, request).map((cap) => cap.scope)])
          openDeposits.accepted(counted);
        return viewOf(deposit, acceptance.amount);
      }
      if (acceptance.outcome === 'NUMBER_TAKEN')
        throw new CatalogueError('CONFLICT', 'merchant_order_no is taken');
      refused.set(account.id, acceptance.outcome);
      return undefined;
    } catch (error) {
      if (brokenConstraint(error) !== 'deposit_orders_remark' || tries === REMARK_TRIES)
        throw error;
    }
  }
}

/** Accepts the deposit on the first account that takes it. @returns undefined if none does */
async function acceptSomewhere(
  context: GraphContext,
  merchant: AuthenticatedMerchant,
  request: DepositRequest,
  quoted: Quote,
): Promise<DepositView | undefined> {
  const { currencyCode } = request;
  const asked = new Set<string>();
  const refused: Refusals = new Map();
  // What is remembered of accounts may propose one; to refuse, they are looked at afresh.
  for (const afresh of [false, true]) {
    const { accounts, fresh } = await context.routableAccounts.of(currencyCode, afresh);
    const plan = planRoute(accounts, quoted.amount, draw);
    await failpoint('deposit.routed', request.merchantOrderNo);
    for (const { accountId, reason } of plan.refused) refused.set(accountId, reason);
    for (const account of plan.eligible.filter(({ id }) => !asked.has(id))) {
      const accepted = await acceptOn(context, merchant, request, quoted, account, refused);
      if (accepted) return accepted;
      // An account that is not what it was remembered as is asked again once it has been read afresh.
      if (refused.get(account.id) !== 'ACCOUNT_CHANGED') asked.add(account.id);
    }
    if (fresh) break;
  }
  context.log.info({ currencyCode, refused: noted(refused) }, 'no account takes a deposit');
  return undefined;
}

const draw = (): number => randomInt(2 ** 32) / 2 ** 32;

/**
 * Creates a deposit: checks the fields, prices it, finds an account, commits. A refused one leaves nothing behind.
 * @throws INVALID_FIELD, then CONFLICT for a claimed number, then BUSINESS_ERROR
 */
export async function createDeposit(
  context: GraphContext,
  merchant: AuthenticatedMerchant,
  request: DepositRequest,
): Promise<DepositView> {
  const { database, openDeposits } = context;
  const refusal = async (error: CatalogueError): Promise<CatalogueError> =>
    (await isNumberClaimed(database, merchant.id, request.merchantOrderNo))
      ? new CatalogueError('CONFLICT', 'merchant_order_no is taken')
      : error;

  const amount = checkFields(context, request, merchant);
  const quoted = quote(merchant, request.currencyCode, amount);
  if (quoted instanceof CatalogueError) throw await refusal(quoted);
  for (const { scope, cap } of capsOn(merchant, request))
    if (await openDeposits.isFull(scope, cap))
      throw await refusal(businessError('too many deposits are open'));

  const accepted = await acceptSomewhere(context, merchant, request, quoted);
  if (!accepted) throw await refusal(businessError('no account can take this deposit now'));
  return accepted;
}
