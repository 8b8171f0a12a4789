import { payouts } from './payouts';
import { postings } from './postings';
import { statements } from './statements';
import { consoleSuite } from './suite';
import { withdrawals } from './withdrawals';

consoleSuite('withdrawals, payouts, postings, returns and statements', [
  withdrawals,
  payouts,
  postings,
  statements,
]);
