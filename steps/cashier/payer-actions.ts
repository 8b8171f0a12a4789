import { pictureType, type PictureType } from '../../domain/file-type';
import { businessError, invalidField } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { findCashierSessions } from '../../db/cashier/sessions';
import type { DepositView } from '../../db/deposits/deposits';
import type { Needs } from '../context';
import { barePicture } from './bare-picture';
import { payerOf, present } from './payer';
import { fileOf, type KeptFile } from '../kept-file';

const CONTROL = /\p{Cc}/u;

/** @throws INVALID_FIELD */
export function referenceOf(text: string): string {
  const reference = text.trim();
  const length = Array.from(reference).length;
  if (length < 1 || length > LIMITS.claimReference || CONTROL.test(reference))
    throw invalidField('reference', `must have 1-${LIMITS.claimReference} plain characters`, 'OUT_OF_RANGE');
  return reference;
}

/** The picture as it is kept: without what a camera wrote of place, time and device. @throws INVALID_FIELD */
export function receiptPicture(base64: string | null | undefined): KeptFile<PictureType> | null {
  const mustBe = 'a PNG, JPEG or WebP picture';
  const sent = fileOf(base64, 'receipt', {
    most: LIMITS.claimReceiptBytes,
    typeOf: pictureType,
    mustBe,
  });
  return sent && { type: sent.type, bytes: barePicture(sent.bytes, sent.type) };
}

/** The order of the calling session. @throws BUSINESS_ERROR if there is none yet */
export async function orderOf(context: Needs<'actor' | 'database' | 'loaders'>): Promise<DepositView> {
  const { database, loaders, actor } = context;
  const { sessionId } = payerOf(actor);
  const session = present((await findCashierSessions(database, [sessionId]))[0]);
  const deposit = session.depositOrderId === null ? undefined : await loaders.deposits.load(session.depositOrderId);
  if (!deposit) throw businessError('WRONG_STATE', 'the session has no order yet');
  return deposit;
}
