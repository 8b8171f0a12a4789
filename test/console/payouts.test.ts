import { decisions } from './decisions';
import { payouts } from './payouts';
import { consoleSuite } from './suite';
import { withdrawals } from './withdrawals';

consoleSuite('withdrawals and payouts', [decisions, withdrawals, payouts]);
