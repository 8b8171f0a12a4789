import { payouts } from './payouts';
import { consoleSuite } from './suite';
import { withdrawals } from './withdrawals';

consoleSuite('withdrawals and payouts', [withdrawals, payouts]);
