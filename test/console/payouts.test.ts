import { payouts } from './payouts';
import { postings } from './postings';
import { statements } from './statements';
import { consoleSuite } from './suite';

consoleSuite('payouts, postings, returns and statements', [payouts, postings, statements]);
