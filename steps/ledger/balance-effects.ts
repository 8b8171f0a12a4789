import { businessError } from '../../domain/errors';
import { balanceAdjustment, balanceTopUp, type Posting, type TransferType } from '../../domain/ledger';
import { money, type Money } from '../../domain/money';
import { postTransfer } from '../../db/ledger/ledger';
import { type ChangeEffect, effect } from '../changes/change-effect';

/** Money to be posted to a merchant's balance. */
export type BalancePayload = Readonly<{ merchantId: string; currencyCode: string; amount: string }>;

/** Posts once for each change request: its id is the key of the ledger transfer. A balance below zero is refused. */
const posting = (
  type: TransferType,
  prefix: string,
  postings: (merchantId: string, amount: Money) => Posting[],
): ChangeEffect =>
  effect<BalancePayload>({
    apply: async (tx, { merchantId, currencyCode, amount }, { id, now }) => {
      const posted = await postTransfer(tx, {
        type,
        key: `${prefix}:${id}`,
        currencyCode,
        orderId: null,
        bankTransferId: null,
        postings: postings(merchantId, money(amount)),
        now,
      });
      if (!posted) throw businessError('WRONG_STATE', 'the change was already posted');
    },
  });

/** Adds money that a merchant prepaid. */
export const topUpBalance = posting('BALANCE_TOP_UP', 'balance-top-up', balanceTopUp);

/** Corrects a balance, up or down. */
export const adjustBalance = posting('BALANCE_ADJUSTMENT', 'balance-adjustment', balanceAdjustment);
