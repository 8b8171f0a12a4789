import { chargeOn } from '../../domain/fees';
import { currencyDecimals, type Money } from '../../domain/money';
import { businessError, notFound } from '../../domain/errors';
import type { Warrant } from '../../domain/authority/warrant';
import type { Settings } from '../../domain/change-request';
import type { Database, Transaction } from '../../db/client';
import { type DepositCase, findDepositCase, matchDeposit } from '../../db/deposits/deposits';
import { type BankTransferView, lockBankTransfer } from '../../db/transfers/bank-transfers';
import { findRests } from '../../db/ledger/operator-postings';
import { effect } from '../changes/change-effect';

/** A match that two people make. */
export type MatchPayload = Readonly<{
  transferId: string;
  depositId: string;
  /** The operator who reported the credit; null if the bank's side did. */
  enteredBy: string | null;
}>;

/** The operator behind a source such as `operator:{id}`; null for others. */
export const operatorOfSource = (source: string): string | null => /^operator:(.+)$/.exec(source)?.[1] ?? null;

/**
 * The fee of the deposit that this transfer pays, by a person's match.
 * @throws BUSINESS_ERROR if the match is impossible for anybody
 */
export function chargeOfMatch(
  transfer: BankTransferView,
  accountCurrency: string | undefined,
  deposit: DepositCase,
): Money {
  if (transfer.depositId !== null)
    throw businessError('WRONG_STATE', 'the bank transfer is already matched to a deposit');
  if (transfer.currencyCode !== deposit.currencyCode)
    throw businessError('MISMATCH', 'the bank transfer and the deposit have different currencies');
  if (transfer.currencyCode !== accountCurrency)
    throw businessError('MISMATCH', 'the bank transfer and its account have different currencies');
  // The SQL statement checks this again, and that the amount is still reserved for the deposit.
  const reopens = deposit.status === 'EXPIRED' && deposit.latePayment === 'REOPEN';
  if (deposit.status !== 'PENDING' && !reopens) throw businessError('WRONG_STATE', `the deposit is ${deposit.status}`);
  const decimals = currencyDecimals(deposit.currencyCode) ?? 0;
  const fee = chargeOn(transfer.amount, deposit, deposit.depositFee, decimals);
  if (fee.gte(transfer.amount)) throw businessError('AMOUNT', 'the fee exceeds the transferred amount');
  return fee;
}

/** Only an unused credit pays a deposit. @throws BUSINESS_ERROR if a part was posted or is being returned */
export async function requireWhole(
  sql: Transaction | Database['sql'],
  { id, amount }: BankTransferView,
): Promise<void> {
  const rest = (await findRests({ sql }, 'transfer', [id])).get(id);
  if (!rest?.equals(amount)) throw businessError('WRONG_STATE', 'the bank credit is partly used already');
}

const basis = async (tx: Transaction, { transferId }: MatchPayload): Promise<Settings | null> => {
  const transfer = await lockBankTransfer(tx, transferId);
  return (
    transfer && {
      paysDeposit: transfer.depositId,
      unmatchedReason: transfer.unmatchedReason,
      provisional: transfer.confirmedAt === null && operatorOfSource(transfer.source) !== null,
    }
  );
};

/** Matches a bank credit by two people's decision. The person who entered the credit may not be one of them. */
export const matchTransferByTwo = effect<MatchPayload>({
  basis,
  // eslint-disable-next-line @typescript-eslint/require-await
  apart: async (_tx, { enteredBy }, decider) =>
    enteredBy === decider.id ? 'you entered this credit: another person decides' : null,
  apply: async (tx, { transferId, depositId }, { reason, now, decidedBy, warrant }) => {
    const transfer = await lockBankTransfer(tx, transferId);
    const deposit = await findDepositCase({ sql: tx }, depositId);
    if (!transfer || !deposit) throw notFound('bank transfer');
    await requireWhole(tx, transfer);
    const fee = chargeOfMatch(transfer, transfer.accountCurrency, deposit);
    const made = { transferId, depositId, fee, actor: `operator:${decidedBy}`, reason, now };
    if (!(await matchDeposit(tx, warrant as Warrant<'matchTransfer'>, made)))
      throw businessError('WRONG_STATE', 'the deposit is no longer PENDING');
  },
});
