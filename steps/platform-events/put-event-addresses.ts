import { CALLBACK_URL_PROBLEMS, checkCallbackUrl } from '../../domain/callback-target';
import { isEmail } from '../../domain/email';
import { invalidField } from '../../domain/errors';
import { MOST_EVENT_MAILS } from '../../domain/platform-event';
import type * as db from '../../db/platform-events/addresses';
import type { AddressesPayload } from './address-effects';

/** @throws INVALID_FIELD */
export function checkedMails(mails: readonly string[]): string[] {
  const once = new Map(mails.map((mail) => [mail.trim().toLowerCase(), mail.trim()]));
  if (once.size > MOST_EVENT_MAILS)
    throw invalidField('mails', `must be at most ${MOST_EVENT_MAILS}`, 'OUT_OF_RANGE');
  for (const mail of once.values())
    if (!isEmail(mail)) throw invalidField('mails', `${mail} is no mail address`);
  return [...once.values()];
}

/** @throws INVALID_FIELD */
export function checkUrl(url: string, allowInsecure: boolean): void {
  const problem = checkCallbackUrl(url, { allowInsecure });
  if (problem !== 'ok') throw invalidField('webhookUrl', CALLBACK_URL_PROBLEMS[problem]);
}

/** A link to a secret goes to one person, by mail. @throws INVALID_FIELD */
export function checkOwners(mails: readonly string[], webhookUrl: string | null): void {
  if (mails.length > 1) throw invalidField('mails', 'must be one: it is the owner', 'OUT_OF_RANGE');
  if (webhookUrl !== null)
    throw invalidField('webhookUrl', 'must be null: links are mailed', 'NOT_ALLOWED');
}

/** Whether addresses are only removed. */
export const closes = (
  payload: AddressesPayload,
  newest: db.EventAddressesRow | undefined,
): boolean =>
  newest !== undefined &&
  payload.mails.every((mail) => newest.mails.includes(mail)) &&
  (payload.webhookUrl === null || payload.secretId === newest.secretId) &&
  (!payload.allowInsecure || newest.allowInsecure);
