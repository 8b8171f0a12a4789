import { openCredit, openCreditMemo, openPayerName } from '../../crypto/personal';
import { differencesOf } from '../../domain/credit-words';
import { rankCandidates } from '../../domain/candidates';
import { businessError, invalidField, notFound } from '../../domain/errors';
import { currencyDecimals, type Money, ZERO } from '../../domain/money';
import type { ChangeRow } from '../../db/changes/change-requests';
import { type DepositCase, findDeposit, findDepositCase, findDeposits } from '../../db/deposits/deposits';
import { type BankTransferView, findBankTransfers } from '../../db/transfers/bank-transfers';
import type { Evidence } from '../changes/propose';
import type { Needs } from '../context';
import type { ReturnPayload } from '../postings/payer-return-effects';
import { chargeOfParts } from './match-parts-effects';

/** The most credits of one order, and the most orders of one credit. */
export const MOST_PARTS = 20;

export interface Part {
  readonly transfer: BankTransferView;
  readonly deposit: DepositCase;
  readonly amount: Money;
}

export interface PartsRequest {
  readonly kind: 'COMBINE_TRANSFERS' | 'SPLIT_TRANSFER';
  readonly parts: readonly Part[];
  /** The return of the rest to its payer, if any. */
  readonly back?: ReturnPayload | null;
  readonly summary: string;
  readonly reason: string;
  readonly evidence: Evidence | null;
}

export async function depositOf({ database }: Needs<'database'>, orderNo: string): Promise<DepositCase> {
  const order = await findDeposit(database, { orderNo });
  const deposit = order && (await findDepositCase(database, order.id));
  if (!deposit) throw notFound(`deposit ${orderNo}`);
  return deposit;
}

export async function waitingTransfers(
  { database }: Needs<'database'>,
  transferIds: readonly string[],
): Promise<BankTransferView[]> {
  if (new Set(transferIds).size !== transferIds.length)
    throw invalidField('transferIds', 'must name each transfer once', 'DUPLICATE');
  const found = new Map((await findBankTransfers(database, transferIds)).map((t) => [t.id, t]));
  return transferIds.map((id) => {
    const transfer = found.get(id);
    if (!transfer) throw notFound('bank transfer');
    if (transfer.unmatchedReason === null)
      throw businessError('WRONG_STATE', 'the bank transfer does not wait any more');
    return transfer;
  });
}

/**
 * @throws BUSINESS_ERROR, INVALID_FIELD if the match is impossible for anybody
 */
export function checkParts(parts: readonly Part[]): void {
  for (const { transfer, deposit, amount } of parts) {
    if (transfer.currencyCode !== deposit.currencyCode)
      throw businessError('MISMATCH', 'a bank transfer and its deposit have different currencies');
    if (!amount.gt(0)) throw invalidField('amount', 'must be greater than 0', 'OUT_OF_RANGE');
    if (amount.decimalPlaces() > (currencyDecimals(transfer.currencyCode) ?? 0))
      throw invalidField('amount', 'has too many decimal places', 'OUT_OF_RANGE');
  }
  const byDeposit = new Map<DepositCase, Money>();
  for (const { deposit, amount } of parts) byDeposit.set(deposit, (byDeposit.get(deposit) ?? ZERO).plus(amount));
  for (const [deposit, received] of byDeposit) chargeOfParts(deposit, received);
}

/** Why a part is not exactly an order's money, as text. */
export const differencesIn = ({ sealer }: Needs<'sealer'>, parts: readonly Part[]): string[] => [
  ...new Set(
    parts.flatMap(({ transfer, deposit, amount }) => {
      const credit = { ...openCredit(sealer, transfer), amount };
      const possible = {
        ...deposit,
        accountId: deposit.accountId ?? '',
        claimedReference: null,
        payerName: openPayerName(sealer, deposit),
      };
      const reasons = rankCandidates(credit, [possible], 0)[0]?.reasons ?? [];
      return differencesOf(credit, possible, reasons).map((words) => `${deposit.orderNo}: ${words}`);
    }),
  ),
];

/** What the bank says of the credits, each text once. */
export const memosOf = ({ sealer }: Needs<'sealer'>, parts: readonly Part[]): string[] => [
  ...new Set(parts.map(({ transfer }) => openCreditMemo(sealer, transfer)).filter((memo) => memo !== '')),
];

export async function answered(context: Needs<'database'>, change: ChangeRow, parts: readonly Part[]) {
  const { database } = context;
  return {
    change,
    transfers: await findBankTransfers(database, [...new Set(parts.map((p) => p.transfer.id))]),
    deposits: await findDeposits(database, [...new Set(parts.map((p) => p.deposit.id))]),
  };
}

export const restIn = (left: { readonly rest: Money } | Error | undefined, { amount }: BankTransferView): Money =>
  left === undefined || left instanceof Error ? amount : left.rest;
