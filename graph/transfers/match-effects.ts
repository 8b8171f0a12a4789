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
  /** The operator who reported the credit; null where a bank's side did. */
  enteredBy: string | null;
}>;

/** The operator behind a source such as `operator:{id}`; null for others. */
export const operatorOfSource = (source: string): string | null =>
  /^operator:(.+)$/.exec(source)?.[1] ?? null;

/**
 * The fee of the deposit that a person says this transfer pays.
 * @throws BUSINESS_ERROR where that is wrong whoever says it
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
  // The statement asks again, and whether its amount is still its own.
  const reopens = deposit.status === 'EXPIRED' && deposit.latePayment === 'REOPEN';
  if (deposit.status !== 'PENDING' && !reopens)
    throw businessError('WRONG_STATE', `the deposit is ${deposit.status}`);
  const decimals = currencyDecimals(deposit.currencyCode) ?? 0;
  const fee = chargeOn(transfer.amount, deposit, deposit.depositFee, decimals);
  if (fee.gte(transfer.amount))
    throw businessError('AMOUNT', 'the fee exceeds the transferred amount');
  return fee;
}

/** Only what nobody has used pays a deposit. @throws BUSINESS_ERROR where a part was posted or goes back */
export async function requireWhole(
  sql: Transaction | Database['sql'],
  { id, amount }: BankTransferView,
): Promise<void> {
  const rest = (await findRests({ sql }, 'transfer', [id])).get(id);
  if (!rest?.equals(amount))
    throw businessError('WRONG_STATE', 'the bank credit is partly used already');
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

/** Matches a bank credit as two people say. Who entered the credit is neither of them. */
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
