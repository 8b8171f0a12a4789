import type { Warrant } from '../../domain/authority/warrant';
import { businessError, CatalogueError, invalidField, notFound } from '../../domain/errors';
import { withdrawalFrozen } from '../../domain/ledger';
import { LIMITS } from '../../domain/limits';
import { currencyDecimals, type Money, ZERO } from '../../domain/money';
import { PLAN_REFERENCES } from '../../domain/settlement-plan';
import { keyOfBeneficiary, soughtAs } from '../../crypto/beneficiary';
import { findWithdrawalFacts } from '../../db/merchants/review';
import { freshSettlement } from '../../db/settlements/fresh-settlement';
import type { SettlementAccountRow } from '../../db/settlements/settlement-accounts';
import { acceptSettlement, findSettlement } from '../../db/settlements/settlements';
import { findWithdrawal, type WithdrawalRow, type WithdrawalView } from '../../db/withdrawals/withdrawals';
import type { Needs } from '../context';
import { type ActionNeeds, operatorAction } from '../operators/operator-action';
import { operatorOf, requireReach } from '../access/caller';

/** A settlement that a person proposes. */
export interface SettlementRequest {
  readonly account: SettlementAccountRow;
  readonly amount: Money;
  /** Unique among all settlements of the merchant. */
  readonly reference: string;
  readonly reason: string;
}

/** The result. REPEATED: the same settlement was proposed before. */
export interface ProposedSettlement {
  readonly outcome: 'PROPOSED' | 'REPEATED';
  readonly withdrawal: WithdrawalView;
}

/** @throws INVALID_FIELD, BUSINESS_ERROR */
function check({ now }: Needs<'now'>, { account, amount, reference }: SettlementRequest) {
  const decimals = currencyDecimals(account.currencyCode) ?? LIMITS.moneyDecimals;
  if (!amount.gt(0)) throw invalidField('amount', 'must be greater than 0', 'OUT_OF_RANGE');
  if (amount.decimalPlaces() > decimals)
    throw invalidField('amount', `must have at most ${decimals} decimal places`, 'OUT_OF_RANGE');
  if (amount.trunc().toFixed().length > LIMITS.amountIntegerDigits)
    throw invalidField('amount', `must have at most ${LIMITS.amountIntegerDigits} integer digits`, 'OUT_OF_RANGE');
  const length = Array.from(reference).length;
  if (length < 1 || length > LIMITS.settlementReference || /\p{Cc}/u.test(reference))
    throw invalidField('reference', `must be 1-${LIMITS.settlementReference} characters`, 'OUT_OF_RANGE');
  if (reference.startsWith(PLAN_REFERENCES))
    throw invalidField('reference', `must not begin with ${PLAN_REFERENCES}`, 'NOT_ALLOWED');
  if (account.disabledAt !== null) throw businessError('NOT_ENABLED', 'the settlement account is disabled');
  if (account.usableAt.getTime() > now.getTime())
    throw businessError(
      'NOT_ENABLED',
      `the settlement account is in its cooling period until ${account.usableAt.toISOString()}`,
    );
}

/** The earlier settlement with this reference, if it is the same. @throws CONFLICT for another one */
async function proposedBefore(
  { database }: Needs<'database'>,
  { account, amount, reference }: SettlementRequest,
): Promise<ProposedSettlement | undefined> {
  const before = await findSettlement(database, account.merchantId, reference);
  const withdrawal = before && (await findWithdrawal(database, { id: before.withdrawalId }));
  if (!withdrawal) return undefined;
  if (before.accountId !== account.id || !withdrawal.amount.eq(amount))
    throw new CatalogueError('CONFLICT', 'reference is already used by another settlement');
  return { outcome: 'REPEATED', withdrawal };
}

/** The withdrawal of a settlement: no fee, no callback, and always decided by people. */
async function withdrawalOf(
  context: Needs<'database' | 'lookup' | 'now' | 'sealer' | 'traceId'>,
  { account, amount }: SettlementRequest,
): Promise<WithdrawalRow> {
  const { database, now, traceId } = context;
  const { merchantId, currencyCode, bankCode, accountNo } = account;
  const payee = {
    merchantId,
    currencyCode,
    bankCode,
    account: accountNo,
    ...soughtAs(context, bankCode, accountNo),
  };
  const facts = await findWithdrawalFacts(database, payee, now);
  if (facts.bankName === null) throw businessError('UNKNOWN_VALUE', "the account's bank is not in the directory");
  return freshSettlement({
    account,
    amount,
    now,
    traceId,
    accountKey: keyOfBeneficiary(context, accountNo),
    facts: { ...facts, bankName: facts.bankName },
  });
}

/**
 * Proposes to pay a merchant from its available balance to its settlement account: the amount is frozen, and another
 * person decides on it as on a withdrawal. Sending the same reference again has no effect.
 * @throws INVALID_FIELD, NOT_FOUND, BUSINESS_ERROR for an account that cannot be paid now, CONFLICT for the reference
 * of another settlement, INSUFFICIENT_MERCHANT_BALANCE
 */
export async function proposeSettlement(
  context: ActionNeeds & Needs<'lookup' | 'sealer'>,
  _warrant: Warrant<'proposeSettlement' | 'proposeSettlements'>,
  request: SettlementRequest,
): Promise<ProposedSettlement> {
  requireReach(context.actor, request.account.merchantId, 'settlement account');
  const before = await proposedBefore(context, request);
  if (before) return before;
  check(context, request);
  const { account, amount, reference, reason } = request;
  const withdrawal = await withdrawalOf(context, request);
  const { id, orderNo, merchantId } = withdrawal;
  const settlement = {
    withdrawalId: id,
    merchantId,
    accountId: account.id,
    reference,
    reason,
    proposedBy: operatorOf(context.actor).id,
  };
  const action = {
    action: 'proposeSettlement',
    subject: `withdrawal:${orderNo}`,
    reason,
    detail: { reference, amount: amount.toFixed(), settlementAccount: account.id },
    about: { orderNo },
  };
  try {
    await operatorAction(context, action, async (tx) => {
      const freeze = withdrawalFrozen(merchantId, amount, ZERO);
      if (!(await acceptSettlement(tx, settlement, withdrawal, freeze)))
        throw businessError('NOT_ENABLED', 'the settlement account cannot be used now');
    });
  } catch (error) {
    // A concurrent proposal may have been faster.
    const twin = await proposedBefore(context, request);
    if (!twin) throw error;
    return twin;
  }
  const made = await findWithdrawal(context.database, { id });
  if (!made) throw notFound('withdrawal');
  return { outcome: 'PROPOSED', withdrawal: made };
}
