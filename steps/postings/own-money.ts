import { formatMoney, type Money } from '../../domain/money';
import type { ProposalNeeds, Evidence } from '../changes/propose';
import type { Needs } from '../context';
import { plainPosting, post, type Posted } from './post';
import { aboutDebit, debitShown, leftMoney, PERSON_ENTERED } from './left-money';
import type { Warrant } from '../../domain/authority/warrant';
import { businessError } from '../../domain/errors';
import { ledgerAccount } from '../../domain/ledger';
import { findAccountSum } from '../../db/ledger/operator-postings';

/** Posts a debit as the bank's charge. */
export async function postBankCharge(
  context: ProposalNeeds & Needs<'loaders'>,
  warrant: Warrant<'postBankCharge'>,
  {
    debitId,
    reason,
    part,
    evidence,
    key,
  }: {
    readonly debitId: string;
    readonly reason: string;
    readonly part?: Money | null | undefined;
    readonly evidence?: Evidence | null | undefined;
    readonly key?: string | null | undefined;
  },
): Promise<Posted> {
  const args = { debitId, part: part?.toFixed(), reason };
  return await post(context, warrant, key, args, async () => {
    const left = await leftMoney(context, debitId, part ?? null);
    const { debit, amount, enteredBy } = left;
    const about = { bankDebitId: debitId, accountId: debit.accountId };
    return {
      ...aboutDebit(left),
      kind: 'POST_BANK_CHARGE',
      merchantId: null,
      reason,
      evidence,
      summary: `Post ${left.name} as the bank's charge`,
      shown: debitShown(left),
      postings: [plainPosting('BANK_CHARGED', debit.currencyCode, amount, about)],
      findings: enteredBy.length > 0 ? [PERSON_ENTERED] : [],
    };
  });
}

/** Proposes that a debit is profit that the platform took. */
export async function takeProfit(
  context: ProposalNeeds & Needs<'loaders'>,
  warrant: Warrant<'takeProfit'>,
  {
    debitId,
    reason,
    evidence,
    part,
    key,
  }: {
    readonly debitId: string;
    readonly reason: string;
    readonly evidence: Evidence;
    readonly part?: Money | null | undefined;
    readonly key?: string | null | undefined;
  },
): Promise<Posted> {
  const args = { debitId, part: part?.toFixed(), reason };
  return await post(context, warrant, key, args, async () => {
    const left = await leftMoney(context, debitId, part ?? null);
    const { debit, amount } = left;
    const { currencyCode, accountId } = debit;
    const { read: sql } = context.database;
    const earned = await findAccountSum({ sql }, ledgerAccount.feeIncome(), currencyCode);
    if (amount.gt(earned)) throw businessError('AMOUNT', `only ${formatMoney(earned)} ${currencyCode} was earned`);
    return {
      ...aboutDebit(left),
      kind: 'TAKE_PROFIT',
      merchantId: null,
      findings: null,
      reason,
      evidence,
      summary: `Post ${left.name} as profit taken out`,
      shown: { ...debitShown(left), earned: formatMoney(earned) },
      postings: [plainPosting('PROFIT_TAKEN', currencyCode, amount, { bankDebitId: debitId, accountId })],
    };
  });
}
