import { depositCallbackBody } from '../../domain/callback';
import { businessError, notFound } from '../../domain/errors';
import * as db from '../../db/deposits/deposits';
import type { Needs } from '../context';
import { idempotent } from '../idempotent';
import { type ActionNeeds, operatorAction } from '../operators/operator-action';
import { evidenceOfDeposit } from './evidence';
import { actorName, requireReach } from '../access/caller';
import { takesTwo } from '../authority/row';

/** A deposit that an operator wants to end. */
export interface CancelRequest {
  readonly orderNo: string;
  readonly reason: string;
  /** The caller knows that money arrived, and cancels anyway. */
  readonly moneyCame?: boolean;
  /** The client's key, so that a request can be repeated after a lost answer. */
  readonly key?: string | null | undefined;
}

async function found({ database }: Needs<'database'>, key: db.DepositKey): Promise<db.DepositView> {
  const deposit = await db.findDeposit(database, key);
  if (!deposit) throw notFound('deposit');
  return deposit;
}

/**
 * Cancels a PENDING or MATCHED deposit, with one audit entry.
 * @throws NOT_FOUND, BUSINESS_ERROR for a final state, INVALID_FIELD without a reason
 */
export async function cancelDeposit(
  context: ActionNeeds & Needs<'loaders' | 'maskPersonal' | 'sealer'>,
  { orderNo, reason, moneyCame = false, key }: CancelRequest,
): Promise<db.DepositView> {
  const { actor, database, loaders, now } = context;
  const order = await found(context, { orderNo });
  requireReach(actor, order.merchantId, 'deposit');
  const deposit = await db.findDepositCase(database, order.id);
  if (!deposit) throw notFound('deposit');
  const callbackBody = deposit.notifyDepositCancelled ? depositCallbackBody('CANCELLED', deposit, now) : null;
  const { answer, sentence } = await evidenceOfDeposit(context, order);
  const came = answer === 'CREDIT_FOLLOWS' || answer === 'MONEY_WAITS';
  const cancel = { depositId: deposit.id, actor: actorName(actor), reason, callbackBody, now };
  const about = { orderNo, depositTraceId: order.traceId };
  const action = {
    action: 'cancelDeposit',
    subject: `deposit:${orderNo}`,
    reason,
    about,
    detail: { moneyCame: came ? sentence : null },
  };
  return await idempotent(
    context,
    { mutation: 'cancelDeposit', key, args: { orderNo, reason } },
    async (recordKey) => {
      if (came && !moneyCame && takesTwo(context)) throw businessError('WRONG_STATE', `its money came: ${sentence}`);
      await operatorAction(context, action, async (tx) => {
        await recordKey(tx, order.id);
        if (!(await db.cancelDeposit(tx, cancel)))
          throw businessError('WRONG_STATE', 'the deposit is already in a final state');
      });
      loaders.evidence.clear(deposit.id);
      loaders.bankTransfers.clearAll();
      return await found(context, { id: order.id });
    },
    async (id) => await found(context, { id }),
  );
}
