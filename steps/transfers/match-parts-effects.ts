import { chargeOn } from '../../domain/fees';
import { currencyDecimals, money, type Money, ZERO } from '../../domain/money';
import { businessError, CatalogueError, notFound } from '../../domain/errors';
import type { Warrant } from '../../domain/authority/warrant';
import type { Settings } from '../../domain/change-request';
import type { Transaction } from '../../db/client';
import { type DepositCase, findDepositCase } from '../../db/deposits/deposits';
import { type BankTransferView, lockBankTransfer } from '../../db/transfers/bank-transfers';
import { type CreditPart, matchParts } from '../../db/transfers/credit-parts';
import { effect } from '../changes/change-effect';
import { openTask, type ReturnPayload } from '../postings/payer-return-effects';

/** Parts of bank credits that pay deposits, as a proposal stores them. */
export type PartsPayload = Readonly<{
  parts: readonly Readonly<{ transferId: string; depositId: string; amount: string }>[];
  /** The operators who reported any of the credits. */
  enteredBy: readonly string[];
  /** The return of the rest of a split credit to its payer, if any. */
  back?: ReturnPayload;
}>;

const ids = (parts: PartsPayload['parts'], of: 'transferId' | 'depositId'): string[] =>
  [...new Set(parts.map((part) => part[of]))].sort();

/**
 * The fee of a deposit that gets this amount in all.
 * @throws BUSINESS_ERROR if the match is impossible for anybody
 */
export function chargeOfParts(deposit: DepositCase, received: Money): Money {
  if (deposit.status !== 'PENDING') throw businessError('WRONG_STATE', `${deposit.orderNo} is ${deposit.status}`);
  const decimals = currencyDecimals(deposit.currencyCode) ?? 0;
  const fee = chargeOn(received, deposit, deposit.depositFee, decimals);
  if (fee.gte(received)) throw businessError('AMOUNT', `the fee of ${deposit.orderNo} exceeds what it gets`);
  return fee;
}

/** The parts, with each deposit's fee on its first part. */
function chargedParts(parts: PartsPayload['parts'], deposits: ReadonlyMap<string, DepositCase>): CreditPart[] {
  const charged = new Set<string>();
  return parts.map(({ transferId, depositId, amount }) => {
    const deposit = deposits.get(depositId);
    if (!deposit) throw notFound('deposit');
    const received = parts
      .filter((part) => part.depositId === depositId)
      .reduce((sum, part) => sum.plus(part.amount), ZERO);
    const fee = charged.has(depositId) ? ZERO : chargeOfParts(deposit, received);
    charged.add(depositId);
    return { transferId, depositId, amount: money(amount), fee };
  });
}

async function lockTransfers(tx: Transaction, parts: PartsPayload['parts']): Promise<BankTransferView[]> {
  const transfers: BankTransferView[] = [];
  for (const id of ids(parts, 'transferId')) {
    const transfer = await lockBankTransfer(tx, id);
    if (!transfer) throw notFound('bank transfer');
    transfers.push(transfer);
  }
  return transfers;
}

async function basis(tx: Transaction, { parts }: PartsPayload): Promise<Settings | null> {
  const transfers = await lockTransfers(tx, parts);
  return Object.fromEntries(transfers.map(({ id, depositId, unmatchedReason }) => [id, unmatchedReason ?? depositId]));
}

/**
 * Matches parts of bank credits by two people's decision. The person who entered one of the credits may not be one of
 * them.
 */
export const matchPartsByTwo = effect<PartsPayload>({
  basis,
  // eslint-disable-next-line @typescript-eslint/require-await
  apart: async (_tx, { enteredBy }, decider) =>
    enteredBy.includes(decider.id) ? 'you entered one of these credits: another person decides' : null,
  apply: async (tx, { parts, back }, applied) => {
    const { reason, now, decidedBy, warrant } = applied;
    await lockTransfers(tx, parts);
    const deposits = new Map<string, DepositCase>();
    for (const id of ids(parts, 'depositId')) {
      const deposit = await findDepositCase({ sql: tx }, id);
      if (deposit) deposits.set(id, deposit);
    }
    const refusal = await matchParts(
      tx,
      warrant as Warrant<'combineTransfers' | 'splitTransfer'>,
      chargedParts(parts, deposits),
      { actor: `operator:${decidedBy}`, reason, now },
    );
    if (refusal !== null) throw new CatalogueError('CONFLICT', 'a part of these credits is used already');
    if (back) await openTask(tx, back, applied);
  },
});
