import { randomBytes } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { sealBeneficiary, soughtAs } from '../../crypto/beneficiary';
import { sealBeneficiaryName, sealBranch, sealExtraData } from '../../crypto/personal';
import { CALLBACK_URL_PROBLEMS, checkCallbackUrl } from '../../domain/callback-target';
import { withdrawalCallbackBody } from '../../domain/callback';
import { coolingUntil } from '../../domain/cooling';
import { businessError, CatalogueError, invalidField } from '../../domain/errors';
import { orderNo } from '../../domain/ids';
import { withdrawalFrozen } from '../../domain/ledger';
import { currencyDecimals, type Money, parseAmount } from '../../domain/money';
import { DEFAULT_RULES, review } from '../../domain/review';
import { APPROVED_BY_SYSTEM } from '../../domain/withdrawal';
import { isNumberClaimed } from '../../db/deposits/deposits';
import type { MerchantCurrency, MerchantRow } from '../../db/merchants/merchants';
import { findWithdrawalFacts, type WithdrawalFacts } from '../../db/merchants/review';
import type { Counted, NewWithdrawal, WithdrawalRow, WithdrawalView } from '../../db/withdrawals/withdrawals';
import type { Needs } from '../context';
import { type Price, priceOf, pricingOf } from '../fees/price';
import { FRESH } from '../../db/withdrawals/fresh-withdrawal';
import type { LaneOutcome } from './withdrawal-lanes';

/** A withdrawal as the merchant requests it (contract, "POST /orders/withdrawal"). */
export interface WithdrawalRequest {
  readonly merchantOrderNo: string;
  readonly amount: string;
  readonly currencyCode: string;
  readonly beneficiaryName: string;
  readonly beneficiaryAccount: string;
  readonly beneficiaryBankCode: string;
  readonly beneficiaryBankBranch?: string | null;
  /** Null and an empty text mean the merchant's default. */
  readonly callbackUrl?: string | null;
  readonly extraData?: string | null;
}

/** The merchant of a withdrawal. */
export type Withdrawer = MerchantRow & {
  readonly currencies: readonly MerchantCurrency[];
  /** As in a signed request (AuthenticatedMerchant). */
  readonly keyToNote?: string | null;
};

/** A request with checked fields and its price. */
interface Quote extends Price {
  readonly amount: Money;
  readonly callbackUrl: string | null;
}

const NUMBER_TAKEN = new CatalogueError('CONFLICT', 'merchant_order_no is already used');
/** Attempts of a review whose counts other orders changed meanwhile; after these a person reviews it. */
const REVIEW_TRIES = 3;

/** Fields that the types and lengths of the request cannot check. @throws INVALID_FIELD */
function checkFields(
  { environment }: Needs<'environment'>,
  request: WithdrawalRequest,
  merchant: Withdrawer,
): { amount: Money; callbackUrl: string | null } {
  const amount = parseAmount(request.amount, currencyDecimals(request.currencyCode) ?? 4);
  if ('problem' in amount) throw invalidField('amount', amount.problem);
  const { callbackUrl } = request;
  if (callbackUrl === null || callbackUrl === undefined || callbackUrl === '')
    return { amount, callbackUrl: merchant.defaultCallbackUrl };
  const problem = checkCallbackUrl(callbackUrl, {
    allowInsecure: merchant.allowInsecureCallbacks && environment === 'sandbox',
  });
  if (problem !== 'ok') throw invalidField('callback_url', CALLBACK_URL_PROBLEMS[problem]);
  return { amount, callbackUrl };
}

/** The price, or the refusal, which is returned, not thrown, because it must not hide that the number is taken. */
function quote(
  merchant: Withdrawer,
  currencyCode: string,
  { amount, callbackUrl }: Omit<Quote, keyof Price>,
): Quote | CatalogueError {
  const currency = merchant.currencies.find((c) => c.currencyCode === currencyCode && c.enabled);
  if (currencyDecimals(currencyCode) === undefined || !currency)
    return businessError('NOT_ENABLED', `currency ${currencyCode} is not enabled`);
  const { withdrawalMin, withdrawalMax } = currency;
  if (withdrawalMin && amount.lt(withdrawalMin))
    return businessError('AMOUNT', 'the amount is below the withdrawal minimum');
  if (withdrawalMax && amount.gt(withdrawalMax))
    return businessError('AMOUNT', 'the amount is above the withdrawal maximum');
  // Its channel is chosen later, so the price does not depend on one.
  return {
    amount,
    callbackUrl,
    ...priceOf(amount, pricingOf(currency, 'WITHDRAWAL'), currencyCode),
  };
}

/** Whether the merchant's withdrawals need a person because of recent changes. */
async function isCooling(
  { changes, loaders, now }: Needs<'changes' | 'loaders' | 'now'>,
  id: string,
): Promise<boolean> {
  if (changes.coolingMs === 0) return false;
  return coolingUntil(await loaders.appliedChanges.load(id), changes.coolingMs, now) !== null;
}

