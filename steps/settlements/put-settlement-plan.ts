import { notFound } from '../../domain/errors';
import type { MerchantRow } from '../../db/merchants/merchants';
import type { CalendarRow } from '../../db/settlements/calendars';
import type { Needs } from '../context';
import { requireReach } from '../access/caller';

/** @throws NOT_FOUND */
export async function calendarNamed(
  { loaders }: Needs<'loaders'>,
  id: string | null | undefined,
): Promise<CalendarRow | null> {
  if (id == null) return null;
  const calendar = await loaders.calendars.load(id);
  if (!calendar) throw notFound('calendar');
  return calendar;
}

/** @throws NOT_FOUND */
export async function merchantNamed({ actor, loaders }: Needs<'actor' | 'loaders'>, id: string): Promise<MerchantRow> {
  const merchant = await loaders.merchants.load(id);
  if (!merchant) throw notFound('merchant');
  requireReach(actor, id, 'merchant');
  return merchant;
}
