import type { Check } from '../rule';
import { ACCOUNTS } from './accounts';
import { BALANCES } from './balances';
import { COUNTS } from './counts';
import { DEPOSITS } from './deposits';
import { WITHDRAWALS } from './withdrawals';

/** All that must hold besides the postings. */
export const CHECKS: readonly Check[] = [
  ...DEPOSITS,
  ...WITHDRAWALS,
  ...BALANCES,
  ...COUNTS,
  ...ACCOUNTS,
];
