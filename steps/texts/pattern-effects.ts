import type { Settings } from '../../domain/change-request';
import * as db from '../../db/texts/texts';
import { effect } from '../changes/change-effect';

/** A pattern as a proposal stores it. */
export type PatternPayload = Readonly<{
  id: string;
  name: string;
  bankCode: string;
  sender: string | null;
  direction: 'CREDIT' | 'DEBIT';
  pattern: string;
  timeFormat: string | null;
  decimalSign: '.' | ',';
  yearsAhead: number;
  active: boolean;
  createdBy: string;
}>;

/** A pattern as an approver compares it. */
export const patternFields = (pattern: Omit<PatternPayload, 'id' | 'name' | 'createdBy'>): Settings => ({
  bankCode: pattern.bankCode,
  sender: pattern.sender,
  direction: pattern.direction,
  pattern: pattern.pattern,
  timeFormat: pattern.timeFormat,
  decimalSign: pattern.decimalSign,
  yearsAhead: pattern.yearsAhead,
  active: pattern.active,
});

/** Puts the next version of a pattern in force, or ends the pattern. */
export const putTextPattern = effect<PatternPayload>({
  basis: async (tx, { name }) => {
    const newest = await db.lockPattern(tx, name);
    return newest ? patternFields(newest) : {};
  },
  apply: async (tx, pattern, { now }) => {
    const newest = await db.lockPattern(tx, pattern.name);
    await db.putPattern(tx, { ...pattern, version: (newest?.version ?? 0) + 1, createdAt: now });
  },
});
