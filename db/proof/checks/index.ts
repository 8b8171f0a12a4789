import type { Check } from '../rule';
import { ACCOUNTS } from './accounts';
import { BALANCES } from './balances';
import { BILLING } from './billing';
import { BOOKS } from './books';
import { CLOSES } from './closes';
import { COMMISSIONS } from './commissions';
import { COUNTS } from './counts';
import { DEPOSITS } from './deposits';
import { FEES } from './fees';
import { OPERATOR_POSTINGS } from './operator-postings';
import { STATEMENTS } from './statements';
import { SUMS } from './sums';
import { WITHDRAWALS } from './withdrawals';

/** All that must hold besides the postings. */
export const CHECKS: readonly Check[] = [
  ...DEPOSITS,
  ...WITHDRAWALS,
  ...OPERATOR_POSTINGS,
  ...BALANCES,
  ...COUNTS,
  ...ACCOUNTS,
  ...SUMS,
  ...CLOSES,
  ...STATEMENTS,
  ...FEES,
  ...COMMISSIONS,
  ...BILLING,
  ...BOOKS,
];