/** The order by its review, and all that is written with it. */
function newWithdrawal(
  context: Needs<'lookup' | 'now' | 'sealer' | 'traceId'>,
  merchant: Withdrawer,
  request: WithdrawalRequest,
  { amount, fee, feeScheduleId, feeVolume, commissionRateId, callbackUrl }: Quote,
  facts: WithdrawalFacts & { readonly bankName: string; readonly beneficiaries: readonly string[] },
  cooling: boolean,
): NewWithdrawal {
  const { now, sealer, traceId } = context;
  const rules = facts.rules?.rules ?? DEFAULT_RULES;
  const { people, reasons } = review({ ...facts, amount, now, rules, cooling });
  const auto = people === 0;
  const allowed = facts.listed === 'ALLOW';
  const number = orderNo('W', now, randomBytes(12));
  const withdrawal: WithdrawalRow = {
    id: uuidv7(),
    orderNo: number,
    merchantId: merchant.id,
    merchantOrderNo: request.merchantOrderNo,
    origin: 'MERCHANT',
    amount,
    fee,
    ...FRESH,
    feeScheduleId,
    feeVolume,
    commissionRateId,
    currencyCode: request.currencyCode,
    beneficiaryName: sealBeneficiaryName(sealer, { ...request, merchantId: merchant.id }),
    ...sealBeneficiary(context, number, request.beneficiaryAccount),
    beneficiaryBankCode: request.beneficiaryBankCode,
    beneficiaryBankName: facts.bankName,
    beneficiaryBankBranch: sealBranch(sealer, { ...request, merchantId: merchant.id }),
    status: auto ? 'APPROVED' : 'PENDING',
    peopleNeeded: people,
    review: { reasons, rulesVersion: facts.rules?.version ?? null },
    decideBy: new Date(now.getTime() + rules.decideWithinMinutes * 60_000),
    isAutoApproved: auto,
    approvedAt: auto ? now : null,
    approvedBy: auto ? APPROVED_BY_SYSTEM : null,
    callbackUrl,
    extraData: sealExtraData(sealer, { ...request, merchantId: merchant.id }),
    traceId,
    createdAt: now,
    updatedAt: now,
  };
  const counted: Counted = {
    beneficiaries: facts.beneficiaries,
    merchantOrders: rules.merchantDayOrders,
    merchantAmount: rules.merchantDayAmount,
    beneficiaryOrders: allowed ? null : rules.beneficiaryDayOrders,
    beneficiaryAmount: allowed ? null : rules.beneficiaryDayAmount,
  };
  return {
    withdrawal,
    counted,
    freeze: withdrawalFrozen(merchant.id, amount, fee),
    approvedBody: auto ? withdrawalCallbackBody('APPROVED', withdrawal, now) : null,
    keyToNote: merchant.keyToNote ?? null,
  };
}

/**
 * Creates a withdrawal: checks the fields, prices it, reviews it, and freezes amount and fee with it. A refused request
 * stores nothing.
 * @throws INVALID_FIELD, then CONFLICT for a claimed number, then BUSINESS_ERROR, then INSUFFICIENT_MERCHANT_BALANCE;
 * OPTIMISTIC_LOCK_ERROR if the balance is busy for too long
 */
export async function createWithdrawal(
  context: Needs<
    'changes' | 'database' | 'environment' | 'loaders' | 'lookup' | 'now' | 'sealer' | 'traceId' | 'withdrawals'
  >,
  merchant: Withdrawer,
  request: WithdrawalRequest,
): Promise<WithdrawalView> {
  const { database, withdrawals, now } = context;
  const { merchantOrderNo, currencyCode, beneficiaryBankCode, beneficiaryAccount } = request;
  const refusal = async (error: CatalogueError): Promise<CatalogueError> =>
    (await isNumberClaimed(database, merchant.id, merchantOrderNo)) ? NUMBER_TAKEN : error;

  const quoted = quote(merchant, currencyCode, checkFields(context, request, merchant));
  if (quoted instanceof CatalogueError) throw await refusal(quoted);
  const cooling = await isCooling(context, merchant.id);
  const payee = {
    merchantId: merchant.id,
    currencyCode,
    bankCode: beneficiaryBankCode,
    account: beneficiaryAccount,
    ...soughtAs(context, beneficiaryBankCode, beneficiaryAccount),
  };

  for (let tries = 1; ; tries++) {
    const facts = await findWithdrawalFacts(database, payee, now);
    const { bankName } = facts;
    if (bankName === null)
      throw await refusal(businessError('UNKNOWN_VALUE', 'beneficiary_bank_code is not in the directory'));
    const asked = newWithdrawal(
      context,
      merchant,
      request,
      quoted,
      { ...facts, bankName, beneficiaries: payee.countedAs },
      cooling || tries > REVIEW_TRIES,
    );
    const outcome = await withdrawals.accepted(asked);
    if (outcome !== 'REVIEW_AGAIN') return settled(outcome, asked.withdrawal);
  }
}

/** @throws what an outcome but ACCEPTED means */
function settled(outcome: Exclude<LaneOutcome, 'REVIEW_AGAIN'>, withdrawal: WithdrawalRow): WithdrawalView {
  switch (outcome) {
    case 'ACCEPTED':
      return {
        ...withdrawal,
        channelName: null,
        approverLogin: null,
        callbackStatus: null,
        callbackCount: 0,
      };
    case 'NUMBER_TAKEN':
      throw NUMBER_TAKEN;
    case 'INSUFFICIENT':
      throw new CatalogueError(
        'INSUFFICIENT_MERCHANT_BALANCE',
        'the available balance does not cover the amount and the fee',
      );
    case 'BUSY':
      throw new CatalogueError('OPTIMISTIC_LOCK_ERROR', 'the balance is busy; try again');
  }
}
