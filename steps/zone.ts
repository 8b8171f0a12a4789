import { invalidField } from '../domain/errors';
import { isZone } from '../domain/zone';
import { isZoneHere } from '../db/zones';
import type { Needs } from './context';

/** A zone that both Node.js and PostgreSQL know: each has its own tables. @throws INVALID_FIELD */
export async function checkedZone({ database }: Needs<'database'>, zone: string, field = 'timeZone'): Promise<string> {
  if (!isZone(zone) || !(await isZoneHere(database, zone)))
    throw invalidField(field, 'must be a time zone, such as Asia/Bangkok', 'UNKNOWN_VALUE');
  return zone;
}
