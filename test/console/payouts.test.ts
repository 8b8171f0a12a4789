import { payouts } from './payouts';
import { postings } from './postings';
import { consoleSuite } from './suite';

consoleSuite('payouts, postings and returns', [payouts, postings]);
