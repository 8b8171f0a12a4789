import { payouts } from './payouts';
import { consoleSuite } from './suite';

consoleSuite('payouts', [payouts]);
