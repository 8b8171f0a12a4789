import { businessError, invalidField, notFound } from '../../domain/errors';
import * as findings from '../../db/platform/findings';
import type { RecoveryRow } from '../../db/platform/recoveries';
import type { Needs } from '../context';
import { uuidv7 } from 'uuidv7';
import { LIMITS } from '../../domain/limits';
import { type ActionNeeds, operatorAction } from '../operators/operator-action';
import { operatorOf } from '../access/caller';

export async function recoveryOrRefuse({ database }: Needs<'database'>): Promise<RecoveryRow> {
  const recovery = await findings.findRecovery(database);
  if (!recovery) throw notFound('recovery');
  return recovery;
}

/** Enters a number that an order had in the lost time. */
export async function recordLostNumber(
  context: ActionNeeds & Needs<'loaders'>,
  {
    merchantId,
    merchantOrderNo,
    reason,
  }: { readonly merchantId: string; readonly merchantOrderNo: string; readonly reason: string },
): Promise<findings.FindingRow> {
  const recovery = await recoveryOrRefuse(context);
  const merchant = await context.loaders.merchants.load(merchantId);
  if (!merchant) throw notFound('merchant');
  if (merchantOrderNo === '' || Array.from(merchantOrderNo).length > LIMITS.merchantOrderNo)
    throw invalidField('merchantOrderNo', `must be 1-${LIMITS.merchantOrderNo} characters`, 'OUT_OF_RANGE');
  const subject = `number:${merchant.merchantCode}:${merchantOrderNo}`;
  const action = { action: 'recordLostNumber', subject: `merchant:${merchantId}`, reason };
  return await operatorAction(context, { ...action, detail: { merchantOrderNo } }, async (tx) => {
    if (await findings.isNumberKnown(tx, merchantId, merchantOrderNo))
      throw businessError('WRONG_STATE', 'the number is known here: it was not lost');
    const finding: findings.NewFinding = {
      id: uuidv7(),
      recoveryId: recovery.id,
      kind: 'LOST_NUMBER',
      subject,
      merchantId,
      detail: reason,
      enteredBy: operatorOf(context.actor).id,
    };
    await findings.noteFinding({ sql: tx }, finding, context.now);
    const kept = await findings.findFinding(tx, recovery.id, subject);
    if (!kept) throw notFound('finding');
    return kept;
  });
}
